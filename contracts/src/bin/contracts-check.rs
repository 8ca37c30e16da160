//! Fails when the types of this build break somebody who builds on the last release.

use std::path::Path;
use std::process::ExitCode;

use contracts::history::{self, Outcome};

fn main() -> ExitCode {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match history::check(&repository) {
        Outcome::Skipped(reason) => {
            eprintln!("SKIPPED, nothing was checked: {reason}");
            ExitCode::SUCCESS
        }
        Outcome::Compared { with, schemas, breaks } if breaks.is_empty() => {
            println!("{schemas} schemas of {with} are kept");
            ExitCode::SUCCESS
        }
        Outcome::Compared { with, breaks, .. } => {
            for found in &breaks {
                eprintln!("{found}\n");
            }
            eprintln!("{} breaking changes since {with}", breaks.len());
            ExitCode::FAILURE
        }
    }
}
