//! The command line.

use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const USAGE: &str = "octavo-bench --octavo BINARY --scratch FOLDER [--postgres URL] [--engine sqlite|postgres] [--only profile|inserts|neighbours|pages|blocks|records|queries|imports|memory] [--quick]
octavo-bench bare --body-bytes COUNT";

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Options {
    /// Serve the bare route, for another process to measure.
    Bare {
        body_bytes: usize,
    },
    Measure(Plan),
}

/// What to measure, and for how long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) octavo: PathBuf,
    /// The folder for new data. It should be on the disk whose durability is measured.
    pub(crate) scratch: PathBuf,
    /// A server on which this run creates databases of its own.
    pub(crate) postgres: Option<String>,
    pub(crate) sqlite: bool,
    /// One kind of work by name; by default all.
    pub(crate) only: Option<String>,
    pub(crate) effort: TimeBudget,
}

/// How long each figure is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    pub(crate) rounds: usize,
    pub(crate) round: Duration,
    pub(crate) starts: usize,
}

impl TimeBudget {
    const FULL: Self = Self { rounds: 7, round: Duration::from_secs(3), starts: 10 };
    const QUICK: Self = Self { rounds: 3, round: Duration::from_millis(800), starts: 5 };
}

pub(crate) fn parse(mut arguments: lexopt::Parser) -> Result<Options> {
    use lexopt::prelude::*;
    let (mut octavo, mut scratch, mut postgres, mut body_bytes) = (None, None, None, None);
    let (mut bare, mut engine, mut only, mut effort) = (false, None, None, TimeBudget::FULL);
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(word) if word == "bare" => bare = true,
            Long("body-bytes") => body_bytes = Some(arguments.value()?.parse()?),
            Long("octavo") => octavo = Some(PathBuf::from(arguments.value()?)),
            Long("scratch") => scratch = Some(PathBuf::from(arguments.value()?)),
            Long("postgres") => postgres = Some(arguments.value()?.string()?),
            Long("engine") => engine = Some(arguments.value()?.string()?),
            Long("only") => only = Some(arguments.value()?.string()?),
            Long("quick") => effort = TimeBudget::QUICK,
            other => bail!("{}\n\n{USAGE}", other.unexpected()),
        }
    }
    let missing = |what: &str| format!("{what} is missing\n\n{USAGE}");
    if bare {
        return Ok(Options::Bare { body_bytes: body_bytes.with_context(|| missing("--body-bytes"))? });
    }
    let sqlite = match engine.as_deref() {
        None => true,
        Some("sqlite") => {
            postgres = None;
            true
        }
        Some("postgres") if postgres.is_some() => false,
        Some("postgres") => bail!(missing("--postgres")),
        Some(other) => bail!("no engine {other}: sqlite or postgres"),
    };
    let octavo = octavo.with_context(|| missing("--octavo"))?;
    let scratch = scratch.with_context(|| missing("--scratch"))?;
    Ok(Options::Measure(Plan { octavo, scratch, postgres, sqlite, only, effort }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn parsed(words: &str) -> Result<Options> {
        parse(lexopt::Parser::from_args(words.split_whitespace()))
    }

    fn plan(words: &str) -> Plan {
        match parsed(&format!("--octavo o --scratch s {words}")).unwrap() {
            Options::Measure(plan) => plan,
            other @ Options::Bare { .. } => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_engines_are_measured_unless_one_is_named() {
        let both = plan("--postgres u");
        assert_eq!((both.sqlite, both.postgres.as_deref()), (true, Some("u")));
        let sqlite = plan("--postgres u --engine sqlite");
        assert_eq!((sqlite.sqlite, sqlite.postgres), (true, None));
        let postgres = plan("--postgres u --engine postgres");
        assert_eq!((postgres.sqlite, postgres.postgres.as_deref()), (false, Some("u")));
    }

    #[test]
    fn a_quick_run_is_the_same_with_less_of_it() {
        let (quick, full) = (plan("--quick").effort, plan("").effort);
        assert!(quick.rounds < full.rounds && quick.round < full.round && quick.starts < full.starts);
    }

    #[test]
    fn what_is_missing_or_unknown_is_refused() {
        for words in ["", "--octavo o", "--octavo o --scratch s --engine postgres", "--engine x", "bare", "--loud"] {
            assert!(parsed(words).is_err(), "{words}");
        }
        assert_eq!(parsed("bare --body-bytes 7").unwrap(), Options::Bare { body_bytes: 7 });
    }
}
