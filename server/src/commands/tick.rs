//! `melmastoon tick`: what happens by itself with time, as a process of its own or once.

use clap::Args;
use platform::ticks::Ran;

use super::run::{Share, Ticks, Watched, every_context, run_alone};
use crate::app::{App, Parts};
use crate::config::Config;
use crate::{Failure, contexts, instance};

#[derive(Args, Debug)]
pub struct TickArgs {
    /// Which one, such as `housekeeping.maintenance` or `maintenance` (of every context); or `all`
    pub name: String,
    /// Run it once, due or not, and end
    #[arg(long)]
    pub once: bool,
    #[command(flatten)]
    pub watched: Watched,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

/// By its whole name, or by what stands behind the context's.
pub(super) fn is_called(tick: &str, name: &str) -> bool {
    tick == name || tick.split_once('.').is_some_and(|(_, short)| short == name)
}

pub async fn tick(config: &Config, args: &TickArgs) -> Result<(), Failure> {
    let names = contexts::ticks();
    let wanted: Vec<_> = names.iter().filter(|name| args.name == "all" || is_called(name, &args.name)).collect();
    if wanted.is_empty() {
        return Err(Failure::Usage(format!("{} is not one of {}, all", args.name, names.join(", "))));
    }
    if !args.once {
        let ticks = if args.name == "all" { Ticks::All } else { Ticks::Called(args.name.clone()) };
        return run_alone(config, Share { ticks, watched: args.watched.listen, ..Share::default() }, &every_context())
            .await;
    }
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    for name in wanted {
        let Some(tick) = app.ticker.find(name) else { continue };
        let said = match app.ticker.run_now(tick).await? {
            Ran::Done(said) => said.unwrap_or_else(|| "nothing to do".to_owned()),
            Ran::NotDue => "not due".to_owned(),
            Ran::ElsewhereNow => "another process is at it".to_owned(),
        };
        if args.json {
            println!("{}", serde_json::json!({ "tick": tick.name, "outcome": said }));
        } else {
            println!("{}: {said}", tick.name);
        }
    }
    Ok(())
}
