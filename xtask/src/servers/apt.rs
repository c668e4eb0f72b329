//! Installing a missing server where that is safe to do: on Debian, as root.

use super::account::is_root;
use crate::{Outcome, process};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The package list is downloaded once, however many servers are missing.
static UPDATED: OnceLock<bool> = OnceLock::new();

pub(crate) fn install(package: &str) -> Outcome {
    if process::program("apt-get").is_none() {
        return Err(format!("it is not installed, and there is no apt-get to install {package} with").into());
    }
    if !is_root()? {
        return Err(format!("it is not installed; as root: apt-get update && apt-get install {package}").into());
    }
    if !UPDATED.get_or_init(|| apt(&["update"]).is_ok()) {
        return Err("it is not installed, and apt-get update failed".into());
    }
    apt(&["install", "--yes", "--no-install-recommends", package])
}

/// Standard output is for the tests; the output of apt is printed to stderr, and only if it fails.
fn apt(arguments: &[&str]) -> Outcome {
    eprintln!("$ apt-get {}", arguments.join(" "));
    let mut command = Command::new("apt-get");
    command.arg("--quiet").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    let done = command.output()?;
    if done.status.success() {
        return Ok(());
    }
    eprint!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    Err(format!("apt-get {}: {}", arguments.join(" "), done.status).into())
}
