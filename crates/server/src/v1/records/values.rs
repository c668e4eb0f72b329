//! The values of records, whose form depends on the types of their properties.

use crate::wire::{Documented, Named, Readable, Writable, reference};
use octavo_app::records::{RecordDetails, facts_of};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::{PropertyId, RecordId},
    record::Record,
};
use octavo_databases::{PropertyType, Schema, cell::ShownCells, value::Values};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// Values as they were sent. They are read by the use case, with the schema at hand.
#[derive(Clone, Debug)]
pub(crate) struct SentValues(pub(crate) Map<String, Value>);

impl Documented for SentValues {
    fn schema() -> Value {
        json!({ "type": "object", "additionalProperties": reference("PropertyValue") })
    }

    fn example() -> Value {
        json!({
            "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX": { "text": "Ada Lovelace" },
            "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY": { "value": 9.5 },
        })
    }

    fn collect(named: &mut Named) {
        put_value(named);
    }
}

impl Readable for SentValues {
    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_object().cloned().map(Self).ok_or(Issue::InvalidType)
    }

    fn take_field(name: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
        let Value::Object(map) = value.take() else {
            violations.push(Violation::new(name.to_owned(), Issue::InvalidType));
            return None;
        };
        Some(Self(map))
    }
}

/// The values of a record, as they are shown.
#[derive(Clone, Debug)]
pub(crate) struct ShownValues {
    record: Record,
    schema: Arc<Schema>,
    values: Values,
    links: BTreeMap<PropertyId, Vec<RecordId>>,
    computed: BTreeMap<PropertyId, Value>,
    select: Option<Arc<[PropertyId]>>,
}

impl ShownValues {
    /// The values of these properties, or of all.
    pub(super) fn of(shown: &RecordDetails, select: Option<Arc<[PropertyId]>>) -> Self {
        let RecordDetails { record, schema, values, links, computed, .. } = shown;
        let (record, schema) = (record.clone(), Arc::clone(schema));
        Self { record, schema, values: values.clone(), links: links.clone(), computed: computed.clone(), select }
    }
}

impl Documented for ShownValues {
    fn schema() -> Value {
        SentValues::schema()
    }

    fn example() -> Value {
        json!({
            "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX": { "text": "Ada Lovelace", "marks": [] },
            "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY": { "value": 9.5 },
        })
    }

    fn collect(named: &mut Named) {
        put_value(named);
    }
}

impl Writable for ShownValues {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = facts_of(&self.record, &self.links, &self.computed);
        ShownCells { schema: &self.schema, select: self.select.as_deref(), values: &self.values, facts }
            .serialize(serializer)
    }
}

/// Describes values: which form a value has depends on the type of its property.
pub(crate) fn put_value(named: &mut Named) {
    let mut forms: Vec<Value> = Vec::new();
    for kind in PropertyType::ALL {
        let form = kind.value_schema();
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms.push(json!({ "type": "null" }));
    let about = "The value of a property, in the form of its type; null if there is none.";
    named.insert("PropertyValue".to_owned(), json!({ "description": about, "anyOf": forms }));
}
