//! The folder of the search index within the data folder.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// Where a node keeps its index, and where one is made that will replace it.
#[derive(Clone, Debug)]
pub(crate) struct SearchFolder(PathBuf);

/// How far a rebuild is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RebuildProgress {
    pub(crate) done: usize,
    pub(crate) of: usize,
}

/// What has become of a rebuild that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RebuildState {
    Waits,
    Runs(RebuildProgress),
    /// It has ended, or nobody has asked for one.
    Over,
}

impl SearchFolder {
    pub(crate) fn within(data_dir: &Path) -> Self {
        Self(data_dir.join("search"))
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.0.join("index")
    }

    /// The new index of a rebuild.
    pub(crate) fn next_index(&self) -> PathBuf {
        self.0.join("next-index")
    }

    /// The file that asks for a rebuild. It has the progress, and is removed at the end.
    fn rebuild(&self) -> PathBuf {
        self.0.join("rebuild")
    }

    pub(crate) fn is_rebuild_wanted(&self) -> bool {
        self.rebuild().exists()
    }

    pub(crate) fn ask_for_rebuild(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        fs::write(self.rebuild(), "")
    }

    pub(crate) fn rebuild_state(&self) -> io::Result<RebuildState> {
        let text = match fs::read_to_string(self.rebuild()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(RebuildState::Over),
            text => text?,
        };
        let numbers = text.split_once('/').map(|(done, of)| (done.parse(), of.parse()));
        Ok(match numbers {
            Some((Ok(done), Ok(of))) => RebuildState::Runs(RebuildProgress { done, of }),
            _ => RebuildState::Waits,
        })
    }

    pub(crate) fn note_rebuild(&self, progress: RebuildProgress) -> io::Result<()> {
        fs::write(self.rebuild(), format!("{}/{}", progress.done, progress.of))
    }

    pub(crate) fn end_rebuild(&self) -> io::Result<()> {
        absent(fs::remove_file(self.rebuild()))
    }

    pub(crate) fn remove_next_index(&self) -> io::Result<()> {
        absent(fs::remove_dir_all(self.next_index()))
    }
}

/// Removing what is not there is no error.
fn absent(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
