//! A record as it is stored.

use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId, UserId},
    record::Record,
};

/// A record as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its id.
    pub id: RecordId,
    /// Its position; positions are compared byte by byte, and records with equal positions are ordered by their ids.
    pub position: &'a str,
    /// The record that it is a part of.
    pub parent: Option<RecordId>,
    /// Whether it is archived.
    pub is_archived: bool,
    /// The number that properties of the type `unique_id` show.
    pub number: Option<u64>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Who created it.
    pub created_by: Option<UserId>,
    /// When it was last changed.
    pub edited_at: Timestamp,
    /// Who last changed it.
    pub edited_by: Option<UserId>,
    /// Its values as the store keeps them.
    pub bag: &'a str,
    /// Its links by property, each list in its order.
    pub links: &'a [(PropertyId, Vec<RecordId>)],
}

impl<'a> Row<'a> {
    /// The row for a record and its links.
    pub fn of(record: &'a Record, links: &'a [(PropertyId, Vec<RecordId>)]) -> Self {
        Self {
            id: record.id,
            position: record.position.as_str(),
            parent: record.parent,
            is_archived: record.archived_at.is_some(),
            number: record.number.and_then(|number| u64::try_from(number).ok()),
            created_at: record.created_at,
            created_by: record.created_by,
            edited_at: record.updated_at,
            edited_by: record.updated_by,
            bag: &record.bag,
            links,
        }
    }
}
