//! The command line of `cargo xtask test`.

use crate::servers::Service;
use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::collections::BTreeSet;

pub(crate) const USAGE: &str = "[--engine sqlite|postgres|both] [--slow] [--require postgres,redis] [--durable]
       [--clients] [-p CRATE]... [-- FILTER or arguments of nextest]";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
    #[default]
    Both,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) engine: Engine,
    /// Also runs tests that take minutes.
    pub(crate) slow: bool,
    /// PostgreSQL commits durably, which takes longer.
    pub(crate) durable: bool,
    /// Runs only the tests with third-party programs, and downloads those.
    pub(crate) clients: bool,
    /// The run fails without these services; without others it reports what was skipped.
    pub(crate) require: BTreeSet<Service>,
    pub(crate) packages: Vec<String>,
    /// Passed on to the test runner.
    pub(crate) filters: Vec<String>,
}

impl Options {
    pub(crate) fn parse(mut arguments: lexopt::Parser) -> Result<Self> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("engine") => options.engine = engine(&arguments.value()?.string()?)?,
                Long("slow") => options.slow = true,
                Long("durable") => options.durable = true,
                Long("clients") => options.clients = true,
                Long("require") => options.require.extend(services(&arguments.value()?.string()?)?),
                Short('p') | Long("package") => options.packages.push(arguments.value()?.string()?),
                Value(filter) => options.filters.push(filter.string()?),
                other => bail!(other.unexpected()),
            }
        }
        if options.engine == Engine::Postgres {
            options.require.insert(Service::Postgres);
        }
        Ok(options)
    }
}

fn engine(word: &str) -> Result<Engine> {
    match word {
        "sqlite" => Ok(Engine::Sqlite),
        "postgres" => Ok(Engine::Postgres),
        "both" => Ok(Engine::Both),
        other => bail!("no engine {other}: sqlite, postgres or both"),
    }
}

fn services(words: &str) -> Result<Vec<Service>> {
    words.split(',').map(Service::parse).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn parsed(words: &[&str]) -> Result<Options> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn nothing_said_means_both_engines_and_no_demands() {
        assert_eq!(parsed(&[]).unwrap(), Options::default());
    }

    #[test]
    fn everything_can_be_said_at_once() {
        let words =
            ["--engine", "sqlite", "--slow", "--durable", "--clients", "--require", "postgres,redis", "-p", "app"];
        let options = parsed(&[&words[..], &["-pcore-model", "--", "--no-capture", "login"]].concat()).unwrap();
        let expected = Options {
            engine: Engine::Sqlite,
            slow: true,
            durable: true,
            clients: true,
            require: BTreeSet::from(Service::ALL),
            packages: vec!["app".to_owned(), "core-model".to_owned()],
            filters: vec!["--no-capture".to_owned(), "login".to_owned()],
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn asking_for_postgres_alone_requires_it() {
        assert_eq!(parsed(&["--engine", "postgres"]).unwrap().require, BTreeSet::from([Service::Postgres]));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for words in [&["--engine", "mysql"][..], &["--require", "kafka"], &["--quick"], &["--require", ""]] {
            assert!(parsed(words).is_err(), "{words:?}");
        }
    }
}
