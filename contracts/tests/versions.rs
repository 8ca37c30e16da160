//! Two versions of one subject side by side, and the same events as `CloudEvents`.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use contracts::ids::{ReservationId, RoomId, TenantId};
use contracts::reservation::CheckedOutV1;
use contracts::{
    Actor, ActorKind, Envelope, Form, MAX_WRITTEN_PAYLOAD_BYTES, Payload, ReadErrorKind, WriteError, asyncapi,
    catalogue, cloudevents, validate_written, written,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the next version could look like: the rooms are plain ids, which within version 1 would be a change of type.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CheckedOutV2 {
    reservation_id: ReservationId,
    tenant_id: TenantId,
    rooms: Vec<RoomId>,
}

impl Payload for CheckedOutV2 {
    const SUBJECT: &'static str = "melmastoon.reservation.checked_out.v2";
}

fn event(version: u32, rooms: &Value) -> Envelope {
    let value = json!({
        "eventId": "01J0ABCDEFGHJKMNPQRSTVWXYZ", "eventType": format!("melmastoon.reservation.checked_out.v{version}"),
        "tenantId": "tnt_a", "occurredAt": "2026-04-22T11:05:11Z", "producedBy": { "service": "reservation-service" },
        "payload": {
            "reservationId": "rsv_1", "tenantId": "tnt_a", "propertyId": "ppt_1", "checkedOutAt": "2026-04-22T11:05:11Z",
            "earlyCheckout": false, "overstayedNights": 0, "rooms": rooms, "actor": "stf_1"
        }
    });
    Envelope::read(value.to_string().as_bytes()).unwrap()
}

#[test]
fn two_versions_run_side_by_side() {
    let (first, second) = (event(1, &json!([{ "itemId": "1", "roomId": "rom_101" }])), event(2, &json!(["rom_101"])));

    let rooms_of = |event: &Envelope| -> Vec<RoomId> {
        match event.subject.as_str() {
            CheckedOutV1::SUBJECT => {
                event.payload::<CheckedOutV1>().unwrap().rooms.into_iter().map(|room| room.room_id).collect()
            }
            CheckedOutV2::SUBJECT => event.payload::<CheckedOutV2>().unwrap().rooms,
            other => panic!("{other}"),
        }
    };

    assert_eq!(rooms_of(&first), rooms_of(&second));
    assert_eq!(first.subject.without_version(), second.subject.without_version());
    // A consumer that has not learnt the second version says so, and does not guess.
    let fault = second.payload::<CheckedOutV1>().unwrap_err();
    assert!(matches!(fault.kind, ReadErrorKind::UnknownVersion { version: 2, .. }), "{fault}");
    let fault = second.validate().unwrap_err();
    assert_eq!((fault.code(), fault.event_id().is_some()), ("EVENT_VERSION_UNKNOWN", true));
    assert_eq!(first.validate().unwrap().subject, CheckedOutV1::SUBJECT);
}

#[test]
fn a_type_that_does_not_tell_its_tenant_is_still_held_to_it() {
    let mut event = event(2, &json!([]));
    event.tenant_id = TenantId::parse("tnt_b").unwrap();
    let fault = event.payload::<CheckedOutV2>().unwrap_err();
    assert!(matches!(fault.kind, ReadErrorKind::TenantMismatch { .. }), "{fault}");
}

#[test]
fn a_subject_that_nobody_knows_is_told_apart_from_a_version_that_nobody_knows() {
    let mut event = event(1, &json!([]));
    event.subject = "melmastoon.reservation.sang.v1".parse().unwrap();
    assert_eq!(event.validate().unwrap_err().code(), "EVENT_SUBJECT_UNKNOWN");
}

#[test]
fn every_event_survives_the_way_through_cloudevents() {
    for entry in catalogue::all() {
        let mut envelope = asyncapi::example_envelope(entry).unwrap();
        envelope.metadata.from_dlq_replay = Some(true);
        envelope.metadata.data_residency = Some("gcp-me-central1".to_owned());
        envelope.actor = Some(Actor { kind: ActorKind::User, id: "stf_1".to_owned() });
        let written = cloudevents::write(&envelope).unwrap();
        assert_eq!(cloudevents::read(&written).unwrap(), envelope);
        assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), cloudevents::to_value(&envelope));
    }
}

