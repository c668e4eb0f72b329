//! Tables that must not change unnoticed: checked-in texts for review.

#![allow(
    clippy::disallowed_methods,
    reason = "tests compare with a file, and a variable says that the new text is right"
)]

use std::{env, fs, path::Path};

/// Compares a text with `snapshots/<name>`. With `OCTAVO_ACCEPT=1`, replaces the snapshot.
pub(super) fn check(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(name);
    if env::var_os("OCTAVO_ACCEPT").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let differing =
        expected.lines().chain([""]).zip(found.lines().chain([""])).enumerate().find(|(_, (old, new))| old != new);
    if let Some((line, (old, new))) = differing {
        panic!("{name} differs in line {}:\n  was {old}\n  now {new}\nOCTAVO_ACCEPT=1 takes the new text", line + 1);
    }
}
