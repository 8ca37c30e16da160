//! What must stand at the server: streams and consumers, as the catalogue and the subscriptions say.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::stream::{self, RetentionPolicy, StorageType};
use contracts::catalogue::{self, Context};

use super::{Nats, drift};
use crate::bus::Subscription;
use crate::bus::broker::{BrokerError, Lag, Store};

/// Keys that hash alike share a partition, and wait for each other. Part of what stands at the server: another number is
/// another set of consumers.
pub const PARTITIONS: u64 = 16;
/// Within this time the server itself drops what is published twice; beyond it the inboxes do.
const REPETITIONS_DROPPED: Duration = Duration::from_mins(2);
/// A worker that says nothing for so long has lost its message. One that is at work says so in between.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(15);
/// What could not be applied, with its reason.
pub(super) const DEAD_LETTERS: &str = "MELMASTOON_DEAD_LETTERS";
pub(super) const DEAD_LETTER_PREFIX: &str = "dead_letters";

/// The partition of an ordering key (FNV-1a, 64 bits): the same in every release and every language.
pub(super) fn partition_of(ordering_key: &str) -> u64 {
    let hash = ordering_key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash % PARTITIONS
}

/// A stream: the events of one of our contexts, or of everybody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StreamOf(&'static str);

const OTHERS: StreamOf = StreamOf("others");

impl StreamOf {
    fn all() -> impl Iterator<Item = Self> {
        Context::ALL.into_iter().map(|context| Self(context.as_str())).chain([OTHERS])
    }

    /// Where an event of this subject goes.
    pub(super) fn of(subject: &str) -> Self {
        let producer = subject.split('.').nth(1).unwrap_or_default();
        Self::all().find(|stream| stream.0 == producer).unwrap_or(OTHERS)
    }

    pub(super) fn name(self) -> String {
        format!("MELMASTOON_{}", self.0.to_uppercase())
    }

    pub(super) fn subject(self, partition: u64, subject: &str) -> String {
        format!("events.{}.{partition}.{subject}", self.0)
    }

    /// For as long as the subject that is kept longest.
    fn kept_for(self) -> Duration {
        let days =
            catalogue::all().filter(|entry| Self::of(entry.subject) == self).map(|entry| entry.retention.broker_days);
        Duration::from_hours(24 * u64::from(days.max().unwrap_or(7)))
    }
}

/// The subject in what a message was sent to: behind `events`, the stream and the partition.
pub(super) fn subject_in(address: &str) -> &str {
    address.splitn(4, '.').nth(3).unwrap_or_default()
}

/// One consumer: a subscription's ear for one partition of one stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub(super) stream: StreamOf,
    pub(super) subscription: &'static str,
    pub(super) partition: u64,
}

impl Lane {
    /// All lanes of a subscription.
    pub(super) fn of(subscription: &Subscription) -> Vec<Self> {
        let streams: BTreeSet<_> = subscription.subjects.iter().map(|subject| StreamOf::of(subject)).collect();
        let lane = |stream, partition| Self { stream, subscription: subscription.name, partition };
        streams.into_iter().flat_map(|stream| (0..PARTITIONS).map(move |n| lane(stream, n))).collect()
    }

    pub(super) fn durable(self) -> String {
        format!("{}_{}", self.subscription, self.partition)
    }

    /// The attempts of the catalogue are counted by the worker, which knows a reason and has a place for it: the server would
    /// drop a message in silence. So it hands out for ever.
    fn config(self, ack_wait: Duration) -> pull::Config {
        pull::Config {
            durable_name: Some(self.durable()),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: 1,
            max_deliver: -1,
            filter_subject: format!("events.{}.{}.>", self.stream.0, self.partition),
            ..pull::Config::default()
        }
    }
}

impl Nats {
    fn streams(&self) -> Vec<stream::Config> {
        let base = stream::Config {
            retention: RetentionPolicy::Limits,
            storage: StorageType::File,
            num_replicas: self.inner.replicas,
            max_messages: -1,
            max_bytes: -1,
            max_messages_per_subject: -1,
            max_consumers: -1,
            duplicate_window: REPETITIONS_DROPPED,
            ..stream::Config::default()
        };
        let events = StreamOf::all().map(|stream| stream::Config {
            name: stream.name(),
            subjects: vec![format!("events.{}.*.>", stream.0)],
            max_age: stream.kept_for(),
            ..base.clone()
        });
        let days = Context::ALL.iter().map(|context| context.delivery().dead_letter_days).max().unwrap_or(30);
        let dead_letters = stream::Config {
            name: DEAD_LETTERS.to_owned(),
            subjects: vec![format!("{DEAD_LETTER_PREFIX}.>")],
            max_age: Duration::from_hours(24 * u64::from(days)),
            ..base.clone()
        };
        events.chain([dead_letters]).collect()
    }

