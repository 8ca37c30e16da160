//! What happens to a reservation by itself: within a second of its time, in every process, once.

use contracts::ids::{PropertyId, RoomId, RoomTypeId, TenantId};
use futures_util::future::join_all;
use platform::auth::Role;
use platform::database::DbRole;
use reservation::infrastructure::timers::{self, TimerKind};
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

async fn told(hotel: &TestHotel, subject: &str) -> Vec<Value> {
    let subject = format!("melmastoon.reservation.{subject}.v1");
    hotel.news().await.into_iter().filter(|one| one["eventType"] == json!(subject)).collect()
}

async fn in_house(hotel: &TestHotel, body: Value) -> Value {
    let booked = hotel.confirmed_stay(body).await;
    hotel.stay(&booked, "check-in/complete", json!({})).await.done()
}

#[tokio::test]
async fn of_three_processes_that_look_at_the_same_moment_each_hold_is_ended_by_one() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(60).await;
    for _ in 0..60 {
        hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    }
    hotel.clock.advance_seconds(600);
    let others = [hotel.second_process(), hotel.second_process()];
    let tickers = others.iter().map(|app| &app.ticker).chain([&hotel.app.ticker]);
    let looks = tickers.map(|ticker| ticker.run_if_due(ticker.find("reservation.hold-expiry").unwrap()));
    for ran in join_all(looks).await {
        ran.unwrap();
    }
    // What one had to pass by, because another was at it, is found at the next look.
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.count("reservation.reservations WHERE status = 'expired' AND version = 2").await, 60);
    assert_eq!(told(&hotel, "hold_expired").await.len(), 60, "each once");
    assert_eq!(hotel.count("reservation.timers").await, 0);
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-02").await, [60]);
}

#[tokio::test]
async fn who_has_a_timer_due_is_told_to_the_operator_alone_and_by_tenant_alone() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    assert!(timers::tenants(&hotel.app.db, TimerKind::HoldExpiry).await.unwrap().is_empty());
    hotel.clock.advance_seconds(600);
    let due = timers::tenants(&hotel.app.db, TimerKind::HoldExpiry).await.unwrap();
    assert_eq!(due, std::slice::from_ref(&hotel.tenant));
    let asks = format!("SELECT reservation.tenants_with_timers_due('hold_expiry', '{}')", hotel.now());
    let other: TenantId = hotel.next();
    for (who, client) in [
        ("the application", hotel.as_application(Some(&other)).await),
        ("the application for its own tenant", hotel.as_application(Some(&hotel.tenant)).await),
        ("the relay", hotel.app.db.connect_as(DbRole::Relay).await.unwrap()),
    ] {
        let refused = client.query(&asks, &[]).await.unwrap_err();
        assert_eq!(refused.code().map(tokio_postgres::error::SqlState::code), Some("42501"), "{who}");
    }
    let owner = hotel.app.db.connect_as(DbRole::Owner).await.unwrap();
    assert_eq!(owner.query(&asks, &[]).await.unwrap().len(), 0, "asked by the owner it answers nothing");
    let operator = hotel.app.db.connect_as(DbRole::Operator).await.unwrap();
    let rows = operator.query("SELECT FROM reservation.timers", &[]).await;
    assert!(rows.map_or(true, |rows| rows.is_empty()), "the operator sees the tenants, not the timers");
}

