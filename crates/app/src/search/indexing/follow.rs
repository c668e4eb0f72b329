//! What a few events change in the index.

use super::{affected::Affected, load::load, obstacle::Obstacle, rest::Rest, schema_parts};
use crate::{call::Call, engine::Engine, loaded_schemas::schema_of, outcome::AppResult, scope::View};
use octavo_core_model::{
    Timestamp,
    event::LoggedEvent,
    id::{CommentId, DatabaseId, EventId, PageId, RecordId, WorkspaceId},
    page::{Page, PageKind},
};
use octavo_databases::Schema;
use octavo_ports::search::{Dependency, IndexFailure, NodeKey, Removal, SearchIndex, Unit, UnitKey};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// About how many bytes of texts are loaded at once.
const BYTES: u64 = 4 << 20;

/// How many units are indexed at once because they depend on something that changed. More of them become a rest.
const DEPENDING: usize = 200;

/// How many threads are compared with those in the index when blocks of their pages change.
const THREADS: u32 = 10_000;

/// What events change.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) units: Vec<Unit>,
    pub(super) removed: Vec<Removal>,
    pub(super) rests: Vec<Rest>,
    /// What is to be done in other workspaces.
    pub(super) elsewhere: Vec<(WorkspaceId, Rest)>,
    pub(super) bytes: u64,
    /// Whether it is too much at once, and incomplete.
    pub(super) is_cut: bool,
}

/// What the store says about affected things.
#[derive(Default)]
struct Seen {
    nodes: Vec<Page>,
    data: BTreeMap<EventId, Value>,
    schemas: Vec<(i64, Arc<Schema>)>,
    threads: Vec<(PageId, CommentId)>,
    workspaces: Vec<(WorkspaceId, Rest)>,
}

pub(super) async fn follow(
    engine: &Engine,
    index: &dyn SearchIndex,
    workspace: WorkspaceId,
    events: &[LoggedEvent],
    now: Timestamp,
) -> Result<Followed, Obstacle> {
    let affected = Affected::of(events);
    if affected == Affected::default() {
        return Ok(Followed::default());
    }
    let retitled = retitled(engine, index, workspace, &affected, now).await?;
    let affected_there = affected.clone();
    let seen = engine
        .read(Call::system(now), move |view| Box::pin(async move { Seen::of(view, workspace, &affected_there).await }));
    let seen = seen.await?;
    let mut followed = Followed { elsewhere: seen.workspaces.clone(), ..Followed::default() };
    let mut own = followed.nodes(&affected, &seen);
    own.extend(affected.records.iter().map(|id| UnitKey::Record(*id)));
    own.extend(affected.comments.iter().map(|id| UnitKey::Comment(*id)));
    own.extend(followed.threads(index, workspace, &affected, &seen)?);
    followed.schemas(index, workspace, &affected, &seen)?;
    followed.load(engine, workspace, own, now).await?;
    if !followed.is_cut {
        let changed = retitled.into_iter().map(Dependency::Record);
        let blocks = affected.pages_with_changed_blocks.iter().chain(affected.deleted.values());
        let changed = changed.chain(blocks.map(|page| Dependency::Blocks(*page)));
        followed.dependents(engine, index, workspace, changed.collect(), now).await?;
    }
    Ok(followed)
}

/// The records of which others show the title, and which have another title now or are gone.
async fn retitled(
    engine: &Engine,
    index: &dyn SearchIndex,
    workspace: WorkspaceId,
    affected: &Affected,
    now: Timestamp,
) -> Result<BTreeSet<RecordId>, Obstacle> {
    let is_shown = |record: &RecordId| -> Result<bool, IndexFailure> {
        Ok(!index.list_depending(workspace, Dependency::Record(*record), None, 1)?.is_empty())
    };
    let mut retitled = affected.removed_records.clone();
    let mut asked = BTreeMap::new();
    for (event, (record, database)) in &affected.changed_records {
        if is_shown(record)? {
            asked.insert(*event, (*record, *database));
        }
    }
    if !asked.is_empty() {
        let found = engine.read(Call::system(now), move |view| {
            Box::pin(async move { changes_of_titles(view, workspace, &asked).await })
        });
        retitled.extend(found.await?);
    }
    Ok(retitled)
}

