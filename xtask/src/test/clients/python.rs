//! Programs with packages from the Python Package Index.

use super::once;
use crate::process;
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Creates a virtual environment, the folder `venv`, with the packages of a program.
pub(super) fn install(source: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let list = source.join("requirements.txt");
    once::install(&list, folder, || {
        let venv = folder.join("venv");
        process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
        process::run(Command::new(venv.join("bin/python")).args(pip).arg(&list))
    })
}
