//! Envelopes: every form that is seen in the wild is read, each context writes its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use contracts::ids::{EventId, TaskId};
use contracts::reservation::{CheckedOutV1, EarlyCheckoutV1};
use contracts::{ActorKind, Envelope, Form, MAX_EVENT_BYTES, ReadErrorKind, Timestamp};
use serde_json::{Value, json};

const ULID: &str = "01J0ABCDEFGHJKMNPQRSTVWXYZ";

fn checked_out() -> Value {
    json!({
        "reservationId": "rsv_1", "tenantId": "ten_a", "propertyId": "ppt_kabul", "checkedOutAt": "2026-04-22T11:05Z",
        "earlyCheckout": false, "overstayedNights": 0, "rooms": [{"itemId": "1", "roomId": "rom_101"}],
        "actor": {"type": "staff", "id": "stf_1"}, "somethingNew": [1, 2, 3]
    })
}

fn flat() -> Value {
    json!({
        "specVersion": "1.0", "id": format!("evt_{ULID}"), "subject": "melmastoon.reservation.checked_out.v1",
        "tenantId": "tnt_a", "occurredAt": "2026-04-22T11:05:11.451987Z", "producer": "reservation-service@1.0.0",
        "traceparent": "00-1-2-01", "actor": {"type": "user", "id": "stf_1"}, "correlationId": "req_1",
        "causationId": "evt_0", "payload": checked_out()
    })
}

fn nested(produced_by: Value) -> Value {
    let produced_by = [("producedBy".to_owned(), produced_by)];
    let mut envelope = json!({
        "payload": checked_out(), "metadata": {"retentionClass": "regulated", "fromDlqReplay": true, "new": 1},
        "eventId": ULID, "eventType": "melmastoon.reservation.checked_out.v1", "eventVersion": 1, "schemaUri": "x",
        "tenantId": "ten_a", "correlationId": "req_1", "actorId": "system_auto", "occurredAt": "2026-04-22T15:35:11+04:30"
    });
    envelope.as_object_mut().unwrap().extend(produced_by);
    envelope
}

fn read(value: &Value) -> Envelope {
    Envelope::read(value.to_string().as_bytes()).unwrap()
}

fn refused(value: &Value) -> contracts::ReadError {
    Envelope::read(value.to_string().as_bytes()).unwrap_err()
}

#[test]
fn all_three_forms_are_read_as_one() {
    for value in [flat(), nested(json!("staff-service")), nested(json!({"service": "reservation-service"}))] {
        let envelope = read(&value);
        assert_eq!(envelope.id.as_str(), format!("evt_{ULID}"));
        assert_eq!(envelope.subject.as_str(), "melmastoon.reservation.checked_out.v1");
        assert_eq!(envelope.tenant_id.as_str(), "tnt_a");
        assert!(envelope.producer.ends_with("-service") || envelope.producer.ends_with("1.0.0"));
        let departure: CheckedOutV1 = envelope.payload().unwrap();
        assert_eq!(departure.property_id.as_str(), "prp_kabul");
        assert_eq!(departure.checked_out_at.to_string(), "2026-04-22T11:05:00.000Z");
    }
    assert_eq!(read(&nested(json!("x"))).occurred_at, Timestamp::parse("2026-04-22T11:05:11Z").unwrap());
    assert_eq!(read(&nested(json!("x"))).actor.unwrap().kind, ActorKind::System);
    assert_eq!(read(&flat()).occurred_at.to_string(), "2026-04-22T11:05:11.451Z");
}

#[test]
fn what_is_written_is_read_back_equal_in_every_form() {
    for value in [flat(), nested(json!("staff-service"))] {
        let envelope = read(&value);
        for form in [Form::Housekeeping, Form::Staff, Form::Reservation] {
            let written = envelope.write(form).unwrap();
            assert_eq!(Envelope::read(&written).unwrap(), envelope, "{form:?}");
            assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), envelope.to_value(form));
        }
    }
}

#[test]
fn each_form_spells_the_tenant_and_the_producer_in_its_own_way() {
    let envelope = read(&flat());
    let housekeeping = envelope.to_value(Form::Housekeeping);
    let staff = envelope.to_value(Form::Staff);
    let reservation = envelope.to_value(Form::Reservation);
    assert_eq!((&housekeeping["tenantId"], &housekeeping["specVersion"]), (&json!("tnt_a"), &json!("1.0")));
    assert_eq!((&staff["tenantId"], &staff["producedBy"]), (&json!("ten_a"), &json!("reservation-service@1.0.0")));
    assert_eq!(reservation["tenantId"], json!("tnt_a"));
    assert_eq!(reservation["producedBy"], json!({"service": "reservation-service@1.0.0"}));
    assert_eq!(staff["schemaUri"], json!("https://schemas.melmastoon.io/reservation/checked_out/v1.json"));
}

#[test]
fn a_payload_of_another_tenant_is_never_handed_out() {
    let mut value = flat();
    value["payload"]["tenantId"] = json!("tnt_b");
    let fault = read(&value).payload::<CheckedOutV1>().unwrap_err();
    assert!(matches!(fault.kind, ReadErrorKind::TenantMismatch { .. }), "{fault}");
    assert_eq!(fault.event_id(), Some(&EventId::parse(ULID).unwrap()));
}

