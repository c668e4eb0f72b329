//! Runs commands.

mod check_config;
mod events;
mod health;
mod keys;
mod migrate;
mod offline;
mod online;
mod openapi;
mod purge;
mod search;
mod serve;
mod user;
mod workspace;

use crate::{
    command::{Command, SearchCommand},
    start::Ready,
};
use anyhow::{Context as _, Result};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Runs a command to its end and returns the exit code.
pub fn run(ready: Ready) -> ExitCode {
    let outcome = match ready.command {
        Command::Serve { migrate } => serve::run(ready, migrate).map(|()| String::new()),
        _ => beside_a_server(&ready),
    };
    match outcome.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&[format!("{error:#}")]);
            ExitCode::FAILURE
        }
    }
}

/// Runs a command that ends by itself, on a single-threaded runtime.
fn beside_a_server(ready: &Ready) -> Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start a runtime")?;
    runtime.block_on(async {
        match &ready.command {
            Command::Migrate(migrate) => migrate::run(ready, *migrate).await,
            Command::CheckConfig { online } => check_config::run(ready, *online).await,
            Command::Health => health::run(ready).await,
            Command::OpenApi => Ok(openapi::run(ready)),
            Command::User(command) => user::run(ready, command).await,
            Command::Workspace(command) => workspace::run(ready, command).await,
            Command::Purge { dry_run } => purge::run(ready, *dry_run).await,
            Command::RotateKeys(key) => keys::run(ready, *key).await,
            Command::Search(SearchCommand::Rebuild) => search::rebuild(ready).await,
            Command::Search(SearchCommand::Verify) => search::verify(ready).await,
            Command::ReplayEvents(consumer) => events::replay(ready, *consumer).await,
            Command::Serve { .. } => Ok(String::new()),
        }
    })
}

/// Prints to stdout. A reader that has closed it early is not an error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("cannot print"),
        _ => Ok(()),
    }
}

/// Prints lines to stderr. If that fails, nothing more can be reported.
pub fn complain(lines: &[String]) {
    let mut out = io::stderr().lock();
    for line in lines {
        let _ = writeln!(out, "octavo: {line}");
    }
}
