//! Which log events are written.

use std::str::FromStr;
use tracing_subscriber::filter::{LevelFilter, Targets};

/// A level, and other levels for some parts of the program: `info,octavo_storage=debug`.
///
/// The level applies to Octavo itself. Libraries log warnings only, unless a part names them, because their other
/// messages may quote headers and bodies, which must not be logged.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFilter(Targets);

/// The text is not a log filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a log filter")]
pub struct InvalidLogFilter;

impl LogFilter {
    pub(super) fn targets(&self) -> Targets {
        self.0.clone()
    }
}

/// `Targets` accepts nearly the same texts, but reads some as more than was meant: it takes an empty item or a number
/// as a level, and a misspelt level as a part of the program whose lines are all wanted.
impl FromStr for LogFilter {
    type Err = InvalidLogFilter;

    fn from_str(text: &str) -> Result<Self, InvalidLogFilter> {
        let mut own = None;
        let mut parts = Vec::new();
        for item in text.split(',').map(str::trim) {
            match item.split_once('=') {
                Some((part, wanted)) if is_part(part) => parts.push((part, level(wanted)?)),
                None if own.is_none() => own = Some(level(item)?),
                _ => return Err(InvalidLogFilter),
            }
        }
        let own = own.unwrap_or(LevelFilter::INFO);
        let targets = Targets::new().with_default(own.min(LevelFilter::WARN)).with_target("octavo", own);
        Ok(Self(targets.with_targets(parts)))
    }
}

fn level(text: &str) -> Result<LevelFilter, InvalidLogFilter> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic());
    text.parse().ok().filter(|_| is_word).ok_or(InvalidLogFilter)
}

fn is_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use tracing::Level;

    #[test]
    fn the_level_is_for_octavo_and_libraries_stay_at_warnings() {
        let targets = "debug".parse::<LogFilter>().unwrap().targets();
        assert!(targets.would_enable("octavo", &Level::DEBUG));
        assert!(targets.would_enable("octavo_server::requests", &Level::DEBUG));
        assert!(!targets.would_enable("octavo_server", &Level::TRACE));
        assert!(targets.would_enable("actix_http", &Level::WARN));
        assert!(!targets.would_enable("actix_http", &Level::INFO));
        let quiet = "error".parse::<LogFilter>().unwrap().targets();
        assert!(!quiet.would_enable("actix_http", &Level::WARN));
    }

    #[test]
    fn a_part_has_its_own_level() {
        let targets = "WARN, octavo_storage=trace,hyper=info".parse::<LogFilter>().unwrap().targets();
        assert!(targets.would_enable("octavo_storage::sqlite", &Level::TRACE));
        assert!(!targets.would_enable("octavo_server", &Level::INFO));
        assert!(targets.would_enable("hyper", &Level::INFO));
        let unnamed = "octavo_storage=off".parse::<LogFilter>().unwrap().targets();
        assert!(unnamed.would_enable("octavo_server", &Level::INFO));
        assert!(!unnamed.would_enable("octavo_storage", &Level::ERROR));
    }

    #[test]
    fn a_malformed_filter_is_refused() {
        for wrong in
            ["", "loud", "info,", "info,debug", "=info", "octavo=", "octavo=loud", "a b=info", "[span]=info", "3"]
        {
            assert_eq!(wrong.parse::<LogFilter>(), Err(InvalidLogFilter), "{wrong:?}");
        }
    }
}
