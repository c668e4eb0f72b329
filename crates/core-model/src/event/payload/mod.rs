//! The data of events, one file for each area.

pub mod access;
mod block_mention;
pub mod blocks;
pub mod charts;
pub mod comments;
pub mod dashboards;
pub mod databases;
pub mod jobs;
pub mod members;
pub mod pages;
pub mod permissions;
pub mod records;
pub mod share_links;
pub mod teams;
pub mod users;
pub mod workspaces;

use super::Resource;
use crate::{
    id::{DatabaseId, PageId, RecordId, TeamId},
    page::{Page, PageKind, ResourceId},
};
use serde::Serialize;
use serde_json::{Map, Value};

/// The longest text in an event.
pub(super) const MAX_TEXT_BYTES: usize = 4096;

/// How many things of one kind an event lists. A change can concern tens of thousands of them, and the log keeps each
/// event for months. A count next to each list says how many there are; readers that need all of them read what
/// changed. These counts are required: no release had these events without them.
pub const MAX_LISTED: usize = 1000;

/// The data of an event of one type, as it is serialized.
pub trait Payload: Serialize + Sized {
    /// The resource that the event is about.
    fn resource(&self) -> Resource;

    /// The place of that resource, by which readers are admitted and events are found.
    fn location(&self) -> Location;

    /// The version of the resource after the change, if it has versions.
    fn version(&self) -> Option<i64>;

    /// The example in the description.
    fn example() -> Self;

    /// One example for each further form of the data: with null in each field that can be null, without each field that
    /// can be left out, and with something in each list. The schema of the data is derived from the examples. A field
    /// that is added later needs an example without it, because the log keeps the events from before.
    fn more_examples() -> Vec<Self> {
        Vec::new()
    }
}

/// A place in a workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The page that it belongs to.
    pub page: Option<PageId>,
    /// The database that it belongs to.
    pub database: Option<DatabaseId>,
    /// The record that it belongs to.
    pub record: Option<RecordId>,
    /// The team that it belongs to.
    pub team: Option<TeamId>,
}

impl Location {
    /// The workspace as a whole.
    pub const WORKSPACE: Self = Self { page: None, database: None, record: None, team: None };

    /// The nodes of the page tree that it is on: its page or that of its record, which may have no row yet, and its
    /// database.
    pub fn nodes(&self) -> impl Iterator<Item = PageId> + use<> {
        let page = self.page.or(self.record.map(RecordId::page));
        [page, self.database.map(DatabaseId::node)].into_iter().flatten()
    }

    /// What belongs to a team.
    pub const fn of_team(team: TeamId) -> Self {
        Self { team: Some(team), ..Self::WORKSPACE }
    }

    /// What belongs to a database, which may belong to a team.
    pub const fn of_database(database: DatabaseId, team: Option<TeamId>) -> Self {
        Self { database: Some(database), team, ..Self::WORKSPACE }
    }

    /// What belongs to a page, which may belong to a team.
    pub const fn of_page(page: PageId, team: Option<TeamId>) -> Self {
        Self { page: Some(page), team, ..Self::WORKSPACE }
    }

    /// What belongs to a node of the tree. The page of a record is also in its database.
    pub fn of_node(node: &Page) -> Self {
        match node.kind {
            PageKind::Page => Self::of_page(node.id, node.team),
            PageKind::Database => Self::of_database(node.id.as_database(), node.team),
            PageKind::Record => Self {
                database: node.database_of_record(),
                record: Some(node.id.as_record()),
                ..Self::of_page(node.id, node.team)
            },
        }
    }
}

/// The node of the tree that an event is about, as its data and its location name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeFields {
    resource_id: ResourceId,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_id: Option<PageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    database_id: Option<DatabaseId>,
    team_id: Option<TeamId>,
    #[serde(skip)]
    record: Option<RecordId>,
}

impl NodeFields {
    pub(super) fn of(node: &Page) -> Self {
        let Location { page, database, record, team } = Location::of_node(node);
        Self { resource_id: node.resource(), page_id: page, database_id: database, team_id: team, record }
    }

    pub(super) const fn resource(&self) -> Resource {
        match self.resource_id {
            ResourceId::Page(id) => Resource::Page(id),
            ResourceId::Database(id) => Resource::Database(id),
        }
    }

    pub(super) const fn location(&self) -> Location {
        Location { page: self.page_id, database: self.database_id, record: self.record, team: self.team_id }
    }

    pub(super) const fn example() -> Self {
        Self {
            resource_id: ResourceId::Page(PageId::EXAMPLE),
            page_id: Some(PageId::EXAMPLE),
            database_id: None,
            team_id: Some(TeamId::EXAMPLE),
            record: None,
        }
    }

    /// One for each further form: a page without a team, a database, the page of a record.
    pub(super) const fn more_examples() -> [Self; 3] {
        let (page, database) = (Self::example(), Some(DatabaseId::EXAMPLE));
        [
            Self { team_id: None, ..page },
            Self {
                resource_id: ResourceId::Database(DatabaseId::EXAMPLE),
                page_id: None,
                database_id: database,
                ..page
            },
            Self { database_id: database, record: Some(PageId::EXAMPLE.as_record()), ..page },
        ]
    }
}

/// The changed fields, with their old and new values.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldChanges {
    /// The names of the fields.
    pub changed_fields: Vec<&'static str>,
    /// The old values, by field.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub before: Map<String, Value>,
    /// The new values, by field.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub after: Map<String, Value>,
}

impl FieldChanges {
    /// A change of a single field.
    pub fn of_one(field: &'static str, before: Value, after: Value) -> Self {
        let only = |value| Map::from_iter([(field.to_owned(), value)]);
        Self { changed_fields: vec![field], before: only(before), after: only(after) }
    }

    fn example(field: &'static str, before: &str, after: &str) -> Self {
        Self::of_one(field, before.into(), after.into())
    }
}

/// Shortens texts that are too long, without splitting characters.
pub(super) fn cut_texts(value: &mut Value, max_bytes: usize) {
    match value {
        Value::String(text) if text.len() > max_bytes => text.truncate(text.floor_char_boundary(max_bytes)),
        Value::Array(items) => items.iter_mut().for_each(|item| cut_texts(item, max_bytes)),
        Value::Object(fields) => fields.values_mut().for_each(|field| cut_texts(field, max_bytes)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use serde_json::json;

    #[test]
    fn long_texts_are_cut_between_characters_wherever_they_stand() {
        let mut data = json!({ "a": "1234", "b": ["12345", { "c": "123ä" }], "d": 12345 });
        cut_texts(&mut data, 4);
        assert_eq!(data, json!({ "a": "1234", "b": ["1234", { "c": "123" }], "d": 12345 }));
    }

    #[test]
    fn without_values_only_the_names_of_fields_are_reported() {
        let changes = FieldChanges { changed_fields: vec!["blocks"], ..FieldChanges::default() };
        assert_eq!(serde_json::to_value(changes).unwrap(), json!({ "changedFields": ["blocks"] }));
    }
}
