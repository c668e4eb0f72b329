//! Starting other programs that must succeed.

use anyhow::{Context as _, Result, bail};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The cargo that started this run, in the root of the workspace.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Variables that cargo sets for this program would look like settings of the build: dependencies that read them
    // would be rebuilt whenever plain cargo and this program alternate.
    for (name, _) in env::vars_os().filter(|(name, _)| is_about_this_program(name)) {
        command.env_remove(name);
    }
    command.current_dir(root);
    command
}

fn is_about_this_program(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"].iter().any(|prefix| name.starts_with(prefix))
        || ["CARGO_PRIMARY_PACKAGE", "OUT_DIR"].contains(&&*name)
}

/// Prints the command and runs it; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = command_line(command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| line.clone())?;
    if status.success() { Ok(()) } else { bail!("{line}: {status}") }
}

/// The standard output of a command that must succeed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = command_line(command);
    let done = command.stderr(Stdio::inherit()).output().with_context(|| line.clone())?;
    if !done.status.success() {
        bail!("{line}: {}", done.status);
    }
    Ok(String::from_utf8(done.stdout)?)
}

/// Runs the command quietly and returns whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Like [`succeeds`], but a command that takes longer is killed and counts as failed.
pub(crate) fn succeeds_within(limit: Duration, command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = quiet.spawn() else { return false };
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// The folders of `PATH`, in order.
pub(crate) fn search_path() -> Vec<PathBuf> {
    env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default()
}

/// The first program of this name in `PATH`.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    search_path().into_iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_failing_command_is_named_in_the_error() {
        let fault = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err().to_string();
        assert!(fault.starts_with("sh -c exit 3: "), "{fault}");
    }

    #[test]
    fn output_is_returned_only_on_success() {
        assert_eq!(output(Command::new("sh").args(["-c", "echo hi"])).unwrap(), "hi\n");
        assert!(output(Command::new("sh").args(["-c", "echo hi; false"])).is_err());
    }

    #[test]
    fn a_command_that_hangs_counts_as_failed() {
        let started = Instant::now();
        assert!(!succeeds_within(Duration::from_millis(50), Command::new("sleep").arg("60")));
        assert!(started.elapsed() < Duration::from_secs(30));
        assert!(succeeds_within(Duration::from_secs(30), &mut Command::new("true")));
    }
}
