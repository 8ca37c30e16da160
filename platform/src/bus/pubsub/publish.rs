//! Publishing: a whole batch, in order for each key, with what is out already remembered.
//!
//! Google takes one request for each key. What a key says in two subjects goes to two topics, so the batch is cut into waves: within a wave a
//! key speaks in one subject, and the next wave goes out when the one before it is safe. A wave that fails in part is remembered in part:
//! the next try sends what is missing. An event that Google never takes is found by sending its key's events one by one.

use std::collections::{BTreeSet, HashMap};

use futures_util::future::{join_all, try_join_all};
use google_cloud_gax::error::rpc::Code;
use google_cloud_pubsub::client::Publisher;
use google_cloud_pubsub::error::PublishError;
use google_cloud_pubsub::model::Message;

use super::{PATIENCE, PubSub, code_of, in_full, told};
use crate::bus::broker::{BrokerError, Outgoing};

/// What Google's documents say about the length of a key and of an attribute, in bytes.
const LONGEST_KEY: usize = 1_024;
const LONGEST_ATTRIBUTE: usize = 1_024;
/// Messages in a request, and their bytes with room for the rest: Google takes 1,000 and ten million.
const AT_ONCE: u32 = 1_000;
const BYTES_AT_ONCE: u32 = 9_000_000;
const LARGEST_EVENT: usize = 9_000_000;
/// More than this is not remembered: what is sent twice is dropped by who hears it.
const REMEMBERED: usize = 10_000;

/// Why not all of it is out.
enum Unsent {
    /// The event at this place is never going to be taken.
    Unfit(usize, String),
    Away(String),
}

impl PubSub {
    pub(super) async fn publish_in_order(&self, batch: &[Outgoing]) -> Result<(), BrokerError> {
        let clients = self.inner.clients();
        let deadline = tokio::time::Instant::now() + PATIENCE;
        let mut refused = first_unfit(batch);
        loop {
            // Those before it are out before one is called refused.
            let before = refused.as_ref().map_or(batch.len(), |(at, _)| *at);
            match tokio::time::timeout_at(deadline, self.send(&batch[..before])).await {
                Ok(Ok(())) => break,
                Ok(Err(Unsent::Unfit(at, reason))) => refused = Some((at, reason)),
                Ok(Err(Unsent::Away(why))) => return Err(BrokerError::Away(why)),
                Err(_) => {
                    self.inner.lost(&clients).await;
                    return Err(BrokerError::Away("no answer in time".to_owned()));
                }
            }
        }
        self.inner.is_reached(true);
        match refused {
            None => {
                self.forget(batch);
                Ok(())
            }
            Some((at, reason)) => {
                // What is out behind it is still asked for.
                self.forget(&batch[..at]);
                Err(BrokerError::Refused { event_id: batch[at].event_id.clone(), reason })
            }
        }
    }

    /// Sends what is not out yet.
    async fn send(&self, batch: &[Outgoing]) -> Result<(), Unsent> {
        let missing: Vec<usize> = {
            let taken = self.taken();
            (0..batch.len()).filter(|at| !taken.contains(&name_of(&batch[*at]))).collect()
        };
        let subjects: BTreeSet<&str> = missing.iter().map(|at| batch[*at].subject.as_str()).collect();
        try_join_all(subjects.into_iter().map(|subject| self.inner.is_heard(subject))).await.map_err(Unsent::Away)?;
        for wave in waves(batch, &missing) {
            self.send_wave(batch, &wave).await?;
        }
        Ok(())
    }

