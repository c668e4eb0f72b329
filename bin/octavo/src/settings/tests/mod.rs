//! Settings from flags, variables and files that exist only in the test.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod bounds;
mod faults;
mod precedence;
mod secrets;
mod values;

use super::{Effective, Loaded, Settings, Sources, load};
use std::{collections::BTreeMap, ffi::OsString, io, path::Path};

/// Sources of settings, built by a test.
#[derive(Default)]
pub(super) struct World {
    flags: Vec<(String, Vec<u8>)>,
    environment: Vec<(OsString, OsString)>,
    files: BTreeMap<String, Vec<u8>>,
}

pub(super) fn nothing() -> World {
    World::default()
}

/// Sources with a single variable.
pub(super) fn env(name: &str, value: &str) -> World {
    nothing().env(name, value)
}

impl World {
    pub(super) fn flag(mut self, name: &str, value: &str) -> Self {
        self.flags.push((name.to_owned(), value.into()));
        self
    }

    pub(super) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub(super) fn file(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }

    /// Adds a TOML file that the environment names.
    pub(super) fn toml(self, content: &str) -> Self {
        self.env("OCTAVO_CONFIG", "/etc/octavo.toml").file("/etc/octavo.toml", content)
    }

    pub(super) fn load(&self) -> Result<Loaded, Vec<String>> {
        let read = |path: &Path| {
            let file = path.to_str().and_then(|path| self.files.get(path));
            file.cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        let sources = Sources { flags: self.flags.clone(), environment: self.environment.clone(), read: &read };
        load(&sources).map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    pub(super) fn settings(&self) -> Settings {
        self.load().unwrap().settings
    }

    /// The lines an operator sees.
    pub(super) fn faults(&self) -> Vec<String> {
        self.load().map(|loaded| loaded.settings).unwrap_err()
    }

    /// What `check-config` shows for one setting: its value and the name of its source.
    pub(super) fn effective(&self, name: &str) -> (Option<String>, &'static str) {
        let loaded = self.load().unwrap();
        let Effective { value, source, .. } = loaded.effective.into_iter().find(|one| one.name == name).unwrap();
        (value, source.name())
    }
}
