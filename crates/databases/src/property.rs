//! A property of a database.

use crate::{
    types::{PropertyConfig, PropertyType},
    value::PropertyValue,
};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId},
    position::Position,
    text::PropertyName,
};

/// A column of a database.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its id.
    pub id: PropertyId,
    /// The database that it belongs to.
    pub database: DatabaseId,
    /// The key of its values in the bags of records: unique in the database and never used again.
    pub slot: u32,
    /// Its name, unique in the database whatever the case.
    pub name: PropertyName,
    /// Its place among the properties.
    pub position: Position,
    /// Whether views show it unless they say otherwise.
    pub is_visible: bool,
    /// Whether no record can be written without a value.
    pub required: bool,
    /// Its type and configuration.
    pub config: PropertyConfig,
    /// The value of new records that are created without one.
    pub default: Option<PropertyValue>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Property {
    /// Its type.
    pub const fn kind(&self) -> PropertyType {
        self.config.kind()
    }

    /// Whether it is the title of its database.
    pub const fn is_title(&self) -> bool {
        matches!(self.config, PropertyConfig::Title(_))
    }
}