#[tokio::test]
async fn looking_for_what_is_due_opens_no_connection() {
    let hotel = TestHotel::open().await;
    hotel.run_tick("reservation.hold-expiry").await;
    let operators = "pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%operator%'";
    let first = "SELECT pid, backend_start::TEXT FROM pg_stat_activity WHERE datname = current_database()
                 AND application_name LIKE '%operator%' ORDER BY 1";
    let before: Vec<i32> = hotel.behind.query(first, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    for _ in 0..20 {
        for name in ["hold-expiry", "no-show", "overstay"] {
            hotel.run_tick(&format!("reservation.{name}")).await;
        }
    }
    let after: Vec<i32> = hotel.behind.query(first, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert_eq!((before.len(), &before), (1, &after), "{operators}");
}

#[tokio::test]
async fn a_guest_who_does_not_leave_is_told_of_once_a_hotel_day_and_pays_for_each_night() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    // It is 11:00 in Kabul on 22 April.
    let there = in_house(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.news().await;
    // Until 15:00 on the 23rd: check-out at noon, and three hours.
    hotel.clock.advance_seconds(DAY + 4 * HOUR - 1);
    hotel.run_tick("reservation.overstay").await;
    assert!(told(&hotel, "overstayed").await.is_empty());
    hotel.clock.advance_seconds(1);
    hotel.run_tick("reservation.overstay").await;
    hotel.run_tick("reservation.overstay").await;
    let news = told(&hotel, "overstayed").await;
    assert_eq!(news.len(), 1, "once");
    assert_eq!(
        (&news[0]["payload"]["penaltyMicro"], &news[0]["payload"]["currency"]),
        (&json!("100000000"), &json!("AFN"))
    );
    assert_eq!(news[0]["payload"]["actor"], json!({ "type": "system", "id": "sys_reservation" }));
    let now = hotel.reservation(&there).await;
    assert_eq!((&now["status"], &now["balanceMicro"]), (&json!("checked_in"), &json!("200000000")));
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-25").await, [0, 1], "the night is theirs");
    hotel.clock.advance_seconds(DAY - 1);
    hotel.run_tick("reservation.overstay").await;
    assert!(told(&hotel, "overstayed").await.is_empty());
    hotel.clock.advance_seconds(1);
    hotel.run_tick("reservation.overstay").await;
    assert_eq!(told(&hotel, "overstayed").await.len(), 1, "again the next day");
    assert_eq!(hotel.reservation(&there).await["overstayedNights"], 1);
    // Nobody looked for three days: each of them is made up for, and then it goes on in time.
    hotel.clock.advance_seconds(3 * DAY + HOUR);
    hotel.run_tick("reservation.overstay").await;
    hotel.run_tick("reservation.overstay").await;
    let missed = told(&hotel, "overstayed").await;
    let days: Vec<&Value> = missed.iter().map(|one| &one["payload"]["occurredAt"]).collect();
    let in_time = ["2026-04-25", "2026-04-26", "2026-04-27"].map(|day| json!(format!("{day}T10:30:00.000Z")));
    assert_eq!(days, in_time.iter().collect::<Vec<_>>(), "each night with the moment it was due");
    let versions: Vec<i64> = missed.iter().filter_map(|one| one["payload"]["aggregateVersion"].as_i64()).collect();
    assert_eq!(versions, [7, 8, 9]);
    let revenue = async |day: &str| {
        let path = format!("/reservation/v1/day-close?propertyId={}&date={day}", hotel.property);
        hotel.get(&hotel.desk(), &path).await.done()["roomRevenueMicro"].clone()
    };
    for day in ["2026-04-22", "2026-04-23", "2026-04-26", "2026-04-27"] {
        assert_eq!(revenue(day).await, "100000000", "{day}");
    }
    let owes = hotel.reservation(&there).await;
    assert_eq!((&owes["balanceMicro"], &owes["overstayedNights"]), (&json!("600000000"), &json!(4)));
    assert_eq!(owes["updatedAt"], json!(hotel.now()), "whoever asks what has changed finds it");
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "600000000", "currency": "AFN" });
    hotel.stay(&there, "payments", cash).await.done();
    let left = hotel.stay(&there, "check-out/complete", json!({})).await.done();
    assert_eq!((&left["overstayedNights"], &left["balanceMicro"]), (&json!(4), &json!("0")));
    assert_eq!(hotel.count("reservation.timers").await, 0);
    assert_eq!(hotel.available(&double, "2026-04-27", "2026-04-29").await, [1, 1], "{:?} is free", doors[0].number);
}

#[tokio::test]
async fn whoever_has_the_room_next_and_was_not_told_goes_elsewhere_when_the_guest_stays() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-23");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    in_house(&hotel, wish).await;
    let next = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-25")).await;
    assert_eq!(next["items"][0]["roomId"], json!(doors[0].id), "right behind them");
    hotel.clock.advance_seconds(DAY + 4 * HOUR);
    hotel.run_tick("reservation.overstay").await;
    assert_eq!(hotel.reservation(&next).await["items"][0]["roomId"], json!(doors[1].id));
    assert_eq!(hotel.reservation(&next).await["version"], next["version"], "silently");
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-25").await, [0, 1]);
}

