//! Switches to rotated keys while the server runs.

use crate::{
    data_dir::{DataDir, KeyFile, Keys},
    settings::{JwtKey, Settings},
    wiring,
};
use octavo_app::Engine;
use octavo_ports::access_tokens::AccessTokens;
use std::{sync::Arc, time::Duration};

const LOOK: Duration = Duration::from_millis(500);

/// Replaces the access tokens of the running server.
pub(crate) type ReplaceTokens = Box<dyn Fn(Arc<dyn AccessTokens>) + Send + Sync>;

/// The generated keys to watch.
pub(crate) struct Rotating {
    pub(crate) settings: Settings,
    pub(crate) folder: DataDir,
    pub(crate) origin: String,
    pub(crate) engine: Arc<Engine>,
    pub(crate) replace_tokens: ReplaceTokens,
}

impl Rotating {
    pub(super) async fn run(self) {
        let mut jwt = self.read_keys(KeyFile::Jwt);
        let mut secret = self.read_keys(KeyFile::Secret);
        loop {
            tokio::time::sleep(LOOK).await;
            if self.settings.jwt_key == JwtKey::Generated && self.changed(KeyFile::Jwt, &mut jwt) {
                match wiring::access_tokens(&self.settings, &self.folder, &self.origin) {
                    Ok(tokens) => (self.replace_tokens)(tokens),
                    Err(failure) => {
                        tracing::error!(reason = format!("{failure:#}"), "the new key of access tokens is not in use");
                    }
                }
            }
            if self.settings.secret_keys.is_none() && self.changed(KeyFile::Secret, &mut secret) {
                match wiring::keyring(&self.settings, &self.folder) {
                    Ok(keyring) => self.engine.replace_keyring(keyring),
                    Err(failure) => {
                        tracing::error!(reason = format!("{failure:#}"), "the new secret key is not in use");
                    }
                }
            }
        }
    }

    fn read_keys(&self, file: KeyFile) -> Option<Keys> {
        self.folder.keys(file).ok().flatten()
    }

    /// The file is small, so it is read completely: its modification time is too coarse to distinguish two rotations.
    fn changed(&self, file: KeyFile, known: &mut Option<Keys>) -> bool {
        let found = self.read_keys(file);
        let changed = found.is_some() && found != *known;
        if changed {
            *known = found;
        }
        changed
    }
}
