//! Deletion of properties, and what depends on them.

use super::{Effect, Effects, Schemas, formulas, reverse::both_sides};
use crate::{
    fault::{Refusal, SchemaFault},
    property::Property,
    types::{PropertyConfig, PropertyType},
};
use octavo_core_model::id::{DatabaseId, PropertyId};
use std::collections::BTreeSet;

/// What was deleted along with a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// The other side of a relation.
    pub relations: Vec<PropertyId>,
    /// Rollups that used it.
    pub rollups: Vec<PropertyId>,
    /// Formulas that used it.
    pub formulas: Vec<PropertyId>,
}

type Place = (DatabaseId, PropertyId);

impl Schemas {
    /// Deletes a property, the other side of a relation, and with `cascade` all rollups and formulas that use them.
    pub fn delete(
        &mut self,
        database: DatabaseId,
        id: PropertyId,
        cascade: bool,
    ) -> Result<(Deleted, Effects), SchemaFault> {
        let property = self.property(database, id)?;
        if property.is_title() {
            return Err(Refusal::CannotDeleteTitleProperty.into());
        }
        let both = Self::with_other_side(database, property);
        let dependents = self.dependents_of(&both);
        if !cascade && !dependents.is_empty() {
            return Err(Refusal::HasDependents(dependents.into_iter().map(|(_, id)| id).collect()).into());
        }
        let gone = self.with_dependents(both);
        self.all_or_nothing(|schemas, effects| {
            let mut deleted = Deleted::default();
            for (holder, gone) in gone {
                let Some(removed) = schemas.held(holder)?.remove(gone) else { continue };
                match removed.kind() {
                    _ if gone == id => {}
                    PropertyType::Rollup => deleted.rollups.push(gone),
                    PropertyType::Formula => deleted.formulas.push(gone),
                    _ => deleted.relations.push(gone),
                }
                effects.push(holder, Effect::Removed(Box::new(removed)));
            }
            Ok(deleted)
        })
    }

    /// The databases that lose a property if this one is deleted with all rollups and formulas that use it, directly or
    /// through others, as far as their schemas are among these.
    pub fn databases_below(&self, database: DatabaseId, id: PropertyId) -> BTreeSet<DatabaseId> {
        let Ok(property) = self.property(database, id) else { return BTreeSet::new() };
        let gone = self.with_dependents(Self::with_other_side(database, property));
        gone.into_iter().map(|(database, _)| database).collect()
    }

    fn with_other_side(database: DatabaseId, property: &Property) -> Vec<Place> {
        let other = both_sides(property).map(|(relation, reverse)| (relation.target, reverse.property));
        std::iter::once((database, property.id)).chain(other).collect()
    }

    fn with_dependents(&self, mut gone: Vec<Place>) -> Vec<Place> {
        loop {
            let dependents = self.dependents_of(&gone);
            if dependents.is_empty() {
                return gone;
            }
            gone.extend(dependents);
        }
    }

    /// The rollups and formulas that use a property.
    pub fn dependents(&self, database: DatabaseId, id: PropertyId) -> Vec<PropertyId> {
        self.dependents_of(&[(database, id)]).into_iter().map(|(_, id)| id).collect()
    }

    /// The rollups and formulas outside of these properties that use one of them.
    pub(super) fn dependents_of(&self, used: &[Place]) -> Vec<Place> {
        let all = self.iter().flat_map(super::Schema::properties);
        let others = all.filter(|property| !used.contains(&(property.database, property.id)));
        let dependents = others.filter(|property| used.iter().any(|place| self.uses(property, *place)));
        dependents.map(|property| (property.database, property.id)).collect()
    }

    fn uses(&self, property: &Property, (database, id): Place) -> bool {
        match &property.config {
            PropertyConfig::Rollup(config) => {
                let relation = self.get(property.database).and_then(|schema| schema.property(config.relation));
                let target = relation.and_then(|property| property.config.relation()).map(|relation| relation.target);
                let is_of_target = |schema| config.target == id || config.filter_uses(id, schema);
                (property.database == database && config.relation == id)
                    || (target == Some(database) && self.get(database).is_some_and(is_of_target))
            }
            PropertyConfig::Formula(config) => property.database == database && formulas::uses(&config.expression, id),
            _ => false,
        }
    }
}
