//! Copies of schemas and views, in which ids lead to what is copied along with them.

use crate::{
    property::Property,
    schema::Schema,
    types::{Cardinality, PropertyConfig, RelationConfig, Side},
    views::StoredView,
};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId, ViewId},
};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    str::FromStr,
};

/// What becomes of a relation in a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationCopy {
    /// Its target is copied too, so the copies are related like the originals.
    Within,
    /// It leads to the same target. It has no reverse: nothing is added to a database that is not copied.
    ToSame,
    /// It is left out.
    Dropped,
}

/// Ids of things that are copied, with the ids of their copies, in the form in which configurations contain them.
#[derive(Clone, Debug, Default)]
pub struct CopiedNames(BTreeMap<String, String>);

impl CopiedNames {
    /// Adds the copy of something.
    pub fn add<T: Display>(&mut self, original: T, copy: T) {
        self.0.insert(original.to_string(), copy.to_string());
    }

    /// The copy of something.
    pub fn of<T: Copy + Display + FromStr>(&self, original: T) -> Option<T> {
        self.0.get(&original.to_string())?.parse().ok()
    }

    /// The copy of a property.
    pub fn property(&self, original: PropertyId) -> Option<PropertyId> {
        self.of(original)
    }

    /// The value with the ids of copies in place of those of originals, also within texts and in keys.
    pub fn renamed(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.renamed_text(&text)),
            Value::Array(list) => list.into_iter().map(|value| self.renamed(value)).collect(),
            Value::Object(map) => Value::Object(self.renamed_map(map)),
            other => other,
        }
    }

    fn renamed_map(&self, map: Map<String, Value>) -> Map<String, Value> {
        map.into_iter().map(|(key, value)| (self.renamed_text(&key), self.renamed(value))).collect()
    }

    /// Every word that is the id of an original becomes the id of its copy.
    fn renamed_text(&self, text: &str) -> String {
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let mut renamed = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            let (before, from) = rest.split_at(start);
            let end = from.find(|character| !is_part(character)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            renamed.push_str(before);
            renamed.push_str(self.0.get(word).map_or(word, String::as_str));
            rest = after;
        }
        renamed.push_str(rest);
        renamed
    }
}

/// The properties of a copy of a database, under the same slots, so that values can be copied as they are. What is
/// computed from a property that is left out is left out as well. `names` holds the ids of everything that is copied,
/// also of the properties.
pub fn copied_properties(
    original: &Schema,
    to: DatabaseId,
    names: &CopiedNames,
    relations: &dyn Fn(&Property, &RelationConfig) -> RelationCopy,
    now: Timestamp,
) -> Vec<Property> {
    let dropped = dropped(original, relations);
    let copy = |property: &Property| {
        let config = match property.config.relation() {
            Some(relation) if relations(property, relation) == RelationCopy::ToSame => {
                PropertyConfig::Relation(alone(relation))
            }
            _ => PropertyConfig::from_stored(property.kind(), names.renamed_map(property.config.to_json()))?,
        };
        let id = names.property(property.id)?;
        Some(Property { id, database: to, config, created_at: now, ..property.clone() })
    };
    original.properties().iter().filter(|property| !dropped.contains(&property.id)).filter_map(copy).collect()
}

/// The relations that are left out, and what is computed from them.
fn dropped(original: &Schema, relations: &dyn Fn(&Property, &RelationConfig) -> RelationCopy) -> BTreeSet<PropertyId> {
    let is_dropped = |property: &&Property| {
        property.config.relation().is_some_and(|relation| relations(property, relation) == RelationCopy::Dropped)
    };
    let mut dropped: BTreeSet<_> =
        original.properties().iter().filter(is_dropped).map(|property| property.id).collect();
    let computed =
        |property: &&Property| matches!(property.config, PropertyConfig::Rollup(_) | PropertyConfig::Formula(_));
    let named: Vec<_> = original
        .properties()
        .iter()
        .filter(computed)
        .map(|property| (property.id, Value::Object(property.config.to_json()).to_string()))
        .collect();
    loop {
        let names_dropped = |config: &str| dropped.iter().any(|id| config.contains(&id.to_string()));
        let more: Vec<_> = named
            .iter()
            .filter(|(id, config)| !dropped.contains(id) && names_dropped(config))
            .map(|(id, _)| *id)
            .collect();
        if more.is_empty() {
            return dropped;
        }
        dropped.extend(more);
    }
}

/// A relation to the same target without a reverse. Seen from the reverse of a relation, a cardinality can be one that a
/// relation of its own cannot have; then nothing is limited.
fn alone(relation: &RelationConfig) -> RelationConfig {
    let cardinality = match (relation.side, relation.cardinality) {
        (Side::Reverse, Cardinality::OneToMany) => Cardinality::ManyToMany,
        (_, cardinality) => cardinality,
    };
    RelationConfig { target: relation.target, cardinality, side: Side::Source, reverse: None }
}

/// The copy of a view. What it names and the copy of the database does not have is left out when it is read.
pub fn copied_view(original: StoredView, id: ViewId, names: &CopiedNames, now: Timestamp) -> StoredView {
    StoredView {
        id,
        config: names.renamed(original.config),
        filter: names.renamed(original.filter),
        sort: names.renamed(original.sort),
        group: names.renamed(original.group),
        created_at: now,
        updated_at: now,
        ..original
    }
}
