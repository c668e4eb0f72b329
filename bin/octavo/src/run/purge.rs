//! `octavo purge`: what is past its time goes now.

use super::{Failure, offline::Offline};
use crate::{parts, start::Ready};
use octavo_app::chores;
use serde_json::json;

pub(super) async fn run(ready: &Ready, dry_run: bool) -> Result<String, Failure> {
    let offline = Offline::open(ready).await?;
    let due = chores::purge(&offline.engine, parts::now(), dry_run).await;
    let due = due.map_err(|stop| Failure(format!("it did not work: {stop:?}")))?;
    let counts = [
        ("accounts", due.accounts),
        ("workspaces", due.workspaces),
        ("events", due.rows.events),
        ("sessions", due.rows.sessions),
        ("refreshTokens", due.rows.refresh_tokens),
        ("oneTimeTokens", due.rows.one_time_tokens),
        ("idempotentReplies", due.rows.replies),
        ("origins", due.rows.origins),
    ];
    if ready.json {
        let data: serde_json::Map<_, _> =
            counts.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect();
        return Ok(format!("{}\n", json!({ "data": data })));
    }
    let lines: Vec<_> = counts.iter().map(|(name, count)| format!("{name}: {count}\n")).collect();
    Ok(lines.concat())
}
