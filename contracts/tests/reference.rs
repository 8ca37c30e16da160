//! What somebody who asks is told.

use contracts::{Form, Subject, asyncapi, catalogue, cloudevents, generated, reference};

#[test]
fn the_list_can_be_narrowed() {
    assert_eq!(reference::list("").len(), catalogue::all().count());
    assert_eq!(reference::list("staff.clock").len(), 4);
    assert!(reference::list("nothing.like.it").is_empty());
}

#[test]
fn a_subject_is_shown_by_its_short_name_and_a_wrong_one_gets_a_hint() {
    let page = reference::show("reservation.checked-out").unwrap();
    assert_eq!(page.line.subject, "melmastoon.reservation.checked_out.v1");
    assert_eq!(page.schema["x-melmastoon-subject"], page.line.subject);
    let fault = reference::show("booking.checked_out").unwrap_err().to_string();
    assert!(fault.contains("did you mean `melmastoon.reservation.checked_out.v1`"), "{fault}");
    let fault = reference::show("reservation.checked_out.v9").unwrap_err().to_string();
    assert!(fault.contains("version 9"), "{fault}");
    assert!(reference::show("Nonsense!").is_err());
}

#[test]
fn a_file_is_judged_whatever_it_holds() {
    let entry = catalogue::find("melmastoon.staff.clock.in.v1").unwrap();
    let envelope = asyncapi::example_envelope(entry).unwrap();
    let event = reference::judge(&envelope.write(Form::Staff).unwrap(), None).unwrap();
    assert_eq!((event.kind, event.subject.as_str(), event.not_as_written), ("event", entry.subject, None));
    let cloud = reference::judge(&cloudevents::write(&envelope).unwrap(), None).unwrap();
    assert_eq!(cloud.kind, "cloudevent");

    let subject = Subject::parse(entry.subject).unwrap();
    let payload = reference::judge(entry.example().to_string().as_bytes(), Some(&subject)).unwrap();
    assert_eq!((payload.kind, payload.event_id), ("payload", None));
    let mut odd = entry.example();
    odd["source"] = "sundial".into();
    let read = reference::judge(odd.to_string().as_bytes(), Some(&subject)).unwrap();
    assert!(read.not_as_written.unwrap().contains("/source"), "a word we do not know is read and not written");
    odd["staffId"] = 7.into();
    let fault = reference::judge(odd.to_string().as_bytes(), Some(&subject)).unwrap_err();
    assert_eq!((fault.code(), fault.pointer()), ("EVENT_SCHEMA_MISMATCH", Some("/staffId")));
    assert!(reference::judge(b"no json", Some(&subject)).is_err() && reference::judge(b"no json", None).is_err());
}

#[test]
fn an_export_is_the_whole_and_removes_what_is_no_longer_there() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("export");
    let _ = std::fs::remove_dir_all(&folder);
    let written = generated::write(&folder).unwrap();
    assert_eq!(written.len(), 2 * catalogue::all().count() + 3 + 2);
    assert!(generated::write(&folder).unwrap().is_empty(), "the second time nothing changes");
    std::fs::write(folder.join("events/melmastoon.old.gone.v1.schema.json"), "{}").unwrap();
    std::fs::remove_file(folder.join("asyncapi.json")).unwrap();
    let mut drifted = generated::drift(&folder).unwrap();
    drifted.sort();
    assert_eq!(drifted, ["asyncapi.json", "events/melmastoon.old.gone.v1.schema.json"]);
    assert_eq!(generated::write(&folder).unwrap().len(), 2);
}
