//! Makes the committed schemas, examples, `asyncapi.json` and `README.md` again.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    match contracts::generated::write(folder) {
        Ok(changed) if changed.is_empty() => println!("nothing changed"),
        Ok(changed) => changed.iter().for_each(|name| println!("contracts/{name}")),
        Err(fault) => {
            eprintln!("cannot write below {}: {fault}", folder.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
