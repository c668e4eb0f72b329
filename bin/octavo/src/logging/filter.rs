//! Which log events are written.

use std::str::FromStr;
use tracing_subscriber::filter::{LevelFilter, Targets};

/// A level, and other levels for some parts of the program: `info,octavo_storage=debug`.
///
/// The level applies to Octavo itself. Libraries log warnings only, unless a part names them, because their other
/// messages may quote headers and bodies, which must not be logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter {
    level: LevelFilter,
    wiring: Vec<(String, LevelFilter)>,
}

/// The text is not a log filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a log filter")]
pub struct InvalidLogFilter;

const LEVELS: [(&str, LevelFilter); 6] = [
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

fn level(text: &str) -> Result<LevelFilter, InvalidLogFilter> {
    LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, level)| *level).ok_or(InvalidLogFilter)
}

impl LogFilter {
    pub(super) fn targets(&self) -> Targets {
        Targets::new()
            .with_default(self.level.min(LevelFilter::WARN))
            .with_target("octavo", self.level)
            .with_targets(self.wiring.iter().cloned())
    }
}

impl FromStr for LogFilter {
    type Err = InvalidLogFilter;

    fn from_str(text: &str) -> Result<Self, InvalidLogFilter> {
        let mut overall = None;
        let mut wiring = Vec::new();
        for item in text.split(',').map(str::trim) {
            match item.split_once('=') {
                Some((part, wanted)) if is_part(part) => wiring.push((part.to_owned(), level(wanted)?)),
                Some(_) => return Err(InvalidLogFilter),
                None if overall.is_some() => return Err(InvalidLogFilter),
                None => overall = Some(level(item)?),
            }
        }
        Ok(Self { level: overall.unwrap_or(LevelFilter::INFO), wiring })
    }
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
