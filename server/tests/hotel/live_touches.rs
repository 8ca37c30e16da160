//! What changes the board without being anybody's news: open boards are told to look again, and nobody else hears of it.

use std::sync::{Arc, Mutex};

use contracts::ids::{PropertyId, ReservationId, ShiftId, StaffId};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use housekeeping::SCHEMA;
use platform::bus::{Broker, BrokerError, Outgoing, Relay};
use serde_json::{Value, json};

use crate::live_stream::Live;
use crate::routing::turnovers;
use crate::test_hotel::{Happening, TestHotel, text};

const TOUCHED: &str = "housekeeping.outbox WHERE subject = 'internal.board.touched'";

/// A hotel with a board that is looked at.
struct Watched {
    hotel: TestHotel,
    live: Live,
    etag: String,
    touches: i64,
}

impl Watched {
    async fn open(hotel: TestHotel) -> Self {
        hotel.drain().await;
        let mut live = Live::open(&hotel, None).await;
        let board = live.next().await.unwrap();
        assert_eq!(board.event, "board");
        let touches = hotel.count(TOUCHED).await;
        Self { hotel, live, etag: text(&board.data["etag"]), touches }
    }

    /// Tells the hotel something; the board is touched once.
    async fn told(&mut self, happening: &Happening) {
        self.hotel.deliver(happening).await;
        self.touched(&happening.subject).await;
    }

    /// The board was touched, by one row, and whoever looks is told.
    async fn touched(&mut self, what: &str) {
        self.hotel.drain().await;
        let touches = self.hotel.count(TOUCHED).await;
        assert_eq!(touches, self.touches + 1, "{what}");
        self.touches = touches;
        loop {
            let message = self.live.next().await.unwrap();
            if message.is_touch() {
                assert_eq!(message.data, json!({ "kind": "touched", "propertyId": self.hotel.property }), "{what}");
                return;
            }
        }
    }

    /// And rightly so: it shows something else.
    async fn shows_something_else(&mut self, what: &str) {
        let board = self.hotel.board().await;
        assert_ne!(text(&board.0["etag"]), self.etag, "{what}");
        self.etag = text(&board.0["etag"]);
    }
}

#[tokio::test]
async fn guests_who_are_expected_who_do_not_come_and_who_come_touch_the_board() {
    let hotel = TestHotel::open().await;
    let (first, second) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let mut watched = Watched::open(hotel).await;
    let (late, here): (ReservationId, ReservationId) = (watched.hotel.next(), watched.hotel.next());
    let stories = [
        watched.hotel.check_in_started(&late, &[&first]),
        watched.hotel.no_show(&late),
        watched.hotel.checked_in(&here, &[&first, &second]),
    ];
    for story in &stories {
        watched.told(story).await;
        watched.shows_something_else(&story.subject).await;
    }
    watched.hotel.deliver(&stories[2]).await;
    assert_eq!(watched.hotel.count(TOUCHED).await, watched.touches, "the same event again touches nothing");
}

#[tokio::test]
async fn people_who_come_and_go_touch_the_board() {
    let mut watched = Watched::open(TestHotel::open().await).await;
    let (staff, shift): (StaffId, ShiftId) = (watched.hotel.next(), watched.hotel.next());
    watched.told(&watched.hotel.staff_created(&staff)).await;
    watched.told(&watched.hotel.shift_scheduled(&shift)).await;
    watched.told(&watched.hotel.shift_assigned(&shift, &staff)).await;
    watched.told(&watched.hotel.clocked_in(Some(&shift), &staff)).await;
    watched.shows_something_else("somebody came").await;
    watched.hotel.clock.advance_seconds(60);
    watched.told(&watched.hotel.clocked_out(None, &staff)).await;
    watched.shows_something_else("somebody went").await;
    watched.hotel.clock.advance_seconds(60);
    watched.told(&watched.hotel.clocked_in(None, &staff)).await;
    watched.shows_something_else("and came back").await;
    watched.told(&watched.hotel.shift_started(&shift, &staff)).await;
    watched.told(&watched.hotel.shift_unassigned(&shift, &staff)).await;
    watched.told(&watched.hotel.shift_ended(&shift, &staff)).await;
    watched.shows_something_else("the shift is over").await;
}

#[tokio::test]
async fn a_plan_that_is_made_approved_or_rejected_touches_the_board_once_each() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    turnovers(&hotel, &["101", "102"]).await;
    let mut watched = Watched::open(hotel).await;
    for decision in ["reject", "approve"] {
        let plan = watched.hotel.suggest().await.done();
        watched.touched("a plan").await;
        watched.shows_something_else("a plan").await;
        watched.hotel.decide(&plan, decision, json!({})).await.done();
        watched.touched(decision).await;
        watched.shows_something_else(decision).await;
    }
}