async fn changes_of_titles(
    view: &mut View,
    workspace: WorkspaceId,
    asked: &BTreeMap<EventId, (RecordId, DatabaseId)>,
) -> AppResult<Vec<RecordId>> {
    let databases: BTreeSet<_> = asked.values().map(|(_, database)| *database).collect();
    let mut titles = BTreeSet::new();
    for database in view.tx.databases().list_by_id(workspace, &Vec::from_iter(databases)).await? {
        let schema = schema_of(view, &database).await?;
        titles.extend(schema.title().map(|title| title.id.to_string()));
    }
    let ids: Vec<_> = asked.keys().copied().collect();
    let data = view.tx.events().load_data(workspace, &ids).await?;
    let changed = data.into_iter().filter(|(_, data)| {
        let changed = data.get("changedPropertyIds").and_then(Value::as_array);
        changed.is_none_or(|changed| changed.iter().filter_map(Value::as_str).any(|id| titles.contains(id)))
    });
    Ok(changed.filter_map(|(event, _)| asked.get(&event).map(|(record, _)| *record)).collect())
}

impl Seen {
    /// At most six statements, and one for each new schema and each person with a new name.
    async fn of(view: &mut View, workspace: WorkspaceId, affected: &Affected) -> AppResult<Self> {
        let mut seen = Self::default();
        if !affected.nodes.is_empty() {
            let nodes: Vec<_> = affected.nodes.iter().copied().collect();
            seen.nodes = view.tx.pages().list_by_id(workspace, &nodes).await?;
        }
        let events: Vec<_> = affected.created.keys().chain(affected.deleted.keys()).copied().collect();
        if !events.is_empty() {
            seen.data = view.tx.events().load_data(workspace, &events).await?.into_iter().collect();
        }
        let schemas: Vec<_> = affected.schemas.difference(&affected.new_databases).copied().collect();
        if !schemas.is_empty() {
            for database in view.tx.databases().list_by_id(workspace, &schemas).await? {
                let schema = schema_of(view, &database).await?;
                seen.schemas.push((database.schema.epoch, schema));
            }
        }
        if !affected.pages_with_changed_blocks.is_empty() {
            let pages: Vec<_> = affected.pages_with_changed_blocks.iter().copied().collect();
            seen.threads = view.tx.comments().list_on_pages(workspace, &pages, THREADS).await?;
        }
        for user in &affected.renamed {
            let rest = Rest::Depending(Dependency::User(*user), None);
            let own = view.tx.workspaces().list_own(*user).await?;
            seen.workspaces.extend(own.into_iter().map(|workspace| (workspace.id, rest)));
        }
        Ok(seen)
    }
}

impl Followed {
    /// The units of affected nodes. Notes what is gone, and what came or went without an event of its own.
    fn nodes(&mut self, affected: &Affected, seen: &Seen) -> Vec<UnitKey> {
        let mut keys = Vec::new();
        let there: BTreeSet<_> = seen.nodes.iter().map(|node| node.id).collect();
        let mut new_databases = affected.new_databases.clone();
        for node in &seen.nodes {
            keys.push(match node.kind {
                PageKind::Page => UnitKey::Page(node.id),
                PageKind::Database => UnitKey::Database(node.id.as_database()),
                PageKind::Record => {
                    // It may have been a page before it was moved into a database.
                    self.removed.push(Removal::Unit(UnitKey::Page(node.id)));
                    UnitKey::Record(node.id.as_record())
                }
            });
        }
        for gone in affected.nodes.difference(&there) {
            self.removed.push(Removal::Node(NodeKey::from(*gone)));
            // Should it be the page of a record that has no row, the record is indexed again.
            keys.push(UnitKey::Record(gone.as_record()));
        }
        for (event, page) in &affected.created {
            let is_copy = seen.data.get(event).is_some_and(|data| data.get("sourcePageId").is_some());
            if is_copy && there.contains(page) {
                self.rests.push(Rest::Below(*page, None));
                let is_database = |node: &&Page| node.id == *page && node.kind == PageKind::Database;
                new_databases.extend(seen.nodes.iter().find(is_database).map(|node| node.id.as_database()));
            }
        }
        let pages_of = |event: &EventId| seen.data.get(event)?.get("pageCount")?.as_u64();
        if affected.deleted.keys().any(|event| pages_of(event) != Some(1)) {
            self.rests.push(Rest::Gone(None));
        }
        let new_databases = new_databases.into_iter().filter(|id| there.contains(&id.node()));
        self.rests.extend(new_databases.map(|id| Rest::Records(id, None)));
        keys
    }

