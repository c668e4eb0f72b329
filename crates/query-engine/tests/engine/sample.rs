//! Databases and records for tests.

use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, FileId, PropertyId, RecordId, UserId},
    position::Position,
    text::PropertyName,
};
use octavo_databases::{
    Property, PropertyConfig, PropertyType, Schema, Values,
    query::{Columns, Query},
    stored::encode,
    value::Moment,
};
use octavo_query_engine::{
    Change, Chunk, ChunkBuilder, ComputedBuilder, ComputedColumn, ComputedValue, Item, Layout, Row, Table,
};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, convert::Infallible, sync::Arc};

pub(crate) const ROLLUP: PropertyType = PropertyType::Rollup;

/// The id of the property with this type.
pub(crate) fn id_of(kind: PropertyType) -> PropertyId {
    let index = PropertyType::ALL.iter().position(|known| *known == kind).unwrap();
    PropertyId::new(1, [u8::try_from(index).unwrap(); 10])
}

/// The id of a rollup whose values are not always numbers.
pub(crate) fn largest() -> PropertyId {
    PropertyId::new(1, [100; 10])
}

pub(crate) fn user(number: u8) -> UserId {
    UserId::new(1, [number; 10])
}

pub(crate) fn file(number: u8) -> FileId {
    FileId::new(1, [number; 10])
}

pub(crate) fn record_id(number: u8) -> RecordId {
    RecordId::new(1, [number; 10])
}

fn config_of(kind: PropertyType, options: &Value) -> Value {
    match kind {
        PropertyType::Select | PropertyType::MultiSelect | PropertyType::Status => json!({ "options": options }),
        PropertyType::Relation => json!({ "targetDatabaseId": DatabaseId::EXAMPLE, "cardinality": "many_to_many" }),
        PropertyType::Rollup => rollup("COUNT"),
        PropertyType::Formula => json!({ "expression": "1" }),
        PropertyType::UniqueId => json!({ "prefix": "TASK" }),
        _ => json!({}),
    }
}

fn rollup(aggregate: &str) -> Value {
    let relation = id_of(PropertyType::Relation);
    json!({ "relationPropertyId": relation, "targetPropertyId": largest(), "aggregate": aggregate })
}

fn property(id: PropertyId, slot: u32, name: &str, kind: PropertyType, config: Value) -> Property {
    let config: Map<_, _> = serde_json::from_value(config).unwrap();
    Property {
        id,
        database: DatabaseId::EXAMPLE,
        slot,
        name: PropertyName::from_stored(name.to_owned()),
        position: Position::after(None),
        is_visible: true,
        required: false,
        config: PropertyConfig::from_stored(kind, config).unwrap(),
        default: None,
        created_at: Timestamp::from_millis(0),
    }
}

/// A database with a property of each type, named like its type, and the rollup `largest`. Its options have these names;
/// their ids are the names in lower case behind `opt-`.
pub(crate) fn schema_with(options: &[&str]) -> Schema {
    let option = |name: &&str| json!({ "id": format!("opt-{}", name.to_lowercase()), "name": name, "color": "red" });
    let options: Value = options.iter().map(option).collect();
    let all = (1..).zip(PropertyType::ALL);
    let each = all.map(|(slot, kind)| property(id_of(*kind), slot, kind.name(), *kind, config_of(*kind, &options)));
    let largest = property(largest(), 100, "largest", PropertyType::Rollup, rollup("MAX"));
    Schema::from_stored(DatabaseId::EXAMPLE, 1, 101, each.chain([largest]).collect())
}

pub(crate) fn schema() -> Schema {
    schema_with(&["Open", "Doing", "Done"])
}

/// What was computed for a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Computed {
    Null,
    Number(f64),
    Text(String),
    Boolean(bool),
    Date(Moment),
    List(Vec<Item>),
    Error(&'static str),
}

impl Computed {
    pub(crate) fn value(&self) -> ComputedValue<'_> {
        match self {
            Self::Null => ComputedValue::Null,
            Self::Number(number) => ComputedValue::Number(*number),
            Self::Text(text) => ComputedValue::Text(text),
            Self::Boolean(boolean) => ComputedValue::Boolean(*boolean),
            Self::Date(moment) => ComputedValue::Date(*moment),
            Self::List(list) => ComputedValue::List(list),
            Self::Error(name) => ComputedValue::Error(name),
        }
    }
}

