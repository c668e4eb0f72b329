//! The browser that tests drive.

use crate::{process, servers::apt};
use anyhow::{Context as _, Result};
use std::path::PathBuf;

/// The browser, which is installed first if necessary.
pub(super) fn program() -> Result<PathBuf> {
    let installed = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(process::program);
    if let Some(found) = installed() {
        return Ok(found);
    }
    apt::install("chromium")?;
    installed().context("installed, but chromium is not in PATH")
}
