//! The other side of a relation.

use super::{Effect, Effects, PropertyDraft, Schema, Schemas, draft::names_reverse};
use crate::{
    fault::SchemaFault,
    property::Property,
    types::{Cardinality, PropertyConfig, RelationConfig, Reverse, Side},
};
use octavo_core_model::{
    Timestamp,
    fault::{Hint, Issue, Violation},
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use serde_json::{Map, Value};

/// Where the name of the property on the other side comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReverseName {
    /// The caller chose it.
    Sent,
    /// It is a suggestion, which gets a number if it is taken.
    Suggested,
}

impl ReverseName {
    pub(super) const fn of(draft: &PropertyDraft) -> Self {
        if draft.names_reverse { Self::Sent } else { Self::Suggested }
    }

    /// Of a merge patch of a property.
    pub(super) fn of_change(sent: &Map<String, Value>) -> Self {
        if names_reverse(sent) { Self::Sent } else { Self::Suggested }
    }
}

/// This name, or if it is taken the first one with a number behind it that is not.
fn free_name(schema: &Schema, wanted: &PropertyName) -> PropertyName {
    if schema.by_name(wanted.as_str()).is_none() {
        return wanted.clone();
    }
    let numbered = |number: usize| {
        let end = format!(" {number}");
        let start: String = wanted.as_str().chars().take(PropertyName::MAX - end.len()).collect();
        PropertyName::from_stored(format!("{}{end}", start.trim_end()))
    };
    let is_free = |name: &PropertyName| schema.by_name(name.as_str()).is_none();
    // Every property takes one name at most, so one of these is free.
    let mut names = (2..=schema.properties().len() + 2).map(numbered);
    names.find(is_free).unwrap_or_else(|| wanted.clone())
}

impl Schemas {
    /// Adds the property on the other side, if the relation has one.
    pub(super) fn add_reverse(
        &mut self,
        (database, id): (DatabaseId, PropertyId),
        at: &str,
        named: ReverseName,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<(), SchemaFault> {
        let property = self.property(database, id)?;
        let Some((relation, reverse)) = both_sides(property) else { return Ok(()) };
        let own = Reverse { property: id, name: property.name.clone() };
        let other = PropertyConfig::Relation(RelationConfig {
            target: database,
            cardinality: relation.cardinality,
            side: if relation.side == Side::Source { Side::Reverse } else { Side::Source },
            reverse: Some(own),
        });
        let target = relation.target;
        let Some(schema) = self.get(target) else {
            let hint = Hint::ruled_by(&["an existing database"]);
            return Err(Violation::new(format!("{at}config.targetDatabaseId"), Issue::InvalidValue)
                .hinting(hint)
                .into());
        };
        let name = match named {
            ReverseName::Sent => reverse.name.clone(),
            ReverseName::Suggested => free_name(schema, &reverse.name),
        };
        let renamed = (name != reverse.name).then(|| {
            let reverse = Some(Reverse { name: name.clone(), ..reverse.clone() });
            let config = PropertyConfig::Relation(RelationConfig { reverse, ..relation.clone() });
            Property { config, ..property.clone() }
        });
        let made = Property {
            id: reverse.property,
            database: target,
            slot: 0,
            name,
            position: schema.end(),
            is_visible: true,
            required: false,
            config: other,
            default: None,
            created_at: now,
        };
        self.check_name(target, &made.name, None, &format!("{at}config.reverseName"))?;
        self.check_room(target)?;
        effects.push(target, Effect::Added(made.id));
        self.held(target)?.insert(made);
        if let Some(renamed) = renamed {
            self.held(database)?.replace(renamed);
        }
        Ok(())
    }

    /// Brings the other side of a relation in line with a change of this side.
    pub(super) fn follow(
        &mut self,
        before: &Property,
        after: &Property,
        named: ReverseName,
        now: Timestamp,
        effects: &mut Effects,
    ) -> Result<(), SchemaFault> {
        let (Some(old), Some(new)) = (before.config.relation(), after.config.relation()) else { return Ok(()) };
        if rank(new.cardinality) < rank(old.cardinality) {
            effects.push(after.database, Effect::CardinalityNarrowed(after.id));
        }
        match (&old.reverse, &new.reverse) {
            (None, None) => Ok(()),
            (None, Some(_)) => self.add_reverse((after.database, after.id), "", named, now, effects),
            (Some(gone), None) => self.remove_reverse(old.target, gone.property, effects),
            (Some(_), Some(reverse)) => {
                self.check_name(new.target, &reverse.name, Some(reverse.property), "config.reverseName")?;
                let other = self.property(new.target, reverse.property)?;
                let Some(relation) = other.config.relation() else { return Ok(()) };
                let own = Reverse { property: after.id, name: after.name.clone() };
                let config = RelationConfig { cardinality: new.cardinality, reverse: Some(own), ..relation.clone() };
                let changed =
                    Property { name: reverse.name.clone(), config: PropertyConfig::Relation(config), ..other.clone() };
                if changed != *other {
                    effects.push(new.target, Effect::Updated(changed.id));
                    self.held(new.target)?.replace(changed);
                }
                Ok(())
            }
        }
    }

    fn remove_reverse(&mut self, target: DatabaseId, id: PropertyId, effects: &mut Effects) -> Result<(), SchemaFault> {
        let dependents = self.dependents_of(&[(target, id)]);
        if !dependents.is_empty() {
            let ids = dependents.into_iter().map(|(_, id)| id).collect();
            return Err(crate::fault::Refusal::HasDependents(ids).into());
        }
        if let Some(removed) = self.held(target)?.remove(id) {
            effects.push(target, Effect::Removed(Box::new(removed)));
        }
        Ok(())
    }
}

/// A relation that is visible on both sides, and its other side.
pub(super) fn both_sides(property: &Property) -> Option<(&RelationConfig, &Reverse)> {
    let relation = property.config.relation()?;
    Some((relation, relation.reverse.as_ref()?))
}

/// More links are allowed under a higher rank.
const fn rank(cardinality: Cardinality) -> u8 {
    match cardinality {
        Cardinality::OneToOne => 0,
        Cardinality::OneToMany => 1,
        Cardinality::ManyToMany => 2,
    }
}