#[test]
fn a_cloudevent_has_the_attributes_the_specification_demands() {
    let value = cloudevents::to_value(&event(1, &json!([{ "itemId": "1", "roomId": "rom_101" }])));
    assert_eq!(value["specversion"], "1.0");
    assert_eq!(value["id"], "evt_01J0ABCDEFGHJKMNPQRSTVWXYZ");
    assert_eq!(value["type"], "melmastoon.reservation.checked_out.v1");
    assert_eq!(value["source"], "/melmastoon/reservation");
    assert_eq!(value["subject"], "rsv_1");
    assert_eq!(value["time"], "2026-04-22T11:05:11.000Z");
    assert_eq!(value["datacontenttype"], "application/json");
    assert_eq!(value["dataschema"], "https://schemas.melmastoon.io/reservation/checked_out/v1.json");
    assert_eq!(value["tenantid"], "tnt_a");
    for name in value.as_object().unwrap().keys() {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{name}");
    }
}

#[test]
fn a_cloudevent_from_elsewhere_needs_little_and_is_refused_with_its_place() {
    let least = json!({
        "specversion": "1.0", "id": "01J0ABCDEFGHJKMNPQRSTVWXYZ", "type": "melmastoon.property.room.archived.v1", "source": "urn:x",
        "time": "2026-04-22T11:05:11Z", "data": { "tenantId": "ten_a", "roomId": "rom_1" }, "foreignextension": 1
    });
    let envelope = cloudevents::read(least.to_string().as_bytes()).unwrap();
    assert_eq!(envelope.tenant_id.as_str(), "tnt_a");
    envelope.validate().unwrap();

    let refused = |name: &str, wrong: Value| {
        let mut event = least.clone();
        event[name] = wrong;
        cloudevents::read(event.to_string().as_bytes()).unwrap_err()
    };
    assert_eq!(refused("specversion", json!("0.3")).pointer(), Some("/specversion"));
    assert_eq!(refused("data", json!("text")).pointer(), Some("/data"));
    assert_eq!(refused("type", json!("com.example.x")).pointer(), Some("/type"));
    assert_eq!(refused("data", json!({})).pointer(), Some("/tenantid"));
    assert!(refused("time", json!("now")).event_id().is_some());
    assert!(cloudevents::read(b"[]").is_err() && cloudevents::read(&[0xff]).is_err());
    assert_eq!(envelope.to_value(Form::Housekeeping)["id"], "evt_01J0ABCDEFGHJKMNPQRSTVWXYZ");
}

#[test]
fn what_is_written_fits_its_schema_before_it_is_stored() {
    let mut departure: CheckedOutV1 = event(1, &json!([{ "itemId": "1", "roomId": "rom_101" }])).payload().unwrap();
    let json = written(&departure).unwrap();
    assert!(json.get().contains("\"propertyId\":\"ppt_1\""));
    departure.rooms[0].item_id = "a\u{0}b".to_owned();
    assert!(written(&departure).unwrap_err().to_string().contains("NUL"));
    departure.rooms[0].item_id = "x".repeat(MAX_WRITTEN_PAYLOAD_BYTES);
    assert!(matches!(written(&departure).unwrap_err(), WriteError::TooLarge { .. }));
    let wrong = serde_json::value::to_raw_value(&json!({ "tenantId": "tnt_a" })).unwrap();
    let fault = validate_written(CheckedOutV1::SUBJECT, &wrong).unwrap_err();
    assert!(matches!(&fault, WriteError::SchemaMismatch { pointer, .. } if pointer == "/reservationId"), "{fault}");
    assert!(matches!(validate_written("melmastoon.a.sang.v1", &wrong).unwrap_err(), WriteError::UnknownSubject { .. }));
}

#[test]
fn the_largest_payload_we_write_fits_into_an_event() {
    let entry = catalogue::find("melmastoon.staff.handoff.note_added.v1").unwrap();
    let mut envelope = asyncapi::example_envelope(entry).unwrap();
    let padding = "x".repeat(MAX_WRITTEN_PAYLOAD_BYTES - 10);
    envelope.payload = serde_json::value::to_raw_value(&json!({ "p": padding })).unwrap();
    envelope.correlation_id = Some("c".repeat(1_000));
    for form in [Form::Housekeeping, Form::Staff, Form::Reservation] {
        assert!(envelope.write(form).is_ok());
    }
    assert!(cloudevents::write(&envelope).is_ok());
}
