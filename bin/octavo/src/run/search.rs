//! `octavo search`: makes the search index of this node anew, or compares it with the store.

use super::{offline::Offline, print};
use crate::{
    background::search::{Follower, at_once},
    data_dir::{DataDir, DataDirFault},
    search_folder::{RebuildProgress, RebuildState, SearchFolder},
    start::Ready,
    wiring,
};
use anyhow::{Context as _, Result, anyhow, bail};
use octavo_app::search::indexing::{self, Comparison, Obstacle};
use octavo_core_model::id::WorkspaceId;
use octavo_ports::search::UnitKey;
use octavo_search_index::TextIndex;
use serde_json::json;
use std::{collections::BTreeSet, fmt::Write as _, sync::Arc, time::Duration};
use tokio::time::sleep;

/// How often the progress of a running server is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// How long a change may take to reach the index.
const FRESH: Duration = Duration::from_millis(1_500);

/// How many units of each kind of difference are named.
const NAMED: usize = 20;

/// Makes the index anew: by the running server if there is one, so that searches go on, and otherwise here.
pub(super) async fn rebuild(ready: &Ready) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let data_dir = DataDir::create(&ready.settings.data_dir)?;
    let folder = SearchFolder::within(data_dir.path());
    let workspaces = match data_dir.lock_for_server() {
        Ok(_held) => rebuild_here(offline, &folder, ready.json).await?,
        Err(DataDirFault::Held { .. }) => watch_server(&folder, ready.json).await?,
        Err(fault) => return Err(fault.into()),
    };
    Ok(if ready.json {
        format!("{}\n", json!({ "data": { "workspaces": workspaces } }))
    } else {
        format!("indexed {workspaces} workspaces\n")
    })
}

async fn rebuild_here(offline: Offline, folder: &SearchFolder, json: bool) -> Result<usize> {
    folder.remove_next_index()?;
    let next = Arc::new(TextIndex::in_folder(folder.next_index()));
    at_once(&next, TextIndex::open).await.context("the new index cannot be made")?;
    let mut follower = Follower::new(Arc::new(offline.engine), Arc::clone(&next));
    let mut shown = Shown::new(json);
    let workspaces = follower.look().await.context("the event logs cannot be read")?;
    while follower.has_work() {
        follower.step().await;
        let done = workspaces.saturating_sub(follower.unfinished());
        shown.show(RebuildProgress { done, of: workspaces })?;
    }
    at_once(&next, TextIndex::rest).await.context("the new index cannot be written")?;
    drop((follower, next));
    let index = Arc::new(TextIndex::in_folder(folder.index()));
    let by = folder.next_index();
    at_once(&index, move |index| index.replace_by(&by)).await.context("the old index cannot be replaced")?;
    folder.end_rebuild()?;
    Ok(workspaces)
}

/// Asks the running server, and shows how far it is.
async fn watch_server(folder: &SearchFolder, json: bool) -> Result<usize> {
    folder.ask_for_rebuild().context("the server cannot be asked")?;
    let (mut shown, mut workspaces) = (Shown::new(json), 0);
    loop {
        match folder.rebuild_state()? {
            RebuildState::Waits => {}
            RebuildState::Runs(progress) => {
                workspaces = progress.of;
                shown.show(progress)?;
            }
            RebuildState::Over => return Ok(workspaces),
        }
        sleep(LOOK).await;
    }
}

/// Prints each step of the progress once.
struct Shown {
    last: Option<RebuildProgress>,
    json: bool,
}

impl Shown {
    const fn new(json: bool) -> Self {
        Self { last: None, json }
    }

    fn show(&mut self, progress: RebuildProgress) -> Result<()> {
        if self.last.replace(progress) == Some(progress) || self.json {
            return Ok(());
        }
        print(&format!("{} of {} workspaces\n", progress.done, progress.of))
    }
}

/// Compares the index with the store. Fails if they differ.
pub(super) async fn verify(ready: &Ready) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let folder = SearchFolder::within(&ready.settings.data_dir);
    if !folder.index().is_dir() {
        bail!("there is no search index in {}: start octavo serve once", folder.index().display());
    }
    let index = Arc::new(TextIndex::in_folder(folder.index()));
    at_once(&index, TextIndex::open_to_read).await.context("the search index cannot be opened")?;
    let mut found = Comparison::default();
    let (mut workspaces, mut after) = (0, None);
    loop {
        let some = indexing::list_ends(&offline.engine, after, 500, wiring::now()).await;
        let some = some.map_err(|interrupt| anyhow!("the event logs cannot be read: {interrupt:?}"))?;
        let Some((last, _)) = some.last() else { break };
        after = Some(*last);
        for (workspace, _) in &some {
            found.add(verify_one(&offline, &index, *workspace).await?);
            workspaces += 1;
        }
    }
    report(ready.json, workspaces, &found)
}

/// Compares a workspace. If something differs, it is compared once more after a moment: the rest are changes that are
/// being indexed.
async fn verify_one(offline: &Offline, index: &Arc<TextIndex>, workspace: WorkspaceId) -> Result<Comparison> {
    let compare = || async {
        let compared = indexing::compare(&offline.engine, &**index, workspace, wiring::now()).await;
        compared.map_err(|obstacle| match obstacle {
            Obstacle::Interrupt(interrupt) => anyhow!("{workspace} cannot be read: {interrupt:?}"),
            Obstacle::Index(failure) => anyhow!("the search index cannot be read: {failure}"),
        })
    };
    let first = compare().await?;
    if first.is_clean() {
        return Ok(first);
    }
    sleep(FRESH).await;
    at_once(index, TextIndex::reload).await.context("the search index cannot be read again")?;
    Ok(first.and(&compare().await?))
}

fn report(json: bool, workspaces: usize, found: &Comparison) -> Result<String> {
    let kinds = [("missing", &found.missing), ("stale", &found.stale), ("superfluous", &found.superfluous)];
    let named = |units: &BTreeSet<UnitKey>| units.iter().take(NAMED).map(ToString::to_string).collect::<Vec<_>>();
    let text = if json {
        let kinds: serde_json::Map<_, _> = kinds
            .iter()
            .map(|(kind, units)| ((*kind).to_owned(), json!({ "count": units.len(), "ids": named(units) })))
            .collect();
        format!("{}\n", json!({ "data": { "workspaces": workspaces, "units": found.units, "differences": kinds } }))
    } else {
        let mut text = format!("compared {} units of {workspaces} workspaces\n", found.units);
        for (kind, units) in kinds.iter().filter(|(_, units)| !units.is_empty()) {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{kind}: {} ({})", units.len(), named(units).join(", "));
        }
        text
    };
    if found.is_clean() {
        return Ok(text);
    }
    print(&text)?;
    bail!("the search index differs from the store: run octavo search rebuild")
}
