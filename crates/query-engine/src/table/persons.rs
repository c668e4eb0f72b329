//! The persons of a column.

use super::Table;
use crate::field::{View, view};
use octavo_core_model::id::UserId;
use octavo_databases::Property;
use std::collections::BTreeSet;

impl Table {
    /// The persons that a property of persons has in any record. Some may have been replaced since.
    pub fn persons(&self, property: &Property) -> BTreeSet<UserId> {
        let mut persons = BTreeSet::new();
        for chunk in self.chunks() {
            match view(property, chunk) {
                View::Persons(lists) => persons.extend(&lists.things),
                View::User(single) => persons.extend(&single.things),
                _ => {}
            }
        }
        persons
    }
}
