//! What happens in a hotel, told over HTTP: guests leave, people clean, integrators read.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::house::House;

pub(crate) const CHECKED_OUT: &str = "melmastoon.reservation.checked_out.v1";

/// A hotel company with one house, and the tokens of those who act in it.
#[derive(Clone, Debug)]
pub(crate) struct Hotel {
    pub(crate) tenant: String,
    pub(crate) property: String,
    pub(crate) supervisor: String,
    pub(crate) housekeeper: String,
    pub(crate) service: String,
}

impl Hotel {
    pub(crate) fn of(house: &House, name: &str) -> Self {
        let (tenant, property) = (format!("tnt_{name}"), format!("prp_{name}"));
        let token = |arguments: &[&str]| house.token(&tenant, arguments);
        Self {
            supervisor: token(&["--role", "supervisor", "--staff", "stf_ZARGHUNA"]),
            housekeeper: token(&["--role", "housekeeper", "--staff", "stf_PARWIN", "--property", &property]),
            service: token(&["--role", "service"]),
            tenant,
            property,
        }
    }

    /// Nobody has a token yet.
    pub(crate) fn nobodys(name: &str) -> Self {
        let [supervisor, housekeeper, service] = [const { String::new() }; 3];
        Self { tenant: format!("tnt_{name}"), property: format!("prp_{name}"), supervisor, housekeeper, service }
    }

    /// The event that one room's guests have left. The same number is the same departure.
    pub(crate) fn departure(&self, number: usize) -> Value {
        let at = "2026-04-22T11:05:11.451Z";
        self.event(
            &format!("evt_{}_OUT_{number}", &self.tenant[4..]),
            CHECKED_OUT,
            &json!({
                "reservationId": format!("rsv_{number}"), "tenantId": self.tenant, "propertyId": self.property,
                "checkedOutAt": at, "earlyCheckout": false, "overstayedNights": 0,
                "folio": { "folioId": "fol_A", "finalBalanceMicro": "0", "currency": "AFN", "settled": true },
                "rooms": [{ "itemId": format!("itm_{number}"), "roomId": room(number) }],
                "actor": { "type": "user", "id": "usr_DESK" },
            }),
        )
    }

    /// The event that somebody comes, some day.
    pub(crate) fn confirmed(&self, number: usize) -> Value {
        self.event(
            &format!("evt_{}_IN_{number}", &self.tenant[4..]),
            "melmastoon.reservation.confirmed.v1",
            &json!({
                "reservationId": format!("rsv_{number}"), "tenantId": self.tenant, "propertyId": self.property,
                "reservationCode": "GM-9F4K2C", "stayWindow": { "start": "2026-05-29", "end": "2026-06-01", "nights": 3 },
                "totals": { "grandTotalMicro": "0", "currency": "AFN" },
                "payment": { "method": "cash_on_arrival", "status": "pending_cash", "paymentIntentIds": [], "capturedMicro": "0" },
                "channel": { "channel": "direct" }, "primaryGuest": { "guestId": "gst_TEST", "locale": "ps-AF" },
                "confirmedAt": "2026-04-22T10:05:11.451Z",
            }),
        )
    }

    pub(crate) fn event(&self, id: &str, subject: &str, payload: &Value) -> Value {
        json!({
            "specVersion": "1.0", "id": id, "subject": subject, "tenantId": self.tenant,
            "occurredAt": "2026-04-22T11:05:11.451Z", "producer": "reservation-service", "payload": payload,
        })
    }

    /// Pushes an event as the broker does. None: no answer came.
    pub(crate) fn try_push(&self, client: &Client, event: &Value) -> Option<Answer> {
        let subject = event["subject"].as_str().expect("a subject");
        let body = json!({
            "message": { "data": BASE64.encode(event.to_string()), "messageId": "1", "attributes": {} },
            "subscription": "projects/hotel/subscriptions/housekeeping",
        });
        client.try_post(&format!("/internal/events/{subject}"), &self.service, &body)
    }

    pub(crate) fn push(&self, client: &Client, event: &Value) {
        let answer = self.try_push(client, event).expect("an answer to a push");
        assert_eq!(answer.status, 204, "{answer:?}");
    }

    pub(crate) fn check_out(&self, client: &Client, number: usize) {
        self.push(client, &self.departure(number));
    }

