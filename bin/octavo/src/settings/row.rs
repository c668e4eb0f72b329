//! What the table says about a setting, without its type.

use super::mask::Secrecy;

/// The value of a setting that is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fallback {
    None,
    Value(String),
    /// Derived from other settings; the text says how.
    Derived(&'static str),
    /// Generated when a server first needs it, and stored in the data folder.
    Generated,
}

/// The declaration of a setting: name, meaning, default, secrecy.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name without `OCTAVO_`.
    pub name: String,
    pub fallback: Fallback,
    pub secrecy: Secrecy,
    pub meaning: String,
    /// The rule for values.
    pub wants: String,
    /// All values, if they are words to choose from.
    pub choices: Vec<&'static str>,
}

impl Row {
    pub fn flag(&self) -> String {
        self.name.to_lowercase().replace('_', "-")
    }

    pub fn variable(&self) -> String {
        format!("OCTAVO_{}", self.name)
    }

    /// The key in the TOML file. The file cannot name itself.
    pub fn key(&self) -> Option<String> {
        (self.name != CONFIG).then(|| self.name.to_lowercase())
    }

    /// Whether there is also a variable with the suffix `_FILE`. Two settings are files already.
    pub fn has_file_variable(&self) -> bool {
        self.name != CONFIG && self.name != PRIVATE_KEY_FILE
    }
}

pub(super) const CONFIG: &str = "CONFIG";
pub(super) const PRIVATE_KEY_FILE: &str = "JWT_PRIVATE_KEY_FILE";
