//! `octavo migrate`: brings the schema up to date or shows its state.

use crate::{command::Migrate, data_dir::DataDir, start::Ready, wiring};
use anyhow::{Context as _, Result, bail};
use serde_json::json;

pub(super) async fn run(ready: &Ready, migrate: Migrate) -> Result<String> {
    let url = wiring::database_url(&ready.settings);
    match migrate {
        Migrate::Apply => {
            DataDir::create(&ready.settings.data_dir)?;
            let taken = octavo_storage::migrate(url.expose()).await;
            let taken = taken.context("cannot bring the database up to date")?;
            Ok(if ready.json {
                format!("{}\n", json!({ "data": { "applied": taken } }))
            } else if taken.is_empty() {
                "up to date\n".to_owned()
            } else {
                taken.iter().flat_map(|step| ["applied ", step, "\n"]).collect()
            })
        }
        Migrate::Distribute { dry_run } => {
            let statements = octavo_storage::distribute(url.expose(), dry_run).await;
            let statements = statements?;
            Ok(if ready.json {
                let key = if dry_run { "planned" } else { "run" };
                format!("{}\n", json!({ "data": { key: statements } }))
            } else if statements.is_empty() {
                "every table is distributed\n".to_owned()
            } else {
                statements.iter().flat_map(|statement| [statement, ";\n"]).collect()
            })
        }
        Migrate::Status => {
            let status = octavo_storage::migration_status(url.expose()).await;
            let status = status.context("cannot read the schema")?;
            let text = if ready.json {
                format!(
                    "{}\n",
                    json!({ "data": {
                    "applied": status.applied, "pending": status.pending, "unknown": status.unknown,
                } })
                )
            } else {
                let line = |word: &'static str| move |step: &String| format!("{word} {step}\n");
                let pending = status.pending.iter().map(line("pending"));
                let unknown = status.unknown.iter().map(line("of a newer release"));
                let open: String = pending.chain(unknown).collect();
                if open.is_empty() { "up to date\n".to_owned() } else { open }
            };
            if status.pending.is_empty() && status.unknown.is_empty() {
                return Ok(text);
            }
            super::print(&text)?;
            bail!("the database is not up to date")
        }
    }
}
