//! Makes the committed schemas, examples, `asyncapi.json` and `README.md` again. With `--envelopes FOLDER` it writes a whole
//! event of every subject there instead, for a fuzzer to begin from.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use contracts::{Form, asyncapi, catalogue, generated};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => generated::write(Path::new(env!("CARGO_MANIFEST_DIR"))).map(report),
        ["--envelopes", folder] => write_envelopes(Path::new(folder)),
        _ => {
            eprintln!("usage: contracts-generate [--envelopes FOLDER]");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("cannot write: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn report(changed: Vec<String>) {
    if changed.is_empty() {
        println!("nothing changed");
    }
    for name in changed {
        println!("contracts/{name}");
    }
}

fn write_envelopes(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in catalogue::all() {
        let form = Form::of_context(entry.context());
        let event = asyncapi::example_envelope(entry).and_then(|envelope| envelope.write(form).ok());
        fs::write(folder.join(entry.subject), event.unwrap_or_default())?;
    }
    Ok(())
}
