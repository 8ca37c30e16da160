//! What must stand at Google: topics and subscriptions, as the catalogue and our own subscriptions say.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use contracts::catalogue::{self, Context};
use futures_util::future::try_join_all;
use google_cloud_pubsub::model::push_config::OidcToken;
use google_cloud_pubsub::model::{
    DeadLetterPolicy, ExpirationPolicy, PushConfig, RetryPolicy, Subscription as Standing, subscription,
};

use super::{ACK_DEADLINE, Clients, Inner, PubSub, told};
use crate::bus::Subscription;
use crate::bus::broker::BrokerError;

/// Google gives a message up after so many deliveries, the most that it can be told. We give up after the catalogue's attempts, with a
/// reason and in our own dead letters; this is the last resort for what kills every worker that takes it.
const GOOGLES_ATTEMPTS: i32 = 100;
/// What Google keeps at the longest, what its emulator takes, and the longest pause either makes.
const LONGEST_DAYS: u32 = 31;
const EMULATORS_DAYS: u32 = 7;
const LONGEST_PAUSE: Duration = Duration::from_mins(10);
const PAGE: i32 = 1_000;

/// One subscription: a context's ear for one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ear {
    pub(super) subscription: &'static str,
    pub(super) subject: &'static str,
}

impl Ear {
    pub(super) fn of(subscription: &Subscription) -> impl Iterator<Item = Self> + '_ {
        subscription.subjects.iter().map(|subject| Self { subscription: subscription.name, subject: *subject })
    }

    pub(super) fn id(&self) -> String {
        format!("{}.{}", self.subscription, self.subject)
    }
}

/// Where goes what could not be applied, by the catalogue.
pub(super) fn dead_letter_topic(subject: &str) -> String {
    catalogue::find(subject)
        .map_or_else(|| Context::Housekeeping.dead_letter_topic(subject), catalogue::Entry::dead_letter_topic)
}

/// A topic without a subscription forgets what it is given: this one keeps dead letters for whoever looks.
fn kept(topic: &str) -> String {
    format!("{topic}.kept")
}

fn seconds(duration: Duration) -> google_cloud_wkt::Duration {
    google_cloud_wkt::Duration::clamp(i64::try_from(duration.as_secs()).unwrap_or(i64::MAX), 0)
}

fn days(days: u32) -> Duration {
    Duration::from_hours(24 * u64::from(days))
}

impl Inner {
    fn kept_for(&self, wanted: u32) -> Duration {
        let longest = if self.options.emulator.is_some() { EMULATORS_DAYS } else { LONGEST_DAYS };
        days(wanted.clamp(1, longest))
    }

    pub(super) fn topic(&self, id: &str) -> String {
        format!("projects/{}/topics/{id}", self.options.project)
    }

    pub(super) fn subscription(&self, id: &str) -> String {
        format!("projects/{}/subscriptions/{id}", self.options.project)
    }

    pub(super) fn ack_deadline(&self) -> Duration {
        self.options.ack_deadline.unwrap_or(ACK_DEADLINE)
    }

    /// Every topic: what we publish, what we listen to, and where its dead letters go.
    fn topics(subscriptions: &[Subscription]) -> BTreeSet<String> {
        let published =
            catalogue::all().filter(|entry| entry.publisher().is_some()).map(|entry| entry.subject.to_owned());
        let ears = || subscriptions.iter().flat_map(Ear::of);
        published
            .chain(ears().map(|ear| ear.subject.to_owned()))
            .chain(ears().map(|ear| dead_letter_topic(ear.subject)))
            .collect()
    }

    /// Every subscription by its full name.
    fn wanted(&self, subscriptions: &[Subscription]) -> BTreeMap<String, Standing> {
        let mut all = BTreeMap::new();
        for subscription in subscriptions {
            for ear in Ear::of(subscription) {
                let letters = dead_letter_topic(ear.subject);
                let kept = self.keeping(&letters);
                all.insert(kept.name.clone(), kept);
                let standing = self.listening(&ear, subscription, &letters);
                all.insert(standing.name.clone(), standing);
            }
        }
        all
    }

    fn base(&self, id: &str, topic: &str, kept_for: Duration) -> Standing {
        Standing::new()
            .set_name(self.subscription(id))
            .set_topic(self.topic(topic))
            .set_ack_deadline_seconds(i32::try_from(self.ack_deadline().as_secs()).unwrap_or(600).clamp(10, 600))
            .set_message_retention_duration(seconds(kept_for))
            // Without a word Google removes a subscription that nobody has used for a month.
            .set_expiration_policy(ExpirationPolicy::new())
    }

