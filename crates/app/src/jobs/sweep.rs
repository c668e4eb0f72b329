//! Removing results of jobs when they expire.

use crate::{due, engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{Fault, StoreError, Timestamp, id::JobId, job::JobOwner};
use octavo_ports::blobs::{BlobFolder, Blobs};

/// Removes the bytes of jobs that have expired, and returns the number of jobs. The bytes are removed before the row
/// is updated, so an interrupted run is simply repeated.
pub async fn remove_due_bytes(engine: &Engine, blobs: &dyn Blobs, now: Timestamp) -> AppResult<u64> {
    let mut removed = 0;
    loop {
        let due = engine
            .chore(now, move |unit| Box::pin(async move { Ok(unit.tx.jobs().list_due_bytes(now, due::BATCH).await?) }))
            .await?;
        for (owner, id) in &due {
            let (owner, id) = (*owner, *id);
            // The failure was logged where it happened.
            blobs.remove(BlobFolder::Job(owner, id)).await.map_err(|_| Fault::Store(StoreError::Unavailable))?;
            engine.chore(now, move |unit| Box::pin(note(unit, owner, id))).await?;
            removed += 1;
        }
        if due.len() < due::BATCH as usize {
            return Ok(removed);
        }
    }
}

async fn note(unit: &mut Unit, owner: JobOwner, id: JobId) -> AppResult<()> {
    if let Some(mut job) = unit.tx.jobs().lock(owner, id).await? {
        job.bytes_until = None;
        unit.tx.jobs().save(&job).await?;
    }
    Ok(())
}
