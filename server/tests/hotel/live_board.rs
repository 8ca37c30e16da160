//! The board as a stream: the whole first, then every change, and nothing missed by whoever comes back.

use std::time::{Duration, Instant};

use contracts::ids::{EventId, PropertyId, TenantId};
use platform::auth::{Claims, Role};
use platform::bus::TailOptions;
use serde_json::json;

use crate::live_stream::{Live, ask_for};
use crate::test_hotel::{Answer, TestHotel};

#[tokio::test]
async fn a_live_board_shows_the_whole_and_then_every_change() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let mut live = Live::open(&hotel, None).await;
    let first = live.next().await.unwrap();
    assert_eq!(first.event, "board");
    assert_eq!(first.data["rooms"][0]["status"], "ready");

    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    let (created, flipped) = (live.next().await.unwrap(), live.next().await.unwrap());
    assert_eq!((created.event.as_str(), flipped.event.as_str()), ("change", "change"));
    assert_eq!(created.data["subject"], "melmastoon.housekeeping.task.created.v1");
    assert_eq!(flipped.data["payload"]["status"], "dirty");
    drop(live);

    let mut resumed = Live::open(&hotel, Some(&created.id)).await;
    let missed = resumed.next().await.unwrap();
    assert_eq!((missed.event.as_str(), &missed.id), ("change", &flipped.id), "what was missed, instead of the board");
}

#[tokio::test]
async fn a_live_board_is_about_one_property_and_ends_when_the_house_drains() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let elsewhere = contracts::ids::PropertyId::parse("prp_ELSEWHERE").unwrap();
    let mut live = Live::open(&hotel, Some("0")).await;
    let there = hotel.room("901", "ready").await;
    let departure = hotel.checked_out(&there).with("/payload/propertyId", serde_json::json!(elsewhere));
    hotel.deliver(&departure).await;
    let here = hotel.ready_room("102").await;
    hotel.deliver(&hotel.checked_out(&here)).await;
    hotel.drain().await;
    let first = live.next().await.unwrap();
    assert_eq!(first.data["payload"]["roomId"], here.id.as_str(), "the other property's changes are not sent");
    assert_eq!(live.next().await.unwrap().data["payload"]["roomId"], here.id.as_str());
    hotel.app.begin_draining();
    assert!(live.next().await.is_none());
}

#[tokio::test]
async fn a_stranger_who_names_our_property_sees_an_empty_board_and_no_change() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let stranger = hotel.token_of_tenant(platform::auth::Role::Supervisor, &hotel.next());
    let mut live = Live::open_on(&hotel.app, &stranger, &hotel.property, None).await;
    assert_eq!(live.next().await.unwrap().data["rooms"], serde_json::json!([]));
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    hotel.app.begin_draining();
    assert!(live.next().await.is_none(), "nothing was sent before the end");
}

/// Published straight into the log, as by a relay elsewhere.
async fn log(hotel: &TestHotel, tenant: &TenantId, property: &PropertyId, count: i64) {
    let sql =
        "INSERT INTO bus.event_log (event_id, tenant_id, property_id, subject, ordering_key, envelope, published_at)
               SELECT 'evt_' || $1 || n, $2, $3, 'melmastoon.housekeeping.task.created.v1', $2,
                      jsonb_build_object('payload', jsonb_build_object('n', n)), now()
               FROM generate_series(1, $4::BIGINT) AS n";
    let id: EventId = hotel.next();
    let params: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
        [&id.as_str(), &tenant.as_str(), &property.as_str(), &count];
    hotel.behind.execute(sql, &params).await.unwrap();
}

async fn newest(hotel: &TestHotel) -> String {
    let sql = "SELECT max(log_offset)::TEXT FROM bus.event_log WHERE tenant_id = $1";
    hotel.behind.query_one(sql, &[&hotel.tenant.as_str()]).await.unwrap().get(0)
}

fn elsewhere() -> PropertyId {
    PropertyId::parse("prp_ELSEWHERE").unwrap()
}

