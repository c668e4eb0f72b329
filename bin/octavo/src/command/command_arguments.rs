//! The arguments of one command, without settings, and what is wrong with them.

use std::fmt;

/// One thing wrong with the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageFault(pub(super) String);

impl fmt::Display for UsageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            if letter.is_control() { write!(f, "{}", letter.escape_default())? } else { write!(f, "{letter}")? }
        }
        Ok(())
    }
}

/// The arguments of one command.
pub(super) struct CommandArguments<'a> {
    /// The words of the command.
    pub(super) words: &'a [&'static str],
    pub(super) operands: &'a [String],
    pub(super) options: &'a [(String, Option<String>)],
}

impl CommandArguments<'_> {
    pub(super) fn has(&self, option: &str) -> bool {
        self.options.iter().any(|(name, _)| name == option)
    }

    pub(super) fn value(&self, option: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| name == option)?.1.as_deref()
    }

    /// The operand at an index; their number was checked.
    pub(super) fn operand(&self, place: usize) -> &str {
        self.operands.get(place).map_or("", String::as_str)
    }

    /// The operands from an index on.
    pub(super) fn operands_from(&self, place: usize) -> &[String] {
        self.operands.get(place..).unwrap_or_default()
    }

    pub(super) fn fault(&self, problem: &str) -> UsageFault {
        UsageFault(format!("octavo {}: {problem}", self.words.join(" ")))
    }
}
