//! The built binary from the outside: exit codes, streams, the files that it creates and those that it must not
//! create.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod check_config;
mod completions;
mod deploy;
mod docs;
mod usage;

use std::{
    path::Path,
    process::{Command, Output},
};

/// A call of the binary in an empty folder, with an empty environment.
struct Call {
    folder: tempfile::TempDir,
    command: Command,
}

fn octavo(line: &str) -> Call {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_octavo"));
    command.args(line.split_whitespace()).current_dir(folder.path()).env_clear();
    Call { folder, command }
}

/// The result of a call.
struct Ended {
    /// Kept so that a test can check which files are left.
    folder: tempfile::TempDir,
    code: i32,
    out: String,
    err: String,
}

impl Call {
    fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    fn arg(mut self, argument: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.folder.path().join(name), content).unwrap();
        self
    }

    fn end(mut self) -> Ended {
        let Output { status, stdout, stderr } = self.command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { folder: self.folder, code: status.code().unwrap(), out: text(stdout), err: text(stderr) }
    }
}

impl Ended {
    /// The names of the files in the folder of the call.
    fn left_behind(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
