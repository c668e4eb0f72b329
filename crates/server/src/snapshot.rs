//! Snapshots of texts that must not change unnoticed; they are checked in beside the tests.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a failed unwrap is a failed test, and whoever runs it says by a variable that the new text is right"
)]

use std::{env, fs, path::Path};

/// Compares a text with `snapshots/<name>`. With `OCTAVO_ACCEPT=1`, replaces the snapshot.
pub(crate) fn check(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(name);
    if env::var_os("OCTAVO_ACCEPT").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (old, new))) =
        expected.lines().chain([""]).zip(found.lines().chain([""])).enumerate().find(|(_, (old, new))| old != new)
    {
        panic!("{name} differs in line {}:\n  was {old}\n  now {new}\nOCTAVO_ACCEPT=1 takes the new text", line + 1);
    }
}
