//! What a change of schemas means for everything else.

use crate::{options::OptionId, property::Property};
use octavo_core_model::id::{DatabaseId, PropertyId};

/// One consequence of a change in one database.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The property is new.
    Added(PropertyId),
    /// The property changed, but no value did.
    Updated(PropertyId),
    /// The property is gone, and the values in its slot or its links go too.
    Removed(Box<Property>),
    /// Options are gone, and every value of the property that has one loses it.
    OptionsRemoved {
        /// The property.
        property: PropertyId,
        /// The slot of its values.
        slot: u32,
        /// The options that are gone.
        options: Vec<OptionId>,
    },
    /// The relation allows fewer links than before; the change fails if existing links break that.
    CardinalityNarrowed(PropertyId),
}

/// All consequences of a change, each with the database in which it happens. There are none if nothing changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects(pub(super) Vec<(DatabaseId, Effect)>);

impl Effects {
    /// The consequences in their order.
    pub fn iter(&self) -> impl Iterator<Item = (DatabaseId, &Effect)> {
        self.0.iter().map(|(database, effect)| (*database, effect))
    }

    /// The databases that changed, each once.
    pub fn databases(&self) -> Vec<DatabaseId> {
        let mut databases: Vec<_> = self.0.iter().map(|(database, _)| *database).collect();
        databases.sort_unstable();
        databases.dedup();
        databases
    }

    /// Whether nothing changed.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, database: DatabaseId, effect: Effect) {
        let entry = (database, effect);
        if !self.0.contains(&entry) {
            self.0.push(entry);
        }
    }
}
