//! Whatever comes, reading never panics; whatever is written is read back equal.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use contracts::ids::{EventId, PropertyId, TaskId, TenantId};
use contracts::subject::Subject;
use contracts::values::{Currency, LocalDate, LocalTime, Micros};
use contracts::{Actor, ActorKind, Envelope, Form, Metadata, Timestamp, asyncapi, catalogue, cloudevents, validate};
use proptest::prelude::*;
use serde_json::value::{RawValue, to_raw_value};

/// Any text without NUL, which no event may hold.
fn text() -> impl Strategy<Value = String> {
    "[^\u{0}]{0,40}"
}

fn actor() -> impl Strategy<Value = Actor> {
    let kinds = prop_oneof![
        Just(ActorKind::System),
        Just(ActorKind::User),
        Just(ActorKind::Integration),
        Just(ActorKind::Guest),
        Just(ActorKind::Staff),
        Just(ActorKind::GuestSelfService),
        Just(ActorKind::Unknown("robot".to_owned())),
    ];
    (kinds, "(usr|stf|gst|sys|system|x)_[0-9A-Z]{1,26}").prop_map(|(kind, id)| Actor { kind, id })
}

prop_compose! {
    fn envelope()(
        which in 0..catalogue::all().count(),
        millis in -60_000_000_000_000_i64..250_000_000_000_000,
        producer in text(),
        actor in proptest::option::of(actor()),
        correlation_id in proptest::option::of(text()),
        causation_id in proptest::option::of(text()),
        traceparent in proptest::option::of(text()),
        ordering_key in proptest::option::of(text()),
        from_dlq_replay in proptest::option::of(any::<bool>()),
        digits in any::<u128>(),
    ) -> Envelope {
        let entry = catalogue::all().nth(which).unwrap();
        Envelope {
            id: EventId::from_ulid(ulid::Ulid::from_bytes(digits.to_be_bytes())),
            tenant_id: TenantId::from_ulid(ulid::Ulid::from_bytes(digits.to_le_bytes())),
            occurred_at: Timestamp::from_millis(millis),
            producer, actor, correlation_id, causation_id, traceparent,
            metadata: Metadata { ordering_key, from_dlq_replay, ..Metadata::default() },
            ..asyncapi::example_envelope(entry).unwrap()
        }
    }
}

/// A small piece of anything JSON.
fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        Just(Value::from("tnt_01J0ABCDEFGHJKMNPQRSTVWXYZ")),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,6}|tenantId|rooms|actor|payload", inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back_equal(envelope in envelope()) {
        for form in [Form::Housekeeping, Form::Staff, Form::Reservation] {
            prop_assert_eq!(&Envelope::read(&envelope.write(form).unwrap()).unwrap(), &envelope);
        }
        let back = cloudevents::read(&cloudevents::write(&envelope).unwrap()).unwrap();
        prop_assert_eq!(&back, &envelope);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Envelope::read(&bytes);
        let _ = cloudevents::read(&bytes);
    }

    #[test]
    fn any_damage_to_an_event_is_read_or_refused(envelope in envelope(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = envelope.write(Form::Staff).unwrap();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        if let Ok(read) = Envelope::read(&bytes) {
            let _ = read.validate();
            // Whatever was let in can be written again, and means the same.
            prop_assert_eq!(&Envelope::read(&read.write(Form::Housekeeping).unwrap()).unwrap(), &read);
        }
    }

    #[test]
    fn any_json_is_a_payload_or_is_not(value in json(), which in 0..catalogue::all().count()) {
        let entry = catalogue::all().nth(which).unwrap();
        let subject = Subject::parse(entry.subject).unwrap();
        let payload: Box<RawValue> = to_raw_value(&value).unwrap();
        if let Err(fault) = validate(&subject, &payload) {
            prop_assert!(fault.pointer.is_empty() || fault.pointer.starts_with('/'), "{}", fault);
        }
    }

    #[test]
    fn any_text_is_an_id_a_time_a_subject_or_is_not(text in ".{0,80}") {
        let _ = (TaskId::parse(&text), EventId::parse(&text), Subject::parse(&text), Subject::from_push_path(&text));
        let _ = (Timestamp::parse(&text), Micros::parse(&text), Currency::parse(&text), LocalDate::parse(&text), LocalTime::parse(&text));
    }

    #[test]
    fn a_time_is_its_text(millis in any::<i64>()) {
        let time = Timestamp::from_millis(millis);
        prop_assert_eq!(Timestamp::parse(&time.to_string()).unwrap(), time);
        prop_assert_eq!(Timestamp::from_millis(time.as_millis()), time);
        prop_assert_eq!(time.to_string().len(), "2026-04-22T11:05:11.451Z".len());
    }

    #[test]
    fn an_amount_is_its_text(micros in any::<i64>()) {
        prop_assert_eq!(Micros::parse(&Micros(i128::from(micros)).to_string()).unwrap(), Micros(i128::from(micros)));
    }
}

