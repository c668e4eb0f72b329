//! Third-party programs for tests: downloaded from their registries and kept in the target folder.

use crate::process;
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Their tests, by the name of the test binary.
pub(super) const TESTS: &str = "binary(=clients)";

/// Downloads missing programs, and returns the variables that tell tests where they are.
pub(super) fn fetch(root: &Path, scratch: &Path) -> Result<Vec<(&'static str, String)>> {
    let folder = scratch.join("clients");
    let python = folder.join("authlib");
    let wanted = root.join("tests/clients/authlib/requirements.txt");
    if !python.join("bin/python").is_file() {
        process::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    process::run(Command::new(python.join("bin/python")).args(pip).arg(wanted))?;
    let node = folder.join("openid-client");
    fs::create_dir_all(&node)?;
    for file in ["package.json", "client.mjs"] {
        fs::copy(root.join("tests/clients/openid-client").join(file), node.join(file))?;
    }
    process::run(Command::new("npm").args(["install", "--silent", "--no-audit", "--no-fund"]).current_dir(&node))?;
    let shown = |path: &Path| path.display().to_string();
    Ok(vec![("OCTAVO_TEST_CLIENTS_PYTHON", shown(&python)), ("OCTAVO_TEST_CLIENTS_NODE", shown(&node))])
}