#[tokio::test]
async fn a_guest_who_stays_in_a_room_that_is_promised_to_another_is_an_alert_once() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let there = in_house(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let next = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-25")).await;
    hotel.clock.advance_seconds(DAY + 4 * HOUR);
    hotel.run_tick("reservation.overstay").await;
    hotel.clock.advance_seconds(DAY);
    hotel.run_tick("reservation.overstay").await;
    let raised = told(&hotel, "alert.raised").await;
    assert_eq!(raised.len(), 1, "one that is open is enough");
    assert_eq!(
        (&raised[0]["payload"]["kind"], &raised[0]["payload"]["roomId"]),
        (&json!("overstay_conflict"), &json!(doors[0].id))
    );
    assert_eq!(raised[0]["payload"]["reservationId"], there["reservationId"]);
    assert_eq!(hotel.reservation(&next).await["items"][0]["roomId"], json!(doors[0].id), "theirs as before");
}

#[tokio::test]
async fn other_hours_of_the_house_make_timers_look_again() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let awaited = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    in_house(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.news().await;
    // 17:00 on the 22nd: three hours after check-in time. Nobody is late by twelve.
    hotel.clock.advance_seconds(6 * HOUR);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&awaited).await["status"], "confirmed");
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "noShowGraceHours": 2 })).await.done();
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&awaited).await["status"], "no_show");
    // 12:30 on the 23rd, and check-out is at noon.
    hotel.clock.advance_seconds(19 * HOUR + HOUR / 2);
    hotel.run_tick("reservation.overstay").await;
    assert!(told(&hotel, "overstayed").await.is_empty());
    let payload = json!({ "tenantId": hotel.tenant, "settings": { "overstayGraceHours": 0 } });
    hotel.deliver(&hotel.happening("tenant.settings.changed.v1", &payload)).await;
    hotel.run_tick("reservation.overstay").await;
    assert_eq!(told(&hotel, "overstayed").await.len(), 1);
}

#[tokio::test]
async fn where_nobody_is_called_a_no_show_by_itself_nothing_waits_until_somebody_says_otherwise() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "autoNoShow": false })).await.done();
    let awaited = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    assert_eq!(hotel.count("reservation.timers").await, 0);
    hotel.clock.advance_seconds(2 * DAY);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&awaited).await["status"], "confirmed");
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "autoNoShow": true })).await.done();
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&awaited).await["status"], "no_show");
}

#[tokio::test]
async fn nights_that_become_free_go_first_to_whoever_was_sold_a_room_that_was_not_there() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let over = json!({ "from": "2026-05-01", "to": "2026-05-04", "overbooking": 1 });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}/sell-limits"), over).await.done();
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let first = hotel.book(wish.clone()).await.done();
    let beyond = hotel.confirmed_stay(wish.clone()).await;
    assert!(beyond["items"][0].get("roomId").is_none(), "{beyond}");
    assert_eq!(text(&first["items"][0]["roomId"]), doors[0].id.as_str());
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&beyond).await["items"][0]["roomId"], json!(doors[0].id));
    let third = hotel.book(wish).await.done();
    assert!(third["items"][0].get("roomId").is_none(), "{third}");
}

#[tokio::test]
async fn a_guest_who_stayed_too_long_and_books_the_nights_after_all_pays_for_them_once() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let there = in_house(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.clock.advance_seconds(4 * HOUR);
    for _ in 0..2 {
        hotel.clock.advance_seconds(DAY);
        hotel.run_tick("reservation.overstay").await;
    }
    // It is 15:00 on the 24th: two nights too long, and both of them charged.
    let owes = hotel.reservation(&there).await;
    assert_eq!((&owes["balanceMicro"], &owes["overstayedNights"]), (&json!("300000000"), &json!(1)));
    let longer = |end: &str| json!({ "type": "date_change", "stayWindow": { "start": "2026-04-22", "end": end } });
    let stays = hotel.stay(&there, "modifications", longer("2026-04-26")).await.done();
    assert_eq!(stays["totals"]["grandTotalMicro"], "400000000");
    assert_eq!((&stays["balanceMicro"], &stays["overstayedNights"]), (&json!("400000000"), &json!(0)), "{stays}");
    // And again, when these are over.
    hotel.clock.advance_seconds(2 * DAY);
    hotel.run_tick("reservation.overstay").await;
    let owes = hotel.reservation(&there).await;
    assert_eq!(owes["balanceMicro"], "500000000", "one more night that nobody booked");
}

