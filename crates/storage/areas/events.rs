//! Reading the event log.

use super::{
    Scope,
    dialect::{UNNUMBERED_CHANGES, one_of, unnumbered_nodes},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::log::LoggedEventRow,
    schema::{event_heads as heads, events},
    stored::Stored,
};
use diesel::{
    dsl::sql,
    prelude::*,
    sql_query,
    sql_types::{BigInt, Integer, Nullable, Text},
};
use octavo_core_model::{
    event::{EventMark, EventType, LoggedEvent},
    id::{DatabaseId, EventId, PageId, RecordId, WorkspaceId},
};
use octavo_ports::{
    events::{ChangedNodes, ChangedRecords, EventReads, LogEnds, LogPart},
    store::StoreResult,
};
use octavo_storage_macros::area;
use serde_json::Value;
use std::collections::BTreeSet;

/// The types of events after which nodes of the tree are not where or what they were.
const NODE_CHANGES: [EventType; 11] = [
    EventType::DatabaseCreated,
    EventType::DatabaseUpdated,
    EventType::PageCreated,
    EventType::PageDeleted,
    EventType::PageImported,
    EventType::PageMoved,
    EventType::PageRestored,
    EventType::PageTrashed,
    EventType::PermissionChanged,
    EventType::RecordDeleted,
    EventType::TeamDeleted,
];

/// Those after which there are new nodes.
const CREATIONS: [EventType; 3] = [EventType::DatabaseCreated, EventType::PageCreated, EventType::PageImported];

/// A change of a node: the number and the type of its event, and its page, database or record.
type NodeChange = (i64, String, Option<Stored<PageId>>, Option<Stored<DatabaseId>>, Option<Stored<RecordId>>);
type NodeChangeColumns = (BigInt, Text, Nullable<Text>, Nullable<Text>, Nullable<Text>);

#[area]
impl EventReads for Scope {
    async fn find_log_ends(&mut self, workspace: WorkspaceId) -> StoreResult<LogEnds> {
        // Reads the end first: whatever is read afterwards reaches at least that far.
        let head = heads::table.find(Stored(workspace)).select(heads::last_sequence);
        let last_sequence = self.optional(head).await?.unwrap_or(0);
        let oldest = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .order(events::sequence)
            .limit(1)
            .select((events::id, events::sequence));
        let oldest = self
            .all::<(Stored<EventId>, i64), _>(oldest)
            .await?
            .pop()
            .map(|(id, sequence)| EventMark { id: id.0, sequence });
        Ok(LogEnds { oldest, last_sequence })
    }

