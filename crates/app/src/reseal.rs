//! Encrypting sealed rows again with a new secret.

use crate::{engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{Fault, Timestamp};
use octavo_ports::sealed::SealedPlace;

/// How many rows are in memory at a time.
const BATCH: u32 = 200;

/// Reseals every sealed row with the newest secret of the keyring, in one transaction, and returns the number of
/// rows.
///
/// It fails if no secret in the list opens a row: once that secret is forgotten, the row would be lost.
pub async fn reseal(engine: &Engine, now: Timestamp) -> AppResult<u64> {
    engine.chore(now, |unit| Box::pin(all(unit))).await
}

async fn all(unit: &mut Unit) -> AppResult<u64> {
    let mut after: Option<SealedPlace> = None;
    let mut resealed = 0;
    loop {
        let rows = unit.tx.sealed().list(after.as_ref(), BATCH).await?;
        let Some(last) = rows.last() else { return Ok(resealed) };
        after = Some(last.place.clone());
        for mut row in rows {
            let associated = match &row.place {
                SealedPlace::Chore(_, id) => id.to_string(),
                SealedPlace::Reply(key) => key.principal.clone(),
                SealedPlace::SigningKey(purpose) => purpose.name().to_owned(),
                SealedPlace::ShareLink(_, id) => id.to_string(),
            };
            let renewed = unit.reseal(associated.as_bytes(), &row.sealed);
            let renewed = renewed.map_err(|_| Fault::Internal("a sealed row opens with none of the listed secrets"))?;
            if let Some(sealed) = renewed {
                row.sealed = sealed;
                unit.tx.sealed().replace(&row).await?;
                resealed += 1;
            }
        }
    }
}
