//! Programs with packages from npm.

use super::once;
use crate::process;
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies a program and installs its packages beside it, where Node.js looks for them.
pub(super) fn install(source: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(source)? {
        let file = entry?;
        if file.file_type()?.is_file() {
            fs::copy(file.path(), folder.join(file.file_name()))?;
        }
    }
    once::install(&source.join("package-lock.json"), folder, || {
        process::run(Command::new("npm").args(["ci", "--silent", "--no-audit", "--no-fund"]).current_dir(folder))
    })
}
