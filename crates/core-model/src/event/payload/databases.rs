//! Events of databases.

use super::{FieldChanges, Location, Payload};
use crate::{
    event::Resource,
    id::{DatabaseId, PropertyId, TeamId, ViewId},
    name::named,
    page::Page,
    text::PageTitle,
};
use serde::Serialize;

/// A database was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseCreated {
    database_id: DatabaseId,
    team_id: Option<TeamId>,
    title: PageTitle,
    property_count: u64,
}

impl DatabaseCreated {
    /// The event of this node and its properties.
    pub fn new(node: &Page, properties: usize) -> Self {
        Self {
            database_id: node.id.as_database(),
            team_id: node.team,
            title: node.title.clone(),
            property_count: properties as u64,
        }
    }
}

impl Payload for DatabaseCreated {
    fn resource(&self) -> Resource {
        Resource::Database(self.database_id)
    }

    fn location(&self) -> Location {
        Location::of_database(self.database_id, self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            database_id: DatabaseId::EXAMPLE,
            team_id: Some(TeamId::EXAMPLE),
            title: PageTitle::from_stored("Contacts".to_owned()),
            property_count: 3,
        }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { team_id: None, ..Self::example() }]
    }
}

named! {
    /// What changed in a database, besides its own fields.
    DatabaseChange {
        /// A property was added.
        PropertyAdded = "property_added",
        /// A property was changed.
        PropertyUpdated = "property_updated",
        /// A property was deleted.
        PropertyDeleted = "property_deleted",
        /// A view was added.
        ViewAdded = "view_added",
        /// A view was changed.
        ViewUpdated = "view_updated",
        /// A view was deleted.
        ViewDeleted = "view_deleted",
    }
}

/// A database, one of its properties or one of its views changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseUpdated {
    database_id: DatabaseId,
    team_id: Option<TeamId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<DatabaseChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property_id: Option<PropertyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view_id: Option<ViewId>,
    schema_version: i64,
    #[serde(flatten)]
    changes: FieldChanges,
}

impl DatabaseUpdated {
    /// A change of fields of the database itself.
    pub fn of_fields(node: &Page, schema_version: i64, changes: FieldChanges) -> Self {
        Self {
            database_id: node.id.as_database(),
            team_id: node.team,
            change: None,
            property_id: None,
            view_id: None,
            schema_version,
            changes,
        }
    }

    /// A change of one of its properties.
    pub fn of_property(node: &Page, schema_version: i64, change: DatabaseChange, property: PropertyId) -> Self {
        let changes = FieldChanges { changed_fields: vec!["properties"], ..FieldChanges::default() };
        Self { change: Some(change), property_id: Some(property), ..Self::of_fields(node, schema_version, changes) }
    }

    /// A change of one of its views.
    pub fn of_view(node: &Page, schema_version: i64, change: DatabaseChange, view: ViewId) -> Self {
        let changes = FieldChanges { changed_fields: vec!["views"], ..FieldChanges::default() };
        Self { change: Some(change), view_id: Some(view), ..Self::of_fields(node, schema_version, changes) }
    }
}

impl Payload for DatabaseUpdated {
    fn resource(&self) -> Resource {
        Resource::Database(self.database_id)
    }

    fn location(&self) -> Location {
        Location::of_database(self.database_id, self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            database_id: DatabaseId::EXAMPLE,
            team_id: Some(TeamId::EXAMPLE),
            change: Some(DatabaseChange::PropertyAdded),
            property_id: Some(PropertyId::EXAMPLE),
            view_id: None,
            schema_version: 4,
            changes: FieldChanges { changed_fields: vec!["properties"], ..FieldChanges::default() },
        }
    }

    fn more_examples() -> Vec<Self> {
        let fields = FieldChanges::example("title", "Contacts", "People");
        let plain = Self { team_id: None, change: None, property_id: None, ..Self::example() };
        let view = Self {
            change: Some(DatabaseChange::ViewAdded),
            view_id: Some(ViewId::EXAMPLE),
            changes: FieldChanges { changed_fields: vec!["views"], ..FieldChanges::default() },
            ..plain.clone()
        };
        vec![Self { changes: fields, ..plain }, view]
    }
}
