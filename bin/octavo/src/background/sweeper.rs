//! Removes what has expired.

use super::failure::warn_unless_outage;
use crate::{
    data_dir::{DataDir, KeyFile},
    wiring,
};
use octavo_app::{AppResult, Engine, chores};
use octavo_core_model::{claims::ACCESS_TOKEN_LIFE, time::days};
use octavo_ports::blobs::Blobs;
use std::{sync::Arc, time::Duration};

/// Everything is removed within an hour; a shorter interval keeps the batches small.
const EVERY: Duration = Duration::from_mins(10);

/// How long a replaced secret key can still open cursors.
const SECRET_MEMORY: Duration = days(1);

pub(super) async fn run(engine: Arc<Engine>, blobs: Arc<dyn Blobs>, folder: DataDir) {
    loop {
        forget_old_keys(&folder);
        if let Err(interrupt) = sweep(&engine, &*blobs).await {
            warn_unless_outage!(interrupt, ?interrupt, "the sweep did not finish");
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn sweep(engine: &Engine, blobs: &dyn Blobs) -> AppResult<()> {
    let gone = chores::purge(engine, blobs, wiring::now(), false).await?;
    if gone.accounts > 0 || gone.workspaces > 0 {
        tracing::info!(accounts = gone.accounts, workspaces = gone.workspaces, "removed what was deleted");
    }
    if gone.audit_entries > 0 {
        tracing::info!(entries = gone.audit_entries, "removed old entries of audit trails");
    }
    Ok(())
}

fn forget_old_keys(folder: &DataDir) {
    // Twice the life of a token is more than any allowed difference of clocks.
    for (file, memory) in [(KeyFile::Jwt, 2 * ACCESS_TOKEN_LIFE), (KeyFile::Secret, SECRET_MEMORY)] {
        if let Err(fault) = folder.forget_retired(file, wiring::now().minus(memory)) {
            tracing::warn!(reason = fault.to_string(), "old keys stay in their file");
        }
    }
}
