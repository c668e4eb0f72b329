//! Sources of values.

use std::{fmt, path::PathBuf};

/// The source of a value, the strongest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Flag,
    Env,
    /// The file that a variable ending in `_FILE` names.
    EnvFile(PathBuf),
    /// The TOML file.
    File(PathBuf),
    Default,
}

impl Source {
    /// The name that `check-config` prints.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Env => "env",
            Self::EnvFile(_) => "env_file",
            Self::File(_) => "file",
            Self::Default => "default",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EnvFile(path) | Self::File(path) => write!(f, "{} {}", self.name(), path.display()),
            Self::Flag | Self::Env | Self::Default => f.write_str(self.name()),
        }
    }
}
