//! Removing entries that are older than the retention of their trail.

use crate::{engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{Timestamp, event::Chain, settings::Settings, time::days};
use std::time::Duration;

/// How many entries one unit removes.
const PORTION: u32 = 1000;
const CHAINS_AT_ONCE: u32 = 100;

/// Prunes every trail that is due, oldest entries first, and returns the number of removed entries.
pub async fn prune_due(engine: &Engine, now: Timestamp) -> AppResult<u64> {
    let mut pruned = 0;
    loop {
        let due = engine
            .chore(now, move |unit| {
                Box::pin(async move { Ok(unit.tx.audits().list_due_prunings(now, CHAINS_AT_ONCE).await?) })
            })
            .await?;
        for chain in &due {
            let chain = *chain;
            pruned += engine.chore(now, move |unit| Box::pin(prune(unit, chain))).await?;
        }
        if due.is_empty() {
            return Ok(pruned);
        }
    }
}

/// Counts the entries that are due for removal without removing them.
pub async fn count_due(engine: &Engine, now: Timestamp) -> AppResult<u64> {
    engine.chore(now, move |unit| Box::pin(count(unit))).await
}

async fn count(unit: &mut Unit) -> AppResult<u64> {
    let mut old = 0;
    for chain in unit.tx.audits().list_due_prunings(unit.call.now, u32::MAX).await? {
        let before = unit.call.now.minus(retention(unit, chain).await?);
        old += unit.tx.audits().count_old_entries(chain, before).await?;
    }
    Ok(old)
}

/// Prunes one batch of one trail. If more is left, the trail stays due.
async fn prune(unit: &mut Unit, chain: Chain) -> AppResult<u64> {
    let kept_for = retention(unit, chain).await?;
    Ok(unit.tx.audits().prune_entries(chain, unit.call.now, kept_for, PORTION).await?)
}

async fn retention(unit: &mut Unit, chain: Chain) -> AppResult<Duration> {
    let kept = match chain {
        Chain::Workspace(id) => {
            unit.tx.workspaces().find(id).await?.map(|found| found.settings.audit_log_retention_days())
        }
        Chain::User(_) | Chain::Deployment => None,
    };
    Ok(days(kept.unwrap_or(Settings::AUDIT_LOG_RETENTION_DAYS).into()))
}
