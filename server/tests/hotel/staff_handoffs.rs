//! One shift tells the next, in any script, and the next says that it has read it.

use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

#[tokio::test]
async fn a_note_is_told_by_its_first_letters_and_fetched_whole() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let shift = hotel.shift("07:00", "15:00").await;
    let position = hotel.position("HOUSEKEEPER").await;
    hotel.told_by_staff().await;
    let body = format!("د ۳۰۴ کوټې {}", "ښ".repeat(500));
    let note = json!({
        "propertyId": hotel.property, "positionId": position, "fromShiftId": shift, "body": body, "attachmentIds": ["med_1"],
    });
    let written = hotel.post(&hotel.own(&gulalai), "/staff/v1/handoff-notes", note).await.done();
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str()), (1, "handoff.note_added"));
    let excerpt = text(&told[0].1["bodyExcerpt"]);
    assert_eq!(excerpt.chars().count(), 240);
    assert!(body.starts_with(&excerpt));
    assert_eq!((&told[0].1["attachmentCount"], &told[0].1["fromStaffId"]), (&json!(1), &json!(gulalai)));
    let path = format!("/staff/v1/handoff-notes/{}", text(&written["handoffNoteId"]));
    assert_eq!(hotel.get(&hotel.own(&nasrin), &path).await.done()["body"], json!(body), "byte for byte");
    for _ in 0..2 {
        let read = hotel.post(&hotel.own(&nasrin), &format!("{path}/acknowledge"), json!({})).await.done();
        assert_eq!(read["acknowledgedBy"].as_array().unwrap().len(), 1, "once is enough");
        assert_eq!((&read["acknowledgedBy"][0]["staffId"], &read["version"]), (&json!(nasrin), &json!(2)));
    }
    assert!(hotel.told_by_staff().await.is_empty());
}

#[tokio::test]
async fn notes_are_found_by_house_time_position_and_shift() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("07:00", "15:00").await);
    let (desk, own) = (hotel.position("FRONT_DESK").await, hotel.own(&gulalai));
    let notes = [
        json!({ "propertyId": hotel.property, "body": "first" }),
        json!({ "propertyId": hotel.property, "body": "second", "positionId": desk }),
        json!({ "propertyId": hotel.property, "body": "third", "fromShiftId": shift }),
    ];
    for note in notes {
        hotel.post(&own, "/staff/v1/handoff-notes", note).await.done();
        hotel.clock.advance_seconds(60);
    }
    let found = async |query: &str| {
        let path = format!("/staff/v1/handoff-notes?propertyId={}{query}", hotel.property);
        let page = hotel.get(&own, &path).await.done();
        page["items"].as_array().unwrap().iter().map(|one| text(&one["body"])).collect::<Vec<_>>()
    };
    assert_eq!(found("").await, ["third", "second", "first"], "newest first");
    assert_eq!(found("&since=2026-04-22T06:31:00Z").await, ["third", "second"]);
    assert_eq!(found(&format!("&positionId={desk}")).await, ["second"]);
    assert_eq!(found(&format!("&shiftId={shift}")).await, ["third"]);
    let first = hotel.get(&own, &format!("/staff/v1/handoff-notes?propertyId={}&limit=2", hotel.property)).await.done();
    let rest = format!("&limit=2&cursor={}", text(&first["nextCursor"]));
    assert_eq!(found(&rest).await, ["first"]);
}

#[tokio::test]
async fn a_note_is_written_by_somebody_who_works_here_about_what_is_there() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let note = |field: &str, value: serde_json::Value| {
        let mut note = json!({ "propertyId": hotel.property, "body": "the boiler" });
        note[field] = value;
        note
    };
    let path = "/staff/v1/handoff-notes";
    let machine = Ask::post(path).by(&hotel.service()).key("one");
    hotel.ask(machine.json(&note("body", json!("x")))).await.refused(403, "MELMASTOON.STAFF.NOT_STAFF");
    hotel.post(&hotel.supervisor(), path, note("body", json!("x"))).await.refused(403, "MELMASTOON.STAFF.NOT_STAFF");
    let own = hotel.own(&gulalai);
    for (field, value) in [
        ("body", json!("")),
        ("body", json!("   ")),
        ("body", json!("ښ".repeat(10_001))),
        ("attachmentIds", json!([""])),
    ] {
        hotel.post(&own, path, note(field, value)).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming(field);
    }
    for (field, value) in [("positionId", json!("pos_NONE")), ("fromShiftId", json!("shf_NONE"))] {
        let refused = hotel.post(&own, path, note(field, value)).await;
        refused.refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN").naming(field);
    }
    hotel.post(&own, path, note("body", json!("ښ".repeat(10_000)))).await.done();
    hotel
        .post(&hotel.manager(), &format!("/staff/v1/staff/{gulalai}/terminate"), json!({ "reason": "left" }))
        .await
        .done();
    hotel.post(&own, path, note("body", json!("x"))).await.refused(409, "MELMASTOON.STAFF.STAFF_NOT_ACTIVE");
}