#[test]
fn the_first_fault_of_a_payload_is_named_by_its_pointer() {
    let mut value = flat();
    value["payload"]["rooms"][0]["roomId"] = json!("no id");
    let fault = read(&value).payload::<CheckedOutV1>().unwrap_err();
    assert!(
        matches!(&fault.kind, ReadErrorKind::SchemaMismatch { pointer, .. } if pointer == "/rooms/0/roomId"),
        "{fault}"
    );
    value["payload"].as_object_mut().unwrap().remove("rooms");
    let fault = read(&value).payload::<CheckedOutV1>().unwrap_err();
    assert!(fault.to_string().contains("missing field `rooms`"), "{fault}");
}

#[test]
fn a_broken_envelope_keeps_what_identity_it_has() {
    let mut value = flat();
    value["occurredAt"] = json!("yesterday");
    let fault = refused(&value);
    assert_eq!(fault.pointer(), Some("/occurredAt"));
    assert_eq!(fault.event_id().unwrap().as_str(), format!("evt_{ULID}"));
    assert_eq!(fault.subject().unwrap().verb(), "checked_out");
    assert_eq!(fault.tenant_id().unwrap().as_str(), "tnt_a");
    value.as_object_mut().unwrap().remove("payload");
    assert!(refused(&value).event_id().is_some());
}

#[test]
fn another_version_and_another_subject_are_told_apart() {
    let mut value = flat();
    value["subject"] = json!("melmastoon.reservation.checked_out.v2");
    let fault = read(&value).payload::<CheckedOutV1>().unwrap_err();
    assert!(matches!(fault.kind, ReadErrorKind::UnknownVersion { version: 2, .. }), "{fault}");
    let fault = read(&value).payload::<EarlyCheckoutV1>().unwrap_err();
    assert!(matches!(fault.kind, ReadErrorKind::UnknownSubject { .. }), "{fault}");
}

#[test]
fn what_is_too_large_too_deep_no_json_or_holds_a_nul_is_refused() {
    let mut value = flat();
    value["payload"]["note"] = json!("x".repeat(MAX_EVENT_BYTES));
    assert!(matches!(refused(&value).kind, ReadErrorKind::TooLarge { .. }));
    for text in ["", "[]", "null", "{", "{\"id\":", "\u{0}", "\"a\""] {
        assert!(matches!(Envelope::read(text.as_bytes()).unwrap_err().kind, ReadErrorKind::NotJson { .. }), "{text}");
    }
    assert!(matches!(Envelope::read(&[0xff, 0xfe]).unwrap_err().kind, ReadErrorKind::NotJson { .. }));

    let mut value = flat();
    value["payload"]["note"] = json!("a\u{0}b");
    let fault = refused(&value);
    assert!(fault.to_string().contains("NUL"), "{fault}");
    assert!(fault.event_id().is_some());
    value["payload"]["note"] = json!(r"a\u0000b");
    read(&value);

    let text = flat().to_string();
    let deep = text.replace("[1,2,3]", &format!("{}{}", "[".repeat(5000), "]".repeat(5000)));
    let fault = Envelope::read(deep.as_bytes()).unwrap_err();
    assert!(fault.to_string().contains("nested"), "{fault}");
    assert!(fault.event_id().is_some());
    let brackets_in_text = text.replace("[1,2,3]", &format!("\"{}\"", "[".repeat(5000)));
    Envelope::read(brackets_in_text.as_bytes()).unwrap();
}

#[test]
fn one_thing_said_twice_differently_is_refused() {
    let mut value = flat();
    value["eventId"] = json!(ULID);
    read(&value);
    value["eventId"] = json!("evt_other");
    assert_eq!(refused(&value).pointer(), Some("/id"));
    let twice = flat().to_string().replacen('{', "{\"tenantId\":\"tnt_b\",", 1);
    assert!(matches!(Envelope::read(twice.as_bytes()).unwrap_err().kind, ReadErrorKind::Unreadable { .. }));
}

#[test]
fn an_unknown_actor_passes() {
    let mut value = flat();
    value["actor"] = json!({"type": "robot", "id": "rbt_1"});
    assert_eq!(read(&value).actor.unwrap().kind, ActorKind::Unknown("robot".into()));
    value["actor"] = json!({"type": "user", "staffId": "stf_9"});
    assert_eq!(read(&value).actor.unwrap().id, "stf_9");
}

#[test]
fn a_task_id_is_its_prefix_and_a_ulid() {
    let ulid = ulid::Ulid::from_string(ULID).unwrap();
    let task = TaskId::from_ulid(ulid);
    assert_eq!(task.as_str(), format!("hkt_{ULID}"));
    assert_eq!(task.ulid(), Some(ulid));
    assert!(TaskId::parse("hkt_").is_err() && TaskId::parse("HKT_1").is_err() && TaskId::parse("hkt_é").is_err());
}