#[tokio::test]
async fn what_happens_in_other_houses_moves_a_silent_stream_on() {
    let hotel = TestHotel::open().await;
    let app = hotel.process(|parts| parts.live.keep_alive = Duration::from_millis(20));
    let mut live = Live::open_on(&app, &hotel.supervisor(), &hotel.property, None).await;
    assert_eq!(live.next().await.unwrap().id, "0");
    log(&hotel, &hotel.tenant, &elsewhere(), 3).await;
    let wanted = newest(&hotel).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let mark = live.any().await.unwrap();
        assert_eq!(mark.event, "", "nothing changed here");
        if mark.id == wanted {
            break;
        }
        assert!(Instant::now() < deadline, "still at {}", mark.id);
    }
}

#[tokio::test]
async fn whoever_comes_back_is_moved_past_what_happened_in_other_houses() {
    let hotel = TestHotel::open().await;
    log(&hotel, &hotel.tenant, &hotel.property, 1).await;
    let seen = newest(&hotel).await;
    log(&hotel, &hotel.tenant, &elsewhere(), 10).await;
    let mut live = Live::open(&hotel, Some(&seen)).await;
    let mark = live.any().await.unwrap();
    assert_eq!((mark.event.as_str(), mark.id), ("", newest(&hotel).await));
}

#[tokio::test]
async fn whoever_missed_too_much_or_comes_with_an_id_the_log_does_not_know_gets_the_whole_board() {
    let hotel = TestHotel::open().await;
    log(&hotel, &hotel.tenant, &hotel.property, 1).await;
    let seen = newest(&hotel).await;
    log(&hotel, &hotel.tenant, &elsewhere(), 5_000).await;
    let mut live = Live::open(&hotel, Some(&seen)).await;
    assert_eq!(live.any().await.unwrap().event, "", "so much can be looked through");
    log(&hotel, &hotel.tenant, &elsewhere(), 1).await;
    for last in [seen.as_str(), "987654321"] {
        let board = Live::open(&hotel, Some(last)).await.any().await.unwrap();
        assert_eq!((board.event.as_str(), board.id), ("board", newest(&hotel).await), "after {last}");
    }
    hotel.behind.execute("DELETE FROM bus.event_log WHERE log_offset::TEXT = $1", &[&seen]).await.unwrap();
    let board = Live::open(&hotel, Some(&seen)).await.any().await.unwrap();
    assert_eq!(board.event, "board", "what was seen last is too old to be kept");
}

#[tokio::test]
async fn an_open_stream_takes_no_connection_whatever_is_published() {
    let hotel = TestHotel::open().await;
    let app = hotel.process(|parts| parts.connections = 1);
    let mut live = Live::open_on(&app, &hotel.supervisor(), &hotel.property, None).await;
    assert_eq!(live.next().await.unwrap().event, "board");
    // The application's only connection is busy: a stream that read anything for itself would wait for it.
    let mut busy = app.db.begin_for(&housekeeping::SCHEMA, &hotel.tenant).await.unwrap();
    housekeeping::infrastructure::settings::load(&mut busy).await.unwrap();
    let stranger: TenantId = hotel.next();
    log(&hotel, &stranger, &hotel.property, 50).await;
    log(&hotel, &hotel.tenant, &elsewhere(), 50).await;
    log(&hotel, &hotel.tenant, &hotel.property, 2).await;
    for n in 1..=2 {
        assert_eq!(live.next().await.unwrap().data["payload"]["n"], n, "ours alone");
    }
    busy.rollback().await.unwrap();
}

#[tokio::test]
async fn the_log_is_read_only_while_somebody_looks() {
    let hotel = TestHotel::open().await;
    assert!(!hotel.app.tail.is_reading());
    let live = Live::open(&hotel, None).await;
    assert!(hotel.app.tail.is_reading());
    drop(live);
    let deadline = Instant::now() + Duration::from_secs(20);
    while hotel.app.tail.is_reading() {
        assert!(Instant::now() < deadline, "nobody looks, and it is still read");
        tokio::task::yield_now().await;
    }
    let mut again = Live::open(&hotel, None).await;
    again.next().await.unwrap();
    log(&hotel, &hotel.tenant, &hotel.property, 1).await;
    assert_eq!(again.next().await.unwrap().event, "change");
}

