//! `relation`: links to records of a database.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, object};
use crate::{
    forms::lists,
    input::{Input, InputRules, LinkInput},
    read::{Fields, Flaw, boolean, id, id_pattern, line, one_of, text},
};
use octavo_core_model::{
    fault::Issue,
    id::{DatabaseId, PropertyId, RecordId},
    named,
    text::PropertyName,
};
use serde_json::{Map, Value, json};

named! {
    /// How many links the records on both sides of a relation may have.
    Cardinality {
        /// One link on either side.
        OneToOne = "one_to_one",
        /// A record links any number of targets, and each target is linked from one record.
        OneToMany = "one_to_many",
        /// Any number on both sides.
        ManyToMany = "many_to_many",
    }
}

/// On which side of a relation a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The relation was created here.
    Source,
    /// It is the reverse of a relation of another property.
    Reverse,
}

/// The configuration of `relation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationConfig {
    /// The database of the linked records.
    pub target: DatabaseId,
    /// How many links there may be, seen from the source.
    pub cardinality: Cardinality,
    /// Which side this property is.
    pub side: Side,
    /// The property of the target that shows the same links from the other side.
    pub reverse: Option<Reverse>,
}

/// The property on the other side of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse {
    /// Its id.
    pub property: PropertyId,
    /// Its name.
    pub name: PropertyName,
}

impl RelationConfig {
    /// Whether the relation is visible on both sides.
    pub const fn is_bidirectional(&self) -> bool {
        self.reverse.is_some()
    }

    /// Whether a record with this property may link one target only.
    pub const fn links_one(&self) -> bool {
        match self.side {
            Side::Source => matches!(self.cardinality, Cardinality::OneToOne),
            Side::Reverse => !matches!(self.cardinality, Cardinality::ManyToMany),
        }
    }

    /// Whether a target may be linked from one record only.
    pub const fn is_linked_once(&self) -> bool {
        match self.side {
            Side::Source => !matches!(self.cardinality, Cardinality::ManyToMany),
            Side::Reverse => matches!(self.cardinality, Cardinality::OneToOne),
        }
    }
}

impl Config for RelationConfig {
    const REQUIRED: &'static [&'static str] = &["targetDatabaseId"];

    fn read(before: Option<&Self>, fields: &mut Fields<'_>, inputs: &mut ConfigInputs<'_>) -> Option<Self> {
        let target = target(before.map(|before| before.target), fields);
        let cardinality = fields.optional("cardinality", |sent| one_of(sent, Cardinality::ALL));
        let before_cardinality = before.map_or(Cardinality::ManyToMany, |before| before.cardinality);
        let reverse = reverse(before, fields, inputs);
        let is_reverse = fields.is_stored() && fields.optional("isReverse", boolean).unwrap_or(false);
        let side = before.map_or(if is_reverse { Side::Reverse } else { Side::Source }, |before| before.side);
        Some(Self { target: target?, cardinality: cardinality.unwrap_or(before_cardinality), side, reverse: reverse? })
    }

    fn write(&self) -> Map<String, Value> {
        let reverse = self.reverse.as_ref();
        object([
            ("targetDatabaseId", json!(self.target)),
            ("cardinality", json!(self.cardinality)),
            ("bidirectional", json!(self.is_bidirectional())),
            ("reverseName", json!(reverse.map(|reverse| &reverse.name))),
            ("reversePropertyId", json!(reverse.map(|reverse| reverse.property))),
            ("isReverse", json!(self.side == Side::Reverse)),
        ])
    }

    fn keys() -> Map<String, Value> {
        object([
            ("targetDatabaseId", json!({ "type": "string", "pattern": id_pattern(DatabaseId::PREFIX) })),
            ("cardinality", json!({ "type": "string", "enum": Cardinality::ALL })),
            ("bidirectional", json!({ "type": "boolean" })),
            ("reverseName", json!({ "type": ["string", "null"], "maxLength": PropertyName::MAX })),
            (
                "reversePropertyId",
                json!({ "type": ["string", "null"], "pattern": id_pattern(PropertyId::PREFIX), "readOnly": true }),
            ),
            ("isReverse", json!({ "type": "boolean", "readOnly": true })),
        ])
    }
}

