//! How good and how fast the planner is: `cargo bench -p melmastoon-planner --bench quality -- [--json FILE]`.
//!
//! Reads the shared instances, generates unseen ones with the shared generator where there is Python, and prints a
//! table. The gap is against the best known cost; on unseen instances against our own run of `--long` times the
//! usual budget (default 10; 0 leaves it out).

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use planner::{Instance, Morning, Options, Plan};
use serde_json::{Value, json};

/// Runs per instance: the quickest counts for time (others share the machine), the first seed for cost.
const RUNS: u64 = 3;

const UNSEEN: [&[&str]; 8] = [
    &["30", "4", "11", "--tight"],
    &["80", "8", "12"],
    &["80", "8", "13", "--replan"],
    &["80", "8", "14", "--replan", "--tight"],
    &["200", "20", "15"],
    &["200", "20", "16", "--replan"],
    &["200", "20", "17", "--tight"],
    &["1000", "80", "18"],
];

struct Arguments {
    json: Option<PathBuf>,
    long: u64,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut read = Arguments { json: None, long: 10 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--json" => read.json = Some(words.next().ok_or("--json needs a file")?.into()),
            "--long" => read.long = words.next().ok_or("--long needs a number")?.parse()?,
            // Given by `cargo bench` itself.
            "--bench" => {}
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    Ok(read)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = [root.join("../../shared/planner"), root.join("../../../shared/planner")];
    let Some(folder) = places.into_iter().find(|place| place.join("best_known.json").is_file()) else {
        println!("SKIPPED: ../shared/planner is not there, so there is nothing to measure");
        return Ok(());
    };
    let best_known: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("best_known.json"))?)?;
    println!(
        "{:<30} {:>9} {:>9} {:>7} {:>9} {:>8} {:>8}",
        "instance", "cost", "best", "gap", "moves/s", "wall s", "what-if"
    );
    let mut results = Vec::new();
    for name in ["gen-12x3", "gen-30x4", "gen-80x8-replan", "gen-200x20"] {
        let instance = Instance::from_json(&std::fs::read_to_string(folder.join(format!("instances/{name}.json")))?)?;
        results.push(measured(name, &instance, best_known[name]["minutes"].as_f64())?);
    }
    for options in UNSEEN {
        let output = match Command::new("python3").arg(folder.join("gen.py")).args(options).output() {
            Ok(output) if output.status.success() => output,
            _ => {
                println!("SKIPPED: gen.py could not be run, so there are no unseen instances");
                break;
            }
        };
        let instance = Instance::from_json(&String::from_utf8(output.stdout)?)?;
        let long = (arguments.long > 0).then(|| longer(&instance, arguments.long)).transpose()?;
        let name = instance.name.clone();
        results.push(measured(&name, &instance, long)?);
    }
    if let Some(path) = arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&results)? + "\n")?;
    }
    Ok(())
}

/// The cost after many times the usual number of moves.
fn longer(instance: &Instance, times: u64) -> Result<f64, Box<dyn Error>> {
    let morning = Morning::new(instance)?;
    let options = Options { moves: Some(morning.usual_moves() * times), seed: 99 };
    Ok(morning.plan(&options, &|| false).minutes)
}

fn measured(name: &str, instance: &Instance, best: Option<f64>) -> Result<Value, Box<dyn Error>> {
    let mut quickest = f64::MAX;
    let mut first: Option<Plan> = None;
    for _ in 0..RUNS {
        let begun = Instant::now();
        let plan = planner::solve(instance, &Options::default(), &|| false)?;
        quickest = quickest.min(begun.elapsed().as_secs_f64());
        first.get_or_insert(plan);
    }
    let plan = first.ok_or("no run")?;
    let gap = best.filter(|best| *best > 0.0).map(|best| (plan.minutes - best) * 100.0 / best);
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let rate = plan.evaluated_moves as f64 / quickest;
    let what_if = what_if_micros(instance, &plan)?;
    println!(
        "{name:<30} {:>9.2} {:>9} {:>7} {:>8.1}M {quickest:>8.3} {what_if:>6.1}us",
        plan.minutes,
        best.map_or("-".to_owned(), |best| format!("{best:.2}")),
        gap.map_or("-".to_owned(), |gap| format!("{gap:.2}%")),
        rate / 1e6,
    );
    Ok(json!({
        "instance": name, "cost": plan.minutes, "reference": best, "gapPercent": gap, "movesPerSecond": rate,
        "wallSeconds": quickest, "whatIfMicros": what_if, "unassigned": plan.unassigned.len(), "late": plan.late.len(),
    }))
}

/// The mean time to price one alternative, over every task and person.
fn what_if_micros(instance: &Instance, plan: &Plan) -> Result<f64, Box<dyn Error>> {
    let morning = Morning::new(instance)?;
    let rounds = morning.rounds_of(plan)?;
    let mut desk = planner::Desk::new(&morning, &rounds);
    let begun = Instant::now();
    let mut asked = 0.0;
    for task in instance.tasks.iter().step_by(7) {
        for person in &instance.staff {
            desk.what_if(&task.id, &person.id)?;
            asked += 1.0;
        }
    }
    Ok(begun.elapsed().as_secs_f64() * 1e6 / asked)
}