    fn keeping(&self, letters: &str) -> Standing {
        let longest = Context::ALL.iter().map(|context| context.delivery().dead_letter_days).max();
        self.base(&kept(letters), letters, self.kept_for(longest.unwrap_or(30)))
    }

    fn listening(&self, ear: &Ear, subscription: &Subscription, letters: &str) -> Standing {
        let broker_days = catalogue::find(ear.subject).map_or(7, |entry| entry.retention.broker_days);
        let backoff = subscription.backoff;
        let pause = |pause: Duration| seconds(pause.min(LONGEST_PAUSE));
        let standing = self
            .base(&ear.id(), ear.subject, self.kept_for(broker_days))
            .set_enable_message_ordering(true)
            // So that one can go back in time there; the inboxes drop what they know.
            .set_retain_acked_messages(true)
            .set_dead_letter_policy(
                DeadLetterPolicy::new()
                    .set_dead_letter_topic(self.topic(letters))
                    .set_max_delivery_attempts(GOOGLES_ATTEMPTS),
            );
        match &self.options.push {
            // The pauses are the worker's own; Google's would only hold back what a worker that stops hands over.
            None => standing,
            Some(to) => {
                let account = OidcToken::new().set_service_account_email(&to.account).set_audience(&to.audience);
                let url = format!("{}/internal/events/{}", to.url.trim_end_matches('/'), ear.subject);
                let pauses = RetryPolicy::new()
                    .set_minimum_backoff(pause(backoff.first))
                    .set_maximum_backoff(pause(backoff.longest));
                standing
                    .set_retry_policy(pauses)
                    .set_push_config(PushConfig::new().set_push_endpoint(url).set_oidc_token(account))
            }
        }
    }

    async fn standing_topics(&self, clients: &Clients) -> Result<BTreeSet<String>, BrokerError> {
        let (mut found, mut page) = (BTreeSet::new(), String::new());
        loop {
            let asked = clients.topics.list_topics().set_project(format!("projects/{}", self.options.project));
            let answer = asked.set_page_size(PAGE).set_page_token(&page).send().await.map_err(|e| self.away(&e))?;
            found.extend(answer.topics.into_iter().map(|topic| topic.name));
            page = answer.next_page_token;
            if page.is_empty() {
                return Ok(found);
            }
        }
    }

    async fn standing_subscriptions(&self, clients: &Clients) -> Result<BTreeMap<String, Standing>, BrokerError> {
        let (mut found, mut page) = (BTreeMap::new(), String::new());
        loop {
            let asked =
                clients.subscriptions.list_subscriptions().set_project(format!("projects/{}", self.options.project));
            let answer = asked.set_page_size(PAGE).set_page_token(&page).send().await.map_err(|e| self.away(&e))?;
            found.extend(answer.subscriptions.into_iter().map(|one| (one.name.clone(), one)));
            page = answer.next_page_token;
            if page.is_empty() {
                return Ok(found);
            }
        }
    }

    fn away(&self, error: &google_cloud_pubsub::Error) -> BrokerError {
        self.heard(error);
        BrokerError::Away(told(error))
    }
}

/// A field that differs: its name at Google, and what it is and should be in words.
type Difference = (&'static str, String);

/// What differs and can be mended.
fn differences(found: &Standing, wanted: &Standing) -> Vec<Difference> {
    let mut differs = Vec::new();
    let mut say = |field: &'static str, is: String, should: String| {
        if is != should {
            differs.push((field, format!("{} {is} instead of {should}", field.replace('_', " "))));
        }
    };
    let time = |time: Option<&google_cloud_wkt::Duration>| {
        time.map_or("none".to_owned(), |time| format!("{}s", time.seconds()))
    };
    let of = |one: &Standing| {
        let letters = one.dead_letter_policy.as_ref();
        let pauses = one.retry_policy.as_ref();
        let push = one.push_config.as_ref().filter(|push| !push.push_endpoint.is_empty());
        let account = push.and_then(|push| push.oidc_token());
        [
            format!("{}s", one.ack_deadline_seconds),
            time(one.message_retention_duration.as_ref()),
            one.retain_acked_messages.to_string(),
            one.expiration_policy.as_ref().map_or("a month".to_owned(), |policy| time(policy.ttl.as_ref())),
            letters.map_or("none".to_owned(), |l| format!("{} after {}", l.dead_letter_topic, l.max_delivery_attempts)),
            pauses.map_or("none".to_owned(), |p| {
                format!("{} to {}", time(p.minimum_backoff.as_ref()), time(p.maximum_backoff.as_ref()))
            }),
            push.map_or("pull".to_owned(), |push| {
                let who =
                    account.map_or("nobody".to_owned(), |a| format!("{} for {}", a.service_account_email, a.audience));
                format!("push to {} as {who}", push.push_endpoint)
            }),
        ]
    };
    let fields = [
        "ack_deadline_seconds",
        "message_retention_duration",
        "retain_acked_messages",
        "expiration_policy",
        "dead_letter_policy",
        "retry_policy",
        "push_config",
    ];
    for ((field, is), should) in fields.into_iter().zip(of(found)).zip(of(wanted)) {
        say(field, is, should);
    }
    differs
}

