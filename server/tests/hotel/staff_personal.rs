//! What is personal: to whom it is shown, what of it is handed out, and how it is taken away.

use std::io::Write;
use std::sync::{Arc, Mutex};

use platform::auth::{Claims, Role};
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

const EMAIL: &str = "parwin@example.com";
const PHONE: &str = "+93700123456";
const RELATIVE: &str = "+93799887766";
const PIN: &str = "748291";

async fn parwin(hotel: &TestHotel) -> Value {
    let mut body = hotel.application_of("Parwin").await;
    body["familyName"] = json!("Ahmadzai");
    body["email"] = json!(EMAIL);
    body["phoneE164"] = json!(PHONE);
    body["emergencyContact"] = json!({ "name": "Habiba", "phoneE164": RELATIVE, "relation": "sister" });
    body["pin"] = json!(PIN);
    hotel.post(&hotel.manager(), "/staff/v1/staff", body).await.done()
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_email_phone_or_pin_is_in_any_event_log_or_answer_to_another_role() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let hotel = TestHotel::open().await;
    let person = parwin(&hotel).await;
    let (id, code) = (text(&person["staffId"]), text(&person["staffCode"]));
    let other = hotel.employ("Laila").await;
    let shift = hotel.shift("07:00", "15:00").await;
    hotel.place(&shift, &id).await.done();
    hotel.sign_in(&code, PIN).await.done();
    hotel.sign_in(&code, "748290").await;
    hotel.punch_clock(&id, "in").await.done();
    let path = format!("/staff/v1/staff/{id}");
    hotel.patch(&hotel.own(&id), &path, json!({ "languages": ["ps-AF", "en-GB"] })).await.done();
    let terminal = Ask::post("/staff/v1/clock/punches").by(&hotel.service()).key("one");
    hotel.ask(terminal.json(&json!({ "kind": "break_started", "staffCode": code, "pin": PIN }))).await.done();
    // To whom what is shown.
    let seen = async |token: &str| {
        let text = hotel.get(token, &path).await.text;
        [EMAIL, PHONE, RELATIVE].map(|secret| text.contains(secret))
    };
    for role in Role::ALL {
        let shown = seen(&hotel.token(role, None)).await;
        let wanted = match role {
            Role::PropertyManager | Role::Admin => [true, true, true],
            Role::Supervisor => [false, true, false],
            _ => [false, false, false],
        };
        assert_eq!(shown, wanted, "{}", role.as_str());
    }
    assert_eq!(seen(&hotel.own(&id)).await, [true, true, true]);
    assert_eq!(seen(&hotel.own(&other)).await, [false, false, false]);
    let house = &hotel.property;
    for path in [
        format!("/staff/v1/staff?propertyId={house}"),
        format!("/staff/v1/roster?propertyId={house}&from=2026-04-22"),
        format!("/staff/v1/on-now?propertyId={house}"),
        format!("/staff/v1/shifts?propertyId={house}"),
        format!("/staff/v1/shifts/{shift}"),
        format!("/staff/v1/clock/entries?propertyId={house}"),
        format!("/staff/v1/timesheets?propertyId={house}&from=2026-04-20&to=2026-04-23"),
    ] {
        for role in [Role::Housekeeper, Role::FrontDesk, Role::Service, Role::Staff, Role::Supervisor] {
            let answer = hotel.get(&hotel.token(role, None), &path).await;
            let secrets: &[&str] =
                if role == Role::Supervisor { &[EMAIL, RELATIVE] } else { &[EMAIL, PHONE, RELATIVE] };
            assert!(!secrets.iter().any(|secret| answer.text.contains(secret)), "{path} as {}", role.as_str());
        }
    }
    hotel.get(&hotel.own(&other), &format!("{path}/export")).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    hotel.get(&hotel.manager(), &format!("{path}/export")).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    // Nor in what others hear, nor in what we write down for ourselves.
    hotel.drain().await;
    let events = hotel.feed(0).await.to_string();
    assert!(events.contains("Parwin"), "names are nobody's secret");
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("request"), "something was logged");
    for secret in [EMAIL, PHONE, RELATIVE, PIN, "748290"] {
        assert!(!events.contains(secret), "{secret} is in an event");
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}

#[tokio::test]
async fn everything_is_handed_out_to_the_person_and_to_an_admin() {
    let hotel = TestHotel::open().await;
    let person = parwin(&hotel).await;
    let id = text(&person["staffId"]);
    let shift = hotel.shift("07:00", "15:00").await;
    hotel.place(&shift, &id).await.done();
    hotel.sign_in(&text(&person["staffCode"]), PIN).await.done();
    let entry = text(&hotel.punch_clock(&id, "in").await.done()["clockEntryId"]);
    let correct = json!({ "clockEntryId": entry, "at": hotel.now().plus_seconds(-60), "reason": "came earlier" });
    hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", correct).await.done();
    let path = format!("/staff/v1/staff/{id}/export");
    for token in [hotel.own(&id), hotel.token(Role::Admin, None)] {
        let all = hotel.get(&token, &path).await.done();
        assert_eq!(all["person"]["email"], EMAIL);
        assert_eq!(all["person"]["emergencyContact"]["phoneE164"], RELATIVE);
        assert_eq!(all["shifts"][0]["shiftId"], json!(shift));
        assert_eq!(all["clockEntries"][0]["clockEntryId"], json!(entry));
        assert_eq!(all["corrections"][0]["reason"], "came earlier");
        assert_eq!(all["signIns"][0]["source"], "address 192.0.2.1");
        assert!(all["history"].as_array().unwrap().len() >= 2, "{all}");
        assert!(!all.to_string().contains("argon2"));
    }
}