    /// What differs from what should stand there, in words; with `mend` it is made so.
    pub(super) async fn reconcile(
        &self,
        subscriptions: &[Subscription],
        mend: bool,
    ) -> Result<Vec<String>, BrokerError> {
        self.is_reached().await?;
        let mut said = Vec::new();
        for wanted in self.streams() {
            self.reconcile_stream(wanted, mend, &mut said).await?;
        }
        let mut lanes = Vec::new();
        for lane in subscriptions.iter().flat_map(Lane::of) {
            lanes.extend(self.reconcile_lane(lane, mend).await?.map(|words| (lane, words)));
        }
        said.extend(gathered(&lanes));
        Ok(said)
    }

    async fn reconcile_stream(
        &self,
        wanted: stream::Config,
        mend: bool,
        said: &mut Vec<String>,
    ) -> Result<(), BrokerError> {
        let jetstream = &self.inner.jetstream;
        let found = match jetstream.get_stream(&wanted.name).await {
            Ok(found) => found.cached_info().config.clone(),
            Err(error) if is_missing(&error) => {
                said.push(format!("stream {} {}", wanted.name, if mend { "made" } else { "is missing" }));
                if mend {
                    jetstream.create_stream(&wanted).await.map_err(away)?;
                }
                return Ok(());
            }
            Err(error) => return Err(away(error)),
        };
        let (mended, drift) = drift::of_stream(&found, &wanted);
        said.extend(drift.for_somebody.iter().map(|words| format!("stream {} {words}", wanted.name)));
        if drift.differs.is_empty() {
            return Ok(());
        }
        let done = if mend { "; mended" } else { "" };
        said.push(format!("stream {}: {}{done}", wanted.name, drift.differs.join(", ")));
        if mend {
            jetstream.update_stream(&mended).await.map_err(away)?;
        }
        Ok(())
    }

    /// Makes anew what the server does not have any more, and says so. Many find out at once; one of them does it.
    pub(super) async fn make_anew(&self, subscriptions: &[Subscription]) -> Result<(), BrokerError> {
        let _mine = self.inner.mending.lock().await;
        let done = self.reconcile(subscriptions, true).await?;
        if !done.is_empty() {
            tracing::warn!(?done, "the broker did not have what should stand there; it has been made anew");
        }
        Ok(())
    }

    /// The streams of events, and when each was made: one that was made later than we remember has lost what it held.
    pub(super) async fn stores_there(&self) -> Result<Vec<Store>, BrokerError> {
        self.make_anew(&[]).await?;
        let mut stores = Vec::new();
        for stream in StreamOf::all() {
            let found = self.inner.jetstream.get_stream(stream.name()).await.map_err(away)?;
            let made = found.cached_info().created.unix_timestamp_nanos().to_string();
            stores.push(Store { name: stream.name(), made });
        }
        Ok(stores)
    }

    /// What differs, behind the consumer's name.
    async fn reconcile_lane(&self, lane: Lane, mend: bool) -> Result<Option<String>, BrokerError> {
        let (stream, name, wanted) = (lane.stream.name(), lane.durable(), lane.config(self.inner.ack_wait));
        let jetstream = &self.inner.jetstream;
        let found = jetstream.get_stream_no_info(&stream).await.map_err(away)?.consumer_info(&name).await;
        let differs = match found {
            Err(error) if is_missing(&error) => None,
            Err(error) => return Err(away(error)),
            Ok(found) => {
                let drift = drift::of_consumer(&found.config, &wanted);
                if !drift.for_somebody.is_empty() {
                    return Ok(Some(drift.for_somebody.join(", ")));
                }
                if drift.differs.is_empty() {
                    return Ok(None);
                }
                Some(drift.differs.join(", "))
            }
        };
        let words = match (differs, mend) {
            (None, true) => "made".to_owned(),
            (None, false) => "missing".to_owned(),
            (Some(differs), true) => format!("{differs}; mended"),
            (Some(differs), false) => differs,
        };
        if mend {
            jetstream.create_consumer_on_stream(wanted, &stream).await.map_err(away)?;
        }
        Ok(Some(words))
    }

