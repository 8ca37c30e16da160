//! `melmastoon dlq`: what could not be applied, over all tenants.

use clap::Subcommand;
use platform::bus::{DeadLetters, Handled};

use crate::app::{App, Parts};
use crate::config::Config;
use crate::{Failure, instance};

#[derive(Subcommand, Debug)]
pub enum DlqCommand {
    /// List dead letters
    List {
        /// For scripts: an array
        #[arg(long)]
        json: bool,
        /// Also those that were replayed or discarded
        #[arg(long)]
        all: bool,
    },
    /// Show one with its message, by its own id or its event's
    Show { id: String },
    /// Deliver one again, or every open one with `all`
    Replay { id: String },
    /// Give one up for good; it stays on record
    Discard { id: String },
}

pub async fn dlq(config: &Config, command: DlqCommand) -> Result<(), Failure> {
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    let letters = DeadLetters::open(app.db.clone(), app.subscriptions.clone()).await?;
    match command {
        DlqCommand::List { json, all } => list(&letters, json, all).await,
        DlqCommand::Show { id } => {
            let letter = letters.show(&id).await?.ok_or_else(|| unknown(&id))?;
            println!("{}", serde_json::to_string_pretty(&letter).unwrap_or_default());
            Ok(())
        }
        DlqCommand::Replay { id } if id == "all" => {
            let open = letters.list(false).await?;
            let mut left = 0;
            for letter in &open {
                left += usize::from(!replay(&letters, &letter.id).await?);
            }
            if left == 0 { Ok(()) } else { Err(Failure::Failed(format!("{left} of {} cannot be applied", open.len()))) }
        }
        DlqCommand::Replay { id } => {
            let still_open = || Failure::Failed("the dead letter is still open".to_owned());
            replay(&letters, &id).await?.then_some(()).ok_or_else(still_open)
        }
        DlqCommand::Discard { id } => {
            if !letters.discard(&id, &operator()).await? {
                return Err(unknown(&id));
            }
            println!("{id}: discarded");
            Ok(())
        }
    }
}

async fn list(letters: &DeadLetters, json: bool, all: bool) -> Result<(), Failure> {
    let found = letters.list(all).await?;
    if json {
        println!("{}", serde_json::to_string(&found).unwrap_or_default());
    } else if found.is_empty() {
        println!("no dead letters");
    } else {
        for letter in &found {
            println!(
                "{}  {}  {}  {}  {} attempts  {}\n    {}",
                letter.id,
                letter.failed_at,
                letter.tenant_id,
                letter.subject,
                letter.attempts,
                letter.code,
                letter.error
            );
        }
        println!("{} in all; `melmastoon dlq show ID` shows one whole", found.len());
    }
    Ok(())
}

/// Whether it is open no more.
async fn replay(letters: &DeadLetters, id: &str) -> Result<bool, Failure> {
    let handled = letters.replay(id, &operator()).await?.ok_or_else(|| unknown(id))?;
    match handled {
        Handled::Buried | Handled::NotTheirs => {
            println!("{id}: still cannot be applied; `melmastoon dlq show {id}` says why");
        }
        Handled::Applied => println!("{id}: applied"),
        Handled::AlreadyProcessed => println!("{id}: had been applied before"),
    }
    Ok(matches!(handled, Handled::Applied | Handled::AlreadyProcessed))
}

fn unknown(id: &str) -> Failure {
    Failure::Failed(format!("there is no open dead letter {id}"))
}

/// Who resolved it, for the record: whoever has the keys to this folder.
fn operator() -> String {
    format!("operator pid {}", std::process::id())
}
