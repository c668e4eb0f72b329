//! The representation of what the records of a group have in common.

use crate::wire::{Documented, Writable, reply};
use octavo_app::queries::{GroupKey, GroupValue};
use octavo_core_model::id::PropertyId;
use octavo_databases::{Schema, value::Number};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

reply! {
    /// What the records of a group have in common.
    pub(crate) GroupKeyReply {
        /// The property by which they are grouped.
        property_id "propertyId": required PropertyId,
        /// The value: the id of an option, a person or a record, a day, a number, a boolean or a text; null for records
        /// without a value.
        value "value": nullable GroupValueReply = "opt-new",
        /// What it is called: the name of an option or a person, the title of a record, or the value itself.
        label "label": required String = "New",
    }
}

/// The value of a group.
#[derive(Clone, Debug)]
pub(crate) struct GroupValueReply(Value);

impl Documented for GroupValueReply {
    fn schema() -> Value {
        json!({ "type": ["string", "number", "boolean"] })
    }

    fn example() -> Value {
        json!("opt-new")
    }
}

impl Writable for GroupValueReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl GroupKeyReply {
    pub(crate) fn of(key: &GroupKey, schema: &Schema) -> Self {
        let value = value(key, schema);
        let label = key.label.clone().unwrap_or_else(|| match &value {
            None => "Empty".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        });
        Self { property_id: key.property, value: value.map(GroupValueReply), label }
    }
}

/// The value in its plain form.
fn value(key: &GroupKey, schema: &Schema) -> Option<Value> {
    Some(match &key.value {
        GroupValue::Empty => return None,
        GroupValue::Text(text) | GroupValue::PersonName(text) => json!(text),
        GroupValue::Number(number) => Number::new(*number)?.to_json(),
        GroupValue::Boolean(boolean) => json!(boolean),
        GroupValue::Day(day) => json!(day.to_string()),
        GroupValue::Option(id) => json!(id),
        GroupValue::Person(id) => json!(id),
        GroupValue::Record(id) => json!(id),
        GroupValue::Serial(number) => json!(schema.property(key.property)?.config.unique_id(*number)),
    })
}
