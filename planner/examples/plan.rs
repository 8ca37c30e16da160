//! `melmastoon plan` by itself, to try the planner without the server.

use std::process::ExitCode;

use clap::Parser;

#[path = "../../server/src/commands/plan.rs"]
mod command;

#[derive(Debug, Parser)]
#[command(name = "plan", about = "Plans who cleans what, in which order, and says why.")]
struct Arguments {
    #[command(flatten)]
    plan: command::PlanArgs,
}

fn main() -> ExitCode {
    match command::run(&Arguments::parse().plan) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