#[tokio::test]
async fn streams_that_open_in_the_middle_of_it_all_miss_nothing_and_repeat_nothing() {
    const EVENTS: i64 = 60;
    let hotel = TestHotel::open().await;
    let houses: Vec<PropertyId> = (0..4).map(|_| hotel.next()).collect();
    let publishing = async {
        for _ in 0..EVENTS {
            for house in &houses {
                log(&hotel, &hotel.tenant, house, 1).await;
            }
        }
    };
    let looking = futures_util::future::join_all((0..24).map(|number| {
        let (hotel, house) = (&hotel, &houses[number % houses.len()]);
        async move {
            // One after the other, while it goes on.
            while hotel.count("bus.event_log").await < i64::try_from(number).unwrap() * 6 {}
            let mut live = Live::open_on(&hotel.app, &hotel.supervisor(), house, Some("0")).await;
            let mut seen = Vec::new();
            while seen.len() < usize::try_from(EVENTS).unwrap() {
                seen.push(live.next().await.unwrap().id.parse::<i64>().unwrap());
            }
            assert!(seen.is_sorted_by(|one, next| one < next), "{seen:?}");
        }
    }));
    futures_util::future::join(publishing, looking).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_token_and_one_that_is_over_opens_none() {
    let hotel = TestHotel::open().await;
    let good_for = |seconds: i64| {
        let exp = hotel.now().as_millis() / 1_000 + seconds;
        hotel.key.mint(&Claims { exp, ..hotel.claims(Role::Supervisor, None) })
    };
    let mut live = Live::open_on(&hotel.app, &good_for(1), &hotel.property, None).await;
    assert_eq!(live.next().await.unwrap().event, "board");
    assert!(live.next().await.is_none(), "the token is over");
    // Clocks may differ by a few seconds; what lasts is another matter.
    let late = Answer::read(ask_for(&hotel.app, &good_for(-2), &hotel.property, None).await).await;
    late.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
}

#[tokio::test]
async fn a_process_and_a_tenant_have_only_so_many_streams() {
    let hotel = TestHotel::open().await;
    let few = TailOptions { streams: 3, streams_of_a_tenant: 2, ..TailOptions::default() };
    let app = hotel.process(|parts| parts.live = few);
    let (ours, property) = (hotel.supervisor(), &hotel.property);
    let others: Vec<_> = (0..2).map(|_| hotel.token_of_tenant(Role::Supervisor, &hotel.next())).collect();
    let first = Live::open_on(&app, &ours, property, None).await;
    let _second = Live::open_on(&app, &ours, property, None).await;
    let refused = async |token: &str| {
        let answer = Answer::read(ask_for(&app, token, property, None).await).await;
        answer.refused(503, "MELMASTOON.PLATFORM.TOO_MANY_STREAMS");
        assert!(answer.header("retry-after").is_some());
    };
    refused(&ours).await;
    let _third = Live::open_on(&app, &others[0], property, None).await;
    refused(&others[1]).await;
    drop(first);
    Live::open_on(&app, &ours, property, None).await;
    Live::open_on(&app, &others[1], property, None).await;
    let denied = ask_for(&app, &ours, property, Some("rubbish")).await;
    assert_eq!(denied.status(), 400, "a place that was never taken need not be given back");
}

#[tokio::test]
async fn a_stream_that_nobody_reads_is_closed_and_goes_on_where_it_was() {
    let hotel = TestHotel::open().await;
    let mut slow = Live::open(&hotel, None).await;
    let seen = slow.next().await.unwrap().id;
    let mut other = Live::open(&hotel, None).await;
    other.next().await.unwrap();
    let large =
        "INSERT INTO bus.event_log (event_id, tenant_id, property_id, subject, ordering_key, envelope, published_at)
                 SELECT 'evt_LARGE' || $1, $2, $3, 'melmastoon.housekeeping.task.created.v1', $2,
                        jsonb_build_object('payload', repeat('x', 200000)), now()";
    for number in 0..6 {
        let number = number.to_string();
        hotel.behind.execute(large, &[&number, &hotel.tenant.as_str(), &hotel.property.as_str()]).await.unwrap();
        // The other one reads along: by then it waits for the slow one as well.
        assert_eq!(other.next().await.unwrap().event, "change");
    }
    assert!(slow.next().await.is_none(), "what waited was thrown away");
    let back = Live::open(&hotel, Some(&seen)).await.any().await.unwrap();
    assert_eq!(back.event, "board", "that was more than is told again");
    assert_eq!(json!(back.id), json!(newest(&hotel).await));
}

#[tokio::test]
async fn whoever_has_seen_nothing_yet_may_say_so_with_an_empty_id() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let mut live = Live::open(&hotel, Some("")).await;
    assert_eq!(live.next().await.unwrap().event, "board");
}
