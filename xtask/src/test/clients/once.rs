//! Installs packages once for each list of packages.

use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;

/// Installs into a folder, unless that was done for the same list. A later run then needs no registry.
pub(super) fn install(list: &Path, folder: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let wanted = fs::read(list).with_context(|| list.display().to_string())?;
    let name = list.file_name().context("a list is a file")?.display();
    let done = folder.join(format!("{name}.installed"));
    if fs::read(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    install()?;
    fs::write(done, wanted)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_list_is_installed_again_only_when_it_changes_or_failed() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let count = Cell::new(0);
        let counted = || {
            install(&list, folder.path(), || {
                count.set(count.get() + 1);
                Ok(())
            })
        };
        assert!(counted().is_err(), "there is no list");
        fs::write(&list, "a 1").unwrap();
        assert!(install(&list, folder.path(), || anyhow::bail!("no registry")).is_err());
        for _ in 0..2 {
            counted().unwrap();
        }
        assert_eq!(count.get(), 1);
        fs::write(&list, "a 2").unwrap();
        counted().unwrap();
        assert_eq!(count.get(), 2);
    }
}
