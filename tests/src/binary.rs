//! Finding and starting the `octavo` binary.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
};

/// The path of the binary: from the environment, or next to the folder of the running test.
fn path() -> PathBuf {
    if let Some(named) = env::var_os("OCTAVO_BIN").filter(|value| !value.is_empty()) {
        return PathBuf::from(named);
    }
    let test = env::current_exe().unwrap();
    let beside = test.parent().and_then(|deps| deps.parent()).unwrap().join("octavo");
    assert!(beside.is_file(), "no binary at {}: build it, or name it in OCTAVO_BIN", beside.display());
    beside
}

/// A command that runs the binary without the settings in this process's environment.
pub(crate) fn command() -> Command {
    let mut command = Command::new(path());
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("OCTAVO_")) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
