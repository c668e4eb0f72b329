//! The changes that are described are those that the server reads.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{
    batch_body::{self, BatchBody},
    change_schemas, markdown, operations, pieces, schema,
};
use crate::wire::{Documented, Named, Reader, RequestBody};
use octavo_blocks_tree::Kind;
use octavo_core_model::id::BlockId;
use serde_json::{Map, Value, json};

/// The members of a union by name: the required fields of each, with their examples.
fn members(named: &Named, union: &str) -> Vec<(String, Map<String, Value>)> {
    let member = |reference: &Value| {
        let name = reference["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        let schema = &named[name];
        let required = schema["required"].as_array().unwrap().iter().map(|field| field.as_str().unwrap());
        let example = |field: &str| (field.to_owned(), schema["properties"][field]["examples"][0].clone());
        (name.to_owned(), required.map(example).collect())
    };
    named[union]["oneOf"].as_array().unwrap().iter().map(member).collect()
}

/// Checks that a value is read, and that it is not without any one of its fields.
fn check_required(name: &str, fields: &Map<String, Value>, is_read: impl Fn(Value) -> bool) {
    assert!(is_read(Value::Object(fields.clone())), "{name} {fields:?}");
    for field in fields.keys() {
        let mut incomplete = fields.clone();
        incomplete.remove(field);
        assert!(!is_read(Value::Object(incomplete)), "{name} is read without {field}");
    }
}

#[test]
fn operations_require_what_the_server_requires() {
    let mut named = Named::new();
    change_schemas::put_operations(&mut named);
    let members = members(&named, "BatchOperation");
    assert_eq!(members.len(), 4);
    for (name, fields) in members {
        check_required(&name, &fields, |sent| operations::operation(sent).is_ok());
    }
}

#[test]
fn operations_in_the_other_format_require_what_the_server_requires() {
    let mut named = Named::new();
    change_schemas::put_entries(&mut named);
    let members = members(&named, "BatchEntry");
    assert_eq!(members.len(), 4);
    for (name, fields) in members {
        check_required(&name, &fields, |sent| operations::operation(batch_body::as_operation(sent)).is_ok());
    }
}

#[test]
fn every_kind_of_operation_is_listed_and_no_other_is_read() {
    let mut named = Named::new();
    change_schemas::put_operations(&mut named);
    let mapping = named["BatchOperation"]["discriminator"]["mapping"].as_object().unwrap();
    let listed: Vec<_> = mapping.keys().map(String::as_str).collect();
    assert_eq!(listed, ["delete", "insert", "move", "update", "upsert"]);
    let unknown = json!({ "op": "upsrt", "block": { "type": "paragraph" } });
    assert!(operations::operation(unknown).is_err());
}

#[test]
fn edits_require_what_the_server_requires() {
    let mut named = Named::new();
    change_schemas::put_edits(&mut named);
    let members = members(&named, "MarkdownEdit");
    assert_eq!(members.len(), 5);
    for (name, fields) in members {
        // One of two fields names the block.
        let anchor = (name == "InsertAfterEdit").then(|| ("blockId".to_owned(), BlockId::example()));
        let fields: Map<_, _> = fields.into_iter().chain(anchor).collect();
        check_required(&name, &fields, |sent| markdown::edits(json!([sent])).is_ok());
    }
    assert!(markdown::edits(json!([{ "op": "apend", "markdown": "a" }])).is_err());
}

#[test]
fn nested_blocks_of_every_listed_type_are_read() {
    let mut named = Named::new();
    schema::put_nested(&mut named);
    for kind in Kind::ALL {
        let listed = &named["NestedBlock"]["discriminator"]["mapping"][kind.name()];
        assert!(listed.is_string(), "{kind}");
        let blocks = json!([{ "type": "toggle", "children": [{ "type": kind.name() }] }]);
        assert!(pieces::read(blocks).is_ok(), "{kind}");
    }
    assert!(pieces::read(json!([{ "type": "paragraf" }])).is_err());
    assert!(pieces::read(json!([{}])).is_err(), "the type is required");
}

#[test]
fn the_example_of_a_batch_is_read_to_the_end() {
    let Value::Object(fields) = BatchBody::example() else { panic!("an object") };
    let body = BatchBody::read_fields(&mut Reader::over(&fields)).unwrap();
    let (page, batch) = batch_body::read(Ok(body), Ok(None));
    assert!(page.is_ok());
    assert!(batch.unwrap().operations.iter().all(Result::is_ok));
}
