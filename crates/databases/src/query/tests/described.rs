//! The description of filters.

use crate::{query::describe, types::Operator};
use serde_json::json;

#[test]
fn every_operator_is_a_variant_with_a_sentence() {
    let variants = describe::filter_variants(&json!({ "$ref": "#/tree" }));
    let names: Vec<_> = variants.iter().map(|(name, _)| *name).collect();
    let all: Vec<_> = ["and", "or", "not"].into_iter().chain(Operator::ALL.iter().map(|op| op.name())).collect();
    assert_eq!(names, all);
    for (name, schema) in &variants {
        assert_eq!(schema["properties"]["op"]["enum"], json!([name]));
        assert!(schema["description"].as_str().is_some_and(|sentence| sentence.ends_with('.')), "{name}");
    }
}

#[test]
fn an_operator_is_described_with_the_operands_that_it_needs() {
    let variants = describe::filter_variants(&json!({}));
    let value = |name: &str| {
        let variant = variants.iter().find(|(known, _)| *known == name).map(|(_, schema)| schema).unwrap();
        variant["properties"].get("value").cloned()
    };
    assert_eq!(value("is_empty"), None);
    assert_eq!(value("is_current_user"), None);
    let days = json!({ "type": "integer", "minimum": 0, "maximum": 36_500 });
    assert_eq!(value("within_next_days").unwrap()["anyOf"][1], days);
    assert_eq!(value("between").unwrap()["anyOf"][0]["required"], json!(["start", "end"]));
    let operands = value("is").unwrap()["anyOf"].as_array().unwrap().clone();
    for (index, operand) in operands.iter().enumerate() {
        assert!(!operands[..index].contains(operand), "{operand} is described twice");
    }
    let takes = |schema: &serde_json::Value| operands.contains(schema);
    assert!(takes(&json!({ "type": "boolean" })) && takes(&json!({ "type": "number" })), "{operands:?}");
}
