//! `rollup`: a summary of a property of the linked records.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, Storage, object};
use crate::read::{Fields, Flaw, id, id_pattern, one_of};
use octavo_core_model::{fault::Issue, id::PropertyId, named};
use serde_json::{Map, Value, json};

named! {
    /// How the values of linked records become one.
    Aggregate {
        Count = "COUNT",
        Sum = "SUM",
        Average = "AVERAGE",
        Min = "MIN",
        Max = "MAX",
        Percent = "PERCENT",
        Unique = "UNIQUE",
    }
}

/// The configuration of `rollup`.
#[derive(Clone, Debug, PartialEq)]
pub struct RollupConfig {
    /// The relation whose links are followed, a property of the same database.
    pub relation: PropertyId,
    /// The property of the linked records, a property of the relation's target.
    pub target: PropertyId,
    /// What is computed.
    pub aggregate: Aggregate,
    /// Which linked records count; a filter on the target.
    pub filter: Option<Value>,
}

impl Config for RollupConfig {
    const REQUIRED: &'static [&'static str] = &["relationPropertyId", "targetPropertyId", "aggregate"];

    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let property = |sent: &Value| id(sent, PropertyId::PREFIX);
        let relation = fields.required("relationPropertyId", before.map(|before| before.relation), property);
        let target = fields.required("targetPropertyId", before.map(|before| before.target), property);
        let aggregate =
            fields.required("aggregate", before.map(|before| before.aggregate), |sent| one_of(sent, Aggregate::ALL));
        let filter = fields.nullable("filter", |sent| match sent {
            Value::Object(_) => Ok(sent.clone()),
            _ => Err(Flaw::new(Issue::InvalidType)),
        });
        let filter = filter.or(before.and_then(|before| before.filter.clone()));
        Some(Self { relation: relation?, target: target?, aggregate: aggregate?, filter })
    }

    fn write(&self) -> Map<String, Value> {
        object([
            ("relationPropertyId", json!(self.relation)),
            ("targetPropertyId", json!(self.target)),
            ("aggregate", json!(self.aggregate)),
            ("filter", json!(self.filter)),
        ])
    }

    fn keys() -> Map<String, Value> {
        let property = || json!({ "type": "string", "pattern": id_pattern(PropertyId::PREFIX) });
        object([
            ("relationPropertyId", property()),
            ("targetPropertyId", property()),
            ("aggregate", json!({ "type": "string", "enum": Aggregate::ALL })),
            ("filter", json!({ "type": ["object", "null"] })),
        ])
    }
}

pub(super) struct Rollup;

impl Rules for Rollup {
    type Config = RollupConfig;

    const FACTS: Facts = Facts::read_only(
        "A summary of a property of the linked records, computed when it is read.",
        Storage::Computed,
        FilterKind::Computed,
        SortKind::Computed,
    );

    fn value_schema() -> Value {
        json!({
            "type": "object",
            "properties": { "value": { "description": "What was computed." }, "values": { "type": "array", "items": {} } },
        })
    }
}
