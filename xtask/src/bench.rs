//! `cargo xtask bench`: compares the release binary with a bare web route and with its database engines.

use crate::servers::{Service, Supply};
use crate::workspace::Workspace;
use crate::{binary, process};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

pub(crate) const USAGE: &str = "[--engine sqlite|postgres|both] [--only WORK] [--quick]";

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    engine: Option<String>,
    /// Passed on unchanged.
    passed_on: Vec<String>,
}

impl Options {
    fn parse(mut arguments: lexopt::Parser) -> Result<Self> {
        use lexopt::prelude::*;
        let mut options = Self::default();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("quick") => options.passed_on.push("--quick".to_owned()),
                Long("only") => options.passed_on.extend(["--only".to_owned(), arguments.value()?.string()?]),
                Long("engine") => options.engine = Some(arguments.value()?.string()?),
                other => bail!(other.unexpected()),
            }
        }
        match options.engine.as_deref() {
            None | Some("sqlite" | "postgres") => Ok(options),
            Some("both") => Ok(Self { engine: None, ..options }),
            Some(other) => bail!("no engine {other}: sqlite, postgres or both"),
        }
    }
}

pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    let options = Options::parse(arguments)?;
    let workspace = Workspace::load()?;
    // Built alone: together with other packages its dependencies would get the features that those need.
    let build = ["--profile", "dist", "--features", "jemalloc", "--package", binary::OCTAVO];
    let octavo = binary::build(&workspace.root, &build, binary::OCTAVO)?;
    let scratch = workspace.target.join("xtask");
    let postgres = match options.engine.as_deref() {
        Some("sqlite") => Supply::NotWanted,
        // The cost of a durable commit is part of what is measured.
        _ => Supply::of(Service::Postgres, &scratch, true),
    };
    if options.engine.as_deref() == Some("postgres") && postgres.url().is_none() {
        bail!("PostgreSQL is {postgres}");
    }
    process::run(&mut measurement(&workspace.root, &octavo, &scratch, postgres.url(), &options))?;
    println!("\nPostgreSQL: {postgres}");
    Ok(())
}

fn measurement(root: &Path, octavo: &Path, scratch: &Path, postgres: Option<&str>, options: &Options) -> Command {
    let mut command = process::cargo(root);
    command.args(["run", "--quiet", "--profile", "dist", "--package", "octavo-bench", "--"]);
    command.arg("--octavo").arg(octavo).arg("--scratch").arg(scratch);
    if let Some(url) = postgres {
        command.args(["--postgres", url]);
    }
    if let Some(engine) = &options.engine {
        command.args(["--engine", engine]);
    }
    command.args(&options.passed_on);
    command
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn parse(words: &str) -> Result<Options> {
        Options::parse(lexopt::Parser::from_args(words.split_whitespace()))
    }

    #[test]
    fn both_engines_are_the_default() {
        assert_eq!(parse("--engine both").unwrap(), parse("").unwrap());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(parse("--engine oracle").is_err());
        assert!(parse("--loud").is_err());
        assert!(parse("--only").is_err());
    }

    #[test]
    fn the_measurement_gets_what_was_asked_for() {
        let options = parse("--quick --engine postgres --only inserts").unwrap();
        let command = measurement(Path::new("/r"), Path::new("/o"), Path::new("/s"), Some("u"), &options);
        let words = command.get_args().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let own = words.split_once(" -- ").unwrap().1;
        assert_eq!(own, "--octavo /o --scratch /s --postgres u --engine postgres --quick --only inserts");
    }
}
