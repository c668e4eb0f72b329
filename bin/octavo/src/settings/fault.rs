//! What is wrong with a configuration, one line a fault.

use super::source::Source;
use std::fmt;

/// One thing wrong with the configuration. The line names the setting and where it came from, and shows no secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    setting: String,
    source: Source,
    problem: String,
}

impl Fault {
    /// `setting` without `OCTAVO_`.
    pub(super) fn new(setting: &str, source: &Source, problem: impl Into<String>) -> Self {
        Self { setting: setting.to_owned(), source: source.clone(), problem: problem.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names and problems may quote what somebody typed: a line end there must not make two lines of one fault.
        let line = format!("OCTAVO_{} ({}): {}", self.setting, self.source, self.problem);
        for letter in line.chars() {
            if letter.is_control() { write!(f, "{}", letter.escape_default())? } else { write!(f, "{letter}")? }
        }
        Ok(())
    }
}
