//! A person's rights: everything that is kept of a guest or of a member of the staff is handed out, and forgotten once its time is
//! over; what the law wants kept is kept, and said.

use contracts::ids::{GuestId, StaffId};
use platform::auth::Role;
use serde_json::{Value, json};
use server::commands::person;

use crate::archive::{Shelf, years_later};
use crate::test_hotel::{Ask, TestHotel, ask_router, text};

const SECRETS: [&str; 4] = ["Zarmina", "Example.com", "700 123 456", "allergic to feathers"];

/// A guest who stayed, wished for something, left a ring behind and claimed it.
async fn a_guest(hotel: &TestHotel) -> (Value, GuestId) {
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let wish = json!({ "tags": ["pillow"], "freeText": "allergic to feathers", "source": "guest" });
    hotel.stay(&stay, "special-requests", wish).await.done();
    let room = hotel.ready_room("301").await;
    let body = json!({
        "propertyId": hotel.property, "roomId": room.id, "description": "a ring", "reservationId": stay["reservationId"],
    });
    let ring = text(&hotel.post(&hotel.front_desk(), "/housekeeping/v1/lost-and-found", body).await.done()["id"]);
    let claim = json!({ "claimantName": "Zarmina Noori", "claimantPhone": "+93 700 123 456" });
    hotel.lost_item(&ring, "match", claim).await.done();
    hotel.drain().await;
    let guest = GuestId::parse(&text(&stay["primaryGuest"]["guestId"])).unwrap();
    (stay, guest)
}

/// Every table of the contexts, but for what was published and what callers were answered, which have their own short terms.
async fn tables_with(hotel: &TestHotel, secret: &str) -> Vec<String> {
    let sql = "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname IN ('housekeeping', 'reservation', 'staff') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                 AND c.relname NOT IN ('outbox', 'idempotency_keys') ORDER BY 1";
    let mut found = Vec::new();
    for row in hotel.behind.query(sql, &[]).await.unwrap() {
        let table: String = row.get(0);
        if hotel.count(&format!("{table} t WHERE t::TEXT LIKE '%{secret}%'")).await > 0 {
            found.push(table);
        }
    }
    found
}

