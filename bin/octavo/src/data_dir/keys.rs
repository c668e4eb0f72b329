//! Generated keys: one file for each kind, with the present key first, then the replaced ones and when they were
//! replaced.
//!
//! ```text
//! Wm9v...                           the present key
//! QmFy... 2026-11-21T10:00:00.000Z  a key that was replaced then
//! ```

use super::{DataDir, DataDirFault, lock};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_core_model::{Secret, Timestamp};
use octavo_ports::random::Random;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

/// The kind of generated keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFile {
    /// Signs access tokens.
    Jwt,
    /// Encrypts stored secrets and signs cursors.
    Secret,
}

impl KeyFile {
    const fn name(self) -> &'static str {
        match self {
            Self::Jwt => "jwt.secret",
            Self::Secret => "secret.key",
        }
    }
}

/// A generated key and its predecessors, the latest first. The bytes of its text are the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    pub current: Secret<String>,
    pub retired: Vec<RetiredKey>,
}

/// A key that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetiredKey {
    pub key: Secret<String>,
    pub at: Timestamp,
}

/// Serializes the creation of keys; readers need no lock, because files are replaced atomically.
const LOCK: &str = "keys.lock";

/// Generated keys are at least this long, so that a truncated file is noticed.
const SHORTEST: usize = 32;

impl DataDir {
    /// The keys, if they were generated already.
    pub fn keys(&self, file: KeyFile) -> Result<Option<Keys>, DataDirFault> {
        let path = self.path.join(file.name());
        match fs::read_to_string(&path) {
            Ok(text) => Keys::parse(&text).map(Some).ok_or(DataDirFault::BrokenKeys(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DataDirFault::io("read", &path)(error)),
        }
    }

    /// The keys, which are generated on first use.
    pub fn keys_or_generate(&self, file: KeyFile, random: &mut dyn Random) -> Result<Keys, DataDirFault> {
        if let Some(keys) = self.keys(file)? {
            return Ok(keys);
        }
        self.change(file, |keys| keys.unwrap_or_else(|| Keys { current: fresh(random), retired: Vec::new() }))
    }

    /// Adds a new key before the others. The data folder must already have the file.
    pub fn rotate(&self, file: KeyFile, random: &mut dyn Random, now: Timestamp) -> Result<Keys, DataDirFault> {
        self.change(file, |keys| match keys {
            None => Keys { current: fresh(random), retired: Vec::new() },
            Some(Keys { current, mut retired }) => {
                retired.insert(0, RetiredKey { key: current, at: now });
                Keys { current: fresh(random), retired }
            }
        })
    }

    /// Removes the keys that were replaced before `limit`.
    pub fn forget_retired(&self, file: KeyFile, limit: Timestamp) -> Result<(), DataDirFault> {
        let Some(keys) = self.keys(file)?.filter(|keys| keys.retired.iter().any(|old| old.at < limit)) else {
            return Ok(());
        };
        self.change(file, |now| {
            let mut keys = now.unwrap_or(keys);
            keys.retired.retain(|old| old.at >= limit);
            keys
        })?;
        Ok(())
    }

    fn change(&self, file: KeyFile, change: impl FnOnce(Option<Keys>) -> Keys) -> Result<Keys, DataDirFault> {
        let lock_path = self.path.join(LOCK);
        let lock = lock::open_lock(&lock_path)?;
        lock.lock().map_err(DataDirFault::io("lock", &lock_path))?;
        let changed = change(self.keys(file)?);
        let path = self.path.join(file.name());
        replace(&self.path, &path, &changed.text()).map_err(DataDirFault::io("write", &path))?;
        // What others will read decides.
        self.keys(file)?.filter(|written| *written == changed).ok_or(DataDirFault::BrokenKeys(path))
    }
}

fn fresh(random: &mut dyn Random) -> Secret<String> {
    Secret::new(URL_SAFE_NO_PAD.encode(random.bytes::<32>()))
}

/// A reader finds the old file or the new one, never a part, even if the power fails.
fn replace(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let temporary = path.with_extension("new");
    // Remove the leftover of a crash, so that the new file gets its mode.
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(folder)?.sync_all()
}

impl Keys {
    fn text(&self) -> String {
        let retired = self.retired.iter().map(|old| format!("{} {}\n", old.key.expose(), old.at));
        format!("{}\n{}", self.current.expose(), retired.collect::<String>())
    }

    fn parse(text: &str) -> Option<Self> {
        let key = |text: &str| (text.len() >= SHORTEST).then(|| Secret::new(text.to_owned()));
        let mut lines = text.lines();
        let current = lines.next().filter(|line| !line.contains(char::is_whitespace)).and_then(key)?;
        let retired = lines.map(|line| {
            let (old, at) = line.split_once(' ')?;
            Some(RetiredKey { key: key(old)?, at: Timestamp::parse(at).ok()? })
        });
        Some(Self { current, retired: retired.collect::<Option<_>>()? })
    }
}
