//! The binary `melmastoon`.

fn main() {}
