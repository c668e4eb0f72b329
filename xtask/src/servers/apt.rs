//! Installing a missing program where that is safe to do: on Debian, as root.

use super::account::is_root;
use crate::process;
use anyhow::{Result, bail};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The package list is downloaded once, however many programs are missing.
static UPDATED: OnceLock<bool> = OnceLock::new();

pub(crate) fn install(package: &str) -> Result<()> {
    if process::program("apt-get").is_none() {
        bail!("it is not installed, and there is no apt-get to install {package} with");
    }
    if !is_root()? {
        bail!("it is not installed; as root: apt-get update && apt-get install {package}");
    }
    if !UPDATED.get_or_init(|| apt(&["update"]).is_ok()) {
        bail!("it is not installed, and apt-get update failed");
    }
    apt(&["install", "--yes", "--no-install-recommends", package])
}

/// Standard output is for the tests; the output of apt is printed to stderr, and only if it fails.
fn apt(arguments: &[&str]) -> Result<()> {
    eprintln!("$ apt-get {}", arguments.join(" "));
    let mut command = Command::new("apt-get");
    command.arg("--quiet").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    let done = command.output()?;
    if done.status.success() {
        return Ok(());
    }
    eprint!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    bail!("apt-get {}: {}", arguments.join(" "), done.status)
}
