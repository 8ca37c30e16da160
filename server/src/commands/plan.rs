//! `melmastoon plan`: plans an instance from a file or standard input.

use std::error::Error;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planner::{Instance, Morning, Options, Plan};

/// More than ten thousand tasks never need as much.
const LARGEST_INPUT: u64 = 64 * 1024 * 1024;

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// The instance as JSON; standard input when absent or "-".
    #[arg(long = "in", value_name = "FILE")]
    input: Option<PathBuf>,
    /// Where the plan goes as JSON; standard output when absent or "-".
    #[arg(long = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Moves to try; by size of the instance when absent. The same number gives the same plan on every machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000_000_000))]
    moves: Option<u64>,
    /// Emergency stop: a plan that meets it is marked as truncated.
    #[arg(long, value_name = "N")]
    deadline_ms: Option<u64>,
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Say for every task why this person has it.
    #[arg(long)]
    explain: bool,
    /// Draw the plan: a lane for each person, bars by floor, marks where rooms are due.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON on a terminal too, instead of the table.
    #[arg(long)]
    json: bool,
}

/// Reads, plans and writes. A plan with tasks left open is a good answer; bad input and failed files are errors.
pub fn run(args: &PlanArgs) -> Result<(), Box<dyn Error + Send + Sync>> {
    let begun = Instant::now();
    let instance = Instance::from_json(&read(args.input.as_deref())?)?;
    let deadline = args.deadline_ms.map(Duration::from_millis);
    let should_stop = || deadline.is_some_and(|deadline| begun.elapsed() >= deadline);
    let options = Options { moves: args.moves, seed: args.seed };
    let plan = Morning::new(&instance)?.plan(&options, &should_stop);
    if let Some(path) = &args.svg {
        std::fs::write(path, planner::svg::timeline(&instance, &plan)).map_err(|problem| at(path, &problem))?;
    }
    show(args, &instance, &plan)
}

/// JSON goes to the file, or to standard output unless a person is looking at it; the table is for the terminal.
fn show(args: &PlanArgs, instance: &Instance, plan: &Plan) -> Result<(), Box<dyn Error + Send + Sync>> {
    let json = serde_json::to_string_pretty(plan)? + "\n";
    let to_file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(path) = to_file {
        std::fs::write(path, &json).map_err(|problem| at(path, &problem))?;
    }
    let terminal = io::stdout().is_terminal();
    if args.json || (to_file.is_none() && (!terminal || args.output.is_some())) {
        print(&mut io::stdout(), &json)?;
        if args.explain {
            print(&mut io::stderr(), &planner::report::reasons(instance, plan))?;
        }
    } else if terminal {
        print(&mut io::stdout(), &planner::report::table(instance, plan, args.explain))?;
    } else if args.explain {
        print(&mut io::stdout(), &planner::report::reasons(instance, plan))?;
    }
    Ok(())
}

/// A reader that goes away (`| head`) is no failure.
fn print(out: &mut dyn Write, text: &str) -> io::Result<()> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn read(path: Option<&Path>) -> Result<String, Box<dyn Error + Send + Sync>> {
    let (name, source): (&Path, Box<dyn Read>) = match path.filter(|path| *path != Path::new("-")) {
        Some(path) => (path, Box::new(File::open(path).map_err(|problem| at(path, &problem))?)),
        None => (Path::new("standard input"), Box::new(io::stdin())),
    };
    let mut bytes = Vec::new();
    source.take(LARGEST_INPUT + 1).read_to_end(&mut bytes).map_err(|problem| at(name, &problem))?;
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(format!("{}: larger than {} MiB", name.display(), LARGEST_INPUT / 1024 / 1024).into());
    }
    String::from_utf8(bytes).map_err(|_| format!("{}: is not UTF-8 text", name.display()).into())
}

fn at(path: &Path, problem: &io::Error) -> String {
    format!("{}: {problem}", path.display())
}