    async fn send_wave(&self, batch: &[Outgoing], wave: &[usize]) -> Result<(), Unsent> {
        // The library keeps a task for every key it ever saw, and a key is every stay and every task of a hotel: a publisher lives
        // as long as its wave.
        let mut publishers: HashMap<&str, Publisher> = HashMap::new();
        let mut sent = Vec::with_capacity(wave.len());
        for at in wave {
            let event = &batch[*at];
            let publisher = publishers.entry(&event.subject).or_insert_with(|| self.publisher(&event.subject));
            sent.push(publisher.publish(message_of(event)));
        }
        join_all(publishers.values().map(Publisher::flush)).await;
        let mut unfit: Option<usize> = None;
        let mut away = None;
        for (at, answer) in wave.iter().zip(join_all(sent).await) {
            match answer {
                Ok(_) => self.is_out(&batch[*at]),
                // Behind one that failed: that one says why.
                Err(PublishError::OrderingKeyPaused) => {}
                Err(PublishError::Rpc(error)) if code_of(&error) == Some(Code::InvalidArgument) => {
                    unfit = unfit.or(Some(*at));
                }
                Err(error) => away = away.or_else(|| Some(self.why(&error, &batch[*at]))),
            }
        }
        match (away, unfit) {
            (Some(why), _) => Err(Unsent::Away(why)),
            (None, None) => Ok(()),
            (None, Some(first)) => {
                let same = |at: &&usize| **at >= first && is_alike(&batch[**at], &batch[first]);
                let suspects: Vec<usize> = wave.iter().filter(same).copied().collect();
                let publisher = &publishers[batch[first].subject.as_str()];
                self.find_unfit(publisher, batch, &suspects).await
            }
        }
    }

    /// A request is refused as a whole: one by one, the first that is refused alone is the one.
    async fn find_unfit(&self, publisher: &Publisher, batch: &[Outgoing], suspects: &[usize]) -> Result<(), Unsent> {
        for at in suspects {
            let event = &batch[*at];
            publisher.resume_publish(&event.ordering_key);
            let answer = publisher.publish(message_of(event));
            publisher.flush().await;
            match answer.await {
                Ok(_) => self.is_out(event),
                Err(PublishError::Rpc(error)) if code_of(&error) == Some(Code::InvalidArgument) => {
                    return Err(Unsent::Unfit(*at, told(&error)));
                }
                Err(error) => return Err(Unsent::Away(self.why(&error, event))),
            }
        }
        // All of them went out alone; whatever else was refused is found the same way.
        Err(Unsent::Away("a request was refused, and none of its events alone".to_owned()))
    }

    fn publisher(&self, subject: &str) -> Publisher {
        let clients = self.inner.clients();
        let topic = clients.publisher.publisher(self.inner.topic(subject));
        topic.set_message_count_threshold(AT_ONCE).set_byte_threshold(BYTES_AT_ONCE).build()
    }

    /// What is wrong, in words that help whoever reads the log.
    fn why(&self, error: &PublishError, event: &Outgoing) -> String {
        let PublishError::Rpc(error) = error else { return in_full(error) };
        self.inner.heard(error);
        let said = told(error);
        match code_of(error) {
            Some(Code::NotFound) => format!("the topic {} is missing: `melmastoon bus apply` makes it", event.subject),
            Some(Code::PermissionDenied) => {
                format!("we may not publish to {} (roles/pubsub.publisher is needed): {said}", event.subject)
            }
            _ => said,
        }
    }

    fn taken(&self) -> std::sync::MutexGuard<'_, std::collections::HashSet<String>> {
        self.inner.taken.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn is_out(&self, event: &Outgoing) {
        let mut taken = self.taken();
        if taken.len() >= REMEMBERED {
            taken.clear();
        }
        taken.insert(name_of(event));
    }

    fn forget(&self, batch: &[Outgoing]) {
        let mut taken = self.taken();
        for event in batch {
            taken.remove(&name_of(event));
        }
    }
}

/// An event that is sent once more on purpose is another one here.
fn name_of(event: &Outgoing) -> String {
    match &event.again {
        Some(run) => format!("{}:{run}", event.event_id),
        None => event.event_id.clone(),
    }
}

fn is_alike(one: &Outgoing, other: &Outgoing) -> bool {
    one.ordering_key == other.ordering_key && one.subject == other.subject
}

