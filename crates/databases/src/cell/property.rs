//! Properties in the form of the API.

use super::{Cell, ShownCell};
use crate::{
    property::Property,
    schema::{Schema, formulas},
    types::PropertyConfig,
};
use serde_json::{Map, Value, json};

impl Schema {
    /// The configuration of a property in the form of the API: a formula shows the present names of properties.
    pub fn config_json(&self, property: &Property) -> Map<String, Value> {
        let mut shown = property.config.to_json();
        if let PropertyConfig::Formula(config) = &property.config {
            let expression = formulas::shown(&config.expression, self);
            shown.insert("expression".to_owned(), expression.into());
        }
        shown
    }

    /// A property in the form of the API.
    pub fn property_json(&self, property: &Property) -> Value {
        let default = property.default.as_ref().map(|value| {
            let cell = Cell::Value(value);
            json!(ShownCell { config: &property.config, cell })
        });
        json!({
            "id": property.id,
            "databaseId": property.database,
            "name": property.name,
            "type": property.kind(),
            "position": property.position.as_str(),
            "isTitle": property.is_title(),
            "isVisible": property.is_visible,
            "required": property.required,
            "config": self.config_json(property),
            "default": default,
            "createdAt": property.created_at,
        })
    }
}