    /// Departures that a context of this database tells through the outbox, so that the bus has to deliver them.
    pub(crate) fn tell_through_the_outbox(&self, house: &House, rooms: std::ops::Range<usize>) {
        let Hotel { tenant, property, .. } = self;
        let rows: Vec<String> = rooms
            .map(|number| {
                let mut envelope = self.departure(number);
                let payload = envelope.as_object_mut().expect("an object").remove("payload").expect("a payload");
                let id = envelope["id"].as_str().expect("an id");
                format!(
                    "('{id}', '{tenant}', '{CHECKED_OUT}', '{payload}', '{envelope}', 'rsv_{number}', '{property}')"
                )
            })
            .collect();
        let statements = format!(
            "BEGIN; SET LOCAL app.tenant_id = '{tenant}';
             INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key, property_id)
             VALUES {};
             COMMIT",
            rows.join(", ")
        );
        house.session("melmastoon_app").tell(&statements);
    }

    pub(crate) fn board(&self, client: &Client) -> Value {
        client.get(&format!("/housekeeping/v1/board?propertyId={}", self.property), &self.supervisor).good()
    }

    pub(crate) fn room(&self, client: &Client, number: usize) -> Value {
        client.get(&format!("/housekeeping/v1/rooms/{}", room(number)), &self.supervisor).good()
    }

    /// All tasks of a room, open and done.
    pub(crate) fn tasks(&self, client: &Client, number: usize) -> Vec<Value> {
        let path = format!("/housekeeping/v1/tasks?roomId={}&limit=1000", room(number));
        client.get(&path, &self.supervisor).good()["items"].as_array().expect("a list").clone()
    }

    /// From a dirty room to a ready one; the person is sent though nobody knows of a shift.
    pub(crate) fn turn_over(&self, client: &Client, number: usize) {
        let tasks = self.tasks(client, number);
        let task = tasks[0]["id"].as_str().expect("an id").to_owned();
        let assign = json!({ "staffId": "stf_PARWIN", "force": true });
        on_task(client, &task, "assign", &self.supervisor, &assign);
        self.clean_and_pass(client, &task);
    }

    /// Start, complete with everything checked, and a passed inspection.
    pub(crate) fn clean_and_pass(&self, client: &Client, task: &str) {
        on_task(client, task, "start", &self.housekeeper, &json!({}));
        let checked = ["strip_bed", "make_bed", "bathroom", "towels", "floor", "trash"];
        let results: Vec<_> = checked.iter().map(|key| json!({ "itemKey": key, "checked": true })).collect();
        let report = json!({ "checklistResults": results, "noMaintenanceFound": true });
        on_task(client, task, "complete", &self.housekeeper, &report);
        on_task(client, task, "inspections", &self.supervisor, &json!({ "outcome": "pass", "results": [] }));
    }

    /// The whole feed, page by page: offsets rise, and no event id comes twice.
    pub(crate) fn feed(&self, client: &Client) -> Vec<Value> {
        let (mut all, mut after) = (Vec::new(), 0);
        loop {
            let page = client.get(&format!("/events/v1/feed?after={after}&limit=7"), &self.service).good();
            let items = page["items"].as_array().expect("items").clone();
            if items.is_empty() {
                break;
            }
            for item in &items {
                let offset = item["offset"].as_i64().expect("an offset");
                assert!(offset > after, "the feed went back: {offset} after {after}");
                after = offset;
            }
            all.extend(items.into_iter().map(|item| item["envelope"].clone()));
            assert_eq!(page["nextAfter"], after);
        }
        let ids: BTreeSet<_> = all.iter().map(|event| event["id"].as_str().expect("an id").to_owned()).collect();
        assert_eq!(ids.len(), all.len(), "an event is in the feed twice");
        all
    }

    /// Waits until the feed has this many events, and gives it.
    pub(crate) fn feed_of(&self, client: &Client, count: usize) -> Vec<Value> {
        let mut feed = Vec::new();
        crate::process::until(&format!("a feed of {count} events"), std::time::Duration::from_secs(15), || {
            feed = self.feed(client);
            feed.len() >= count
        });
        assert_eq!(feed.len(), count, "{:?}", subjects(&feed));
        feed
    }
}

fn on_task(client: &Client, task: &str, verb: &str, token: &str, body: &Value) {
    client.post(&format!("/housekeeping/v1/tasks/{task}/{verb}"), token, body).good();
}

/// The subjects of a feed without the company's name and the version.
pub(crate) fn subjects(feed: &[Value]) -> Vec<String> {
    let short =
        |subject: &str| subject.trim_start_matches("melmastoon.housekeeping.").trim_end_matches(".v1").to_owned();
    feed.iter().map(|event| short(event["subject"].as_str().expect("a subject"))).collect()
}

pub(crate) fn room(number: usize) -> String {
    format!("rom_{number}")
}