#[tokio::test]
async fn everything_of_a_guest_is_handed_out_by_each_context_and_by_the_command() {
    let hotel = TestHotel::open().await;
    let (stay, guest) = a_guest(&hotel).await;
    let path = format!("/reservation/v1/guests/{guest}/export");
    hotel.get(&hotel.desk(), &path).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    let office = hotel.get(&hotel.manager(), &path).await.done();
    let kinds: Vec<&str> =
        office["records"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    for kind in ["guest", "reservation", "room", "history"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    for secret in SECRETS {
        assert!(office.to_string().contains(secret), "{secret}");
    }
    assert_eq!(office["kept"][1]["until"], "2033-04-24", "seven years: {}", office["kept"]);
    let booked = text(&stay["reservationId"]);
    let rooms = format!("/housekeeping/v1/personal-data?reservationId={booked}");
    let rooms = hotel.get(&hotel.manager(), &rooms).await.done();
    assert!(rooms.to_string().contains("Zarmina Noori"), "who claimed the ring: {rooms}");
    let elsewhere = hotel.token_for_property(Role::PropertyManager, &hotel.next());
    hotel.get(&elsewhere, &path).await.refused(404, "MELMASTOON.RESERVATION.NOT_FOUND");
    let nothing = hotel.get(&elsewhere, &format!("/housekeeping/v1/personal-data?reservationId={booked}")).await.done();
    assert_eq!(nothing["records"], json!([]));
    for query in ["", "?staffId=stf_1&reservationId=rsv_1"] {
        let wrong = hotel.get(&hotel.manager(), &format!("/housekeeping/v1/personal-data{query}")).await;
        wrong.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("staffId");
    }
    let caller = person::operator(&hotel.tenant);
    let all = person::export_guest(None, &hotel.app.db, &caller, &guest).await.unwrap();
    for secret in SECRETS {
        assert!(all.to_string().contains(secret), "{secret}");
    }
    assert!(all["housekeeping"].to_string().contains("a ring"));
}

#[tokio::test]
async fn a_guest_is_forgotten_once_the_stay_is_over_in_every_context_and_what_stays_is_said() {
    let hotel = TestHotel::open().await;
    let (stay, guest) = a_guest(&hotel).await;
    let path = format!("/reservation/v1/guests/{guest}/erase");
    let expected = hotel.post(&hotel.manager(), &path, json!({})).await;
    expected.refused(409, "MELMASTOON.RESERVATION.GUEST_EXPECTED").naming("2026-04-24");
    hotel
        .stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "Zarmina has the measles" }))
        .await
        .done();
    hotel.post(&hotel.desk(), &path, json!({})).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    assert!(!tables_with(&hotel, "Zarmina").await.is_empty());
    let erased = hotel.post(&hotel.manager(), &path, json!({})).await.done();
    let kept = erased["kept"].as_array().unwrap();
    assert!(kept.iter().any(|one| text(&one["what"]).contains("1 reservations")), "{kept:?}");
    hotel.drain().await;
    for secret in SECRETS.into_iter().chain(["measles"]) {
        assert_eq!(tables_with(&hotel, secret).await, Vec::<String>::new(), "{secret}");
    }
    assert_eq!(
        hotel.count("reservation.audit_events WHERE subject LIKE '%guest.erased%'").await,
        1,
        "who did it is kept"
    );
    let again = hotel.post(&hotel.manager(), &path, json!({})).await.done();
    assert_eq!(again["erasedAt"], erased["erasedAt"], "once more changes nothing");
    let shown = hotel.reservation(&stay).await;
    assert_eq!(shown["status"], "cancelled", "the reservation itself is read as before: {shown}");
    let rooms = format!("/housekeeping/v1/personal-data?reservationId={}", text(&stay["reservationId"]));
    let rooms = hotel.get(&hotel.manager(), &rooms).await.done();
    assert!(rooms.to_string().contains("a ring"), "the thing is still somewhere");
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn why_a_guest_left_early_is_kept_for_the_house_told_without_contacts_and_forgotten_with_the_guest() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-26")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(86_400);
    let because = json!({ "reason": "caught the measles, call 0700 123 456" });
    hotel.stay(&stay, "early-checkout", because).await.done();
    let path = format!("/reservation/v1/reservations/{}/check-out/complete", text(&stay["reservationId"]));
    hotel.post(&hotel.manager(), &path, json!({ "allowUnsettled": true })).await.done();
    let news = hotel.news().await;
    let told = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.early_checkout.v1").unwrap();
    assert_eq!(told["payload"]["reason"], "caught the measles, call [removed]");
    hotel.drain().await;
    assert!(tables_with(&hotel, "0700 123").await.contains(&"reservation.reservations".to_owned()));
    let guest = text(&hotel.reservation(&stay).await["primaryGuest"]["guestId"]);
    hotel.post(&hotel.manager(), &format!("/reservation/v1/guests/{guest}/erase"), json!({})).await.done();
    hotel.drain().await;
    assert_eq!(tables_with(&hotel, "measles").await, Vec::<String>::new());
}

#[tokio::test]
async fn the_command_forgets_a_guest_and_names_the_files_that_have_the_number() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("guest"));
    let (stay, guest) = a_guest(&hotel).await;
    let (caller, place) = (person::operator(&hotel.tenant), shelf.place());
    let refused = person::erase_guest(Some(&place), &hotel.app.db, &caller, &guest).await.unwrap_err();
    assert!(refused.to_string().contains("expected"), "{refused}");
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "fell ill" })).await.done();
    hotel.drain().await;
    let told = "bus.event_log WHERE envelope::TEXT LIKE '%fell ill%'";
    assert_eq!(hotel.count(told).await, 1, "somebody typed it");
    years_later(&hotel);
    shelf.archivist(&hotel).run().await.unwrap();
    let erased = person::erase_guest(Some(&place), &hotel.app.db, &caller, &guest).await.unwrap();
    hotel.drain().await;
    let typed = shelf.archivist(&hotel).mentions(hotel.tenant.as_str(), &["fell ill".to_owned()]).await.unwrap();
    assert_eq!(typed, [], "what somebody typed is in no file");
    let files = erased["archive"]["files"].as_array().unwrap();
    let tables: Vec<&str> = files.iter().map(|file| file["table"].as_str().unwrap()).collect();
    assert!(tables.contains(&"event_log") && tables.contains(&"audit_events"), "{erased}");
    for secret in SECRETS {
        assert_eq!(tables_with(&hotel, secret).await, Vec::<String>::new(), "{secret}");
        let named = shelf.archivist(&hotel).mentions(hotel.tenant.as_str(), &[secret.to_owned()]).await.unwrap();
        assert_eq!(named, [], "{secret} is in no file");
    }
    let audit = "reservation.audit_events WHERE subject LIKE '%guest.erased%' AND actor ->> 'id' = 'sys_operator'";
    assert_eq!(hotel.count(audit).await, 1);
}

