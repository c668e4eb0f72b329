//! Rows of the consumers of the event log.

use crate::{
    schema::{event_cursors, events_set_aside},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    consumer::{ConsumerName, Cursor, SetAside},
    id::WorkspaceId,
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = event_cursors, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, consumer))]
pub struct CursorRow {
    workspace_id: Stored<WorkspaceId>,
    consumer: Stored<ConsumerName>,
    sequence: i64,
    place: Option<String>,
    handled_up_to: i64,
    careful_until: i64,
    attempts: i64,
    retry_at: Option<i64>,
}

impl From<&Cursor> for CursorRow {
    fn from(cursor: &Cursor) -> Self {
        Self {
            workspace_id: Stored(cursor.workspace),
            consumer: Stored(cursor.consumer),
            sequence: cursor.sequence,
            place: cursor.place.clone(),
            handled_up_to: cursor.handled_up_to,
            careful_until: cursor.careful_until,
            attempts: cursor.attempts.into(),
            retry_at: cursor.retry_at.map(Timestamp::millis),
        }
    }
}

impl From<CursorRow> for Cursor {
    fn from(row: CursorRow) -> Self {
        Self {
            workspace: row.workspace_id.0,
            consumer: row.consumer.0,
            sequence: row.sequence,
            place: row.place,
            handled_up_to: row.handled_up_to,
            careful_until: row.careful_until,
            attempts: u32::try_from(row.attempts).unwrap_or_default(),
            retry_at: row.retry_at.map(Timestamp::from_millis),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = events_set_aside, treat_none_as_default_value = false)]
pub struct SetAsideRow {
    workspace_id: Stored<WorkspaceId>,
    consumer: Stored<ConsumerName>,
    sequence: i64,
    error: String,
    attempts: i64,
    set_aside_at: i64,
}

impl From<&SetAside> for SetAsideRow {
    fn from(event: &SetAside) -> Self {
        Self {
            workspace_id: Stored(event.workspace),
            consumer: Stored(event.consumer),
            sequence: event.sequence,
            error: event.error.clone(),
            attempts: event.attempts.into(),
            set_aside_at: event.at.millis(),
        }
    }
}

impl From<SetAsideRow> for SetAside {
    fn from(row: SetAsideRow) -> Self {
        Self {
            workspace: row.workspace_id.0,
            consumer: row.consumer.0,
            sequence: row.sequence,
            error: row.error,
            attempts: u32::try_from(row.attempts).unwrap_or_default(),
            at: Timestamp::from_millis(row.set_aside_at),
        }
    }
}