/// What differs and cannot be changed at Google, only made anew.
fn for_good(found: &Standing, wanted: &Standing) -> Option<String> {
    if found.topic != wanted.topic {
        return Some(format!("listens to {}", found.topic));
    }
    if found.enable_message_ordering != wanted.enable_message_ordering {
        return Some("keeps no order".to_owned());
    }
    if !found.filter.is_empty() {
        return Some(format!("leaves out what does not fit {}", found.filter));
    }
    found.detached.then(|| "was detached from its topic".to_owned())
}

impl PubSub {
    /// What differs from what should stand there, in words; with `mend` it is made so.
    pub(super) async fn reconcile(
        &self,
        subscriptions: &[Subscription],
        mend: bool,
    ) -> Result<Vec<String>, BrokerError> {
        let (inner, clients) = (&self.inner, self.inner.clients());
        let mut said = self.reconcile_topics(&clients, subscriptions, mend).await?;
        let standing = inner.standing_subscriptions(&clients).await?;
        inner.is_reached(true);
        let wanted = inner.wanted(subscriptions);
        let told =
            wanted.into_iter().map(|(name, wanted)| self.reconcile_one(&clients, standing.get(&name), wanted, mend));
        said.extend(try_join_all(told).await?.into_iter().flatten());
        Ok(said)
    }

    /// Makes anew what Google does not have any more, and says so. Many find out at once; one of them does it. Says what was done, or what only a
    /// person can do; nothing: all of it stands.
    pub(super) async fn make_anew(&self, subscriptions: &[Subscription]) -> Result<Vec<String>, BrokerError> {
        let _mine = self.inner.mending.lock().await;
        let done = self.reconcile(subscriptions, true).await?;
        if !done.is_empty() {
            tracing::warn!(?done, "Pub/Sub did not have what should stand there");
        }
        Ok(done)
    }

    async fn reconcile_topics(
        &self,
        clients: &Clients,
        subscriptions: &[Subscription],
        mend: bool,
    ) -> Result<Vec<String>, BrokerError> {
        let standing = self.inner.standing_topics(clients).await?;
        let missing: Vec<_> =
            Inner::topics(subscriptions).into_iter().filter(|id| !standing.contains(&self.inner.topic(id))).collect();
        if mend {
            let made = missing.iter().map(|id| clients.topics.create_topic().set_name(self.inner.topic(id)).send());
            let made = futures_util::future::join_all(made).await;
            if let Some(error) = made.into_iter().filter_map(Result::err).find(|error| !is_there(error)) {
                return Err(self.inner.away(&error));
            }
        }
        Ok(missing.iter().map(|id| format!("topic {id} {}", if mend { "made" } else { "is missing" })).collect())
    }