#[tokio::test]
async fn over_rest_too_the_files_that_have_the_number_are_named_and_where_nobody_looked_the_command_is() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("over-rest"));
    let (stay, guest) = a_guest(&hotel).await;
    let parwin = StaffId::parse(&hotel.employ("Parwin").await).unwrap();
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "fell ill" })).await.done();
    hotel.drain().await;
    years_later(&hotel);
    shelf.archivist(&hotel).run().await.unwrap();
    let (manager, admin) = (hotel.manager(), hotel.token(Role::Admin, None));
    let of_guest = format!("/reservation/v1/guests/{guest}");
    let of_staff = format!("/staff/v1/staff/{parwin}/export");

    // A process that does not know where the archive is says what is there, and how to look.
    let unknown = hotel.get(&manager, &format!("{of_guest}/export")).await.done();
    assert_eq!(unknown["archive"]["months"], json!(["2026-04"]), "{}", unknown["archive"]);
    let command = format!("melmastoon person export --tenant {} --guest {guest}", hotel.tenant);
    assert_eq!(unknown["archive"]["command"], json!(command));

    let place = shelf.place();
    let knows = hotel.process(|parts| parts.archive = Some(place));
    let tables = |answer: &Value| -> Vec<String> {
        let files = answer["archive"]["files"].as_array().unwrap_or_else(|| panic!("{answer}"));
        files.iter().map(|file| format!("{}.{}", text(&file["context"]), text(&file["table"]))).collect()
    };
    let found = ask_router(&knows, Ask::get(format!("{of_guest}/export")).by(&manager)).await.done();
    assert!(tables(&found).contains(&"reservation.audit_events".to_owned()), "{}", found["archive"]);
    let found = ask_router(&knows, Ask::get(&of_staff).by(&admin)).await.done();
    assert_eq!(tables(&found), ["staff.audit_events"], "{}", found["archive"]);
    let erase = || Ask::post(format!("{of_guest}/erase")).by(&manager).json(&json!({}));
    let erased = ask_router(&knows, erase()).await.done();
    assert!(tables(&erased).contains(&"bus.event_log".to_owned()), "{}", erased["archive"]);
    assert!(erased["erasedAt"].is_string());

    // Whoever is at the archive keeps nobody from being answered.
    let holder = hotel.app.db.connect_as(platform::database::DbRole::Operator).await.unwrap();
    let lock = "SELECT pg_advisory_lock(hashtextextended('melmastoon.archive', 0))";
    holder.query_one(lock, &[]).await.unwrap();
    let busy = ask_router(&knows, erase()).await.done();
    assert!(text(&busy["archive"]["notSearched"]).contains("somebody else is at the archive"), "{busy}");
    assert_eq!(busy["archive"]["command"], json!(command));
}

#[tokio::test]
async fn what_somebody_typed_when_a_booking_was_changed_is_in_no_file_and_the_event_comes_back_readable() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("typed"));
    let (stay, _) = a_guest(&hotel).await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    let back = json!({ "type": "manual_state_override", "status": "confirmed", "reason": "her mother is ill" });
    hotel.stay(&stay, "modifications", back).await.done();
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "fell ill" })).await.done();
    hotel.drain().await;
    assert!(hotel.count("bus.event_log WHERE envelope->'payload'->'after'->>'reason' LIKE '%her mother%'").await > 0);
    years_later(&hotel);
    let archivist = shelf.archivist(&hotel);
    archivist.run().await.unwrap();
    assert_eq!(hotel.count("bus.event_log WHERE envelope::TEXT LIKE '%her mother%'").await, 0);
    let typed = ["her mother".to_owned(), "fell ill".to_owned()];
    assert_eq!(archivist.mentions(hotel.tenant.as_str(), &typed).await.unwrap(), []);
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    let cancelled =
        "SELECT envelope->'payload' FROM bus.event_log WHERE subject = 'melmastoon.reservation.cancelled.v1'";
    let payload: Value = hotel.behind.query_one(cancelled, &[]).await.unwrap().get(0);
    let read: contracts::reservation::CancelledV1 =
        serde_json::from_value(payload).expect("an event as the contract has it");
    assert_eq!(read.reason, "");
}