#[tokio::test]
async fn what_somebody_decided_by_their_login_is_handed_out_to_them_too() {
    let hotel = TestHotel::open().await;
    let (gulalai, laila) = (hotel.employ("Gulalai").await, hotel.employ("Laila").await);
    let login = json!({ "userId": "usr_GULALAI" });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{gulalai}"), login).await.done();
    let leave = text(&hotel.ask_for_leave(&laila, "2026-05-01", "2026-05-03").await.done()["leaveRequestId"]);
    let claims = Claims { sub: "usr_GULALAI".to_owned(), ..hotel.claims(Role::Supervisor, None) };
    let decide = json!({ "decision": "approve" });
    hotel.post(&hotel.key.mint(&claims), &format!("/staff/v1/leave/{leave}/decide"), decide).await.done();
    for (person, decided) in [(&gulalai, 1), (&laila, 0)] {
        let all = hotel.get(&hotel.own(person), &format!("/staff/v1/staff/{person}/export")).await.done();
        let found = all["records"].as_array().unwrap().iter().filter(|one| one["what"] == "leave_decided").count();
        assert_eq!(found, decided, "{all}");
    }
}

#[tokio::test]
async fn of_somebody_who_is_gone_everything_personal_can_be_taken_away_but_not_the_hours() {
    let hotel = TestHotel::open().await;
    let person = parwin(&hotel).await;
    let (id, admin) = (text(&person["staffId"]), hotel.token(Role::Admin, None));
    let path = format!("/staff/v1/staff/{id}");
    let erase = format!("{path}/erase");
    hotel.punch_clock(&id, "in").await.done();
    hotel.clock.advance_seconds(600);
    let out = json!({ "staffId": id, "kind": "out", "at": hotel.now(), "reason": "Parwin fell ill" });
    let entry = text(&hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", out).await.done()["clockEntryId"]);
    let review = format!("/staff/v1/clock/entries/{entry}/review");
    hotel.post(&hotel.supervisor(), &review, json!({ "note": "Parwin is well again" })).await.done();
    hotel.post(&admin, &erase, json!({})).await.refused(409, "MELMASTOON.STAFF.NOT_ERASABLE");
    let why = json!({ "reason": "voluntary_resignation", "note": "Parwin moves to Herat" });
    hotel.post(&hotel.manager(), &format!("{path}/terminate"), why).await.done();
    hotel.told_by_staff().await;
    assert_eq!(hotel.post(&hotel.manager(), &erase, json!({})).await.status, 403);
    assert_eq!(hotel.post(&admin, &erase, json!({})).await.status, 204);
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str()), (1, "updated"));
    let left = hotel.get(&admin, &path).await.done();
    for (field, value) in
        [("givenName", json!("")), ("userId", json!(null)), ("hasEmail", json!(false)), ("pinSet", json!(false))]
    {
        assert_eq!(left[field], value, "{field}");
    }
    let code = text(&left["staffCode"]);
    assert!(code.starts_with("X-") && code.len() == 10, "{code}");
    let tables = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
                  WHERE schemaname = 'staff' AND tablename NOT IN ('outbox', 'idempotency_keys')";
    for row in hotel.behind.query(tables, &[]).await.unwrap() {
        let table: String = row.get(0);
        for word in ["Parwin", "Ahmadzai", EMAIL, PHONE, RELATIVE, "Habiba", "voluntary_resignation"] {
            assert_eq!(hotel.count(&format!("{table} t WHERE t::TEXT LIKE '%{word}%'")).await, 0, "{word} in {table}");
        }
    }
    assert_eq!(hotel.count("staff.clock_entries").await, 2, "hours are kept as the law wants");
    hotel.post(&admin, &erase, json!({})).await.refused(409, "MELMASTOON.STAFF.NOT_ERASABLE");
    let back = hotel.post(&hotel.manager(), &format!("{path}/reactivate"), json!({})).await;
    back.refused(409, "MELMASTOON.STAFF.STAFF_ILLEGAL_TRANSITION");
}

