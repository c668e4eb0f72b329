//! Schemas that change together.

use super::{Effects, Schema};
use crate::{fault::SchemaFault, property::Property};
use octavo_core_model::{
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use std::collections::BTreeMap;

/// The schemas that a change can concern: that of the database itself, those that its relations lead to, and those
/// whose relations lead to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schemas(BTreeMap<DatabaseId, Schema>);

impl Schemas {
    /// The schema of a database.
    pub fn get(&self, database: DatabaseId) -> Option<&Schema> {
        self.0.get(&database)
    }

    /// The schemas.
    pub fn iter(&self) -> impl Iterator<Item = &Schema> {
        self.0.values()
    }

    pub(super) fn put(&mut self, schema: Schema) {
        self.0.insert(schema.database, schema);
    }

    pub(super) fn held(&mut self, database: DatabaseId) -> Result<&mut Schema, SchemaFault> {
        self.0.get_mut(&database).ok_or(SchemaFault::UnknownProperty)
    }

    pub(super) fn property(&self, database: DatabaseId, id: PropertyId) -> Result<&Property, SchemaFault> {
        self.get(database).and_then(|schema| schema.property(id)).ok_or(SchemaFault::UnknownProperty)
    }

    /// Makes a change of several steps; nothing changes if one of them fails. Raises the version of every schema that
    /// changed.
    pub(super) fn all_or_nothing<T>(
        &mut self,
        change: impl FnOnce(&mut Self, &mut Effects) -> Result<T, SchemaFault>,
    ) -> Result<(T, Effects), SchemaFault> {
        let (mut next, mut effects) = (self.clone(), Effects::default());
        let result = change(&mut next, &mut effects)?;
        for database in effects.databases() {
            if let Some(schema) = next.0.get_mut(&database) {
                schema.version += 1;
            }
        }
        *self = next;
        Ok((result, effects))
    }

    /// Fails if another property of the database has the name.
    pub(super) fn check_name(
        &self,
        database: DatabaseId,
        name: &PropertyName,
        own: Option<PropertyId>,
        field: &str,
    ) -> Result<(), SchemaFault> {
        let holder = self.get(database).and_then(|schema| schema.by_name(name.as_str()));
        match holder {
            Some(holder) if Some(holder.id) != own => {
                Err(SchemaFault::DuplicateName { field: field.to_owned(), database })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_room(&self, database: DatabaseId) -> Result<(), SchemaFault> {
        let count = self.get(database).map_or(0, |schema| schema.properties.len());
        if count < Schema::MAX { Ok(()) } else { Err(SchemaFault::LimitReached { limit: Schema::MAX, database }) }
    }
}

impl FromIterator<Schema> for Schemas {
    fn from_iter<I: IntoIterator<Item = Schema>>(schemas: I) -> Self {
        Self(schemas.into_iter().map(|schema| (schema.database, schema)).collect())
    }
}
