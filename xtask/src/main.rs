//! Tasks of the workspace: `cargo xtask <verb>`.
//!
//! One file per verb. A new verb is a module and a row in [`VERBS`].
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks through its streams")]

mod bench;
mod binary;
mod check;
mod check_circles;
mod check_layers;
mod circles;
mod docs;
mod layers;
mod licenses;
mod new_migration;
mod openapi;
mod process;
mod project_files;
mod servers;
mod test;
mod workspace;

use anyhow::{Result, bail};
use std::process::ExitCode;

struct Verb {
    name: &'static str,
    /// Arguments and purpose; `None` for a verb that only xtask itself starts.
    usage: Option<(&'static str, &'static str)>,
    run: fn(lexopt::Parser) -> Result<()>,
}

const VERBS: &[Verb] = &[
    Verb {
        name: "test",
        usage: Some((test::USAGE, "run the tests on both engines, starting what they need")),
        run: test::run,
    },
    Verb {
        name: "bench",
        usage: Some((bench::USAGE, "measure the release binary beside its raw parts")),
        run: bench::run,
    },
    Verb { name: "check", usage: Some(("", "format, clippy, layers, circles, licences and docs")), run: check::run },
    Verb {
        name: "check-circles",
        usage: Some(("", "refuse modules that use each other in a circle")),
        run: check_circles::run,
    },
    Verb { name: "check-layers", usage: Some(("", "check the rules of ARCHITECTURE.md")), run: check_layers::run },
    Verb {
        name: "licenses",
        usage: Some(("", "refuse dependencies without a permissive licence")),
        run: licenses::run,
    },
    Verb { name: "docs", usage: Some(("", "build the API docs and follow the links of every page")), run: docs::run },
    Verb { name: "openapi", usage: Some(("[--check]", "write docs/openapi.yaml, or compare it")), run: openapi::run },
    Verb {
        name: "new-migration",
        usage: Some(("NAME", "start a migration for both engines")),
        run: new_migration::run,
    },
    Verb { name: servers::SUPERVISE, usage: None, run: servers::supervise },
];

fn main() -> ExitCode {
    match dispatch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("xtask: {fault:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> Result<()> {
    let mut arguments = lexopt::Parser::from_env();
    let Some(lexopt::Arg::Value(name)) = arguments.next()? else {
        print!("{}", usage());
        return Ok(());
    };
    let verb = VERBS.iter().find(|verb| name == verb.name);
    let Some(verb) = verb else {
        bail!("no verb {}\n\n{}", name.display(), usage());
    };
    (verb.run)(arguments)
}

fn usage() -> String {
    let rows = VERBS.iter().filter_map(|verb| verb.usage.map(|(arguments, purpose)| (verb.name, arguments, purpose)));
    let rows = rows.map(|(name, arguments, purpose)| format!("  {name} {arguments}\n      {purpose}\n"));
    format!("cargo xtask <verb>\n\n{}", rows.collect::<String>())
}

/// Refuses arguments of a verb that has none.
fn no_arguments(mut arguments: lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        None => Ok(()),
        Some(argument) => bail!(argument.unexpected()),
    }
}

/// Ends a verb that has collected faults; prints nothing if there are none.
fn refuse(what: &str, faults: &[String]) -> Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    bail!("{what}: {} found\n  {}", faults.len(), faults.join("\n  "))
}
