//! Does what a command asks for.

mod check_config;

use crate::{command::Command, start::Ready};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Why a command failed, for stderr.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure(pub String);

/// Runs a command to its end and says how it went.
pub fn run(ready: &Ready) -> ExitCode {
    let outcome = match &ready.command {
        Command::CheckConfig { online: false } => Ok(check_config::report(ready)),
        _ => Err(Failure("this command needs parts that are not in this build yet".to_owned())),
    };
    match outcome.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(reason)) => {
            complain(&[reason]);
            ExitCode::FAILURE
        }
    }
}

/// Prints to stdout. A reader that has seen enough and closed it is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure(format!("cannot print: {error}"))),
        _ => Ok(()),
    }
}

/// Prints lines to stderr. Nobody is left to tell when that fails.
pub fn complain(lines: &[String]) {
    let mut out = io::stderr().lock();
    for line in lines {
        let _ = writeln!(out, "octavo: {line}");
    }
}
