//! `octavo keys rotate`: creates new keys, even while a server is running.

use super::offline::Offline;
use crate::{
    command::RotatedKey,
    data_dir::{DataDir, KeyFile},
    settings::{JwtKey, Settings},
    start::Ready,
    wiring,
};
use anyhow::{Context as _, Result, anyhow, bail};
use octavo_app::reseal;
use octavo_credentials::OsRandom;
use serde_json::json;
use std::time::Duration;

/// How long running servers take to notice a new key. Until then they seal with the old one.
const NOTICED: Duration = Duration::from_millis(1200);

pub(super) async fn run(ready: &Ready, key: RotatedKey) -> Result<String> {
    match key {
        RotatedKey::Jwt => rotate_jwt(ready),
        RotatedKey::Secret => rotate_secret(ready).await,
    }
}

fn rotate_jwt(ready: &Ready) -> Result<String> {
    let setting = match ready.settings.jwt_key {
        JwtKey::Generated => None,
        JwtKey::Shared(_) => Some("OCTAVO_JWT_SECRET"),
        JwtKey::Rsa(_) => Some("OCTAVO_JWT_PRIVATE_KEY_FILE"),
    };
    if let Some(setting) = setting {
        bail!("the key comes from {setting}: change it there and restart");
    }
    let folder = existing_folder(&ready.settings)?;
    if folder.keys(KeyFile::Jwt)?.is_none() {
        bail!("no key was generated yet: a server makes it on its first start");
    }
    folder.rotate(KeyFile::Jwt, &mut OsRandom, wiring::now())?;
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "rotated": "jwt" } }))
    } else {
        "new access tokens are signed with a new key; those of the old one stay good until they expire\n".to_owned()
    })
}

async fn rotate_secret(ready: &Ready) -> Result<String> {
    if ready.settings.secret_keys.is_none() {
        let folder = existing_folder(&ready.settings)?;
        if folder.keys(KeyFile::Secret)?.is_none() {
            bail!("no key was generated yet: a server makes it on its first start");
        }
        folder.rotate(KeyFile::Secret, &mut OsRandom, wiring::now())?;
        tokio::time::sleep(NOTICED).await;
    }
    let offline = Offline::open(ready).await?;
    let resealed = reseal::reseal(&offline.engine, wiring::now()).await;
    let rows = resealed.map_err(|interrupt| anyhow!("stored secrets were not re-encrypted: {interrupt:?}"))?;
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "rotated": "secret", "resealed": rows } }))
    } else {
        format!("re-encrypted {rows} stored secrets\n")
    })
}

fn existing_folder(settings: &Settings) -> Result<DataDir> {
    DataDir::existing(&settings.data_dir)
        .with_context(|| format!("there is no data folder at {}", settings.data_dir.display()))
}
