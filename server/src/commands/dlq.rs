//! `melmastoon dlq`: what could not be applied, over all tenants.

use std::collections::BTreeMap;

use clap::Subcommand;
use platform::bus::{DeadLetters, Handled, LISTED, OpenLetter};

use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, instance};

/// Failures in a row, each of which may take as long as the database takes to be given up.
const GIVE_UP_AFTER: usize = 20;

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
    Show {
        id: String,
        /// As it is shown anyway
        #[arg(long)]
        json: bool,
    },
    /// Deliver one again (by its own id, or its event's: wherever it is open), or every open one with `all`
    Replay {
        id: String,
        /// For scripts: what came of each
        #[arg(long)]
        json: bool,
    },
    /// Give one up for good (by its own id, or its event's: wherever it is open); it stays on record
    Discard {
        id: String,
        /// For scripts: which were given up
        #[arg(long)]
        json: bool,
    },
}

pub async fn dlq(config: &Config, command: DlqCommand) -> Result<(), Failure> {
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    let letters = DeadLetters::open(app.db.clone(), app.subscriptions.clone()).await?;
    match command {
        DlqCommand::List { json, all } => list(&letters, json, all).await,
        DlqCommand::Show { id, json: _ } => {
            let letter = letters.show(&id).await?.ok_or_else(|| unknown(&id))?;
            say!("{}", serde_json::to_string_pretty(&letter).unwrap_or_default());
            Ok(())
        }
        DlqCommand::Replay { id, json } => {
            // An event may be in the dead letters of several contexts, and of several tenants.
            let open = if id == "all" { letters.every_open().await? } else { letters.open_under(&id).await? };
            if open.is_empty() && id != "all" {
                return Err(unknown(&id));
            }
            replay_each(&letters, &open, json).await
        }
        DlqCommand::Discard { id, json } => {
            let given_up = letters.discard(&id, &operator()).await?;
            if given_up.is_empty() {
                return Err(unknown(&id));
            }
            if json {
                let ids: Vec<&str> = given_up.iter().map(|letter| letter.id.as_str()).collect();
                say!("{}", serde_json::json!({ "discarded": ids }));
            } else {
                for letter in &given_up {
                    say!("{}: discarded, of {}", letter.id, letter.context);
                }
            }
            Ok(())
        }
    }
}

async fn list(letters: &DeadLetters, json: bool, all: bool) -> Result<(), Failure> {
    let found = letters.list(all).await?;
    if let Some(cut) = cut_short(found.iter().map(|letter| letter.context.as_str())) {
        eprintln!("{cut}");
    }
    if json {
        say!("{}", serde_json::to_string(&found).unwrap_or_default());
    } else if found.is_empty() {
        say!("no dead letters");
    } else {
        for letter in &found {
            say!(
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
        say!("{} in all; `melmastoon dlq show ID` shows one whole", found.len());
    }
    Ok(())
}

/// What is said where a context has more than a list shows.
fn cut_short<'a>(contexts: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    contexts.for_each(|context| *counts.entry(context).or_default() += 1);
    let full: Vec<_> = counts.into_iter().filter(|(_, count)| *count >= LISTED).map(|(context, _)| context).collect();
    (!full.is_empty()).then(|| {
        let of = full.join(" and ");
        format!("only the oldest {LISTED} of {of} are listed; `melmastoon doctor` counts them, `dlq replay all` takes every one")
    })
}

/// One that fails for now does not keep the others from their turn; so many in a row mean that nothing works now.
async fn replay_each(letters: &DeadLetters, open: &[OpenLetter], json: bool) -> Result<(), Failure> {
    let (mut settled, mut failed_in_a_row, mut told) = (0, 0, Vec::new());
    for OpenLetter { id, context } in open {
        let handled = letters.replay(id, &operator()).await;
        let (outcome, said) = match &handled {
            Ok(Some(Handled::Buried | Handled::NotTheirs)) => {
                ("open", format!("{context} still cannot apply it; `melmastoon dlq show {id}` says why"))
            }
            Ok(Some(Handled::Applied)) => ("applied", format!("applied by {context}")),
            Ok(Some(Handled::AlreadyProcessed)) => ("already_applied", format!("had been applied by {context} before")),
            Ok(None) => ("settled_elsewhere", "somebody else has settled it".to_owned()),
            Err(fault) => ("failed", format!("{context} cannot apply it now: {fault}")),
        };
        if json {
            told.push(serde_json::json!({ "id": id, "context": context, "outcome": outcome, "said": said }));
        } else {
            say!("{id}: {said}");
        }
        settled += usize::from(!matches!(outcome, "open" | "failed"));
        failed_in_a_row = if handled.is_err() { failed_in_a_row + 1 } else { 0 };
        if failed_in_a_row == GIVE_UP_AFTER {
            break;
        }
    }
    let left = open.len() - settled;
    if json {
        say!("{}", serde_json::json!({ "settled": settled, "open": left, "letters": told }));
    }
    if left == 0 { Ok(()) } else { Err(Failure::Failed(format!("{left} of {} are still open", open.len()))) }
}

fn unknown(id: &str) -> Failure {
    Failure::Failed(format!("there is no open dead letter {id}"))
}

/// Who resolved it, for the record: the account and the machine that the command runs on.
fn operator() -> String {
    use nix::unistd::{Uid, User, gethostname};
    let uid = Uid::current();
    let account = User::from_uid(uid).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name);
    let host = gethostname().ok().and_then(|host| host.into_string().ok()).unwrap_or_default();
    format!("operator {account}@{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_cut_short_says_of_which_contexts() {
        let many = |context: &'static str, count| std::iter::repeat_n(context, count);
        assert_eq!(cut_short(many("staff", LISTED - 1).chain(many("housekeeping", 3))), None);
        let said = cut_short(many("staff", LISTED).chain(many("housekeeping", 3)).chain(many("reservation", LISTED)));
        assert!(said.is_some_and(|said| said.contains("10000 of reservation and staff are")));
    }
}