    async fn reconcile_one(
        &self,
        clients: &Clients,
        found: Option<&Standing>,
        wanted: Standing,
        mend: bool,
    ) -> Result<Option<String>, BrokerError> {
        let id = wanted.name.rsplit('/').next().unwrap_or_default().to_owned();
        let Some(found) = found else {
            if mend {
                let made = clients.subscriptions.create_subscription().with_request(wanted).send().await;
                if let Err(error) = made.map(drop)
                    && !is_there(&error)
                {
                    return Err(self.inner.away(&error));
                }
            }
            return Ok(Some(format!("subscription {id} {}", if mend { "made" } else { "is missing" })));
        };
        if let Some(what) = for_good(found, &wanted) {
            let advice = "delete it, apply again, and `melmastoon republish` what it had not delivered";
            return Ok(Some(format!("subscription {id} {what}: {advice}")));
        }
        let differs = differences(found, &wanted);
        if differs.is_empty() {
            return Ok(None);
        }
        if mend {
            let mask = google_cloud_wkt::FieldMask::default().set_paths(differs.iter().map(|(field, _)| *field));
            let asked = clients.subscriptions.update_subscription().set_subscription(wanted).set_update_mask(mask);
            asked.send().await.map_err(|error| self.inner.away(&error))?;
        }
        let told: Vec<_> = differs.into_iter().map(|(_, told)| told).collect();
        Ok(Some(format!("subscription {id}: {}{}", told.join(", "), if mend { "; mended" } else { "" })))
    }

    /// How each subscription delivers and whether Google is content with it; how much waits it does not tell.
    pub(super) async fn states(&self, subscriptions: &[Subscription]) -> Result<Vec<String>, BrokerError> {
        let clients = self.inner.clients();
        let standing = self.inner.standing_subscriptions(&clients).await?;
        let state = |ear: Ear| {
            let found = standing.get(&self.inner.subscription(&ear.id()));
            let word = found.map_or("is missing".to_owned(), |found| {
                let push = found.push_config.as_ref().filter(|push| !push.push_endpoint.is_empty());
                let how = push.map_or("pulled".to_owned(), |push| format!("pushed to {}", push.push_endpoint));
                let well = !matches!(found.state, subscription::State::ResourceError);
                if well { how } else { format!("{how}; Google reports an error with what it delivers to") }
            });
            format!("{:<14} {}: {word}", ear.subscription, ear.subject)
        };
        let mut told: Vec<_> = subscriptions.iter().flat_map(Ear::of).map(state).collect();
        told.push(
            "Pub/Sub does not tell how much waits: see num_undelivered_messages and oldest_unacked_message_age in Cloud Monitoring"
                .to_owned(),
        );
        Ok(told)
    }
}

/// Somebody else made it a moment ago.
fn is_there(error: &google_cloud_pubsub::Error) -> bool {
    error.status().is_some_and(|status| status.code == google_cloud_gax::error::rpc::Code::AlreadyExists)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters, digits and `-._~+%`, three to 255 of them, a letter first, and not `goog`.
    fn is_lawful(id: &str) -> bool {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._~+%".contains(&b);
        (3..=255).contains(&id.len())
            && id.as_bytes()[0].is_ascii_alphabetic()
            && !id.starts_with("goog")
            && id.bytes().all(fits)
    }

    #[test]
    fn every_subject_of_the_catalogue_can_be_a_topic_and_a_subscription() {
        for entry in catalogue::all() {
            let letters = dead_letter_topic(entry.subject);
            let ear = Ear { subscription: "housekeeping", subject: entry.subject };
            for id in [entry.subject.to_owned(), kept(&letters), letters, ear.id()] {
                assert!(is_lawful(&id), "{id}");
            }
            assert!(entry.retention.broker_days <= LONGEST_DAYS, "{}", entry.subject);
        }
    }

    #[test]
    fn every_difference_is_named_and_an_equal_one_has_none() {
        let wanted = Standing::new()
            .set_ack_deadline_seconds(60)
            .set_message_retention_duration(seconds(days(7)))
            .set_retain_acked_messages(true)
            .set_expiration_policy(ExpirationPolicy::new())
            .set_retry_policy(RetryPolicy::new().set_minimum_backoff(seconds(Duration::from_secs(10))));
        assert!(differences(&wanted, &wanted).is_empty());
        // A pull subscription comes back with an empty address to push to.
        assert!(differences(&wanted.clone().set_push_config(PushConfig::new()), &wanted).is_empty());
        let told: Vec<_> = differences(&Standing::new(), &wanted).into_iter().map(|(field, _)| field).collect();
        let all = [
            "ack_deadline_seconds",
            "message_retention_duration",
            "retain_acked_messages",
            "expiration_policy",
            "retry_policy",
        ];
        assert_eq!(told, all);
        let strange = wanted.clone().set_push_config(PushConfig::new().set_push_endpoint("https://elsewhere"));
        let told = differences(&strange, &wanted);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].1, "push config push to https://elsewhere as nobody instead of pull");
    }
}
