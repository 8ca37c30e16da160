//! How often the broker has handed out messages: what is more than once each was absorbed by somebody.

use std::collections::BTreeMap;

use async_nats::jetstream::consumer::Info;
use futures_util::TryStreamExt;
use test_hotel::NatsServer;

use crate::session::Session;

const STREAMS: &str = "MELMASTOON_";

/// Deliveries beyond the first of each event to each subscription, since the beginning. A server that was killed forgets some of its
/// counting, so it is at least that many.
pub(crate) fn absorbed(nats: &NatsServer, session: &Session) -> i64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let handed_out = runtime.block_on(handed_out(&nats.url())).unwrap_or_default();
    let told = session.counts(
        "SELECT CASE WHEN split_part(subject, '.', 2) IN ('housekeeping', 'staff', 'reservation')
                THEN upper(split_part(subject, '.', 2)) ELSE 'OTHERS' END AS stream, count(*)
         FROM bus.event_log WHERE subject NOT LIKE 'internal.%' GROUP BY 1",
    );
    let told: BTreeMap<_, _> = told.into_iter().collect();
    let beyond = |((stream, _), count): (&(String, String), &i64)| count - told.get(stream).copied().unwrap_or(0);
    handed_out.iter().map(beyond).map(|count| count.max(0)).sum()
}

/// By stream and subscription.
async fn handed_out(url: &str) -> Result<BTreeMap<(String, String), i64>, async_nats::Error> {
    let jetstream = async_nats::jetstream::new(async_nats::connect(url).await?);
    let mut counts = BTreeMap::new();
    let mut names = jetstream.stream_names();
    while let Some(name) = names.try_next().await? {
        let Some(short) = name.strip_prefix(STREAMS).filter(|short| *short != "DEAD_LETTERS") else { continue };
        let stream = jetstream.get_stream(&name).await?;
        let consumers: Vec<Info> = stream.consumers().try_collect().await?;
        for consumer in consumers {
            let subscription = consumer.name.rsplit_once('_').map_or("", |(name, _)| name).to_owned();
            *counts.entry((short.to_owned(), subscription)).or_default() +=
                i64::try_from(consumer.delivered.consumer_sequence).unwrap_or(i64::MAX);
        }
    }
    Ok(counts)
}
