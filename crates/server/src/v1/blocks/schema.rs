//! The schemas of blocks: for each type one, with the content and the properties of that type.

use crate::wire::{Documented, FieldDoc, Named, object_schema, pascal_case, reference, tag, union};
use octavo_blocks_tree::{
    Kind,
    schema::{self, TextSchemas},
};
use octavo_core_model::id::BlockId;
use serde_json::{Value, json};

/// The schemas that the content of several types can have.
const SHARED: [&str; 3] = ["RichText", "RichTextInput", "NoKeys"];

/// How a union describes the blocks of one type.
struct Member {
    name: String,
    content: Value,
    properties: Value,
}

/// Describes blocks in answers. `block` is the schema of a block of any type.
pub(super) fn put_shown(named: &mut Named, name: &str, block: &Value) {
    put_texts(named);
    put_union(named, name, block, |named, kind| {
        let pascal = pascal_case(kind.name());
        let content =
            put_object(named, format!("{pascal}Content"), with_texts(|texts| schema::shown_content(kind, texts)));
        let properties = put_object(named, format!("{pascal}Properties"), schema::shown_properties(kind));
        Member { name: format!("{pascal}Block"), content, properties }
    });
}

/// Describes blocks to be created. `block` is the schema of a block of any type.
pub(super) fn put_new(named: &mut Named, name: &str, block: &Value) {
    put_texts(named);
    put_union(named, name, block, |named, kind| sent(named, kind, format!("New{}Block", pascal_case(kind.name()))));
}

/// Describes blocks to be created with the blocks in them.
pub(super) fn put_nested(named: &mut Named) {
    let fields = vec![
        FieldDoc {
            name: "id",
            about: "Its id, if the caller chooses it.".to_owned(),
            required: false,
            nullable: true,
            schema: BlockId::schema(),
            example: BlockId::example(),
        },
        FieldDoc {
            name: "type",
            about: "The type.".to_owned(),
            required: true,
            nullable: false,
            schema: json!({}),
            example: Value::Null,
        },
        FieldDoc {
            name: "content",
            about: "Its content.".to_owned(),
            required: false,
            nullable: false,
            schema: json!({}),
            example: Value::Null,
        },
        FieldDoc {
            name: "properties",
            about: "Its appearance.".to_owned(),
            required: false,
            nullable: false,
            schema: json!({}),
            example: Value::Null,
        },
        FieldDoc {
            name: "children",
            about: "The blocks in it, in order.".to_owned(),
            required: false,
            nullable: false,
            schema: json!({ "type": "array", "items": reference("NestedBlock") }),
            example: json!([]),
        },
    ];
    let block = object_schema("A block with the blocks in it.", fields);
    put_texts(named);
    put_union(named, "NestedBlock", &block, |named, kind| {
        sent(named, kind, format!("Nested{}Block", pascal_case(kind.name())))
    });
}

/// Describes content and properties of a block whose type the request does not name.
pub(super) fn put_any(named: &mut Named) {
    put_texts(named);
    for (name, about, mut any) in [
        ("AnyContentInput", "The keys of the content of all types.", with_texts(schema::any_content)),
        ("AnyPropertiesInput", "The properties of all types.", schema::any_properties()),
    ] {
        any["description"] = about.into();
        named.insert(name.to_owned(), any);
    }
}

fn sent(named: &mut Named, kind: Kind, name: String) -> Member {
    let pascal = pascal_case(kind.name());
    let content = with_texts(|texts| schema::sent_content(kind, texts));
    let content = put_object(named, format!("{pascal}ContentInput"), content);
    let content =
        if schema::can_be_plain_text(kind) { json!({ "anyOf": [{ "type": "string" }, content] }) } else { content };
    let properties = put_object(named, format!("{pascal}PropertiesInput"), schema::sent_properties(kind));
    Member { name, content, properties: json!({ "anyOf": [properties, { "type": "null" }] }) }
}

