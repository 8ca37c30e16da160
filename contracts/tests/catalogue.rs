//! The catalogue and what is made from it: complete, lawful, not drifted, and valid by a judge that is not ours.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::collections::BTreeSet;
use std::path::Path;

use contracts::catalogue::{self, Context, Entry, Status};
use contracts::ids::TenantId;
use contracts::subject::{Subject, VERBS_NOT_IN_PAST_TENSE};
use contracts::{Envelope, Form, asyncapi, fits_schema, generated, validate};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).unwrap()
}

fn judge(entry: &Entry) -> jsonschema::Validator {
    jsonschema::options().should_validate_formats(true).build(&entry.schema()).unwrap()
}

#[test]
fn committed_files_are_what_the_types_say() {
    let drifted = generated::drift(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(drifted.is_empty(), "these files differ from the types; run `{}`: {drifted:?}", generated::COMMAND);
}

#[test]
fn every_subject_of_the_documents_is_there() {
    let published = |context| catalogue::published_by(context).count();
    assert_eq!(published(Context::Housekeeping), 20 + 3);
    assert_eq!(published(Context::Reservation), 16 + 3);
    assert_eq!(published(Context::Staff), 24);
    let documented = |context, subjects: &[&str]| {
        for subject in subjects {
            let subject = Subject::from_push_path(subject).unwrap();
            let entry = catalogue::get(&subject).unwrap_or_else(|kind| panic!("{kind}"));
            assert!(entry.own_consumers().any(|reader| reader == context), "{subject} is not read by {context:?}");
        }
    };
    documented(
        Context::Housekeeping,
        &[
            "reservation.checked-out",
            "reservation.early_checkout",
            "reservation.modification.requested",
            "reservation.cancelled",
            "maintenance.work_order.completed",
            "staff.shift.started",
            "staff.shift.ended",
            "ai_orchestrator.suggestion.housekeeping_routing",
            "property.room.archived",
            "tenant.settings.changed",
            // and those the other documents, or common sense, add
            "reservation.checked_in",
            "reservation.modified",
            "reservation.confirmed",
            "reservation.dates_changed",
            "reservation.no_show",
            "reservation.special_request.added",
            "staff.shift.scheduled",
            "staff.shift.assigned",
            "staff.shift.unassigned",
            "staff.shift.swapped",
            "staff.shift.cancelled",
            "staff.clock.in",
            "staff.clock.out",
            "staff.clock.break_started",
            "staff.clock.break_ended",
            "staff.created",
            "staff.updated",
            "property.room.taken_out_of_order",
            "maintenance.work_order.opened",
            "property.room.created",
        ],
    );
    documented(
        Context::Reservation,
        &[
            "inventory.allocation.committed",
            "inventory.allocation.failed",
            "payment.transaction.captured",
            "payment.transaction.failed",
            "payment.transaction.refunded",
            "lock_integration.key_credential.issued",
            "lock_integration.key_credential.failed",
            "tenant.settings.changed",
            "property.room.taken_out_of_order",
        ],
    );
    documented(
        Context::Staff,
        &[
            "iam.user.registered",
            "tenant.membership.created",
            "tenant.membership.removed",
            "property.deactivated",
            "ai.suggestion.shift_optimization",
        ],
    );
}

#[test]
fn every_subject_is_lawful_and_there_once() {
    let mut seen = BTreeSet::new();
    for entry in catalogue::all() {
        let subject = Subject::parse(entry.subject).unwrap();
        assert_eq!(subject.as_str(), entry.subject, "not in its canonical spelling");
        assert!(seen.insert(entry.subject), "{} is there twice", entry.subject);
        assert_eq!(
            (subject.context(), subject.verb(), subject.version()),
            (entry.context(), entry.verb(), entry.version())
        );
        assert_eq!(subject.aggregate().unwrap_or(entry.context()), entry.aggregate());
        let word = entry.verb().split('_').rev().find(|word| word.ends_with("ed") || ["held", "taken"].contains(word));
        assert!(
            word.is_some() || VERBS_NOT_IN_PAST_TENSE.contains(&entry.verb()),
            "`{}` is not past tense",
            entry.verb()
        );
        assert!(entry.publisher().is_none() || entry.status != Status::Assumed, "we publish {}", entry.subject);
    }
}

#[test]
fn every_example_fits_its_schema_by_an_independent_judge_and_by_our_reader() {
    for entry in catalogue::all() {
        let example = entry.example();
        let faults: Vec<String> =
            judge(entry).iter_errors(&example).map(|fault| format!("{} {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", entry.subject);
        fits_schema(entry.subject, &raw(&example)).unwrap_or_else(|fault| panic!("{}: {fault}", entry.subject));
        validate(&Subject::parse(entry.subject).unwrap(), &raw(&example)).unwrap();
    }
}

#[test]
fn every_example_survives_its_envelope_in_its_own_form() {
    for entry in catalogue::all() {
        let envelope = asyncapi::example_envelope(entry).unwrap();
        let form = Form::of_context(entry.context());
        let back = Envelope::read(&envelope.write(form).unwrap()).unwrap();
        assert_eq!(back, envelope);
        assert_eq!(back.validate().unwrap().subject, entry.subject);
        assert!(envelope.metadata.ordering_key.is_some(), "{} has no ordering key", entry.subject);
    }
}

/// Breaks a value in one place after another.
fn broken_in_each_place(value: &Value, broken: &mut dyn FnMut(&Value)) {
    fn walk(root: &Value, pointer: &str, broken: &mut dyn FnMut(&Value)) {
        let here = root.pointer(pointer).unwrap();
        for wrong in [
            Value::Null,
            Value::from(-1),
            Value::from(1_u64 << 40),
            Value::from("29:00"),
            Value::from("2026-02-30"),
            Value::from("?"),
            Value::from(true),
            serde_json::json!([]),
            serde_json::json!({}),
        ] {
            let mut copy = root.clone();
            *copy.pointer_mut(pointer).unwrap() = wrong;
            broken(&copy);
        }
        match here {
            Value::Object(fields) => {
                for name in fields.keys() {
                    let mut copy = root.clone();
                    copy.pointer_mut(pointer).unwrap().as_object_mut().unwrap().shift_remove(name);
                    broken(&copy);
                    walk(root, &format!("{pointer}/{name}"), broken);
                }
            }
            Value::Array(items) => (0..items.len()).for_each(|at| walk(root, &format!("{pointer}/{at}"), broken)),
            _ => {}
        }
    }
    walk(value, "", broken);
}

#[test]
fn our_schema_check_agrees_with_an_independent_judge_on_everything_broken() {
    let mut compared = 0;
    for entry in catalogue::all() {
        let judge = judge(entry);
        broken_in_each_place(&entry.example(), &mut |value| {
            compared += 1;
            let ours = fits_schema(entry.subject, &raw(value));
            assert_eq!(ours.is_ok(), judge.is_valid(value), "{} {value} {ours:?}", entry.subject);
        });
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn what_our_reader_refuses_the_published_schema_refuses_too() {
    for entry in catalogue::all() {
        let judge = judge(entry);
        let subject = Subject::parse(entry.subject).unwrap();
        broken_in_each_place(&entry.example(), &mut |value| {
            if let Err(fault) = validate(&subject, &raw(value)) {
                assert!(!judge.is_valid(value), "{subject} {value}: the reader says {fault}, the schema nothing");
            }
        });
    }
}

#[test]
fn personal_data_is_marked_where_the_catalogue_says_so() {
    for entry in catalogue::all() {
        let schema = entry.schema();
        for field in entry.pii {
            assert_eq!(schema["properties"][field]["x-melmastoon-pii"], Value::Bool(true), "{} {field}", entry.subject);
        }
    }
    assert_eq!(catalogue::find("melmastoon.staff.created.v1").unwrap().pii, ["givenName", "familyName"]);
}

#[test]
fn no_event_has_a_field_for_contacts_of_staff() {
    for entry in catalogue::published_by(Context::Staff) {
        let names = entry.schema()["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert!(
            !names.iter().any(|name| ["email", "phoneE164", "emergencyContact"].contains(&name.as_str())),
            "{names:?}"
        );
    }
}

#[test]
fn every_schema_tells_its_fields_in_words() {
    fn told(schema: &Value, at: &str) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(property["description"].as_str().is_some_and(|text| text.len() > 3), "{at}/{name} says nothing");
            told(property, &format!("{at}/{name}"));
            told(&property["items"], &format!("{at}/{name}/0"));
        }
    }
    catalogue::all().for_each(|entry| told(&entry.schema(), entry.subject));
}

#[test]
fn ordering_keys_follow_the_aggregate_and_a_swap_its_lower_shift() {
    let tenant = TenantId::parse("ten_a").unwrap();
    let key = |subject: &str, payload: &str| {
        let payload = RawValue::from_string(payload.to_owned()).unwrap();
        catalogue::find(subject).unwrap().ordering_key(&tenant, &payload)
    };
    assert_eq!(key("melmastoon.reservation.held.v1", r#"{"reservationId":"rsv_1"}"#).unwrap(), "tnt_a:rsv_1");
    assert_eq!(
        key("melmastoon.staff.shift.swapped.v1", r#"{"shiftLeftId":"shf_2","shiftRightId":"shf_1"}"#).unwrap(),
        "tnt_a:shf_1"
    );
    assert_eq!(key("melmastoon.reservation.quote.requested.v1", r#"{"deviceId":"dev_1"}"#).unwrap(), "tnt_a:dev_1");
    assert_eq!(key("melmastoon.reservation.held.v1", "{}"), None);
}

#[test]
fn dead_letters_go_where_each_context_keeps_them() {
    let topic = |subject| catalogue::find(subject).unwrap().dead_letter_topic();
    assert_eq!(topic("melmastoon.housekeeping.task.created.v1"), "melmastoon.dlq.housekeeping");
    assert_eq!(
        topic("melmastoon.inventory.allocation.failed.v1"),
        "melmastoon-reservation-inventory.allocation.failed.v1-dlq"
    );
    assert_eq!(topic("melmastoon.staff.clock.in.v1"), "melmastoon.staff.clock.in.v1.dlq.v1");
    let attempts = Context::ALL.map(|context| context.delivery().attempts);
    assert_eq!(attempts, [10, 20, 10]);
}
