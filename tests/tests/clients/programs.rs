//! The programs that `cargo xtask test --clients` has downloaded.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder with a folder for each of those in `tests/clients`.
pub(crate) struct Programs(PathBuf);

impl Programs {
    /// `None` if these tests were not requested.
    pub(crate) fn fetched() -> Option<Self> {
        env::var_os("OCTAVO_TEST_CLIENTS").filter(|folder| !folder.is_empty()).map(|folder| Self(folder.into()))
    }

    /// The folder of a program, to which tests may write.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The browser to drive.
    pub(crate) fn chromium() -> OsString {
        env::var_os("OCTAVO_TEST_CHROMIUM").unwrap()
    }

    /// Node.js in the folder of a program, where it finds the program's packages.
    pub(crate) fn node(&self, name: &str) -> Command {
        let mut command = Command::new("node");
        command.current_dir(self.folder(name));
        command
    }

    /// A command of a package from npm, which runs in the folder of the program.
    pub(crate) fn npm(&self, name: &str, command: &str) -> Command {
        let folder = self.folder(name);
        let mut program = Command::new(folder.join("node_modules/.bin").join(command));
        program.current_dir(folder);
        program
    }

    /// Python with the packages of a program, in the folder of its source.
    pub(crate) fn python(&self, name: &str) -> Command {
        self.pip(name, "python")
    }

    /// A command of a package from the Python Package Index, which runs in the folder of the program's source and
    /// finds the other commands.
    pub(crate) fn pip(&self, name: &str, command: &str) -> Command {
        let commands = self.folder(name).join("venv/bin");
        let mut program = Command::new(commands.join(command));
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([commands].into_iter().chain(env::split_paths(&inherited))).unwrap();
        program.current_dir(source(name)).env("PATH", path).env("PYTHONDONTWRITEBYTECODE", "1");
        program
    }
}

/// The folder with the source of a program.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
}

/// The published description. Another test compares it with what the binary serves.
pub(crate) fn description() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.yaml").canonicalize().unwrap()
}

/// Runs a command that must succeed, and returns what it printed.
#[track_caller]
pub(crate) fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|fault| panic!("{command:?}: {fault}"));
    let [printed, complained] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{command:?}: {}\n{printed}\n{complained}", output.status);
    printed.into_owned()
}