#[tokio::test]
async fn a_person_is_forgotten_while_somebody_else_is_at_the_archive() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("busy"));
    let (stay, guest) = a_guest(&hotel).await;
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "fell ill" })).await.done();
    let holder = hotel.app.db.connect_as(platform::database::DbRole::Operator).await.unwrap();
    let lock = "SELECT pg_advisory_lock(hashtextextended('melmastoon.archive', 0))";
    holder.query_one(lock, &[]).await.unwrap();
    let (caller, place) = (person::operator(&hotel.tenant), shelf.place());
    let erased = person::erase_guest(Some(&place), &hotel.app.db, &caller, &guest).await.unwrap();
    assert!(text(&erased["archive"]["notSearched"]).contains("somebody else is at the archive"), "{erased}");
    assert!(erased["reservation"]["erasedAt"].is_string(), "{erased}");
    let unsure = person::export_guest(Some(&place), &hotel.app.db, &caller, &guest).await;
    assert!(unsure.is_err(), "an export that lacks the archive would pass for a whole one");
    drop(holder);
}

#[tokio::test]
async fn a_member_of_the_staff_is_handed_everything_and_forgotten_after_leaving() {
    let hotel = TestHotel::open().await;
    let mut body = hotel.application_of("Gulalai").await;
    body["familyName"] = json!("Wardak");
    let made = hotel.post(&hotel.manager(), "/staff/v1/staff", body).await.done();
    let id = StaffId::parse(&text(&made["staffId"])).unwrap();
    hotel.drain().await;
    let caller = person::operator(&hotel.tenant);
    let all = person::export_staff(None, &hotel.app.db, &caller, &id).await.unwrap();
    assert!(
        all["staff"].to_string().contains("Wardak") && all["housekeeping"].to_string().contains("Gulalai"),
        "{all}"
    );
    assert!(all["staff"]["kept"].to_string().contains("labour law"), "{}", all["staff"]["kept"]);
    let refused = person::erase_staff(None, &hotel.app.db, &caller, &id).await;
    assert!(refused.is_err(), "who works here is not forgotten");
    let leave = format!("/staff/v1/staff/{id}/terminate");
    hotel.post(&hotel.manager(), &leave, json!({ "reason": "resigned" })).await.done();
    hotel.drain().await;
    person::erase_staff(None, &hotel.app.db, &caller, &id).await.unwrap();
    hotel.drain().await;
    for secret in ["Gulalai", "Wardak"] {
        assert_eq!(tables_with(&hotel, secret).await, Vec::<String>::new(), "{secret}");
    }
}

#[tokio::test]
async fn whoever_takes_everything_of_a_person_out_of_the_house_is_in_the_audit() {
    let hotel = TestHotel::open().await;
    let id = StaffId::parse(&hotel.employ("Parwin").await).unwrap();
    let path = format!("/staff/v1/staff/{id}/export");
    hotel.get(&hotel.token(platform::auth::Role::Admin, None), &path).await.done();
    let caller = person::operator(&hotel.tenant);
    person::export_staff(None, &hotel.app.db, &caller, &id).await.unwrap();
    let exported = |schema: &str| {
        format!("{schema}.audit_events WHERE subject = 'internal.person.exported' AND aggregate_id = '{id}'")
    };
    assert_eq!((hotel.count(&exported("staff")).await, hotel.count(&exported("housekeeping")).await), (2, 1));
    assert_eq!(hotel.count(&exported("reservation")).await, 1);
    hotel.get(&hotel.manager(), &format!("/reservation/v1/personal-data?staffId={id}")).await.done();
    assert_eq!(hotel.count(&exported("reservation")).await, 2);
    hotel
        .get(&hotel.desk(), &format!("/reservation/v1/personal-data?staffId={id}"))
        .await
        .refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
}