#[test]
fn prefixes_are_presentation() {
    assert_eq!(TenantId::parse("ten_1").unwrap(), TenantId::parse("tnt_1").unwrap());
    assert_eq!(PropertyId::parse("ppt_1").unwrap().as_str(), "prp_1");
    assert_eq!(EventId::parse("01j0abcdefghjkmnpqrstvwxyz").unwrap().as_str(), "evt_01J0ABCDEFGHJKMNPQRSTVWXYZ");
    assert_eq!(EventId::parse("evt_test_1").unwrap().as_str(), "evt_test_1");
    for wrong in ["", "evt_", "1", "evt-1", "ten_ä", "TNT_1", "tnt_1 ", &format!("tnt_{}", "x".repeat(65))] {
        assert!(EventId::parse(wrong).is_err() && TenantId::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn times_are_read_as_they_are_seen_and_nothing_else_is() {
    let read = |text: &str| Timestamp::parse(text).map(|time| time.to_string());
    assert_eq!(read("2026-04-23T01:30Z").unwrap(), "2026-04-23T01:30:00.000Z");
    assert_eq!(read("2026-04-23T06:00:00+04:30").unwrap(), "2026-04-23T01:30:00.000Z");
    assert_eq!(read("2026-04-23T01:30:00.123999Z").unwrap(), "2026-04-23T01:30:00.123Z");
    assert_eq!(read("1969-12-31T23:59:59.9999Z").unwrap(), "1969-12-31T23:59:59.999Z");
    for wrong in [
        "",
        "2026-04-23",
        "2026-04-23T01:30",
        "20260423T013000Z",
        "2026-13-01T00:00Z",
        "2026-04-23T01:30Z[Asia/Kabul]",
        "now",
        "-000001-01-01T00:00Z",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    let noon = Timestamp::parse("2026-04-22T12:00Z").unwrap();
    assert_eq!(noon.plus_seconds(90).minutes_since(noon), 1);
    assert_eq!(noon.minutes_since(noon.plus_seconds(90)), -2);
}

#[test]
fn subjects_have_three_parts_or_four_and_a_version() {
    let subject = Subject::parse("melmastoon.housekeeping.task.created.v1").unwrap();
    assert_eq!(
        (subject.context(), subject.aggregate(), subject.verb(), subject.version()),
        ("housekeeping", Some("task"), "created", 1)
    );
    let subject = Subject::parse("melmastoon.reservation.checked_out.v12").unwrap();
    assert_eq!(
        (subject.context(), subject.aggregate(), subject.verb(), subject.version()),
        ("reservation", None, "checked_out", 12)
    );
    let alias = Subject::parse("melmastoon.ai.suggestion.shift_optimization.v1").unwrap();
    assert_eq!(alias, Subject::from_push_path("ai_orchestrator.suggestion.shift-optimization").unwrap());
    assert_eq!(
        Subject::from_push_path("reservation.checked-out").unwrap().as_str(),
        "melmastoon.reservation.checked_out.v1"
    );
    assert_eq!(Subject::from_push_path("reservation.checked-out.v2").unwrap().version(), 2);
    for wrong in [
        "",
        "melmastoon",
        "melmastoon.a.v1",
        "melmastoon.a.b.c.d.v1",
        "melmastoon.a.b.v0",
        "melmastoon.a.b.v01",
        "melmastoon.a.b",
        "other.a.b.v1",
        "melmastoon.A.b.v1",
        "melmastoon.a..v1",
        "melmastoon.a.b.v1.",
        "melmastoon.a.b.v99999",
        "melmastoon.a.b-c.v1",
    ] {
        assert!(Subject::parse(wrong).is_err(), "{wrong}");
    }
}