#[tokio::test]
async fn a_check_in_that_was_left_unfinished_is_refused_when_the_stay_is_over_and_nobody_has_stayed_too_long() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    hotel.clock.advance_seconds(2 * DAY);
    hotel.stay(&stay, "check-in/complete", json!({})).await.refused(409, "MELMASTOON.RESERVATION.STAY_OVER");
    let key = json!({ "keyCredentialId": "key_1" });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
    assert_eq!(hotel.reservation(&stay).await["status"], "check_in_started");
    hotel.clock.advance_seconds(DAY);
    hotel.run_tick("reservation.overstay").await;
    assert!(told(&hotel, "overstayed").await.is_empty());
}

#[tokio::test]
async fn no_day_before_a_guest_came_is_one_on_which_they_stayed_too_long() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    in_house(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.news().await;
    // As an earlier release let them in, when the stay was over.
    let late = "UPDATE reservation.reservations SET body = body || '{\"checked_in_at\": \"2026-04-25T08:00:00.000Z\"}'";
    hotel.behind.batch_execute(late).await.unwrap();
    hotel.clock.advance_seconds(4 * DAY + 4 * HOUR);
    hotel.run_tick("reservation.overstay").await;
    let missed = told(&hotel, "overstayed").await;
    let days: Vec<&Value> = missed.iter().map(|one| &one["payload"]["occurredAt"]).collect();
    assert_eq!(days, [&json!("2026-04-25T10:30:00.000Z"), &json!("2026-04-26T10:30:00.000Z")]);
}

#[tokio::test]
async fn another_name_of_the_house_makes_no_timer_look_again() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    in_house(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let due = format!("reservation.timers WHERE due_at <= '{}'", hotel.now());
    let house = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    for path in ["/reservation/v1/settings", &house] {
        let name = json!({ "houseName": "Chinar", "locale": "fa-AF", "depositPpm": 100_000, "currency": "AFN" });
        hotel.put(&hotel.manager(), path, name).await.done();
    }
    let payload = json!({ "tenantId": hotel.tenant, "settings": { "locale": "en-US" } });
    hotel.deliver(&hotel.happening("tenant.settings.changed.v1", &payload)).await;
    assert_eq!(hotel.count(&due).await, 0);
    for (setting, value) in [
        ("timezone", json!("Asia/Tokyo")),
        ("checkInTime", json!("15:00")),
        ("checkOutTime", json!("11:00")),
        ("dayRollTime", json!("04:00")),
        ("noShowGraceHours", json!(11)),
        ("autoNoShow", json!(false)),
        ("overstayGraceHours", json!(2)),
    ] {
        hotel.behind.batch_execute("UPDATE reservation.timers SET due_at = due_at + interval '9 days'").await.unwrap();
        assert_eq!(hotel.count(&due).await, 0);
        hotel.put(&hotel.manager(), &house, json!({ setting: value })).await.done();
        assert_eq!(hotel.count(&due).await, 2, "{setting}");
    }
}

/// A hold of another tenant.
async fn held_elsewhere(hotel: &TestHotel, tenant: &TenantId) -> String {
    let (manager, desk) =
        (hotel.token_of_tenant(Role::PropertyManager, tenant), hotel.token_of_tenant(Role::FrontDesk, tenant));
    let (house, kind, room): (PropertyId, RoomTypeId, RoomId) = (hotel.next(), hotel.next(), hotel.next());
    let body = json!({ "propertyId": house, "name": "Double", "baseRateMicro": "100000000" });
    hotel.put(&manager, &format!("/reservation/v1/room-types/{kind}"), body).await.done();
    let body = json!({ "propertyId": house, "roomTypeId": kind, "number": "1" });
    hotel.put(&manager, &format!("/reservation/v1/rooms/{room}"), body).await.done();
    let mut wish = hotel.booking(&kind, "2026-05-01", "2026-05-02");
    wish["propertyId"] = json!(house);
    text(&hotel.post(&desk, "/reservation/v1/reservations", wish).await.done()["reservationId"])
}