#[tokio::test]
async fn changed_settings_touch_every_board_of_the_tenant_and_no_other() {
    let hotel = TestHotel::open().await;
    let other = PropertyId::parse("prp_ELSEWHERE").unwrap();
    let mut here = Live::open(&hotel, None).await;
    let mut there = Live::open_on(&hotel.app, &hotel.supervisor(), &other, None).await;
    let stranger = hotel.token_of_tenant(platform::auth::Role::Supervisor, &hotel.next());
    let mut strange = Live::open_on(&hotel.app, &stranger, &hotel.property, None).await;
    for live in [&mut here, &mut there, &mut strange] {
        assert_eq!(live.next().await.unwrap().event, "board");
    }
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "locale": "fa-AF" })).await.done();
    assert_eq!(hotel.count(TOUCHED).await, 1, "one row for all of them");
    hotel.drain().await;
    for (live, property) in [(&mut here, &hotel.property), (&mut there, &other)] {
        assert_eq!(live.next().await.unwrap().data, json!({ "kind": "touched", "propertyId": property }));
    }
    hotel.app.begin_draining();
    assert!(strange.next().await.is_none());
}

#[tokio::test]
async fn whoever_was_away_learns_that_the_board_was_touched() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let mut live = Live::open(&hotel, None).await;
    let seen = live.next().await.unwrap().id;
    drop(live);
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "locale": "fa-AF" })).await.done();
    hotel.drain().await;
    let mut back = Live::open(&hotel, Some(&seen)).await;
    for _ in 0..2 {
        let missed = back.next().await.unwrap();
        assert!(missed.is_touch() && missed.data["propertyId"] == hotel.property.as_str(), "{missed:?}");
    }
    let other = hotel.second_process();
    let mut elsewhere = Live::open_on(&other, &hotel.supervisor(), &hotel.property, None).await;
    elsewhere.next().await.unwrap();
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    hotel.drain().await;
    assert!(elsewhere.next().await.unwrap().is_touch(), "in every process");
}

/// A broker that takes everything.
#[derive(Default)]
struct Glad(Mutex<Vec<Outgoing>>);

impl Broker for Glad {
    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>> {
        self.0.lock().unwrap().extend_from_slice(batch);
        async { Ok(()) }.boxed()
    }
}

#[tokio::test]
async fn a_touched_board_is_in_no_feed_at_no_broker_and_in_no_delivery() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let broker = Arc::new(Glad::default());
    let relay = Relay::new(hotel.app.db.clone(), vec![&SCHEMA]);
    let relay = relay.through(Arc::clone(&broker) as Arc<dyn Broker>);
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    assert_eq!(relay.drain().await.unwrap(), 1);
    hotel.deliver(&hotel.checked_out(&room)).await;
    relay.drain().await.unwrap();
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    hotel.app.relay.drain().await.unwrap();
    assert_eq!(hotel.count("bus.event_log WHERE subject LIKE 'internal.%'").await, 2);
    assert_eq!(hotel.count("bus.deliveries").await, 0);
    assert_eq!(hotel.count("housekeeping.audit_events WHERE subject LIKE 'internal.%'").await, 0);
    let feed = hotel.feed(0).await;
    let told: Vec<_> =
        feed["items"].as_array().unwrap().iter().map(|item| text(&item["envelope"]["subject"])).collect();
    let taken: Vec<_> = broker.0.lock().unwrap().iter().map(|one| one.subject.clone()).collect();
    assert_eq!(told, taken);
    assert_eq!(told.len(), 2);
    let asked = hotel.get(&hotel.service(), "/events/v1/feed?subjects=internal.board.touched").await.done();
    assert_eq!(asked["items"], Value::Array(Vec::new()), "not even for those who know its name");
}

#[tokio::test]
async fn a_block_a_discrepancy_an_attempt_and_a_break_touch_the_board() {
    let hotel = TestHotel::open().await;
    let (room, shift, gulalai): (_, ShiftId, StaffId) = (hotel.ready_room("101").await, hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_started(&shift, &gulalai)).await;
    let task = hotel.task_for(&room, contracts::housekeeping::TaskKind::DeepClean).await;
    hotel.assign(&task, &gulalai).await;
    let mut watched = Watched::open(hotel).await;
    let block = text(&watched.hotel.block(&room, json!({ "reason": "cleaning" })).await.done()["id"]);
    watched.touched("a block").await;
    watched.shows_something_else("a block").await;
    watched.hotel.unblock(&room, &block).await.done();
    watched.touched("a block that is lifted").await;
    watched.hotel.observe(&room, "occupied").await.done();
    watched.touched("a discrepancy").await;
    watched.shows_something_else("a discrepancy").await;
    let put_off = json!({ "reason": "declined" });
    watched.hotel.command(&watched.hotel.supervisor(), &task, "attempt", put_off).await.done();
    watched.touched("an attempt").await;
    watched.shows_something_else("an attempt").await;
    let rests = watched.hotel.rested("break_started", Some(&shift), &gulalai);
    watched.told(&rests).await;
    watched.shows_something_else("a break").await;
}
