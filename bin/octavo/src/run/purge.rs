//! `octavo purge`: removes what has expired, now.

use super::offline::Offline;
use crate::{start::Ready, wiring};
use anyhow::{Result, anyhow};
use octavo_app::chores;
use serde_json::json;

pub(super) async fn run(ready: &Ready, dry_run: bool) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let due = chores::purge(&offline.engine, &*offline.blobs, wiring::now(), dry_run).await;
    let due = due.map_err(|interrupt| anyhow!("it did not work: {interrupt:?}"))?;
    let counts = [
        ("accounts", due.accounts),
        ("workspaces", due.workspaces),
        ("pages", due.pages),
        ("addressGrants", due.address_grants),
        ("events", due.rows.events),
        ("auditEntries", due.audit_entries),
        ("jobs", due.rows.jobs),
        ("jobResults", due.job_results),
        ("apiKeys", due.rows.api_keys),
        ("notifications", due.rows.notifications),
        ("sessions", due.rows.sessions),
        ("refreshTokens", due.rows.refresh_tokens),
        ("browserSessions", due.rows.browser_sessions),
        ("oneTimeTokens", due.rows.one_time_tokens),
        ("idempotentReplies", due.rows.replies),
        ("origins", due.rows.origins),
        ("appTokens", due.rows.app_tokens),
        ("grants", due.rows.grants),
    ];
    if ready.json {
        let data: serde_json::Map<_, _> =
            counts.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect();
        return Ok(format!("{}\n", json!({ "data": data })));
    }
    let lines: Vec<_> = counts.iter().map(|(name, count)| format!("{name}: {count}\n")).collect();
    Ok(lines.concat())
}
