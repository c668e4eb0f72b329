//! Values whose meaning depends on the type of a property. They are read by the use case, with the schema at hand.

use super::property_schema;
use crate::wire::{Documented, Named, Readable, reference};
use octavo_core_model::fault::{Issue, Violation};
use octavo_databases::Schema;
use serde_json::{Map, Value, json};

/// Declares such a value with its schema, an example, and the function that adds the schemas it refers to.
macro_rules! sent {
    ($($(#[doc = $about:literal])+ $name:ident: $schema:expr, $example:expr $(, $put:path)?;)*) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        pub(crate) struct $name(pub(crate) Value);

        impl Documented for $name {
            fn schema() -> Value {
                $schema
            }

            fn example() -> Value {
                $example
            }

            $(fn collect(named: &mut Named) {
                $put(named);
            })?
        }

        impl Readable for $name {
            fn read(value: &Value) -> Result<Self, Issue> {
                Ok(Self(value.clone()))
            }

            fn take_field(_: &str, value: &mut Value, _: &mut Vec<Violation>) -> Option<Self> {
                Some(Self(value.take()))
            }
        }
    )*};
}

sent! {
    /// The properties of a new database.
    SentProperties: json!({ "type": "array", "minItems": 1, "maxItems": Schema::MAX, "items": reference("NewProperty") }),
        json!([{ "name": "Name", "type": "title" }, { "name": "Price", "type": "number", "config": { "format": "currency", "currency": "EUR" } }]),
        property_schema::put_new;
    /// The name of a property.
    SentName: json!({ "type": "string", "minLength": 1, "maxLength": 100 }), json!("Price");
    /// The position of a property.
    SentPosition: json!({ "type": "string", "pattern": "^[0-9A-Za-z]{1,100}$" }), json!("a3");
    /// Whether something is the case.
    SentFlag: json!({ "type": "boolean" }), json!(true);
    /// The configuration of a property; the keys depend on its type.
    SentConfig: reference("AnyPropertyConfig"), json!({ "format": "currency", "currency": "EUR" }), property_schema::put_any_config;
    /// The value of new records; the form depends on the type of the property.
    SentDefault: json!({ "type": ["object", "null"], "additionalProperties": true }), json!({ "value": 9.5 });
}

pub(crate) use sent;

/// The fields that were sent, as the use case reads them: without those that were left out, and with null where null
/// was sent.
#[expect(clippy::option_option, reason = "a field can be left out or null")]
pub(crate) fn fields<const N: usize>(sent: [(&str, Option<Option<Value>>); N]) -> Map<String, Value> {
    sent.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.unwrap_or_default()))).collect()
}
