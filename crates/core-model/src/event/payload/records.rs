//! Events of records.

use super::{Location, Payload};
use crate::{
    event::Resource,
    id::{DatabaseId, PageId, PropertyId, RecordId, TeamId},
    name::named,
    record::Record,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Something happened to a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfRecord<T> {
    #[serde(skip)]
    record_id: RecordId,
    #[serde(skip)]
    version: i64,
    database_id: DatabaseId,
    page_id: PageId,
    team_id: Option<TeamId>,
    #[serde(flatten)]
    what: T,
}

impl<T> OfRecord<T> {
    /// The event of this record in a database of this team.
    pub const fn new(record: &Record, team: Option<TeamId>, what: T) -> Self {
        Self {
            record_id: record.id,
            version: record.version,
            database_id: record.database,
            page_id: record.id.page(),
            team_id: team,
            what,
        }
    }
}

/// What such an event says besides its place.
pub trait OnRecord: Serialize {
    /// The example in the description.
    fn example() -> Self;

    /// Examples of further forms.
    fn more_examples() -> Vec<Self>
    where
        Self: Sized,
    {
        Vec::new()
    }
}

impl<T: OnRecord> OfRecord<T> {
    fn example_with(what: T) -> Self {
        Self {
            record_id: RecordId::EXAMPLE,
            version: 3,
            database_id: DatabaseId::EXAMPLE,
            page_id: RecordId::EXAMPLE.page(),
            team_id: Some(TeamId::EXAMPLE),
            what,
        }
    }
}

impl<T: OnRecord> Payload for OfRecord<T> {
    fn resource(&self) -> Resource {
        Resource::Record(self.record_id)
    }

    fn location(&self) -> Location {
        let page = Location::of_page(self.page_id, self.team_id);
        Location { database: Some(self.database_id), record: Some(self.record_id), ..page }
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn example() -> Self {
        Self::example_with(T::example())
    }

    fn more_examples() -> Vec<Self> {
        let plain = Self { team_id: None, ..Self::example() };
        T::more_examples().into_iter().map(Self::example_with).chain([plain]).collect()
    }
}

named! {
    /// How a record came into being, if nobody simply created it.
    RecordOrigin {
        /// A page was moved into the database.
        Move = "move",
    }
}

/// A record was created.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordCreated {
    /// The record that it is a part of.
    pub parent_record_id: Option<RecordId>,
    /// Its values by the ids of their properties, in the form of the API; only those that are set.
    pub properties: BTreeMap<PropertyId, Value>,
    /// How it came into being, unless somebody simply created it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<RecordOrigin>,
}

impl OnRecord for RecordCreated {
    fn example() -> Self {
        let title = json!({ "text": "Ada Lovelace", "marks": [] });
        Self { parent_record_id: None, properties: BTreeMap::from([(PropertyId::EXAMPLE, title)]), via: None }
    }

    fn more_examples() -> Vec<Self> {
        let part = Self { parent_record_id: Some(RecordId::EXAMPLE), ..Self::example() };
        vec![part, Self { via: Some(RecordOrigin::Move), ..Self::example() }]
    }
}

/// Values or fields of a record were changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordUpdated {
    /// The properties whose values changed.
    pub changed_property_ids: Vec<PropertyId>,
    /// The other fields that changed: `icon`, `coverUrl`, `position`, `parentRecordId`.
    pub changed_fields: Vec<&'static str>,
    /// The old values, by property or field.
    pub before: Map<String, Value>,
    /// The new values, by property or field.
    pub after: Map<String, Value>,
}

impl RecordUpdated {
    /// Adds a property whose value changed.
    pub fn report_property(&mut self, property: PropertyId, before: Value, after: Value) {
        self.changed_property_ids.push(property);
        self.before.insert(property.to_string(), before);
        self.after.insert(property.to_string(), after);
    }

    /// Adds a relation whose links changed. The links are not part of the event: which of them a reader may see depends
    /// on the reader.
    pub fn report_links(&mut self, property: PropertyId) {
        if !self.changed_property_ids.contains(&property) {
            self.changed_property_ids.push(property);
        }
    }

    /// Adds another field that changed.
    pub fn report_field(&mut self, field: &'static str, before: Value, after: Value) {
        self.changed_fields.push(field);
        self.before.insert(field.to_owned(), before);
        self.after.insert(field.to_owned(), after);
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changed_property_ids.is_empty() && self.changed_fields.is_empty()
    }
}

impl OnRecord for RecordUpdated {
    fn example() -> Self {
        let mut updated = Self::default();
        updated.report_property(PropertyId::EXAMPLE, json!({ "value": 9.5 }), json!({ "value": 12 }));
        updated
    }

    fn more_examples() -> Vec<Self> {
        let mut updated = Self::default();
        updated.report_field("icon", Value::Null, "\u{1f680}".into());
        vec![updated]
    }
}

/// Nothing more: the record was archived, used again, or deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NoDetails {}

impl OnRecord for NoDetails {
    fn example() -> Self {
        Self {}
    }
}
