//! The properties that a query can name.

use crate::{property::Property, read::Origin, schema::Schema};
use octavo_core_model::id::PropertyId;
use serde_json::Value;

/// The properties that a query or a view can name, and how.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    schema: &'a Schema,
    by_name: bool,
    pub(crate) origin: Origin,
}

impl<'a> Columns<'a> {
    /// Callers name properties by their ids.
    pub const fn by_id(schema: &'a Schema) -> Self {
        Self { schema, by_name: false, origin: Origin::Caller }
    }

    /// Callers name properties by their ids or names: the request that creates a database cannot know the ids.
    pub const fn by_id_or_name(schema: &'a Schema) -> Self {
        Self { schema, by_name: true, origin: Origin::Caller }
    }

    /// For JSON that the store returned. What no longer fits the schema is left out and is no flaw.
    pub const fn stored(schema: &'a Schema) -> Self {
        Self { schema, by_name: false, origin: Origin::Store }
    }

    /// The schema.
    pub const fn schema(&self) -> &'a Schema {
        self.schema
    }

    pub(crate) fn is_stored(&self) -> bool {
        self.origin == Origin::Store
    }

    /// The property with this id or, where that is allowed, this name.
    pub fn find(&self, named: &str) -> Option<&'a Property> {
        let by_id = named.parse::<PropertyId>().ok().and_then(|id| self.schema.property(id));
        by_id.or_else(|| if self.by_name { self.schema.by_name(named) } else { None })
    }

    /// The property that a JSON value names.
    pub(crate) fn find_in(&self, sent: &Value) -> Option<&'a Property> {
        sent.as_str().and_then(|named| self.find(named))
    }
}
