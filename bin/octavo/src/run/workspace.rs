//! `octavo workspace`: manages workspaces, even while a server is running.

use super::offline::Offline;
use crate::{command::WorkspaceCommand, start::Ready, wiring};
use anyhow::{Context as _, Result, anyhow, bail};
use octavo_app::{Call, Interrupt, workspaces::operator};
use octavo_core_model::{
    Fault, Timestamp,
    fault::Conflict,
    id::WorkspaceId,
    workspace::{Limit, OwnLimits, Workspace, WorkspaceStatus},
};
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal, Write};

/// How many workspaces one view lists.
const PAGE: u32 = 500;

pub(super) async fn run(ready: &Ready, command: &WorkspaceCommand) -> Result<String> {
    match command {
        WorkspaceCommand::List => list(ready).await,
        WorkspaceCommand::SetLimits { id, limits } => set_limits(ready, *id, *limits).await,
        WorkspaceCommand::Delete { id, yes } => delete(ready, *id, *yes).await,
    }
}

async fn list(ready: &Ready) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let mut workspaces: Vec<Workspace> = Vec::new();
    loop {
        let after: Option<WorkspaceId> = workspaces.last().map(|workspace| workspace.id);
        let call = Call::system(wiring::now());
        let page = offline.engine.read(call, move |view| Box::pin(operator::list(view, after, PAGE))).await;
        let page = page.map_err(reason)?;
        let is_last = page.len() < PAGE as usize;
        workspaces.extend(page);
        if is_last {
            break;
        }
    }
    if ready.json {
        let data: Vec<Value> = workspaces.iter().map(workspace_json).collect();
        return Ok(format!("{}\n", json!({ "data": data })));
    }
    let line = |workspace: &Workspace| {
        format!("{}  {:8}  {}  {}\n", workspace.id, status(workspace), workspace.slug, workspace.name)
    };
    Ok(workspaces.iter().map(line).collect())
}

async fn set_limits(ready: &Ready, id: WorkspaceId, limits: OwnLimits) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let workspace = operator::set_limits(&offline.engine, wiring::now(), id, limits).await.map_err(reason)?;
    if ready.json {
        return Ok(format!("{}\n", json!({ "data": workspace_json(&workspace) })));
    }
    let own = own_limits(&workspace);
    let lines = own.iter().map(|(name, limit)| match limit {
        Value::Null => format!("{name}: none\n"),
        limit => format!("{name}: {limit}\n"),
    });
    Ok(lines.collect())
}

async fn delete(ready: &Ready, id: WorkspaceId, yes: bool) -> Result<String> {
    if !yes && !is_confirmed(id)? {
        bail!("nothing was deleted");
    }
    let offline = Offline::open(ready).await?;
    let purge_at = operator::delete(&offline.engine, wiring::now(), id).await.map_err(reason)?;
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "status": "deleting", "scheduledPurgeAt": purge_at } }))
    } else {
        format!("deleted; removed permanently on {purge_at}\n")
    })
}

/// Asks on the terminal. Without one, nobody can confirm.
fn is_confirmed(id: WorkspaceId) -> Result<bool> {
    if !io::stdin().is_terminal() {
        bail!("there is no terminal to confirm on: say --yes");
    }
    let mut terminal = io::stderr();
    write!(terminal, "Type the id once more to delete {id}: ").and_then(|()| terminal.flush()).context("cannot ask")?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).context("cannot ask")?;
    Ok(answer.trim() == id.to_string())
}

fn status(workspace: &Workspace) -> &'static str {
    match workspace.status {
        WorkspaceStatus::Active => "ACTIVE",
        WorkspaceStatus::Deleting { .. } => "DELETING",
    }
}

fn purge_at(workspace: &Workspace) -> Option<Timestamp> {
    match workspace.status {
        WorkspaceStatus::Active => None,
        WorkspaceStatus::Deleting { purge_at } => Some(purge_at),
    }
}

/// Only the limits of the workspace itself; null means no limit.
fn own_limits(workspace: &Workspace) -> Map<String, Value> {
    let OwnLimits { members, databases, storage_bytes } = workspace.limits;
    let set = [("members", members), ("databases", databases), ("storageBytes", storage_bytes)];
    let shown = |limit| match limit {
        Limit::None => Value::Null,
        Limit::AtMost(count) => json!(count),
    };
    set.into_iter().filter_map(|(name, limit)| Some((name.to_owned(), shown(limit?)))).collect()
}

fn workspace_json(workspace: &Workspace) -> Value {
    json!({
        "id": workspace.id,
        "name": workspace.name,
        "slug": workspace.slug,
        "isPersonal": workspace.is_personal,
        "ownerId": workspace.owner,
        "status": status(workspace),
        "scheduledPurgeAt": purge_at(workspace),
        "ownLimits": own_limits(workspace),
        "createdAt": workspace.created_at,
        "updatedAt": workspace.updated_at,
    })
}

fn reason(interrupt: Interrupt) -> anyhow::Error {
    match interrupt {
        Interrupt::Fault(Fault::NotFound) => anyhow!("there is no such workspace"),
        Interrupt::Fault(Fault::Conflict(Conflict::PersonalWorkspace)) => {
            anyhow!("a personal workspace stays as long as its account")
        }
        Interrupt::Fault(Fault::Store(error)) => anyhow!("the database did not take it: {error:?}"),
        other => anyhow!("it did not work: {other:?}"),
    }
}