    pub(super) async fn lag_of(&self, subscriptions: &[Subscription]) -> Result<Vec<Lag>, BrokerError> {
        let mut lags: Vec<Lag> = Vec::new();
        for lane in subscriptions.iter().flat_map(Lane::of) {
            let stream = self.inner.jetstream.get_stream_no_info(lane.stream.name()).await.map_err(away)?;
            let info = match stream.consumer_info(lane.durable()).await {
                Ok(info) => info,
                // Said by `missing`.
                Err(error) if is_missing(&error) => continue,
                Err(error) => return Err(away(error)),
            };
            let (name, stream) = (lane.subscription, lane.stream.name());
            let at =
                lags.iter().position(|lag| lag.subscription == name && lag.stream == stream).unwrap_or_else(|| {
                    let subscription = name.to_owned();
                    lags.push(Lag { subscription, stream, waiting: 0, at_work: 0, tried_again: 0 });
                    lags.len() - 1
                });
            lags[at].waiting += info.num_pending;
            lags[at].at_work += u64::try_from(info.num_ack_pending).unwrap_or(0);
            lags[at].tried_again += u64::try_from(info.num_redelivered).unwrap_or(0);
        }
        Ok(lags)
    }

    /// Who would hear of nothing, since it was never made or somebody has removed it.
    pub(super) async fn missing(&self, subscriptions: &[Subscription]) -> Result<Vec<String>, BrokerError> {
        let mut missing = Vec::new();
        for lane in subscriptions.iter().flat_map(Lane::of) {
            let stream = self.inner.jetstream.get_stream_no_info(lane.stream.name()).await.map_err(away)?;
            match stream.consumer_info(lane.durable()).await {
                Ok(_) => {}
                Err(error) if is_missing(&error) => {
                    missing.push((lane, "missing: `melmastoon bus apply` makes it".to_owned()));
                }
                Err(error) => return Err(away(error)),
            }
        }
        Ok(gathered(&missing))
    }
}

/// What is said of neighbouring partitions alike is said once.
fn gathered(lanes: &[(Lane, String)]) -> Vec<String> {
    let alike = |(one, said): &(Lane, String), (other, same): &(Lane, String)| {
        one.stream == other.stream && one.subscription == other.subscription && said == same
    };
    let line = |group: &[(Lane, String)]| {
        let (first, words) = group.first()?;
        let last = group.last().map(|(lane, _)| lane.partition).filter(|last| *last != first.partition);
        let to = last.map_or_else(String::new, |last| format!(" to _{last}"));
        Some(format!("consumer {}/{}{to}: {words}", first.stream.name(), first.durable()))
    };
    lanes.chunk_by(alike).filter_map(line).collect()
}

pub(super) fn away(error: impl std::fmt::Display) -> BrokerError {
    BrokerError::Away(error.to_string())
}

/// Whether the server answered, and has no such thing.
pub(super) fn is_missing(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(said) = error.downcast_ref::<async_nats::jetstream::Error>() {
            return said.code() == 404;
        }
        next = error.source();
    }
    error.to_string().contains("not found")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stays_in_its_partition_whatever_the_release() {
        let of = |key: &str| partition_of(key);
        assert_eq!(
            [of("tnt_A:tsk_1"), of("tnt_A:tsk_2"), of("")],
            [of("tnt_A:tsk_1"), of("tnt_A:tsk_2"), 0xcbf2_9ce4_8422_2325 % PARTITIONS]
        );
        // Published test vectors of FNV-1a.
        assert_eq!(partition_of("a"), 0xaf63_dc4c_8601_ec8c % PARTITIONS);
        assert_eq!(partition_of("foobar"), 0x8594_4171_f739_67e8 % PARTITIONS);
    }

    #[test]
    fn what_is_said_of_neighbouring_partitions_alike_is_said_once() {
        let lane = |subscription, partition| Lane { stream: OTHERS, subscription, partition };
        let said = |subscription, partition, words: &str| (lane(subscription, partition), words.to_owned());
        let mut lanes: Vec<_> = (0..PARTITIONS).map(|partition| said("staff", partition, "made")).collect();
        lanes.extend([
            said("reservation", 3, "made"),
            said("reservation", 4, "differs"),
            said("reservation", 5, "made"),
        ]);
        let stream = OTHERS.name();
        assert_eq!(
            gathered(&lanes),
            [
                format!("consumer {stream}/staff_0 to _15: made"),
                format!("consumer {stream}/reservation_3: made"),
                format!("consumer {stream}/reservation_4: differs"),
                format!("consumer {stream}/reservation_5: made"),
            ]
        );
        assert!(gathered(&[]).is_empty());
    }

    #[test]
    fn every_subject_of_the_catalogue_has_a_stream_and_is_found_again_in_its_address() {
        for entry in catalogue::all() {
            let stream = StreamOf::of(entry.subject);
            assert_eq!(subject_in(&stream.subject(3, entry.subject)), entry.subject);
            assert_eq!(stream == OTHERS, entry.publisher().is_none(), "{}", entry.subject);
            assert!(stream.kept_for() >= Duration::from_hours(24 * u64::from(entry.retention.broker_days)));
        }
    }
}
