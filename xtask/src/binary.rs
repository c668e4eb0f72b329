//! The binaries that tests need: `octavo`, which also prints its own description, and the one that keeps the servers
//! that tests share.

use crate::process;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;

pub(crate) const OCTAVO: &str = "octavo";
pub(crate) const TEST_SERVERS: &str = "octavo-test-servers";

/// The binary together with all tests. Cargo unifies the features of everything that it builds at once; a binary that
/// is built alone would compile the larger dependencies a second time, with fewer features.
pub(crate) const WITH_ALL_TESTS: &[&str] = &["--workspace", "--lib", "--bins", "--tests"];
/// The binary alone, for a run that needs few of the tests.
pub(crate) const ALONE: &[&str] = &["--package", OCTAVO];
/// The keeper of shared servers alone, with the same features as the tests of its crate.
pub(crate) const TEST_SERVERS_ALONE: &[&str] = &["--package", "octavo-tests", "--bin", TEST_SERVERS];

/// Builds a debug binary as part of a selection of packages, and returns its path.
pub(crate) fn build(root: &Path, selection: &[&str], name: &str) -> Result<PathBuf> {
    let mut command = process::cargo(root);
    command.arg("build").args(selection).arg("--message-format=json-render-diagnostics");
    eprintln!("$ cargo build {}", selection.join(" "));
    let done = command.stderr(Stdio::inherit()).output()?;
    if !done.status.success() {
        bail!("the build failed");
    }
    executable(&String::from_utf8(done.stdout)?, name).with_context(|| format!("the build made no {name} binary"))
}

fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_binary = |message: &Value| {
        message["target"]["name"] == name
            && message["target"]["kind"][0] == "bin"
            && message["profile"]["test"] == false
    };
    let mut found = messages.filter(is_binary).filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_is_distinguished_from_its_tests_and_from_other_binaries() {
        let messages = r#"{"target":{"name":"octavo","kind":["bin"]},"profile":{"test":true},"executable":"/t/octavo-1"}
not json
{"target":{"name":"xtask","kind":["bin"]},"profile":{"test":false},"executable":"/t/xtask"}
{"target":{"name":"octavo","kind":["bin"]},"profile":{"test":false},"executable":"/t/octavo"}"#;
        assert_eq!(executable(messages, OCTAVO), Some(PathBuf::from("/t/octavo")));
        assert_eq!(executable(messages, "xtask"), Some(PathBuf::from("/t/xtask")));
        assert_eq!(executable("{}", OCTAVO), None);
    }
}
