//! Tests that were skipped because a service was missing: they record that in a file, because a test can only pass or
//! fail.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Names the file to which a skipped test appends one line: the service and its own name.
pub(crate) const VARIABLE: &str = "OCTAVO_TEST_SKIPPED_FILE";

#[derive(Debug)]
pub(crate) struct Skipped {
    file: PathBuf,
}

impl Skipped {
    /// Removes the file of the previous run.
    pub(crate) fn new(scratch: &Path) -> Result<Self> {
        fs::create_dir_all(scratch)?;
        let file = scratch.join("skipped-tests");
        fs::write(&file, "")?;
        Ok(Self { file })
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    pub(crate) fn report(&self, slow: bool) -> Result<String> {
        Ok(report(&fs::read_to_string(&self.file)?, slow))
    }
}

fn report(lines: &str, slow: bool) -> String {
    let mut by_want = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (want, test) in lines.lines().filter_map(|line| line.split_once(' ')) {
        by_want.entry(want).or_default().insert(test);
    }
    let mut text = String::new();
    for (want, tests) in by_want {
        text.extend([format!("  not run for want of {want}: {} tests\n", tests.len())]);
        text.extend(tests.into_iter().map(|test| format!("    {test}\n")));
    }
    if !slow {
        text += "  not run without --slow: the long versions of some tests\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_listed_once_under_what_they_lacked() {
        let lines = "redis counters::a\npostgres storage::b\nredis counters::c\nredis counters::a\n";
        let expected = "  not run for want of postgres: 1 tests\n    storage::b\n  \
                        not run for want of redis: 2 tests\n    counters::a\n    counters::c\n";
        assert_eq!(report(lines, true), expected);
    }

    #[test]
    fn a_complete_run_has_nothing_to_report() {
        assert_eq!(report("", true), "");
        assert!(report("", false).contains("--slow"));
    }
}
