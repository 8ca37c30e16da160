//! Any bytes: reading them never panics, and what was let in can be written, read back equal, and sent as a CloudEvent.
#![no_main]

use contracts::{Envelope, Form, cloudevents};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = cloudevents::read(bytes);
    let Ok(envelope) = Envelope::read(bytes) else { return };
    let _ = envelope.validate();
    for form in [Form::Housekeeping, Form::Staff, Form::Reservation] {
        // What barely fitted may not fit in a form with longer names.
        let Ok(written) = envelope.write(form) else { continue };
        let back = Envelope::read(&written).expect("what we write, we read");
        assert_eq!(back, envelope);
    }
    if let Ok(written) = cloudevents::write(&envelope) {
        assert_eq!(cloudevents::read(&written).expect("what we write, we read"), envelope);
    }
});
