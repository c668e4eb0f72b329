//! The folder for what tests write. Nothing in it outlives the run, so it is in memory if the machine has a RAM disk
//! with room: creating and removing thousands of database files on a disk takes a third of the time of all tests.

use anyhow::{Context as _, Result};
use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const RAM_DISK: &str = "/dev/shm";
/// Five times what all tests together occupy at any time.
const NEEDED_MIB: u64 = 1024;
const PREFIX: &str = "octavo-test-run-";

#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
    in_memory: bool,
}

impl Scratch {
    /// Creates the folder. Durable servers write to the disk below the target folder.
    pub(super) fn new(target: &Path, durable: bool) -> Result<Self> {
        let on_disk = target.join("xtask");
        fs::create_dir_all(&on_disk)?;
        let ram_disk = Path::new(RAM_DISK);
        if durable || free_mib(ram_disk).is_none_or(|free| free < NEEDED_MIB) {
            return Ok(Self { folder: on_disk, in_memory: false });
        }
        remove_abandoned(ram_disk);
        let folder = ram_disk.join(format!("{PREFIX}{}", std::process::id()));
        // The account of a database server has to get to its own folder below.
        let created = fs::DirBuilder::new().mode(0o711).create(&folder);
        created.with_context(|| folder.display().to_string())?;
        Ok(Self { folder, in_memory: true })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes tests put their temporary files here.
    pub(super) fn apply(&self, command: &mut Command) {
        if self.in_memory {
            command.env("TMPDIR", &self.folder);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.in_memory {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The free space of a file system; `None` if there is no such folder, or if `df` does not report it.
fn free_mib(folder: &Path) -> Option<u64> {
    let mut df = Command::new("df");
    let output = df.args(["--output=avail", "--block-size=1M"]).arg(folder).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().nth(1)?.trim().parse().ok()
}

/// Removes the folders of runs that were killed.
fn remove_abandoned(ram_disk: &Path) {
    for entry in fs::read_dir(ram_disk).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn only_folders_of_ended_runs_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let [ended, running, foreign] =
            [format!("{PREFIX}4294967295"), format!("{PREFIX}{}", std::process::id()), "other".to_owned()]
                .map(|name| place.path().join(name));
        for folder in [&ended, &running, &foreign] {
            fs::create_dir(folder).unwrap();
        }
        remove_abandoned(place.path());
        assert_eq!([&ended, &running, &foreign].map(|folder| folder.exists()), [false, true, true]);
    }

    #[test]
    fn a_durable_run_writes_to_the_disk() {
        let target = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(target.path(), true).unwrap();
        assert_eq!(scratch.folder(), target.path().join("xtask"));
        let mut command = Command::new("true");
        scratch.apply(&mut command);
        assert_eq!(command.get_envs().count(), 0);
    }
}
