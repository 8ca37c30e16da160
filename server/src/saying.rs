//! What commands answer, on standard output.
//!
//! Whoever has read enough (`melmastoon doctor | head -1`) stops listening, and that ends nothing: the command does its work and exits as it
//! would have. An answer that could not be written (a full disk) is a failure.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write as _};
use std::sync::OnceLock;

/// Why the first word that was not heard was not.
static UNHEARD: OnceLock<io::Error> = OnceLock::new();

/// A line of the answer: `println!` would panic where nobody listens.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::saying::write(format_args!("{}\n", format_args!($($words)*)))
    };
}
pub(crate) use say;

pub(crate) fn write(words: Arguments<'_>) {
    if let Err(error) = io::stdout().lock().write_fmt(words) {
        let _ = UNHEARD.set(error);
    }
}

/// Why the answer is not whole, where somebody still wants it.
pub fn unheard() -> Option<&'static io::Error> {
    let _ = io::stdout().lock().flush().map_err(|error| UNHEARD.set(error));
    UNHEARD.get().filter(|error| error.kind() != ErrorKind::BrokenPipe)
}

/// A line for people, on standard error, if anybody is there.
pub fn complain(words: Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(format_args!("melmastoon: {words}\n"));
}
