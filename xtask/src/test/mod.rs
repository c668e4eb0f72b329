//! `cargo xtask test`: runs all tests on both engines, with the servers that they need.

mod clients;
mod options;
mod runner;
mod scratch;
mod shared_servers;
mod skipped;

use crate::servers::{Service, Supply};
use crate::workspace::{Member, Workspace};
use crate::{binary, process};
use anyhow::{Result, bail};
use options::{Engine, Options};
use runner::Runner;
use scratch::Scratch;
use shared_servers::SharedServers;
use skipped::Skipped;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

pub(crate) use options::USAGE;

/// The crates whose tests start the binary.
const START_THE_BINARY: [&str; 2] = ["octavo", END_TO_END];
/// The crate whose tests share servers.
const END_TO_END: &str = "octavo-tests";

pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    let started = Instant::now();
    let mut options = Options::parse(arguments)?;
    if options.clients {
        options.packages = vec![END_TO_END.to_owned()];
        options.filters.extend(["-E".to_owned(), clients::TESTS.to_owned()]);
    }
    let workspace = Workspace::load()?;
    let chosen = options.packages.iter().map(|name| workspace.member(name)).collect::<Result<Vec<_>>>()?;
    // The servers end before their folder is removed.
    let scratch = Scratch::new(&workspace.target, options.durable)?;
    let supplies = Service::ALL.map(|service| {
        let wanted = is_wanted(service, &options, &chosen);
        (service, if wanted { Supply::of(service, scratch.folder(), options.durable) } else { Supply::NotWanted })
    });
    insist(&supplies, &options)?;
    let skipped = Skipped::new(scratch.folder())?;
    let result = run_tests(&workspace, &options, &chosen, &supplies, &skipped, &scratch);
    let verdict = if result.is_ok() { "passed" } else { "FAILED" };
    println!("\nxtask test: {verdict} after {} s", started.elapsed().as_secs());
    for (service, supply) in &supplies {
        println!("  {service:?}: {supply}");
    }
    print!("{}", skipped.report(options.slow)?);
    result
}

/// Crates without input and output need no server, and a run on SQLite alone should be fast.
fn is_wanted(service: Service, options: &Options, chosen: &[&Member]) -> bool {
    let only_pure = !chosen.is_empty() && chosen.iter().all(|member| member.pure == Some(true));
    options.require.contains(&service) || (options.engine != Engine::Sqlite && !only_pure)
}

/// Fails before anything is built if a required service is not available.
fn insist(supplies: &[(Service, Supply)], options: &Options) -> Result<()> {
    for (service, supply) in supplies {
        if supply.url().is_none() && options.require.contains(service) {
            bail!("{} is required, but {supply}", service.word());
        }
    }
    Ok(())
}

fn run_tests(
    workspace: &Workspace,
    options: &Options,
    chosen: &[&Member],
    supplies: &[(Service, Supply)],
    skipped: &Skipped,
    scratch: &Scratch,
) -> Result<()> {
    let root = &workspace.root;
    let mut packages =
        chosen.iter().flat_map(|member| ["--package".to_owned(), member.name.clone()]).collect::<Vec<_>>();
    if packages.is_empty() {
        packages.push("--workspace".to_owned());
    }
    let octavo = binary_for(root, chosen)?;
    let clients = options.clients.then(|| clients::fetch(root, &workspace.target.join("xtask"))).transpose()?;
    let prepared = |mut command: Command| {
        prepare(&mut command, options, supplies);
        scratch.apply(&mut command);
        command.env(skipped::VARIABLE, skipped.file());
        command.envs(clients.iter().flatten().map(|(name, value)| (name, value)));
        command.envs(octavo.iter().map(|octavo| ("OCTAVO_BIN", octavo)));
        command
    };
    let shared = shared_servers(root, options, chosen, prepared)?;
    let prepared = |command: Command| {
        let mut command = prepared(command);
        command.envs(shared.iter().flat_map(SharedServers::variables));
        command
    };
    // A filter by name does not mean examples.
    let examples = if options.filters.is_empty() && runner::has_examples(workspace, chosen)? {
        process::run(&mut prepared(runner::examples(root, &packages)))
    } else {
        Ok(())
    };
    let tests = Runner::find(root).tests(root, &packages, options.engine, &options.filters);
    process::run(&mut prepared(tests)).and(examples)
}

/// The binary, if one of the tests starts it.
fn binary_for(root: &Path, chosen: &[&Member]) -> Result<Option<PathBuf>> {
    if chosen.is_empty() {
        return binary::build(root, binary::WITH_ALL_TESTS, binary::OCTAVO).map(Some);
    }
    if chosen.iter().any(|member| START_THE_BINARY.contains(&member.name.as_str())) {
        return binary::build(root, binary::ALONE, binary::OCTAVO).map(Some);
    }
    Ok(None)
}

/// The servers that end-to-end tests share, if there are such tests.
fn shared_servers(
    root: &Path,
    options: &Options,
    chosen: &[&Member],
    prepared: impl Fn(Command) -> Command,
) -> Result<Option<SharedServers>> {
    let keeper = if chosen.is_empty() {
        binary::build(root, binary::WITH_ALL_TESTS, binary::TEST_SERVERS)?
    } else if chosen.iter().any(|member| member.name == END_TO_END) {
        binary::build(root, binary::TEST_SERVERS_ALONE, binary::TEST_SERVERS)?
    } else {
        return Ok(None);
    };
    let engines: &[&str] = match options.engine {
        Engine::Sqlite => &["sqlite"],
        Engine::Postgres => &["postgres"],
        Engine::Both => &["sqlite", "postgres"],
    };
    SharedServers::start(prepared(Command::new(keeper)).args(engines)).map(Some)
}

/// The variables for tests: where the services are, which of them are required, and how long to wait.
fn prepare(command: &mut Command, options: &Options, supplies: &[(Service, Supply)]) {
    for (service, supply) in supplies {
        match supply.url() {
            Some(url) => command.env(service.variable(), url),
            None => command.env_remove(service.variable()),
        };
    }
    let required = options.require.iter().map(|service| service.word()).collect::<Vec<_>>();
    command.env("OCTAVO_TEST_REQUIRE", required.join(","));
    if options.slow {
        command.env("OCTAVO_TEST_SLOW", "1");
    }
}
