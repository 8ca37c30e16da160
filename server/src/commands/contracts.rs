//! `melmastoon contracts`: what the three contexts promise each other and the world, for a person and for scripts.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use contracts::history::{self, Outcome};
use contracts::{Subject, generated, reference};
use serde::Serialize;

/// The largest file that is looked at; an event has at most a quarter of it.
const LARGEST_FILE: u64 = 1024 * 1024;

/// Lists, shows, exports and checks event contracts.
#[derive(Debug, Args)]
pub struct ContractsArgs {
    #[command(subcommand)]
    command: ContractsCommand,
}

#[derive(Debug, Subcommand)]
enum ContractsCommand {
    /// Every subject, or those whose name contains PART.
    List {
        /// A part of the subject, such as `reservation` or `clock`.
        #[arg(default_value = "")]
        part: String,
        /// As JSON, for scripts.
        #[arg(long)]
        json: bool,
    },
    /// One subject in full: what the catalogue knows, its schema, an example.
    Show {
        /// The subject, in full or in short: `reservation.checked-out`.
        subject: String,
        /// As JSON, for scripts.
        #[arg(long)]
        json: bool,
    },
    /// Writes all schemas and examples, asyncapi.json and the overview into FOLDER.
    Export {
        /// Made if it is not there.
        folder: PathBuf,
    },
    /// Judges an event (in any form, also as `CloudEvents` has it), or a payload when its subject is told.
    Validate {
        /// The file; `-` is standard input.
        file: PathBuf,
        /// The subject of a payload without an envelope.
        #[arg(long)]
        subject: Option<String>,
        /// As JSON, for scripts.
        #[arg(long)]
        json: bool,
    },
    /// Whether this version breaks anybody who builds on the last release.
    Check {
        /// The source repository.
        #[arg(default_value = ".")]
        repository: PathBuf,
    },
}

/// Does what was asked: 0 when it is in order, 1 when it is not, 2 when it cannot be asked so.
pub fn run(args: &ContractsArgs) -> ExitCode {
    let mut out = io::stdout().lock();
    let outcome = match &args.command {
        ContractsCommand::List { part, json } => list(&mut out, part, *json),
        ContractsCommand::Show { subject, json } => show(&mut out, subject, *json),
        ContractsCommand::Export { folder } => export(&mut out, folder),
        ContractsCommand::Validate { file, subject, json } => validate(&mut out, file, subject.as_deref(), *json),
        ContractsCommand::Check { repository } => check(&mut out, repository),
    };
    match outcome {
        Ok(code) => code,
        // Whoever reads us has heard enough (`… list | head`).
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn print_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

fn list(out: &mut impl Write, part: &str, json: bool) -> io::Result<ExitCode> {
    let lines = reference::list(part);
    if json {
        print_json(out, &lines)?;
    } else {
        for line in &lines {
            writeln!(out, "{:<66} {:<10} {}", line.subject, line.status, line.says)?;
        }
        writeln!(out, "{} subjects", lines.len())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut impl Write, subject: &str, json: bool) -> io::Result<ExitCode> {
    let page = match reference::show(subject) {
        Ok(page) => page,
        Err(fault) => {
            eprintln!("{fault}\n`melmastoon contracts list` names them all");
            return Ok(ExitCode::FAILURE);
        }
    };
    if json {
        print_json(out, &page)?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = &page.line;
    writeln!(out, "{}\n{}\n", line.subject, line.says)?;
    writeln!(out, "status         {}", line.status)?;
    writeln!(out, "published by   {}", line.producer)?;
    writeln!(out, "read by        {}", line.consumers.join(", "))?;
    writeln!(out, "kept           {}, {} days", line.retention_class, line.retention_days)?;
    writeln!(out, "ordered by     {}", line.ordering_key)?;
    writeln!(out, "dead letters   {}", line.dead_letter_topic)?;
    let personal = if line.pii.is_empty() { "none".to_owned() } else { line.pii.join(", ") };
    writeln!(out, "personal data  {personal}\n\nschema")?;
    print_json(out, &page.schema)?;
    writeln!(out, "\nexample")?;
    print_json(out, &page.example)?;
    Ok(ExitCode::SUCCESS)
}

fn export(out: &mut impl Write, folder: &Path) -> io::Result<ExitCode> {
    let events = folder.join("events");
    let occupied =
        !folder.join("asyncapi.json").exists() && events.read_dir().is_ok_and(|mut found| found.next().is_some());
    if occupied {
        eprintln!("{} holds files that are not ours; name an empty folder", events.display());
        return Ok(ExitCode::from(2));
    }
    let written = generated::write(folder)?;
    writeln!(out, "{} files written to {}", written.len(), folder.display())?;
    Ok(ExitCode::SUCCESS)
}

fn validate(out: &mut impl Write, file: &Path, subject: Option<&str>, json: bool) -> io::Result<ExitCode> {
    let subject = match subject.map(Subject::from_push_path).transpose() {
        Ok(subject) => subject,
        Err(fault) => {
            eprintln!("{fault}");
            return Ok(ExitCode::from(2));
        }
    };
    let bytes = read_bounded(file)?;
    match reference::judge(&bytes, subject.as_ref()) {
        Ok(verdict) if json => print_json(out, &verdict)?,
        Ok(verdict) => {
            writeln!(out, "{}: a good {} of {}", file.display(), verdict.kind, verdict.subject)?;
            if let Some(why) = verdict.not_as_written {
                writeln!(out, "it is read, but would not be written so: {why}")?;
            }
        }
        Err(fault) if json => {
            let told = serde_json::json!({ "code": fault.code(), "pointer": fault.pointer(), "detail": fault.to_string(),
                "eventId": fault.event_id(), "subject": fault.subject() });
            print_json(out, &told)?;
            return Ok(ExitCode::FAILURE);
        }
        Err(fault) => {
            eprintln!("{}: {fault}", file.display());
            if subject.is_none() && fault.event_id().is_none() {
                eprintln!(
                    "If it is a payload without its envelope, name its subject: --subject housekeeping.task.created"
                );
            }
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read_bounded(file: &Path) -> io::Result<Vec<u8>> {
    let named = |fault: io::Error| io::Error::new(fault.kind(), format!("{}: {fault}", file.display()));
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().take(LARGEST_FILE).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file).map_err(named)?.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(named)?;
    }
    Ok(bytes)
}

fn check(out: &mut impl Write, repository: &Path) -> io::Result<ExitCode> {
    match history::check(repository) {
        Outcome::Skipped(reason) => {
            eprintln!("SKIPPED, nothing was checked: {reason}");
            Ok(ExitCode::SUCCESS)
        }
        Outcome::Compared { with, schemas, breaks } if breaks.is_empty() => {
            writeln!(out, "{schemas} schemas of {with} are kept")?;
            Ok(ExitCode::SUCCESS)
        }
        Outcome::Compared { with, breaks, .. } => {
            for found in &breaks {
                eprintln!("{found}\n");
            }
            eprintln!("{} breaking changes since {with}", breaks.len());
            Ok(ExitCode::FAILURE)
        }
    }
}
