//! Events of records.

use super::{Location, Payload};
use crate::{
    event::Resource,
    id::{DatabaseId, PageId, PropertyId, RecordId, TeamId},
    record::Record,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The data of every event about a record, and the data of its type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfRecord<T> {
    record_id: RecordId,
    database_id: DatabaseId,
    page_id: PageId,
    team_id: Option<TeamId>,
    version: i64,
    #[serde(flatten)]
    more: T,
}

/// The data of one type of event about a record.
pub trait OnRecord: Serialize + Sized {
    /// What the description shows.
    fn example() -> Self;

    /// One for each further form that it can have; see [`Payload::more_examples`].
    fn more_examples() -> Vec<Self> {
        Vec::new()
    }
}

impl<T> OfRecord<T> {
    /// The event of this record, in a database of this team.
    pub fn new(record: &Record, team: Option<TeamId>, more: T) -> Self {
        Self {
            record_id: record.id,
            database_id: record.database,
            page_id: record.id.page(),
            team_id: team,
            version: record.version,
            more,
        }
    }

    fn example_with(more: T) -> Self {
        Self {
            record_id: RecordId::EXAMPLE,
            database_id: DatabaseId::EXAMPLE,
            page_id: PageId::EXAMPLE,
            team_id: Some(TeamId::EXAMPLE),
            version: 3,
            more,
        }
    }
}

impl<T: OnRecord> Payload for OfRecord<T> {
    fn resource(&self) -> Resource {
        Resource::Record(self.record_id)
    }

    fn location(&self) -> Location {
        Location {
            page: Some(self.page_id),
            record: Some(self.record_id),
            ..Location::of_database(self.database_id, self.team_id)
        }
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn example() -> Self {
        Self::example_with(T::example())
    }

    fn more_examples() -> Vec<Self> {
        let more = T::more_examples().into_iter().map(Self::example_with);
        more.chain([Self { team_id: None, ..Self::example() }]).collect()
    }
}

/// A record was created.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordCreated {
    /// Its values, by the ids of the properties.
    pub properties: Map<String, Value>,
    /// `move`, if a page became the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<&'static str>,
}

impl OnRecord for RecordCreated {
    fn example() -> Self {
        Self { properties: values("Ada Lovelace"), via: None }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { via: Some("move"), ..Self::example() }]
    }
}

/// Values or fields of a record changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordUpdated {
    /// The properties whose values changed.
    pub changed_property_ids: Vec<PropertyId>,
    /// The other fields that changed.
    pub changed_fields: Vec<&'static str>,
    /// The old values of both.
    pub before: Map<String, Value>,
    /// Their new values.
    pub after: Map<String, Value>,
}

impl OnRecord for RecordUpdated {
    fn example() -> Self {
        Self {
            changed_property_ids: vec![PropertyId::EXAMPLE],
            changed_fields: vec!["icon"],
            before: values("Ada Lovelace"),
            after: values("Ada King"),
        }
    }
}

fn values(text: &str) -> Map<String, Value> {
    Map::from_iter([(PropertyId::EXAMPLE.to_string(), json!({ "text": text, "marks": [] }))])
}

/// The state of a record changed, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RecordState {}

impl OnRecord for RecordState {
    fn example() -> Self {
        Self {}
    }
}