#[tokio::test]
async fn a_tenant_whose_rooms_somebody_is_at_holds_up_nobody_elses_holds_for_a_second() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let own = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    let other: TenantId = hotel.next();
    let elsewhere = held_elsewhere(&hotel, &other).await;
    hotel.clock.advance_seconds(600);
    let held = hotel.database_connection().await;
    let lock = format!("BEGIN; SELECT FROM reservation.room_types WHERE id = '{double}' FOR NO KEY UPDATE");
    held.batch_execute(&lock).await.unwrap();
    let began = std::time::Instant::now();
    let tick = hotel.app.ticker.find("reservation.hold-expiry").unwrap();
    let ran = hotel.app.ticker.run_now(tick).await;
    assert!(matches!(ran, Err(platform::Fault::Exhausted)), "{ran:?}");
    assert!(began.elapsed() < std::time::Duration::from_secs(5), "ten seconds is how long a person waits");
    let status = async |id: &str| {
        let asks = format!("SELECT status FROM reservation.reservations WHERE id = '{id}'");
        hotel.behind.query_one(&asks, &[]).await.unwrap().get::<_, String>(0)
    };
    assert_eq!(status(&elsewhere).await, "expired");
    assert_eq!(status(&text(&own["reservationId"])).await, "held");
    held.batch_execute("ROLLBACK").await.unwrap();
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(status(&text(&own["reservationId"])).await, "expired", "at the next look");
}

#[tokio::test]
async fn what_met_another_change_is_tried_again_at_the_next_look_and_keeps_nobody_waiting() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let unlucky = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    let trouble = format!(
        "CREATE FUNCTION meets_another() RETURNS TRIGGER LANGUAGE plpgsql AS
           $$BEGIN RAISE EXCEPTION 'another change' USING ERRCODE = '40001'; END$$;
         CREATE TRIGGER unlucky BEFORE UPDATE ON reservation.reservations FOR EACH ROW WHEN (NEW.id = '{}')
           EXECUTE FUNCTION meets_another()",
        text(&unlucky["reservationId"])
    );
    hotel.behind.batch_execute(&trouble).await.unwrap();
    hotel.clock.advance_seconds(600);
    // By itself, and among others.
    hotel.run_tick("reservation.hold-expiry").await;
    let other = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&other).await["status"], "expired");
    assert_eq!(hotel.reservation(&unlucky).await["status"], "held");
    hotel.behind.batch_execute("DROP TRIGGER unlucky ON reservation.reservations").await.unwrap();
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&unlucky).await["status"], "expired", "and not ten minutes later");
}

#[tokio::test]
async fn what_nobody_can_pay_is_refused_so_that_what_is_added_to_it_can_still_be_read() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let invalid = "MELMASTOON.RESERVATION.INVALID_VALUE";
    let (most, more) = ("1000000000000000000", "1000000000000000001");
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-23");
    wish["items"][0]["nightlyRateMicro"] = json!(more);
    hotel.book(wish.clone()).await.refused(400, invalid).naming("items.nightlyRateMicro");
    wish["items"][0]["nightlyRateMicro"] = json!(most);
    let there = in_house(&hotel, wish).await;
    let pay = |amount: &str| json!({ "method": "cash_on_arrival", "amountMicro": amount, "currency": "AFN" });
    hotel.stay(&there, "payments", pay(more)).await.refused(400, invalid);
    let rates = json!({ "from": "2026-05-01", "to": "2026-06-01", "rateMicro": more });
    let path = format!("/reservation/v1/room-types/{double}/rates");
    hotel.put(&hotel.manager(), &path, rates).await.refused(400, invalid).naming("rateMicro");
    hotel.deliver(&hotel.captured(&there, "pyi_1", more)).await;
    assert_eq!(hotel.count("reservation.dead_letters WHERE state = 'open'").await, 1);
    // A rate of exchange makes a small price a large one.
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-02");
    wish["currency"] = json!("USD");
    let fx = json!({ "base": "AFN", "quote": "USD", "rate": "999999999999", "source": "bank", "capturedAt": "2026-04-22T06:00:00Z" });
    wish["fxSnapshot"] = fx;
    hotel.book(wish).await.refused(400, invalid);
    hotel.clock.advance_seconds(9 * DAY);
    hotel.run_tick("reservation.overstay").await;
    for list in ["reservations", "in-house", "departures"] {
        let path = format!("/reservation/v1/{list}?propertyId={}", hotel.property);
        assert_eq!(hotel.get(&hotel.desk(), &path).await.done()["items"].as_array().unwrap().len(), 1, "{list}");
    }
    let path = format!("/reservation/v1/day-close?propertyId={}&date=2026-04-23", hotel.property);
    hotel.get(&hotel.desk(), &path).await.done();
}
