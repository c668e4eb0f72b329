//! Rows of the durable queue.

use crate::{schema::chores, stored::Stored};
use diesel::prelude::{Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    chore::{Chore, Queue},
    id::JobId,
};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = chores, treat_none_as_default_value = false)]
pub struct ChoreRow {
    queue: Stored<Queue>,
    id: Stored<JobId>,
    payload: Vec<u8>,
    attempts: i32,
    due_at: i64,
    created_at: i64,
}

/// There are only a few attempts; a chore is given up long before their count exceeds the column.
pub fn attempts_column(attempts: u32) -> i32 {
    i32::try_from(attempts).unwrap_or(i32::MAX)
}

impl From<&Chore> for ChoreRow {
    fn from(chore: &Chore) -> Self {
        Self {
            queue: Stored(chore.queue),
            id: Stored(chore.id),
            payload: chore.payload.clone(),
            attempts: attempts_column(chore.attempts),
            due_at: chore.run_at.millis(),
            created_at: chore.created_at.millis(),
        }
    }
}

impl From<ChoreRow> for Chore {
    fn from(row: ChoreRow) -> Self {
        Self {
            id: row.id.0,
            queue: row.queue.0,
            payload: row.payload,
            attempts: u32::try_from(row.attempts).unwrap_or_default(),
            run_at: Timestamp::from_millis(row.due_at),
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}
