//! The properties of a database.

mod add;
mod change;
mod create;
mod default;
mod delete;
mod draft;
mod effect;
pub(crate) mod formulas;
mod reverse;
mod rollup;
mod set;
mod title;

pub use delete::Deleted;
pub(crate) use draft::one_title;
pub use draft::{PropertyDraft, read_drafts};
pub use effect::{Effect, Effects};
pub use set::Schemas;
pub use title::TitleTransfer;

use crate::{property::Property, text::folded_line};
use octavo_core_model::{
    id::{DatabaseId, PropertyId},
    position::Position,
};

/// The properties of a database in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    database: DatabaseId,
    version: i64,
    next_slot: u32,
    properties: Vec<Property>,
    /// Indexes of the properties by slot.
    by_slot: Vec<(u32, usize)>,
    /// Indexes of the properties by id.
    by_id: Vec<(PropertyId, usize)>,
}

impl Schema {
    /// The largest number of properties.
    pub const MAX: usize = 200;

    /// A schema from the store: `next_slot` is larger than all slots that were ever used.
    pub fn from_stored(database: DatabaseId, version: i64, next_slot: u32, properties: Vec<Property>) -> Self {
        let mut schema = Self { database, version, next_slot, properties, by_slot: Vec::new(), by_id: Vec::new() };
        schema.arrange();
        schema
    }

    /// Puts the properties in order, and the indexes with them.
    fn arrange(&mut self) {
        self.properties.sort_by(|a, b| (&a.position, a.id).cmp(&(&b.position, b.id)));
        let places = || self.properties.iter().enumerate();
        self.by_slot = places().map(|(index, property)| (property.slot, index)).collect();
        self.by_id = places().map(|(index, property)| (property.id, index)).collect();
        self.by_slot.sort_unstable();
        self.by_id.sort_unstable();
    }

    /// The database.
    pub const fn database(&self) -> DatabaseId {
        self.database
    }

    /// How often the schema was changed, plus one.
    pub const fn version(&self) -> i64 {
        self.version
    }

    /// The slot of the next property.
    pub const fn next_slot(&self) -> u32 {
        self.next_slot
    }

    /// The properties in their order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The property with this id.
    pub fn property(&self, id: PropertyId) -> Option<&Property> {
        let at = self.by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.properties.get(self.by_id[at].1)
    }

    /// The property whose values are in this slot.
    pub fn by_slot(&self, slot: u32) -> Option<&Property> {
        let at = self.by_slot.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        self.properties.get(self.by_slot[at].1)
    }

    /// The property with this name, whatever its case and outer white space.
    pub fn by_name(&self, name: &str) -> Option<&Property> {
        let wanted = folded_line(name);
        self.properties.iter().find(|property| folded_line(property.name.as_str()) == wanted)
    }

    /// The property with this id or name.
    pub fn find(&self, named: &str) -> Option<&Property> {
        let by_id = named.parse().ok().and_then(|id| self.property(id));
        by_id.or_else(|| self.by_name(named))
    }

    /// The title property. Every schema that was made here has one.
    pub fn title(&self) -> Option<&Property> {
        self.properties.iter().find(|property| property.is_title())
    }

    /// The databases that the relations lead to.
    pub fn relation_targets(&self) -> impl Iterator<Item = DatabaseId> {
        self.properties.iter().filter_map(|property| property.config.relation()).map(|relation| relation.target)
    }

    /// A schema without properties yet.
    fn empty(database: DatabaseId) -> Self {
        let (properties, by_slot, by_id) = (Vec::new(), Vec::new(), Vec::new());
        Self { database, version: 1, next_slot: 1, properties, by_slot, by_id }
    }

    /// The position behind all properties.
    fn end(&self) -> Position {
        Position::after(self.properties.last().map(|property| &property.position))
    }

    /// Adds a property under a slot of its own.
    fn insert(&mut self, property: Property) {
        let slot = self.next_slot;
        self.next_slot += 1;
        self.properties.push(Property { slot, ..property });
        self.arrange();
    }

    /// Puts a changed property in place of itself.
    fn replace(&mut self, property: Property) {
        if let Some(held) = self.properties.iter_mut().find(|held| held.id == property.id) {
            *held = property;
            self.arrange();
        }
    }

    fn remove(&mut self, id: PropertyId) -> Option<Property> {
        let at = self.properties.iter().position(|property| property.id == id)?;
        let removed = self.properties.remove(at);
        self.arrange();
        Some(removed)
    }
}
