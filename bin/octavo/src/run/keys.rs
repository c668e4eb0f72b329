//! `octavo keys rotate`: creates new keys, beside a running server.

use super::{Failure, offline::Offline};
use crate::{
    command::RotatedKey,
    data_dir::{DataDir, DataDirFault, KeyFile},
    settings::{JwtKey, Settings},
    start::Ready,
    wiring,
};
use octavo_app::reseal;
use octavo_credentials::OsRandom;
use serde_json::json;
use std::time::Duration;

/// How long running servers take to notice a new key. Until then they seal with the old one.
const NOTICED: Duration = Duration::from_millis(1200);

pub(super) async fn run(ready: &Ready, key: RotatedKey) -> Result<String, Failure> {
    match key {
        RotatedKey::Jwt => rotate_jwt(ready),
        RotatedKey::Secret => rotate_secret(ready).await,
    }
}

fn rotate_jwt(ready: &Ready) -> Result<String, Failure> {
    let setting = match ready.settings.jwt_key {
        JwtKey::Generated => None,
        JwtKey::Shared(_) => Some("OCTAVO_JWT_SECRET"),
        JwtKey::Rsa(_) => Some("OCTAVO_JWT_PRIVATE_KEY_FILE"),
    };
    if let Some(setting) = setting {
        return Err(Failure(format!("the key comes from {setting}: change it there and restart")));
    }
    let folder = existing_folder(&ready.settings)?;
    if folder.keys(KeyFile::Jwt).map_err(told)?.is_none() {
        return Err(Failure("no key was generated yet: a server makes it on its first start".to_owned()));
    }
    folder.rotate(KeyFile::Jwt, &mut OsRandom, wiring::now()).map_err(told)?;
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "rotated": "jwt" } }))
    } else {
        "new access tokens are signed with a new key; those of the old one stay good until they expire\n".to_owned()
    })
}

async fn rotate_secret(ready: &Ready) -> Result<String, Failure> {
    if ready.settings.secret_keys.is_none() {
        let folder = existing_folder(&ready.settings)?;
        if folder.keys(KeyFile::Secret).map_err(told)?.is_none() {
            return Err(Failure("no key was generated yet: a server makes it on its first start".to_owned()));
        }
        folder.rotate(KeyFile::Secret, &mut OsRandom, wiring::now()).map_err(told)?;
        tokio::time::sleep(NOTICED).await;
    }
    let offline = Offline::open(ready).await?;
    let resealed = reseal::reseal(&offline.engine, wiring::now()).await;
    let rows = resealed.map_err(|interrupt| Failure(format!("stored secrets were not re-encrypted: {interrupt:?}")))?;
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "rotated": "secret", "resealed": rows } }))
    } else {
        format!("re-encrypted {rows} stored secrets\n")
    })
}

fn existing_folder(settings: &Settings) -> Result<DataDir, Failure> {
    DataDir::existing(&settings.data_dir)
        .ok_or_else(|| Failure(format!("there is no data folder at {}", settings.data_dir.display())))
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn told(fault: DataDirFault) -> Failure {
    Failure(fault.to_string())
}
