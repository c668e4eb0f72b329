//! Starts the binary with the settings and in the folder of an installation.

use crate::{binary, command_result::CommandResult};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

#[derive(Clone, Debug)]
pub(crate) struct Launcher {
    pub(crate) folder: PathBuf,
    pub(crate) settings: BTreeMap<String, String>,
}

impl Launcher {
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), settings: BTreeMap::new() }
    }

    pub(crate) fn data_folder(&self) -> PathBuf {
        self.folder.join("data")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = binary::command();
        command.args(arguments).envs(&self.settings).current_dir(&self.folder);
        command
    }

    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().expect("the binary can be started")
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandResult {
        CommandResult::of(self.spawn(arguments))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> CommandResult {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the binary can be started");
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        CommandResult::of(child)
    }

    /// A description that another process can read.
    pub(crate) fn describe(&self) -> Value {
        json!({ "folder": self.folder, "settings": self.settings })
    }

    pub(crate) fn described(description: &Value) -> Option<Self> {
        let folder = PathBuf::from(description["folder"].as_str()?);
        let settings = description["settings"].as_object()?.iter();
        let settings = settings.map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        Some(Self { folder, settings: settings.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_as_it_was_written() {
        let mut launcher = Launcher::in_folder(Path::new("/tmp/a"));
        launcher.settings.insert("OCTAVO_LISTEN".to_owned(), "127.0.0.1:0".to_owned());
        let read = Launcher::described(&launcher.describe()).unwrap();
        assert_eq!((&read.folder, &read.settings), (&launcher.folder, &launcher.settings));
        assert!(Launcher::described(&json!({ "folder": "/tmp/a" })).is_none());
    }
}
