//! Any JSON as the payload of any subject: the reader never panics, and points at a place when it refuses.
#![no_main]

use contracts::{Subject, catalogue, fits_schema, validate};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

fuzz_target!(|input: (u8, &str)| {
    let (which, json) = input;
    let Some(entry) = catalogue::all().nth(usize::from(which) % catalogue::all().count()) else { return };
    let Ok(subject) = Subject::parse(entry.subject) else { return };
    let Ok(payload) = serde_json::from_str::<&RawValue>(json) else { return };
    match validate(&subject, payload) {
        Ok(()) => drop(fits_schema(entry.subject, payload)),
        Err(fault) => assert!(fault.pointer.is_empty() || fault.pointer.starts_with('/')),
    }
});
