//! Third-party programs for tests: downloaded from the package registries and kept in the target folder.
//!
//! Each folder of `tests/clients` is a program, or a set of tools, with the versions that it was tested with.

mod npm;
mod once;
mod python;

use anyhow::Result;
use std::path::Path;

/// The tests that run them, by the name of the test binary.
pub(super) const TESTS: &str = "binary(=clients)";

const VARIABLE: &str = "OCTAVO_TEST_CLIENTS";
const WITH_NPM: [&str; 3] = ["linters", "openid-client", "typescript"];
const WITH_PYTHON: [&str; 3] = ["authlib", "linters", "python"];

/// Downloads missing programs, and returns the environment variable with their folder, for the tests.
///
/// Programs in Rust are not among them, because cargo itself downloads what it builds.
pub(super) fn fetch(root: &Path, scratch: &Path) -> Result<(&'static str, String)> {
    let (sources, installed) = (root.join("tests/clients"), scratch.join("clients"));
    for name in WITH_NPM {
        npm::install(&sources.join(name), &installed.join(name))?;
    }
    for name in WITH_PYTHON {
        python::install(&sources.join(name), &installed.join(name))?;
    }
    Ok((VARIABLE, installed.display().to_string()))
}
