//! What a record shows in a property, wherever it is kept.

mod csv;
mod json;
mod property;

pub use csv::{CsvCell, Names};
pub use json::{ShownCell, ShownCells};

use crate::{
    property::Property,
    types::{RecordField, Storage},
    value::{PropertyValue, Values},
};
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId, UserId},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a record shows in a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// A value of the bag.
    Value(&'a PropertyValue),
    /// Links, in their order.
    Links(&'a [RecordId]),
    /// A time of the record itself.
    Time(Timestamp),
    /// A user of the record itself.
    User(UserId),
    /// The number of the record.
    Number(u64),
    /// What was computed, in the form of the API.
    Computed(&'a Value),
}

/// What is known of a record besides the values in its bag.
#[derive(Clone, Copy, Debug)]
pub struct RecordFacts<'a> {
    /// When it was created.
    pub created_at: Timestamp,
    /// Who created it; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// When it was last changed.
    pub edited_at: Timestamp,
    /// Who last changed it; `None` if the user is unknown.
    pub edited_by: Option<UserId>,
    /// Its number in its database, if records have one there.
    pub number: Option<u64>,
    /// Its links that are shown, by property.
    pub links: &'a BTreeMap<PropertyId, Vec<RecordId>>,
    /// The results of rollups and formulas in the form of the API, by property.
    pub computed: &'a BTreeMap<PropertyId, Value>,
}

impl<'a> RecordFacts<'a> {
    /// What the record shows in a property.
    pub fn cell(&self, property: &Property, values: &'a Values) -> Cell<'a> {
        let found = match property.kind().facts().storage {
            Storage::Bag(_) => values.get(property.slot).map(Cell::Value),
            Storage::Links => {
                self.links.get(&property.id).filter(|links| !links.is_empty()).map(|links| Cell::Links(links))
            }
            Storage::Record(RecordField::CreatedAt) => Some(Cell::Time(self.created_at)),
            Storage::Record(RecordField::CreatedBy) => self.created_by.map(Cell::User),
            Storage::Record(RecordField::EditedAt) => Some(Cell::Time(self.edited_at)),
            Storage::Record(RecordField::EditedBy) => self.edited_by.map(Cell::User),
            Storage::Record(RecordField::Number) => self.number.map(Cell::Number),
            Storage::Computed => self.computed.get(&property.id).map(Cell::Computed),
            Storage::Nothing => None,
        };
        found.unwrap_or(Cell::Empty)
    }
}
