//! A housekeeper starts a task and completes it: two requests, two transactions.

use std::time::Duration;

use crate::Outcome;
use crate::hotel::{self, Hotel, RESULTS};
use crate::limit::{self, Limit, Work};
use crate::load::{self, Connection, Reached, Script, Span, timed};
use crate::stage::{Product, Stage};

/// One housekeeper with her own tasks and her own token.
struct Housekeeper {
    lane: usize,
    next: u64,
    start: Request,
    complete: Request,
}

impl Script for Housekeeper {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        let number = self.next;
        self.next += 1;
        timed(connection, self.start.of(self.lane, number), report).await?;
        timed(connection, self.complete.of(self.lane, number), report).await?;
        Ok(true)
    }
}

/// A request whose only change from one to the next is the number in the task's id.
struct Request {
    bytes: Vec<u8>,
    digits: std::ops::Range<usize>,
}

impl Request {
    fn new(hotel: &Hotel, lane: usize, token: &str, verb: &str, body: &str) -> Self {
        let id = hotel.id("hkt", lane, 0);
        let path = format!("POST /housekeeping/v1/tasks/{id}");
        let text = format!(
            "{path}/{verb} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        Self { digits: path.len() - 16..path.len(), bytes: text.into_bytes() }
    }

    fn of(&mut self, lane: usize, number: u64) -> &[u8] {
        let digits = format!("{:016}", lane as u64 * 1_000_000_000 + number);
        self.bytes[self.digits.clone()].copy_from_slice(digits.as_bytes());
        &self.bytes
    }
}

/// The product, over HTTP, on tasks that are prepared.
pub(crate) async fn ours(
    stage: &Stage,
    hotel: &mut Hotel,
    product: &Product,
    connections: usize,
    span: Span,
) -> Outcome<Reached> {
    let body =
        format!(r#"{{"checklistResults":{RESULTS},"linen":{{"issued":2,"returned":2}},"noMaintenanceFound":true}}"#);
    let housekeepers = (0..connections)
        .map(|lane| {
            let account = format!("usr_BENCH{lane}");
            let token = hotel::token(stage, &hotel.tenant(lane), "housekeeper", &account, Some(hotel.staff(lane)));
            Housekeeper {
                lane,
                next: hotel.next_task(lane),
                start: Request::new(hotel, lane, &token, "start", ""),
                complete: Request::new(hotel, lane, &token, "complete", &body),
            }
        })
        .collect();
    let (reached, housekeepers) = load::run(product.address, housekeepers, span).await?;
    for housekeeper in housekeepers {
        hotel.worked_until(housekeeper.lane, housekeeper.next);
    }
    hotel.learn(reached.per_second);
    Ok(reached)
}

/// The limit, on tasks that are prepared.
pub(crate) async fn limit(stage: &Stage, hotel: &mut Hotel, clients: usize, span: Span) -> Outcome<Limit> {
    let reached = limit::run(stage, Work::Tasks, clients, span).await?;
    hotel.learn(reached.per_second);
    Ok(reached)
}
