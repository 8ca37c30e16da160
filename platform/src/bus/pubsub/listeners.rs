//! Who listens to a subject must stand before anything is published to it: Google keeps nothing for a subscription that is made later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use google_cloud_gax::error::rpc::Code;

use super::topology::Ear;
use super::{Inner, code_of, told};
use crate::bus::Subscription;

/// Whoever is expected to listen and was not seen to stand yet: subscriptions by subject. A subject leaves it once all of them stand.
#[derive(Debug, Default)]
pub(super) struct Listeners(Mutex<BTreeMap<String, BTreeSet<String>>>);

impl Listeners {
    pub(super) fn expect(&self, subscriptions: &[Subscription]) {
        let mut awaited = self.awaited();
        for ear in subscriptions.iter().flat_map(Ear::of) {
            awaited.entry(ear.subject.to_owned()).or_default().insert(ear.id());
        }
    }

    fn of(&self, subject: &str) -> Option<BTreeSet<String>> {
        self.awaited().get(subject).cloned()
    }

    fn stand(&self, subject: &str) {
        self.awaited().remove(subject);
    }

    fn awaited(&self) -> MutexGuard<'_, BTreeMap<String, BTreeSet<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Asks once for each subject, until all who listen to it stand. Err: who does not, in words. Who may not ask is not held up.
    pub(super) async fn is_heard(&self, subject: &str) -> Result<(), String> {
        let Some(awaited) = self.listeners.of(subject) else { return Ok(()) };
        let clients = self.clients();
        let asked = clients.topics.list_topic_subscriptions().set_topic(self.topic(subject)).set_page_size(1_000);
        let standing: BTreeSet<String> = match asked.send().await {
            Ok(answer) => answer.subscriptions.into_iter().collect(),
            Err(error) if code_of(&error) == Some(Code::NotFound) => {
                return Err(format!("the topic {subject} is missing: `melmastoon bus apply` makes it"));
            }
            Err(error) if code_of(&error) == Some(Code::PermissionDenied) => {
                tracing::warn!(
                    subject,
                    "we may not see who listens (pubsub.topics.get is needed): published all the same"
                );
                self.listeners.stand(subject);
                return Ok(());
            }
            Err(error) => {
                self.heard(&error);
                return Err(told(&error));
            }
        };
        if let Some(id) = awaited.iter().find(|id| !standing.contains(&self.subscription(id))) {
            return Err(format!("the subscription {id} is missing: `melmastoon bus apply` makes it"));
        }
        self.listeners.stand(subject);
        Ok(())
    }
}
