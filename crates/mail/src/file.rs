//! Mail as files: one `.eml` file for each letter.

use crate::{letterhead::Letterhead, message::compose};
use async_trait::async_trait;
use octavo_core_model::{id::JobId, mail::Letter};
use octavo_ports::mailer::{MailFailure, Mailer};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

static DRAFTS: AtomicU64 = AtomicU64::new(0);

/// Writes letters to a folder, which is created if it is missing.
#[derive(Clone, Debug)]
pub struct FileMailer {
    folder: PathBuf,
    letterhead: Letterhead,
}

impl FileMailer {
    pub fn new(folder: PathBuf, letterhead: Letterhead) -> Self {
        Self { folder, letterhead }
    }
}

#[async_trait]
impl Mailer for FileMailer {
    async fn send(&self, job: JobId, letter: &Letter) -> Result<(), MailFailure> {
        let message = compose(job, letter, &self.letterhead)?.formatted();
        let folder = self.folder.clone();
        let later = |reason: &str| MailFailure::Later(format!("the mail folder cannot be written: {reason}"));
        tokio::task::spawn_blocking(move || put(&folder, job, &message))
            .await
            .map_err(|_| later("shutting down"))?
            // Only the kind, because the whole error can contain the path.
            .map_err(|error| later(&error.kind().to_string()))
    }

    async fn probe(&self) -> bool {
        let folder = self.folder.clone();
        tokio::task::spawn_blocking(move || is_writable(&folder).is_ok()).await.unwrap_or(false)
    }
}

/// Writes a message to the folder completely or not at all, even if the power fails.
fn put(folder: &Path, job: JobId, message: &[u8]) -> io::Result<()> {
    let target = folder.join(format!("{job}.eml"));
    if target.try_exists()? {
        return Ok(()); // This job wrote it before and was cut off before it could say so.
    }
    make_folder(folder)?;
    // A unique name: if a job runs twice at the same time, neither run writes to the other's draft.
    let draft = folder.join(format!(".{job}.{}-{}.part", std::process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed)));
    let mut file = create(&draft)?;
    file.write_all(message)?;
    file.sync_all()?;
    fs::rename(&draft, &target)?;
    File::open(folder)?.sync_all()
}

fn is_writable(folder: &Path) -> io::Result<()> {
    make_folder(folder)?;
    let path = folder.join(".probe");
    create(&path)?;
    match fs::remove_file(&path) {
        // Another probe at the same time has removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

// Letters contain tokens that give access to accounts, so only the service's own user may read them.

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(unix)]
fn create(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(folder)
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).open(path)
}
