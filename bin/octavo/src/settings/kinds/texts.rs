//! Switches, words, paths and the log filter.

use super::{Flaw, Kind, Shape};
use crate::logging::LogFilter;
use std::path::PathBuf;

/// `true` or `false`.
pub(in crate::settings) struct Boolean;

impl Kind for Boolean {
    type Value = bool;
    const NATIVE: Shape = Shape::Boolean;

    fn wants(&self) -> String {
        "true or false".to_owned()
    }

    fn choices(&self) -> Vec<&'static str> {
        vec!["true", "false"]
    }

    fn parse(&self, text: &str) -> Result<bool, Flaw> {
        text.parse().map_err(|_| Flaw::Malformed)
    }
}

/// One of a fixed set of names.
pub(in crate::settings) struct Choice<T: 'static>(pub(in crate::settings) &'static [(&'static str, T)]);

impl<T: Copy> Kind for Choice<T> {
    type Value = T;

    fn wants(&self) -> String {
        format!("one of {}", self.choices().join(", "))
    }

    fn choices(&self) -> Vec<&'static str> {
        self.0.iter().map(|(word, _)| *word).collect()
    }

    fn parse(&self, text: &str) -> Result<T, Flaw> {
        self.0.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice).ok_or(Flaw::Malformed)
    }
}

/// A path in the file system. A relative one starts at the working directory.
pub(in crate::settings) struct PathKind {
    pub(in crate::settings) wants: &'static str,
}

impl Kind for PathKind {
    type Value = PathBuf;

    fn wants(&self) -> String {
        self.wants.to_owned()
    }

    fn parse(&self, text: &str) -> Result<PathBuf, Flaw> {
        if text.is_empty() || text.contains('\0') { Err(Flaw::Malformed) } else { Ok(PathBuf::from(text)) }
    }
}

/// Which log lines are written.
pub(in crate::settings) struct LogFilterKind;

impl Kind for LogFilterKind {
    type Value = LogFilter;

    fn wants(&self) -> String {
        "off, error, warn, info, debug or trace, or a list such as info,octavo_storage=debug".to_owned()
    }

    fn parse(&self, text: &str) -> Result<LogFilter, Flaw> {
        text.parse().map_err(|_| Flaw::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boolean_is_spelled_out() {
        assert_eq!(Boolean.parse("true"), Ok(true));
        assert_eq!(Boolean.parse("false"), Ok(false));
        for wrong in ["1", "yes", "True", "", "on"] {
            assert_eq!(Boolean.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }

    #[test]
    fn a_choice_takes_its_words_only() {
        let kind = Choice(&[("single", 1), ("several", 2)]);
        assert_eq!(kind.parse("several"), Ok(2));
        assert_eq!(kind.parse("Several"), Err(Flaw::Malformed));
        assert_eq!(kind.wants(), "one of single, several");
    }

    #[test]
    fn a_path_is_not_empty() {
        let kind = PathKind { wants: "a folder" };
        assert_eq!(kind.parse("/srv/o c"), Ok(PathBuf::from("/srv/o c")));
        assert_eq!(kind.parse(""), Err(Flaw::Malformed));
        assert_eq!(kind.parse("a\0b"), Err(Flaw::Malformed));
    }
}