fn message_of(event: &Outgoing) -> Message {
    let tenant = event.ordering_key.split_once(':').map_or("", |(tenant, _)| tenant);
    let mut attributes = vec![
        ("eventId", event.event_id.clone()),
        ("subject", event.subject.clone()),
        ("tenantId", tenant.to_owned()),
        ("listeners", event.listeners.join(",")),
    ];
    if let Some(run) = &event.again {
        attributes.push(("again", run.clone()));
    }
    Message::new().set_data(event.envelope.clone()).set_attributes(attributes).set_ordering_key(&event.ordering_key)
}

/// What Google would refuse for its length, and with it all that is in the same request.
fn first_unfit(batch: &[Outgoing]) -> Option<(usize, String)> {
    batch.iter().enumerate().find_map(|(at, event)| {
        let too_long = |what: &str, len: usize, most: usize| {
            (len > most).then(|| format!("the {what} has {len} bytes, and Pub/Sub takes {most}"))
        };
        let listeners = event.listeners.iter().map(|name| name.len() + 1).sum::<usize>();
        too_long("ordering key", event.ordering_key.len(), LONGEST_KEY)
            .or_else(|| too_long("list of listeners", listeners, LONGEST_ATTRIBUTE))
            .or_else(|| too_long("event", event.envelope.len(), LARGEST_EVENT))
            .map(|reason| (at, reason))
    })
}

/// In each wave a key speaks in one subject; a key that changes its subject goes on in the next wave.
fn waves(batch: &[Outgoing], missing: &[usize]) -> Vec<Vec<usize>> {
    let mut waves: Vec<Vec<usize>> = Vec::new();
    let mut last: HashMap<&str, (&str, usize)> = HashMap::new();
    for at in missing {
        let event = &batch[*at];
        let before = last.get(event.ordering_key.as_str()).filter(|_| !event.ordering_key.is_empty());
        let wave = match before {
            None => 0,
            Some((subject, wave)) if *subject == event.subject => *wave,
            Some((_, wave)) => wave + 1,
        };
        last.insert(&event.ordering_key, (&event.subject, wave));
        if waves.len() <= wave {
            waves.resize_with(wave + 1, Vec::new);
        }
        waves[wave].push(*at);
    }
    waves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(key: &str, subject: &str) -> Outgoing {
        Outgoing {
            event_id: format!("{key}-{subject}"),
            subject: subject.to_owned(),
            ordering_key: key.to_owned(),
            listeners: vec!["housekeeping".to_owned()],
            again: None,
            envelope: "{}".to_owned(),
        }
    }

    #[test]
    fn a_key_that_changes_its_subject_waits_for_what_it_said_before() {
        let batch =
            [event("a", "x"), event("b", "y"), event("a", "x"), event("a", "y"), event("b", "y"), event("a", "x")];
        assert_eq!(waves(&batch, &[0, 1, 2, 3, 4, 5]), [vec![0, 1, 2, 4], vec![3], vec![5]]);
        assert_eq!(waves(&batch, &[3, 5]), [[3], [5]], "what is out already is not waited for");
        assert_eq!(waves(&[event("", "x"), event("", "y")], &[0, 1]), [[0, 1]], "without a key there is no order");
    }

    #[test]
    fn what_is_too_long_for_google_is_known_before_it_is_sent() {
        let long = event(&"k".repeat(1_025), "x");
        let (at, reason) = first_unfit(&[event("a", "x"), long, event("a", "x")]).expect("it is too long");
        assert_eq!((at, reason.as_str()), (1, "the ordering key has 1025 bytes, and Pub/Sub takes 1024"));
        assert!(first_unfit(&[event(&"k".repeat(1_024), "x")]).is_none());
    }

    #[test]
    fn a_message_says_what_it_is_without_being_opened() {
        let message = message_of(&Outgoing { again: Some("run".to_owned()), ..event("tnt_A:tsk_1", "x") });
        let said = |name: &str| message.attributes.get(name).map(String::as_str);
        assert_eq!(said("tenantId"), Some("tnt_A"));
        assert_eq!(said("listeners"), Some("housekeeping"));
        assert_eq!((said("subject"), said("again")), (Some("x"), Some("run")));
        assert_eq!(message.ordering_key, "tnt_A:tsk_1");
    }
}