/// A record as tests write it.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) id: RecordId,
    pub(crate) position: String,
    pub(crate) parent: Option<RecordId>,
    pub(crate) is_archived: bool,
    pub(crate) number: Option<u64>,
    pub(crate) created_at: i64,
    pub(crate) created_by: Option<UserId>,
    pub(crate) edited_at: i64,
    pub(crate) edited_by: Option<UserId>,
    pub(crate) bag: String,
    pub(crate) links: Vec<(PropertyId, Vec<RecordId>)>,
    pub(crate) computed: BTreeMap<PropertyId, Computed>,
}

impl Record {
    /// A record without values at the position of its number.
    pub(crate) fn new(number: u8) -> Self {
        Self {
            id: record_id(number),
            position: format!("a{number:03}"),
            parent: None,
            is_archived: false,
            number: Some(u64::from(number)),
            created_at: 0,
            created_by: None,
            edited_at: 0,
            edited_by: None,
            bag: "{}".to_owned(),
            links: Vec::new(),
            computed: BTreeMap::new(),
        }
    }

    /// The record with values as they are stored, by type of property.
    pub(crate) fn with(mut self, values: &[(PropertyType, Value)]) -> Self {
        let slot = |kind: PropertyType| PropertyType::ALL.iter().position(|known| *known == kind).unwrap() + 1;
        let bag: Map<_, _> = values.iter().map(|(kind, value)| (slot(*kind).to_string(), value.clone())).collect();
        self.bag = Value::Object(bag).to_string();
        self
    }

    pub(crate) fn set(&mut self, values: &Values) {
        self.bag = encode(values);
    }

    pub(crate) fn row(&self) -> Row<'_> {
        Row {
            id: self.id,
            position: &self.position,
            parent: self.parent,
            is_archived: self.is_archived,
            number: self.number,
            created_at: Timestamp::from_millis(self.created_at),
            created_by: self.created_by,
            edited_at: Timestamp::from_millis(self.edited_at),
            edited_by: self.edited_by,
            bag: &self.bag,
            links: &self.links,
        }
    }
}

/// Chunks of so many records.
pub(crate) fn chunks(schema: &Schema, records: &[Record], size: usize) -> Vec<Chunk> {
    let layout = Arc::new(Layout::of(schema));
    let build = |records: &[Record]| {
        let mut builder = ChunkBuilder::new(&layout);
        for record in records {
            builder.push(&record.row()).unwrap();
        }
        builder.finish()
    };
    records.chunks(size).map(build).collect()
}

/// A computed column for a chunk of these records.
pub(crate) fn computed(records: &[Record], property: PropertyId, chunk: &Chunk) -> ComputedColumn {
    let mut builder = ComputedBuilder::new(chunk.len());
    for row in 0..chunk.len() {
        let record = records.iter().find(|record| record.id == chunk.id(row));
        let value = record.and_then(|record| record.computed.get(&property));
        builder.push(value.map_or(ComputedValue::Null, Computed::value));
    }
    builder.finish()
}

/// The properties whose values are computed.
pub(crate) fn computed_properties() -> [PropertyId; 3] {
    [id_of(PropertyType::Formula), id_of(ROLLUP), largest()]
}

/// The table with all computed columns.
pub(crate) fn complete(table: &Table, records: &[Record]) -> Table {
    computed_properties().into_iter().fold(table.clone(), |table, property| {
        table.complete::<Infallible>(property, |chunk| Ok(computed(records, property, chunk))).unwrap()
    })
}

/// A table of these records.
pub(crate) fn table(schema: &Schema, records: &[Record]) -> Table {
    complete(&Table::new(schema, chunks(schema, records, 3)), records)
}

/// Changes that add or replace records.
pub(crate) fn puts(records: &[Record]) -> Vec<Change<'_>> {
    records.iter().map(|record| Change::Put(record.row())).collect()
}

/// A query as callers send it.
pub(crate) fn query(schema: &Schema, sent: Value) -> Query {
    let Value::Object(sent) = sent else { panic!("a query is an object") };
    Query::read(sent, Columns::by_id(schema)).unwrap()
}