    async fn list_log_ends(&mut self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<(WorkspaceId, i64)>> {
        let ends = heads::table
            .filter(heads::workspace_id.gt(after.map_or_else(String::new, |id| id.to_string())))
            .order(heads::workspace_id)
            .limit(limit.into())
            .select((heads::workspace_id, heads::last_sequence));
        let ends = self.all::<(Stored<WorkspaceId>, i64), _>(ends).await?;
        Ok(ends.into_iter().map(|(workspace, last)| (workspace.0, last)).collect())
    }

    async fn find_sequence(&mut self, workspace: WorkspaceId, id: EventId) -> StoreResult<Option<i64>> {
        let event = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(events::id.eq(Stored(id)))
            .select(events::sequence);
        self.optional(event).await
    }

    async fn find_up_to(&mut self, workspace: WorkspaceId, sequence: i64) -> StoreResult<Option<EventMark>> {
        let event = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(events::sequence.le(sequence))
            .order(events::sequence.desc())
            .limit(1)
            .select((events::id, events::sequence));
        let found = self.optional::<(Stored<EventId>, i64), _>(event).await?;
        Ok(found.map(|(id, sequence)| EventMark { id: id.0, sequence }))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        part: &LogPart,
        after: i64,
        limit: u32,
    ) -> StoreResult<Vec<LoggedEvent>> {
        let behind = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(events::sequence.gt(after))
            .order(events::sequence)
            .limit(limit.into())
            .select(LoggedEventRow::as_select());
        let found = match part {
            LogPart::Whole => self.all(behind).await?,
            LogPart::OfPage(id) => self.all(behind.filter(events::page_id.eq(Stored(*id)))).await?,
            LogPart::OfDatabase(id) => self.all(behind.filter(events::database_id.eq(Stored(*id)))).await?,
            LogPart::OfResource(id) => self.all(behind.filter(events::resource_id.eq(id))).await?,
            LogPart::OfActor(id) => self.all(behind.filter(events::actor_id.eq(id))).await?,
        };
        Ok(found.into_iter().map(LoggedEvent::from).collect())
    }

    async fn list_newest(
        &mut self,
        workspace: WorkspaceId,
        part: &LogPart,
        before: i64,
        limit: u32,
    ) -> StoreResult<Vec<LoggedEvent>> {
        let earlier = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(events::sequence.lt(before))
            .order(events::sequence.desc())
            .limit(limit.into())
            .select(LoggedEventRow::as_select());
        let found = match part {
            LogPart::Whole => self.all(earlier).await?,
            LogPart::OfPage(id) => self.all(earlier.filter(events::page_id.eq(Stored(*id)))).await?,
            LogPart::OfDatabase(id) => self.all(earlier.filter(events::database_id.eq(Stored(*id)))).await?,
            LogPart::OfResource(id) => self.all(earlier.filter(events::resource_id.eq(id))).await?,
            LogPart::OfActor(id) => self.all(earlier.filter(events::actor_id.eq(id))).await?,
        };
        Ok(found.into_iter().map(LoggedEvent::from).collect())
    }

    async fn find_sequence_from(&mut self, workspace: WorkspaceId, id: EventId) -> StoreResult<Option<i64>> {
        let first = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(events::id.ge(Stored(id)))
            .order(events::id)
            .limit(1)
            .select(events::sequence);
        self.optional(first).await
    }

    async fn list_changed_records(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        after: i64,
        limit: u32,
    ) -> StoreResult<ChangedRecords> {
        let behind = sql_query(format!(
            "SELECT sequence, record_id FROM ( \
                 SELECT sequence, record_id FROM events \
                 WHERE workspace_id = $1 AND database_id = $2 AND sequence > $3 AND record_id IS NOT NULL \
                 ORDER BY sequence LIMIT {limit}) AS numbered {UNNUMBERED_CHANGES}"
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(database))
        .bind::<BigInt, _>(after);
        let rows = self.all::<(i64, Stored<RecordId>), _>(behind.columns::<(BigInt, Text)>().prepared()).await?;
        // Events without a number have 0 in its place.
        let up_to = rows.iter().map(|(sequence, _)| *sequence).max().unwrap_or(0).max(after);
        let is_cut = rows.iter().filter(|(sequence, _)| *sequence > 0).count() >= limit as usize;
        let ids: BTreeSet<_> = rows.into_iter().map(|(_, id)| id.0).collect();
        Ok(ChangedRecords { ids: ids.into_iter().collect(), up_to, is_cut })
    }

    async fn list_changed_nodes(
        &mut self,
        workspace: WorkspaceId,
        after: i64,
        limit: u32,
    ) -> StoreResult<ChangedNodes> {
        let kinds: Vec<_> = NODE_CHANGES.iter().map(|kind| format!("'{kind}'")).collect();
        let types = format!("type IN ({})", kinds.join(", "));
        let behind = sql_query(format!(
            "SELECT sequence, type, page_id, database_id, record_id FROM ( \
                 SELECT sequence, type, page_id, database_id, record_id FROM events \
                 WHERE workspace_id = $1 AND sequence > $2 AND {types} \
                 ORDER BY sequence LIMIT {limit}) AS numbered \
             UNION ALL SELECT last_sequence, '', NULL, NULL, NULL FROM event_heads WHERE workspace_id = $1 {}",
            unnumbered_nodes(&types)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<BigInt, _>(after);
        let rows = self.all::<NodeChange, _>(behind.columns::<NodeChangeColumns>().prepared()).await?;
        let (ends, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, kind, ..)| kind.is_empty());
        let last_sequence = ends.first().map_or(0, |(sequence, ..)| *sequence);
        // Events without a number have 0 in its place.
        let is_cut = rows.iter().filter(|(sequence, ..)| *sequence > 0).count() >= limit as usize;
        let last_read = rows.iter().map(|(sequence, ..)| *sequence).max().unwrap_or(0).max(after);
        let up_to = if is_cut { last_read } else { last_sequence.max(last_read) };
        let (mut nodes, mut created, mut are_incomplete) = (BTreeSet::new(), BTreeSet::new(), false);
        for (_, kind, page, database, record) in rows {
            let named = [page.map(|id| id.0), database.map(|id| id.0.node()), record.map(|id| id.0.page())];
            are_incomplete |= kind == EventType::TeamDeleted.name();
            if CREATIONS.iter().any(|creation| kind == creation.name()) {
                created.extend(named.iter().flatten());
            }
            nodes.extend(named.iter().flatten());
        }
        let (nodes, created) = (nodes.into_iter().collect(), created.into_iter().collect());
        Ok(ChangedNodes { nodes, created, are_incomplete, last_sequence, up_to, is_cut })
    }

    async fn measure_data(&mut self, workspace: WorkspaceId, ids: &[EventId]) -> StoreResult<Vec<(EventId, u64)>> {
        let sizes = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(events::id, ids.iter().copied().map(Stored)))
            .order(events::sequence)
            .select((events::id, sql::<Integer>("octet_length(CAST(details AS TEXT))")));
        let sizes = self.all::<(Stored<EventId>, i32), _>(sizes).await?;
        Ok(sizes.into_iter().map(|(id, bytes)| (id.0, bytes.unsigned_abs().into())).collect())
    }

    async fn load_data(&mut self, workspace: WorkspaceId, ids: &[EventId]) -> StoreResult<Vec<(EventId, Value)>> {
        let data = events::table
            .filter(events::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(events::id, ids.iter().copied().map(Stored)))
            .order(events::sequence)
            .select((events::id, events::details));
        let data = self.all::<(Stored<EventId>, Value), _>(data).await?;
        Ok(data.into_iter().map(|(id, data)| (id.0, data)).collect())
    }
}
