//! `melmastoon tick`: what happens by itself with time, as a process of its own or once.

use clap::Args;
use platform::ticks::Ran;

use super::run::{Share, Ticks, Watched, every_context, run_alone};
use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
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

/// What the documents call some of them.
const ALSO_CALLED: &[(&str, &str)] = &[("shift_staffing_gap", "staffing_gap"), ("mid_stay_cadence", "mid_stay")];

/// By its whole name, or by what stands behind the context's, with dashes or underscores, as `…-tick` or without.
pub(super) fn is_called(tick: &str, name: &str) -> bool {
    let plain = |name: &str| {
        let name = name.replace('-', "_");
        let name = name.strip_suffix("_tick").unwrap_or(&name);
        let (context, short) = name.split_once('.').map_or((None, name), |(context, short)| (Some(context), short));
        let short = ALSO_CALLED.iter().find(|(alias, _)| *alias == short).map_or(short, |(_, short)| short);
        (context.map(str::to_owned), short.to_owned())
    };
    let ((of, tick), (asked_of, asked)) = (plain(tick), plain(name));
    tick == asked && (asked_of.is_none() || asked_of == of)
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
    let mut failed = Vec::new();
    for name in wanted {
        let Some(tick) = app.ticker.find(name) else { continue };
        let said = match app.ticker.run_now(tick).await {
            Ok(Ran::Done(said)) => said.unwrap_or_else(|| "nothing to do".to_owned()),
            Ok(Ran::NotDue) => "not due".to_owned(),
            Ok(Ran::ElsewhereNow) => "another process is at it".to_owned(),
            // An archive that is away keeps nobody's hold from its end.
            Err(fault) => {
                failed.push(tick.name);
                format!("failed: {fault}")
            }
        };
        if args.json {
            say!("{}", serde_json::json!({ "tick": tick.name, "outcome": said }));
        } else {
            say!("{}: {said}", tick.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::Failed(format!("{} failed", failed.join(" and ")))) }
}

#[cfg(test)]
mod tests {
    use super::is_called;

    #[test]
    fn a_tick_is_called_by_its_name_or_by_what_the_documents_say() {
        for name in
            ["housekeeping.mid_stay", "mid_stay", "mid-stay", "mid-stay-cadence-tick", "housekeeping.mid_stay_cadence"]
        {
            assert!(is_called("housekeeping.mid_stay", name), "{name}");
        }
        assert!(is_called("housekeeping.staffing_gap", "shift-staffing-gap-tick"));
        assert!(is_called("housekeeping.lost_found_retention", "lost-found-retention-tick"));
        assert!(is_called("housekeeping.escalation", "escalation-tick"));
        assert!(is_called("reservation.hold-expiry", "hold-expiry"));
        assert!(!is_called("housekeeping.maintenance", "staff.maintenance"));
        assert!(!is_called("housekeeping.mid_stay", "mid"));
    }
}
