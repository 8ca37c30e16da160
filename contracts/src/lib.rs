//! Everything that crosses a context boundary: ids, envelope, subjects, payloads.
