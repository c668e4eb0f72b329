//! Third-party programs for tests: downloaded from the package registries and kept in the target folder.
//!
//! Each folder of `tests/clients` is a program, or a set of tools, with the versions that it was tested with.

mod chromium;
mod npm;
mod once;
mod python;

use anyhow::Result;
use std::path::Path;

/// The tests that run them, by the name of the test binary.
pub(super) const TESTS: &str = "binary(=clients)";

const PROGRAMS: &str = "OCTAVO_TEST_CLIENTS";
const CHROMIUM: &str = "OCTAVO_TEST_CHROMIUM";
const WITH_NPM: [&str; 4] = ["linters", "live", "openid-client", "typescript"];
const WITH_PYTHON: [&str; 3] = ["authlib", "linters", "python"];

/// Downloads missing programs, and returns the environment variables that lead the tests to them.
///
/// Programs in Rust are not among them, because cargo itself downloads what it builds.
pub(super) fn fetch(root: &Path, scratch: &Path) -> Result<[(&'static str, String); 2]> {
    let (sources, installed) = (root.join("tests/clients"), scratch.join("clients"));
    for name in WITH_NPM {
        npm::install(&sources.join(name), &installed.join(name))?;
    }
    for name in WITH_PYTHON {
        python::install(&sources.join(name), &installed.join(name))?;
    }
    let browser = chromium::program()?;
    Ok([(PROGRAMS, installed.display().to_string()), (CHROMIUM, browser.display().to_string())])
}
