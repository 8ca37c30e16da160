//! What somebody has changed at the server: everything that would lose events, hand them out otherwise, or hand them out to nobody.

use async_nats::jetstream::consumer::{self, DeliverPolicy, ReplayPolicy, pull};
use async_nats::jetstream::stream;

/// How a thing at the server differs from what should stand there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Drift {
    /// In words; an update mends it.
    pub(super) differs: Vec<String>,
    /// In words, with what to do: the server changes this of nothing that stands.
    pub(super) for_somebody: Vec<String>,
}

/// Pulls that may wait at a consumer; the server's own number where none is asked for.
const PULLS: i64 = 512;

/// No limit is -1, and 0 where nobody said anything.
fn limit(number: i64) -> i64 {
    if number <= 0 { -1 } else { number }
}

fn bound(number: i64) -> String {
    if limit(number) < 0 { "without end".to_owned() } else { number.to_string() }
}

/// What differs in a stream, and the stream as it should be.
pub(super) fn of_stream(found: &stream::Config, wanted: &stream::Config) -> (stream::Config, Drift) {
    let mut mended = found.clone();
    let mut drift = Drift::default();
    let mut says = |is_other: bool, words: &dyn Fn() -> String| {
        if is_other {
            drift.differs.push(words());
        }
    };
    says(found.subjects != wanted.subjects, &|| {
        format!("subjects {:?} instead of {:?}", found.subjects, wanted.subjects)
    });
    says(found.max_age != wanted.max_age, &|| format!("kept for {:?} instead of {:?}", found.max_age, wanted.max_age));
    says(found.num_replicas != wanted.num_replicas, &|| {
        format!("{} copies instead of {}", found.num_replicas, wanted.num_replicas)
    });
    says(found.duplicate_window != wanted.duplicate_window, &|| {
        format!("repetitions dropped for {:?} instead of {:?}", found.duplicate_window, wanted.duplicate_window)
    });
    let sizes = [
        ("messages", found.max_messages, wanted.max_messages),
        ("bytes", found.max_bytes, wanted.max_bytes),
        ("messages a subject", found.max_messages_per_subject, wanted.max_messages_per_subject),
        ("bytes a message", i64::from(found.max_message_size), i64::from(wanted.max_message_size)),
    ];
    for (what, has, should) in sizes {
        says(limit(has) != limit(should), &|| format!("{what}: {} instead of {}", bound(has), bound(should)));
    }
    says(found.discard != wanted.discard || found.discard_new_per_subject, &|| {
        format!("a full one discards {:?} instead of {:?}", found.discard, wanted.discard)
    });
    says(found.no_ack && !wanted.no_ack, &|| "answers for nothing that it takes".to_owned());
    mended.subjects.clone_from(&wanted.subjects);
    (mended.max_age, mended.num_replicas) = (wanted.max_age, wanted.num_replicas);
    mended.duplicate_window = wanted.duplicate_window;
    (mended.max_messages, mended.max_bytes) = (wanted.max_messages, wanted.max_bytes);
    mended.max_messages_per_subject = wanted.max_messages_per_subject;
    mended.max_message_size = wanted.max_message_size;
    (mended.discard, mended.discard_new_per_subject, mended.no_ack) = (wanted.discard, false, false);
    let anew = "delete it, apply again, and `melmastoon republish --since` when it was changed";
    if found.retention != wanted.retention {
        drift.for_somebody.push(format!("keeps by {:?} instead of {:?}: {anew}", found.retention, wanted.retention));
    }
    if found.storage != wanted.storage {
        drift.for_somebody.push(format!("lies in {:?} instead of {:?}: {anew}", found.storage, wanted.storage));
    }
    if found.sealed {
        drift.for_somebody.push(format!("is sealed and takes nothing: {anew}"));
    }
    if limit(i64::from(found.max_consumers)) != limit(i64::from(wanted.max_consumers)) {
        drift.for_somebody.push(format!("has room for {} consumers: {anew}", found.max_consumers));
    }
    (mended, drift)
}

/// What differs in a consumer.
pub(super) fn of_consumer(found: &consumer::Config, wanted: &pull::Config) -> Drift {
    let mut drift = Drift::default();
    let anew = "delete it and apply again; its events are handed out anew, and the inbox knows them";
    if found.filter_subject != wanted.filter_subject {
        drift.for_somebody.push(format!("listens to {}: {anew}", found.filter_subject));
    }
    if found.deliver_policy != DeliverPolicy::All || found.replay_policy != ReplayPolicy::Instant {
        let (from, how) = (found.deliver_policy, found.replay_policy);
        drift.for_somebody.push(format!("hands out {from:?}, {how:?}, instead of everything at once: {anew}"));
    }
    if found.ack_policy != wanted.ack_policy {
        let (has, should) = (found.ack_policy, wanted.ack_policy);
        drift.for_somebody.push(format!("answers are {has:?} instead of {should:?}: {anew}"));
    }
    if found.deliver_subject.is_some() {
        drift.for_somebody.push(format!("pushes instead of waiting to be asked: {anew}"));
    } else if found.max_waiting != 0 && found.max_waiting < PULLS {
        drift.for_somebody.push(format!("lets {} ask at a time: {anew}", found.max_waiting));
    }
    let mut says = |is_other: bool, words: &dyn Fn() -> String| {
        if is_other {
            drift.differs.push(words());
        }
    };
    says(found.ack_wait != wanted.ack_wait, &|| {
        format!("waits {:?} for an answer instead of {:?}", found.ack_wait, wanted.ack_wait)
    });
    says(found.max_ack_pending != wanted.max_ack_pending, &|| {
        format!("hands out {} at a time instead of {}", found.max_ack_pending, wanted.max_ack_pending)
    });
    says(found.max_deliver != wanted.max_deliver, &|| {
        format!("{} times instead of {}", found.max_deliver, wanted.max_deliver)
    });
    says(found.headers_only, &|| "hands out no events but their headers".to_owned());
    says(!found.backoff.is_empty(), &|| "has pauses of its own".to_owned());
    says(!found.inactive_threshold.is_zero(), &|| {
        format!("goes away after {:?} without anybody", found.inactive_threshold)
    });
    drift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_would_lose_events_is_drift_and_none_is_none_however_it_is_said() {
        let wanted = stream::Config { max_messages: -1, max_bytes: -1, ..stream::Config::default() };
        let found = stream::Config { max_messages: 0, max_message_size: -1, ..wanted.clone() };
        assert_eq!(of_stream(&found, &wanted).1, Drift::default());
        let found = stream::Config { max_messages: 10, max_bytes: 100, max_message_size: 300, ..wanted.clone() };
        let (mended, drift) = of_stream(&found, &wanted);
        assert_eq!(
            drift.differs,
            [
                "messages: 10 instead of without end",
                "bytes: 100 instead of without end",
                "bytes a message: 300 instead of without end"
            ]
        );
        assert_eq!((mended.max_messages, mended.max_bytes, mended.max_message_size), (-1, -1, 0));
        let sealed = stream::Config { sealed: true, ..wanted.clone() };
        assert!(of_stream(&sealed, &wanted).1.for_somebody[0].contains("sealed"));
    }
}
