//! Faults in a configuration, one line each.

use super::source::Source;
use std::fmt;

/// A fault in the configuration. The line names the setting and its source, and shows no secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    setting: String,
    source: Source,
    problem: String,
}

impl Fault {
    /// `setting` is the name without `OCTAVO_`.
    pub(super) fn new(setting: &str, source: &Source, problem: impl Into<String>) -> Self {
        Self { setting: setting.to_owned(), source: source.clone(), problem: problem.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names and problems may quote what somebody typed: a line break in it must not split the fault into two
        // lines.
        let line = format!("OCTAVO_{} ({}): {}", self.setting, self.source, self.problem);
        for letter in line.chars() {
            if letter.is_control() { write!(f, "{}", letter.escape_default())? } else { write!(f, "{letter}")? }
        }
        Ok(())
    }
}