    /// Threads that came or went with their blocks.
    fn threads(
        &mut self,
        index: &dyn SearchIndex,
        workspace: WorkspaceId,
        affected: &Affected,
        seen: &Seen,
    ) -> Result<Vec<UnitKey>, IndexFailure> {
        if seen.threads.len() >= THREADS as usize {
            self.rests.push(Rest::Comments(None));
            return Ok(Vec::new());
        }
        let shown: BTreeSet<_> = seen.threads.iter().map(|(_, thread)| *thread).collect();
        let mut indexed = BTreeSet::new();
        for page in &affected.pages_with_changed_blocks {
            indexed.extend(index.list_comments(workspace, *page)?);
        }
        Ok(shown.symmetric_difference(&indexed).map(|thread| UnitKey::Comment(*thread)).collect())
    }

    /// Databases whose records were indexed with another schema.
    fn schemas(
        &mut self,
        index: &dyn SearchIndex,
        workspace: WorkspaceId,
        affected: &Affected,
        seen: &Seen,
    ) -> Result<(), IndexFailure> {
        for (epoch, schema) in &seen.schemas {
            let is_new = affected.new_databases.contains(&schema.database());
            if !is_new && !schema_parts::are_current(index, workspace, schema, *epoch)? {
                self.rests.push(Rest::Records(schema.database(), None));
            }
        }
        Ok(())
    }

    /// Loads units, and notes which do not exist. If there are too many, this is incomplete.
    async fn load(
        &mut self,
        engine: &Engine,
        workspace: WorkspaceId,
        keys: Vec<UnitKey>,
        now: Timestamp,
    ) -> Result<(), Obstacle> {
        if keys.is_empty() {
            return Ok(());
        }
        let wanted = keys.clone();
        let loaded = engine
            .read(Call::system(now), move |view| Box::pin(async move { load(view, workspace, &wanted, BYTES).await }));
        let loaded = loaded.await?;
        self.is_cut = !loaded.rest.is_empty();
        self.bytes += loaded.bytes;
        let there: BTreeSet<_> = loaded.units.iter().map(|unit| unit.key).collect();
        self.removed.extend(keys.into_iter().filter(|key| !there.contains(key)).map(Removal::Unit));
        self.units.extend(loaded.units);
        Ok(())
    }

    /// Loads what depends on things that changed, or notes that as a rest if it is much.
    async fn dependents(
        &mut self,
        engine: &Engine,
        index: &dyn SearchIndex,
        workspace: WorkspaceId,
        changed: Vec<Dependency>,
        now: Timestamp,
    ) -> Result<(), Obstacle> {
        let own: BTreeSet<_> = self.units.iter().map(|unit| unit.key).collect();
        let (mut keys, mut few, mut many) = (BTreeSet::new(), Vec::new(), Vec::new());
        for on in changed {
            let found = index.list_depending(workspace, on, None, DEPENDING)?;
            if keys.len() + found.len() >= DEPENDING {
                many.push(on);
            } else if !found.is_empty() {
                few.push(on);
                keys.extend(found.into_iter().filter(|key| !own.contains(key)));
            }
        }
        let mut loaded = Self::default();
        loaded.load(engine, workspace, keys.into_iter().collect(), now).await?;
        if loaded.is_cut {
            many.append(&mut few);
        } else {
            self.units.extend(loaded.units);
            self.removed.extend(loaded.removed);
        }
        self.bytes += loaded.bytes;
        self.rests.extend(many.into_iter().map(|on| Rest::Depending(on, None)));
        Ok(())
    }
}
