//! Compares Octavo with a bare web route and with its database engines, and prints one table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks through its streams")]

mod account;
mod bare;
mod contacts;
mod engine;
mod forest;
mod insert;
mod load;
mod machine;
mod measure;
mod options;
mod people;
mod process;
mod rounds;
mod sample;
mod server;
mod table;

use anyhow::Result;
use options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    match options::parse(lexopt::Parser::from_env()).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("octavo-bench: {fault:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<()> {
    match options {
        Options::Bare { body_bytes } => bare::serve(body_bytes),
        Options::Measure(plan) => measure::run(&plan),
    }
}
