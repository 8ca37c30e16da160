//! `melmastoon tick`: what happens by itself with time, as a process of its own or once.

use clap::Args;
use platform::ticks::Ran;

use super::run::{Share, every_context, run_alone};
use crate::app::{App, Parts};
use crate::config::Config;
use crate::{Failure, instance};

#[derive(Args, Debug)]
pub struct TickArgs {
    /// Which one, such as `housekeeping.maintenance` or `maintenance`; or `all`
    pub name: String,
    /// Run it once, due or not, and end
    #[arg(long)]
    pub once: bool,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

pub async fn tick(config: &Config, args: &TickArgs) -> Result<(), Failure> {
    if !args.once {
        if args.name != "all" {
            return Err(Failure::Usage(
                "a process of its own runs all ticks: `tick all`; one of them: add --once".to_owned(),
            ));
        }
        return run_alone(config, Share { tick: true, ..Share::default() }, &every_context()).await;
    }
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    let names = app.ticker.names();
    let wanted: Vec<_> = if args.name == "all" { names.clone() } else { vec![args.name.as_str()] };
    for name in wanted {
        let Some(tick) = app.ticker.find(name) else {
            return Err(Failure::Usage(format!("{name} is not one of {}, all", names.join(", "))));
        };
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
