//! What a Redis beside the database is worth: the board of two hundred rooms from a process that has one and from a process that has none, in turns.

use test_hotel::RedisServer;

use crate::Outcome;
use crate::board;
use crate::hotel::Hotel;
use crate::load::{Reached, Span};
use crate::processor::{self, Cost, Used};
use crate::stage::{Product, Stage};

/// Two processes on one database, one of which has the cache.
pub(crate) struct Both {
    with: Product,
    without: Product,
    redis: RedisServer,
}

/// What one side reached, and what each board cost.
pub(crate) struct Side {
    pub(crate) reached: Reached,
    pub(crate) cost: Cost,
    /// The cache's own processor time for a board, in microseconds.
    pub(crate) redis_us: f64,
}

impl Both {
    /// `None` where the machine has no redis-server, which is said.
    pub(crate) async fn open(stage: &Stage) -> Outcome<Option<Self>> {
        let Some(redis) = RedisServer::start() else { return Ok(None) };
        let with = stage.start_product_with("serve", &[("REDIS_URL", &redis.url())]).await?;
        let without = stage.start_product("serve").await?;
        Ok(Some(Self { with, without, redis }))
    }

    pub(crate) async fn round(
        &self,
        stage: &Stage,
        hotel: &Hotel,
        with: bool,
        connections: usize,
        span: Span,
    ) -> Outcome<Side> {
        let product = if with { &self.with } else { &self.without };
        let pid = self.redis.pid().and_then(|pid| u32::try_from(pid).ok()).ok_or("redis-server has ended")?;
        let (before, redis) = (Used::now(stage, product)?, processor::used_by(pid)?);
        let reached = board::ours(stage, hotel, product, connections, span).await?;
        let cost = Used::now(stage, product)?.cost_since(before, reached.operations);
        let redis_us = (processor::used_by(pid)? - redis) * 1e6 / reached.operations.max(1.0);
        if with && !self.redis.keys().iter().any(|key| key.contains(&hotel.board_property())) {
            return Err("the board is not in the cache: nothing was measured".into());
        }
        Ok(Side { reached, cost, redis_us })
    }

    pub(crate) async fn close(self) -> Outcome<()> {
        self.with.stop().await?;
        self.without.stop().await
    }
}