/// The target cannot change once there is one.
fn target(before: Option<DatabaseId>, fields: &mut Fields<'_>) -> Option<DatabaseId> {
    fields.required("targetDatabaseId", before, |sent| {
        let target = id(sent, DatabaseId::PREFIX)?;
        match before {
            Some(before) if before != target => Err(Flaw::new(Issue::Immutable)),
            _ => Ok(target),
        }
    })
}

/// The property on the other side; the inner `None` if there is none.
#[expect(clippy::option_option, reason = "flawed, none, or one")]
fn reverse(
    before: Option<&RelationConfig>,
    fields: &mut Fields<'_>,
    inputs: &mut ConfigInputs<'_>,
) -> Option<Option<Reverse>> {
    let known = before.and_then(|before| before.reverse.as_ref());
    let is_reverse = before.is_some_and(|before| before.side == Side::Reverse);
    let is_wanted =
        fields.optional("bidirectional", |sent| match boolean(sent)? {
            false if is_reverse => Err(Flaw::new(Issue::InvalidValue)
                .ruled(&["change this on the property that the relation was created with"])),
            wanted => Ok(wanted),
        });
    let name = fields.nullable("reverseName", |sent| line(sent, PropertyName::parse, PropertyName::MAX));
    let stored = fields.is_stored().then(|| fields.optional("reversePropertyId", |sent| id(sent, PropertyId::PREFIX)));
    if !is_wanted.unwrap_or(known.is_some()) {
        return Some(None);
    }
    let name = name.or(known.map(|known| known.name.clone())).unwrap_or_else(|| inputs.reverse_name.clone());
    let property = match (known, stored) {
        (Some(known), _) => known.property,
        (None, Some(stored)) => stored?,
        (None, None) => (inputs.draw)(),
    };
    Some(Some(Reverse { property, name }))
}

/// The largest number of links of one record.
pub const MAX_LINKS: usize = 10_000;
const SHAPE: &str = "`{ recordIds }` with a list of ids of records";

fn read(_: &RelationConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    let links = lists::each(sent, "recordIds", MAX_LINKS, SHAPE, |sent| {
        let text = text(sent)?;
        match text.strip_prefix('$') {
            Some(label) => Ok(LinkInput::Reference(label.to_owned())),
            None => record_id(text).map(LinkInput::Id).ok_or_else(invalid_id),
        }
    })?;
    Ok(links.map_or(Input::Clear, Input::Links))
}

fn invalid_id() -> Flaw {
    Flaw::of_pattern(Issue::InvalidId, id_pattern(RecordId::PREFIX))
}

/// The id of a record, also with the prefix that answers of forms have.
fn record_id(text: &str) -> Option<RecordId> {
    text.parse().ok().or_else(|| {
        let body = text.strip_prefix("rec_")?;
        format!("{}{body}", RecordId::PREFIX).parse().ok()
    })
}

fn cast(_: &RelationConfig, texts: &[String]) -> Result<Input, Flaw> {
    lists::check_count(texts.len(), MAX_LINKS)?;
    let named = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    let links = named.map(|text| match text.strip_prefix('$') {
        Some(label) => LinkInput::Reference(label.to_owned()),
        None => record_id(text).map_or_else(|| LinkInput::Title(text.to_owned()), LinkInput::Id),
    });
    Ok(Input::Links(links.collect()))
}

pub(super) struct Relation;

impl Rules for Relation {
    type Config = RelationConfig;

    const FACTS: Facts =
        Facts::in_links("Links to up to 10000 records of a database.", FilterKind::Relation, SortKind::FirstTitle);

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules {
        shape: SHAPE,
        read,
        parse: |config, text| cast(config, &[text.to_owned()]),
        list: Some(cast),
    });

    fn value_schema() -> Value {
        lists::schema("recordIds", &id_pattern(RecordId::PREFIX), MAX_LINKS)
    }
}