/// Replaces the schema of a block of any type by a union with a member for each type.
fn put_union(named: &mut Named, name: &str, block: &Value, member: impl Fn(&mut Named, Kind) -> Member) {
    let mut members = Vec::new();
    for kind in Kind::ALL {
        let Member { name, content, properties } = member(named, *kind);
        let mut own = block.clone();
        own["description"] = format!("A block of the type `{kind}`.").into();
        for (key, schema) in [("type", tag(&[kind.name()])), ("content", content), ("properties", properties)] {
            replace(&mut own["properties"][key], schema);
        }
        named.insert(name.clone(), own);
        members.push((kind.name(), name));
    }
    let about = block["description"].as_str().unwrap_or_default();
    named.insert(name.to_owned(), union(about, "type", &members));
}

/// Replaces the schema of a field and keeps its description.
fn replace(field: &mut Value, mut schema: Value) {
    schema["description"] = field["description"].take();
    *field = schema;
}

/// Adds the schema of an object and returns a reference to it.
fn put_object(named: &mut Named, name: String, schema: Value) -> Value {
    if let Some(shared) = SHARED.into_iter().find(|shared| named.get(*shared) == Some(&schema)) {
        return reference(shared);
    }
    let reference = reference(&name);
    named.insert(name, schema);
    reference
}

/// Adds the schemas of rich texts and their marks.
fn put_texts(named: &mut Named) {
    let mut marks = Vec::new();
    for (name, (words, attrs)) in ["PlainMark", "LinkMark", "MentionMark"].into_iter().zip(schema::marks()) {
        let offset = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
        let mut mark = json!({
            "type": "object",
            "properties": {
                "type": tag(words),
                "from": offset("Where the marked part begins, in UTF-16 code units."),
                "to": offset("The offset of the first unit after it."),
            },
            "required": ["type", "from", "to"],
        });
        if let Some(attrs) = attrs {
            mark["properties"]["attrs"] = attrs;
            mark["required"] = json!(["type", "from", "to", "attrs"]);
        }
        named.insert(name.to_owned(), mark);
        marks.extend(words.iter().map(|word| (*word, name.to_owned())));
    }
    named.insert("Mark".to_owned(), union("A mark on a part of a text.", "type", &marks));
    let mark = reference("Mark");
    named.insert("RichText".to_owned(), schema::rich_text(&mark, true));
    named.insert("RichTextInput".to_owned(), schema::rich_text(&mark, false));
    named.insert("NoKeys".to_owned(), json!({ "type": "object", "properties": {} }));
}

fn with_texts(schema: impl FnOnce(TextSchemas<'_>) -> Value) -> Value {
    let [mark, shown, sent] = ["Mark", "RichText", "RichTextInput"].map(reference);
    schema(TextSchemas { mark: &mark, shown: &shown, sent: &sent })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn each_type_has_a_member_in_each_union() {
        let mut named = Named::new();
        let block = json!({ "description": "A block.", "properties": { "type": { "description": "The type." } } });
        put_shown(&mut named, "Block", &block);
        put_new(&mut named, "NewBlock", &block);
        put_nested(&mut named);
        for (union, prefix) in [("Block", ""), ("NewBlock", "New"), ("NestedBlock", "Nested")] {
            let mapping = named[union]["discriminator"]["mapping"].as_object().unwrap();
            assert_eq!(mapping.len(), Kind::ALL.len(), "{union}");
            for kind in Kind::ALL {
                let name = format!("{prefix}{}Block", pascal_case(kind.name()));
                assert_eq!(mapping[kind.name()], format!("#/components/schemas/{name}"));
                assert_eq!(named[&name]["properties"]["type"]["const"], kind.name());
            }
        }
        let heading = &named["Heading1Block"]["properties"];
        assert_eq!(heading["type"]["description"], "The type.");
        assert_eq!(heading["content"]["$ref"], "#/components/schemas/RichText");
        let plain_or_code = json!([{ "type": "string" }, reference("CodeContentInput")]);
        assert_eq!(named["NewCodeBlock"]["properties"]["content"]["anyOf"], plain_or_code);
        assert_eq!(named["NewDividerBlock"]["properties"]["content"]["$ref"], "#/components/schemas/NoKeys");
    }
}
