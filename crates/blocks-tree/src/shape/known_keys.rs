//! The keys that the content and the properties of blocks can have in requests. Others are dropped.

use super::{Field, Shape};
use crate::Kind;

/// Whether the content of a block of this type can have the key; without a type, whether that of any type can.
pub fn has_content(kind: Option<Kind>, key: &str) -> bool {
    of_kinds(kind, |kind| {
        let holds_text = match key {
            "text" | "marks" => kind.is_text(),
            "rows" => kind == Kind::Table,
            _ => false,
        };
        holds_text || has(Shape::of(kind).content, key)
    })
}

/// Whether a block of this type can have the property; without a type, whether a block of any type can.
pub fn has_property(kind: Option<Kind>, key: &str) -> bool {
    of_kinds(kind, |kind| has(Shape::of(kind).properties, key))
}

fn of_kinds(kind: Option<Kind>, has: impl Fn(Kind) -> bool) -> bool {
    kind.map_or_else(|| Kind::ALL.iter().any(|kind| has(*kind)), &has)
}

fn has(fields: &[Field], key: &str) -> bool {
    fields.iter().any(|field| field.name == key)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::schema::{TextSchemas, any_content, any_properties, sent_content, sent_properties};
    use serde_json::{Value, json};

    fn has_key(schema: &Value, key: &str) -> bool {
        schema["properties"].get(key).is_some()
    }

    #[test]
    fn the_keys_of_each_type_are_those_of_its_description() {
        let any = json!({});
        let texts = TextSchemas { mark: &any, shown: &any, sent: &any };
        let (all_content, all_properties) = (any_content(texts), any_properties());
        let keys = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for key in keys(&all_content).iter().chain(&keys(&all_properties)).map(String::as_str).chain(["", "texxt"]) {
            for kind in Kind::ALL {
                // Columns have no text, but may say so.
                let is_null = key == "text" && matches!(kind, Kind::Column | Kind::ColumnList);
                let listed = has_key(&sent_content(*kind, texts), key) || is_null;
                assert_eq!(has_content(Some(*kind), key), listed, "content.{key} of {kind}");
                let listed = has_key(&sent_properties(*kind), key);
                assert_eq!(has_property(Some(*kind), key), listed, "properties.{key} of {kind}");
            }
            assert_eq!(has_content(None, key), has_key(&all_content, key), "content.{key}");
            assert_eq!(has_property(None, key), has_key(&all_properties, key), "properties.{key}");
        }
    }
}