#[tokio::test]
async fn what_was_asked_written_and_planned_is_handed_out_and_taken_away_with_the_rest() {
    let hotel = TestHotel::open().await;
    let person = parwin(&hotel).await;
    let (id, code) = (text(&person["staffId"]), text(&person["staffCode"]));
    let (admin, manager, leads) = (hotel.token(Role::Admin, None), hotel.manager(), hotel.supervisor());
    let own = hotel.own(&id);
    let colleague = hotel.employ("Laila").await;
    // All of it names her, so that one word finds it again.
    let days = json!({ "from": "2026-05-01", "to": "2026-05-02" });
    let leave = json!({ "type": "sick", "windowLocal": days, "reason": "Parwin has the flu" });
    let leave = text(&hotel.post(&own, "/staff/v1/leave", leave).await.done()["leaveRequestId"]);
    let verdict = json!({ "decision": "approve", "decisionNote": "get well, Parwin" });
    hotel.post(&leads, &format!("/staff/v1/leave/{leave}/decide"), verdict).await.done();
    let paper = json!({ "type": "first_aid", "issuedAt": "2026-01-01", "number": "Parwin-77" });
    hotel.post(&manager, &format!("/staff/v1/staff/{id}/certifications"), paper).await.done();
    let note = json!({ "propertyId": hotel.property, "body": "call Parwin", "attachmentIds": ["med_Parwin"] });
    hotel.post(&own, "/staff/v1/handoff-notes", note).await.done();
    let theirs = json!({ "propertyId": hotel.property, "body": "304 is noisy" });
    let theirs = hotel.post(&hotel.own(&colleague), "/staff/v1/handoff-notes", theirs).await.done();
    let theirs = text(&theirs["handoffNoteId"]);
    hotel.post(&own, &format!("/staff/v1/handoff-notes/{theirs}/acknowledge"), json!({})).await.done();
    let (early, late) = (hotel.shift("13:00", "16:00").await, hotel.shift("17:00", "20:00").await);
    let left = text(&hotel.place(&early, &id).await.done()["assignmentId"]);
    let right = text(&hotel.place(&late, &colleague).await.done()["assignmentId"]);
    let swap = json!({ "leftAssignmentId": left, "rightAssignmentId": right, "note": "Parwin has an exam" });
    hotel.post(&own, "/staff/v1/shifts/swap-requests", swap).await.done();
    let mut pattern = hotel.pattern("06:00", "14:00").await;
    let both = [&id, &colleague].map(|person| json!({ "staffId": person, "role": "primary" }));
    pattern["assignees"] = json!(both);
    hotel.add_pattern(pattern).await;
    let proposal = hotel.proposal(&hotel.next(), &[(&late, &id), (&early, &colleague)]);
    hotel.deliver(&proposal.with("/payload/rows/0/reasoning", json!("Parwin is rested"))).await;
    for token in [&own, &admin] {
        let all = hotel.get(token, &format!("/staff/v1/staff/{id}/export")).await.done();
        for (pointer, value) in [
            ("/leave/0/reason", "Parwin has the flu"),
            ("/leave/0/decisionNote", "get well, Parwin"),
            ("/certifications/0/number", "Parwin-77"),
            ("/handoffNotes/0/body", "call Parwin"),
            ("/notesRead/0/handoffNoteId", &theirs),
            ("/swapRequests/0/note", "Parwin has an exam"),
            ("/patterns/0/assignees/0/staffId", &id),
            ("/suggestions/0/rows/0/reasoning", "Parwin is rested"),
        ] {
            assert_eq!(all.pointer(pointer), Some(&json!(value)), "{pointer}");
        }
        for pointer in ["/handoffNotes", "/patterns/0/assignees", "/suggestions/0/rows"] {
            let found = all.pointer(pointer).and_then(Value::as_array).map(Vec::len);
            assert_eq!(found, Some(1), "{pointer}: nothing of others");
        }
    }
    let path = format!("/staff/v1/staff/{id}");
    hotel.post(&manager, &format!("{path}/terminate"), json!({ "reason": "retired" })).await.done();
    hotel.sign_in(&code, PIN).await.refused(401, "MELMASTOON.STAFF.PIN_REFUSED");
    assert_eq!(hotel.post(&admin, &format!("{path}/erase"), json!({})).await.status, 204);
    let tables = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
                  WHERE schemaname = 'staff' AND tablename NOT IN ('outbox', 'idempotency_keys')";
    for row in hotel.behind.query(tables, &[]).await.unwrap() {
        let table: String = row.get(0);
        for word in ["Parwin", &code] {
            assert_eq!(hotel.count(&format!("{table} t WHERE t::TEXT LIKE '%{word}%'")).await, 0, "{word} in {table}");
        }
    }
    // What others wrote of others stays, and what is left can be read.
    let left = hotel.get(&admin, &format!("{path}/export")).await.done();
    assert_eq!((&left["leave"][0]["status"], &left["handoffNotes"][0]["body"]), (&json!("approved"), &json!("")));
    assert_eq!(hotel.count("staff.suggestions WHERE rows::TEXT LIKE '%rested%'").await, 1);
    assert_eq!(hotel.count("staff.handoff_notes WHERE body = '304 is noisy'").await, 1);
}
