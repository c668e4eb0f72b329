//! The fields that blocks, operations and edits have in bodies, to find the unknown ones. Their values are parsed
//! later.

use crate::wire::{MAX_UNKNOWN, Reader, unknown_field};
use octavo_blocks_tree::{Kind, known_keys};
use octavo_core_model::fault::Violation;
use serde_json::{Map, Value};
use std::fmt;

/// The fields of an object.
pub(in crate::v1) enum KnownFields {
    Of(&'static [Field]),
    /// Those of an operation or an edit, for each value of `op`.
    ByOp(&'static [(&'static [&'static str], &'static [Field])]),
}

/// The name of a field, and what is known about its value.
pub(in crate::v1) type Field = (&'static str, Inside);

/// What is known about the value of a field.
pub(in crate::v1) enum Inside {
    /// A value without fields.
    Plain,
    Object(&'static KnownFields),
    List(&'static KnownFields),
    /// The content of a block, whose keys depend on the `type` beside it. Without a type, those of all types are known.
    Content,
    /// The properties of a block, for which the same holds.
    Properties,
    /// The attributes of a mark, which depend on its type.
    Attributes,
}

use Inside::{Attributes, Content, List, Object, Plain, Properties};

/// A block with the blocks in it.
pub(super) static BLOCK: KnownFields = KnownFields::Of(&[
    ("id", Plain),
    ("type", Plain),
    ("content", Content),
    ("properties", Properties),
    ("children", List(&BLOCK)),
]);

/// An operation of a batch.
pub(super) static OPERATION: KnownFields = KnownFields::ByOp(&[
    (&["upsert", "insert"], &[("op", Plain), ("block", Object(&INSERTED))]),
    (&["update"], &[("op", Plain), ("blockId", Plain), ("version", Plain), ("patch", Object(&PATCH))]),
    (&["delete"], &[("op", Plain), ("blockId", Plain), ("version", Plain)]),
    (&["move"], &[("op", Plain), ("blockId", Plain), ("version", Plain), ("move", Object(&TARGET))]),
]);

/// An operation of a batch in its other format.
pub(super) static ENTRY: KnownFields = KnownFields::ByOp(&[
    (
        &["upsert", "insert"],
        &[
            ("op", Plain),
            ("pageId", Plain),
            ("blockId", Plain),
            ("block", Object(&INSERTED)),
            ("target", Object(&TARGET)),
        ],
    ),
    (
        &["update"],
        &[("op", Plain), ("pageId", Plain), ("blockId", Plain), ("version", Plain), ("block", Object(&PATCH))],
    ),
    (&["delete"], &[("op", Plain), ("pageId", Plain), ("blockId", Plain), ("version", Plain)]),
    (
        &["move"],
        &[("op", Plain), ("pageId", Plain), ("blockId", Plain), ("version", Plain), ("target", Object(&TARGET))],
    ),
]);

/// An edit of a text.
pub(super) static EDIT: KnownFields = KnownFields::ByOp(&[
    (&["append", "prepend", "replace_all"], &[("op", Plain), ("markdown", Plain)]),
    (&["insert_after"], &[("op", Plain), ("markdown", Plain), ("blockId", Plain), ("find", Plain)]),
    (&["find_replace"], &[("op", Plain), ("markdown", Plain), ("find", Plain), ("all", Plain)]),
]);

/// A block with its place.
pub(super) static INSERTED: KnownFields = KnownFields::Of(&[
    ("id", Plain),
    ("type", Plain),
    ("content", Content),
    ("properties", Properties),
    ("parentId", Plain),
    ("afterBlockId", Plain),
    ("beforeBlockId", Plain),
    ("position", Plain),
]);

static PATCH: KnownFields = KnownFields::Of(&[
    ("type", Plain),
    ("content", Content),
    ("properties", Properties),
    ("parentId", Plain),
    ("position", Plain),
]);

static TARGET: KnownFields =
    KnownFields::Of(&[("parentId", Plain), ("afterBlockId", Plain), ("beforeBlockId", Plain), ("position", Plain)]);

static RICH_TEXT: KnownFields = KnownFields::Of(&[("text", Plain), ("marks", List(&MARK))]);

static MARK: KnownFields = KnownFields::Of(&[("type", Plain), ("from", Plain), ("to", Plain), ("attrs", Attributes)]);

static LINK: KnownFields = KnownFields::Of(&[("url", Plain)]);

static MENTION: KnownFields = KnownFields::Of(&[("mentionType", Plain), ("mentionId", Plain)]);

static NO_FIELDS: KnownFields = KnownFields::Of(&[]);

/// Records the first unknown keys in the content and the properties of a body that is a block itself.
pub(super) fn check_block(body: &mut Reader<'_>) {
    let (fields, violations) = body.split();
    let mut unknown = UnknownFields::new(violations);
    for (name, inside) in [("content", Content), ("properties", Properties)] {
        if let Some(value) = fields.get(name) {
            inside.check(fields, value, &name, &mut unknown);
        }
    }
}

/// The unknown fields of a part of a body.
struct UnknownFields<'a> {
    violations: &'a mut Vec<Violation>,
    /// With how many violations the search ends.
    most: usize,
}

impl<'a> UnknownFields<'a> {
    fn new(violations: &'a mut Vec<Violation>) -> Self {
        let most = violations.len() + MAX_UNKNOWN;
        Self { violations, most }
    }

    fn are_enough(&self) -> bool {
        self.violations.len() >= self.most
    }

    fn add(&mut self, name: &str, at: &dyn fmt::Display) {
        let unknown = unknown_field(name);
        self.violations.push(Violation { field: format!("{at}.{}", unknown.field), ..unknown });
    }
}

impl KnownFields {
    /// Records the first unknown fields of an object, or of the objects in a list.
    pub(in crate::v1) fn check_field(&self, sent: &Value, at: &dyn fmt::Display, violations: &mut Vec<Violation>) {
        let mut unknown = UnknownFields::new(violations);
        if sent.is_array() {
            self.check_items(sent, at, &mut unknown);
        } else {
            self.check(sent, at, &mut unknown);
        }
    }

    fn check_items(&self, list: &Value, at: &dyn fmt::Display, unknown: &mut UnknownFields<'_>) {
        for (index, item) in list.as_array().into_iter().flatten().enumerate() {
            self.check(item, &format_args!("{at}.{index}"), unknown);
        }
    }

    fn check(&self, value: &Value, at: &dyn fmt::Display, unknown: &mut UnknownFields<'_>) {
        let Value::Object(fields) = value else { return };
        for (name, value) in fields {
            if unknown.are_enough() {
                return;
            }
            match self.find(fields, name) {
                Some(inside) => inside.check(fields, value, &format_args!("{at}.{name}"), unknown),
                None => unknown.add(name, at),
            }
        }
    }

    /// What is known about the value of a field of the object `around`.
    fn find(&self, around: &Map<String, Value>, name: &str) -> Option<&Inside> {
        match self {
            Self::Of(fields) => find(fields, name),
            Self::ByOp(kinds) => {
                let op = around.get("op").and_then(Value::as_str);
                match kinds.iter().find(|(words, _)| op.is_some_and(|op| words.contains(&op))) {
                    Some((_, fields)) => find(fields, name),
                    // Which kind is meant is not known, so the fields of all kinds are.
                    None => kinds.iter().find_map(|(_, fields)| find(fields, name)),
                }
            }
        }
    }
}

fn find<'a>(fields: &'a [Field], name: &str) -> Option<&'a Inside> {
    fields.iter().find(|(known, _)| *known == name).map(|(_, inside)| inside)
}

impl Inside {
    /// Checks the value of a field of the object `around`.
    fn check(
        &self,
        around: &Map<String, Value>,
        value: &Value,
        at: &dyn fmt::Display,
        unknown: &mut UnknownFields<'_>,
    ) {
        let word = || around.get("type").and_then(Value::as_str);
        match self {
            Plain => {}
            Object(known) => known.check(value, at, unknown),
            List(known) => known.check_items(value, at, unknown),
            Content => check_content(word().and_then(Kind::parse), value, at, unknown),
            Properties => check_properties(word().and_then(Kind::parse), value, at, unknown),
            Attributes => match word() {
                Some("link") => LINK.check(value, at, unknown),
                Some("mention") => MENTION.check(value, at, unknown),
                _ => NO_FIELDS.check(value, at, unknown),
            },
        }
    }
}

fn check_content(kind: Option<Kind>, content: &Value, at: &dyn fmt::Display, unknown: &mut UnknownFields<'_>) {
    let Value::Object(keys) = content else { return };
    for (key, value) in keys {
        if unknown.are_enough() {
            return;
        }
        if !known_keys::has_content(kind, key) {
            unknown.add(key, at);
        } else if key == "marks" {
            MARK.check_items(value, &format_args!("{at}.marks"), unknown);
        } else if key == "rows" {
            check_rows(value, &format_args!("{at}.rows"), unknown);
        }
    }
}

/// The cells of a table are rich texts or plain ones.
fn check_rows(rows: &Value, at: &dyn fmt::Display, unknown: &mut UnknownFields<'_>) {
    for (index, cells) in rows.as_array().into_iter().flatten().enumerate() {
        RICH_TEXT.check_items(cells, &format_args!("{at}.{index}"), unknown);
    }
}

fn check_properties(kind: Option<Kind>, properties: &Value, at: &dyn fmt::Display, unknown: &mut UnknownFields<'_>) {
    let Value::Object(keys) = properties else { return };
    for key in keys.keys() {
        if unknown.are_enough() {
            return;
        }
        if !known_keys::has_property(kind, key) {
            unknown.add(key, at);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{v1::blocks::change_schemas, wire::Named};
    use octavo_core_model::fault::Issue;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn unknown(known: &KnownFields, sent: &Value) -> Vec<String> {
        let mut violations = Vec::new();
        known.check_field(sent, &"x", &mut violations);
        assert!(violations.iter().all(|violation| violation.issue == Issue::UnknownField));
        violations.into_iter().map(|violation| violation.field).collect()
    }

    #[test]
    fn unknown_fields_of_blocks_are_found_at_every_depth() {
        let blocks = json!([
            { "type": "toggle", "contnt": "a", "children": [{ "id": null, "kind": 1, "content": "a" }] },
            7,
            { "children": 7, "properties": 7, "": 1 },
        ]);
        assert_eq!(unknown(&BLOCK, &blocks), ["x.0.children.0.kind", "x.0.contnt", "x.2.\"\""]);
        assert_eq!(unknown(&BLOCK, &json!("no list")), [""; 0]);
    }

    #[test]
    fn unknown_keys_of_content_and_properties_are_found_by_type() {
        let content = |kind: &str, content: Value| unknown(&BLOCK, &json!([{ "type": kind, "content": content }]));
        let properties = |kind: &str, sent: Value| unknown(&BLOCK, &json!([{ "type": kind, "properties": sent }]));
        assert_eq!(content("paragraph", json!({ "texxt": "a", "text": "a" })), ["x.0.content.texxt"]);
        assert_eq!(content("code", json!({ "text": "a", "code": "a", "language": "c" })), ["x.0.content.text"]);
        assert_eq!(content("column", json!({ "text": null })), [""; 0]);
        assert_eq!(properties("todo", json!({ "cheked": true, "checked": true })), ["x.0.properties.cheked"]);
        assert_eq!(properties("image", json!({ "fileId": "a", "widthPct": 50 })), ["x.0.properties.fileId"]);
        assert_eq!(properties("child_page", json!({ "pageId": "a" })), ["x.0.properties.pageId"]);
        let child = json!({ "type": "divider", "properties": { "color": "red" } });
        let nested = json!([{ "type": "toggle", "children": [child] }]);
        assert_eq!(unknown(&BLOCK, &nested), ["x.0.children.0.properties.color"]);
    }

    #[test]
    fn unknown_keys_of_marks_and_cells_are_found() {
        let marks = json!([
            { "type": "bold", "start": 0, "from": 0, "to": 1, "attrs": {} },
            { "type": "link", "from": 0, "to": 1, "attrs": { "url": "https://example.com", "href": "a" } },
            { "type": "mention", "from": 0, "to": 1, "attrs": { "mentionType": "user", "mentionId": "a", "url": "a" } },
            7,
        ]);
        let text = json!({ "text": "a", "marks": marks });
        let of_marks = ["0.start", "1.attrs.href", "2.attrs.url"];
        let within = |path: &str| of_marks.map(|field| format!("{path}.marks.{field}"));
        let block = json!([{ "type": "quote", "content": text }]);
        assert_eq!(unknown(&BLOCK, &block), within("x.0.content"));
        let table = json!([{ "type": "table", "content": { "rows": [["a", null], [{ "txt": "a" }, text]] } }]);
        let found = unknown(&BLOCK, &table);
        assert_eq!(found[0], "x.0.content.rows.1.0.txt");
        assert_eq!(found[1..], within("x.0.content.rows.1.1"));
    }

    #[test]
    fn a_change_without_a_type_may_name_the_keys_of_all_types() {
        let patch = |patch: Value| unknown(&OPERATION, &json!([{ "op": "update", "patch": patch }]));
        let of_several = json!({ "content": { "code": "a", "text": "a" }, "properties": { "checked": true } });
        assert_eq!(patch(of_several), [""; 0]);
        let unheard_of = json!({ "content": { "texxt": "a" }, "properties": { "zz": 1 } });
        assert_eq!(patch(unheard_of), ["x.0.patch.content.texxt", "x.0.patch.properties.zz"]);
        let typed = json!({ "type": "todo", "content": { "code": "a" } });
        assert_eq!(patch(typed), ["x.0.patch.content.code"]);
        let entries = json!([{ "op": "update", "block": { "content": { "texxt": "a" } } }]);
        assert_eq!(unknown(&ENTRY, &entries), ["x.0.block.content.texxt"]);
    }

    #[test]
    fn a_body_that_is_a_block_is_searched_too() {
        let body = json!({ "type": "todo", "content": { "texxt": "a" }, "properties": { "checked": 1, "cheked": 1 } });
        let Value::Object(fields) = body else { panic!("an object") };
        let mut reader = Reader::over(&fields);
        check_block(&mut reader);
        let found: Vec<_> = reader.into_violations().into_iter().map(|violation| violation.field).collect();
        assert_eq!(found, ["content.texxt", "properties.cheked"]);
    }

    #[test]
    fn unknown_fields_of_operations_and_edits_are_found() {
        let operations = json!([
            { "op": "upsert", "block": { "type": "paragraph", "children": [] }, "after": null },
            { "op": "update", "blockId": "x", "patch": { "contnt": "a" }, "version": 1 },
            { "op": "move", "blockId": "x", "move": { "parent": null } },
        ]);
        let found = unknown(&OPERATION, &operations);
        assert_eq!(found, ["x.0.after", "x.0.block.children", "x.1.patch.contnt", "x.2.move.parent"]);
        let entries =
            json!([{ "op": "move", "target": { "after": null } }, { "op": "update", "block": { "contnt": "a" } }]);
        assert_eq!(unknown(&ENTRY, &entries), ["x.0.target.after", "x.1.block.contnt"]);
        assert_eq!(unknown(&INSERTED, &json!({ "type": "paragraph", "text": "a" })), ["x.text"]);
        let edits = json!([{ "op": "append", "markdown": "a" }, { "op": "find_replace", "replace": "a" }]);
        assert_eq!(unknown(&EDIT, &edits), ["x.1.replace"]);
    }

    #[test]
    fn fields_of_another_kind_of_operation_are_unknown() {
        let operations = json!([
            { "op": "upsert", "block": {}, "version": 1 },
            { "op": "update", "blockId": "x", "patch": { "afterBlockId": "y" }, "block": { "contnt": "a" } },
            { "op": "delete", "blockId": "x", "patch": {} },
            { "op": "move", "blockId": "x", "move": {}, "patch": {} },
            { "op": "merge", "patch": {}, "move": {}, "contnt": "a" },
            { "patch": {}, "block": {} },
        ]);
        let found = unknown(&OPERATION, &operations);
        let expected = ["0.version", "1.block", "1.patch.afterBlockId", "2.patch", "3.patch", "4.contnt"];
        assert_eq!(found, expected.map(|field| format!("x.{field}")));
        let entries = json!([
            { "op": "insert", "blockId": "x", "block": {}, "target": {}, "version": 1 },
            { "op": "update", "blockId": "x", "block": { "afterBlockId": "y" }, "target": {} },
            { "op": "move", "blockId": "x", "target": {}, "block": {} },
        ]);
        let found = unknown(&ENTRY, &entries);
        assert_eq!(found, ["x.0.version", "x.1.block.afterBlockId", "x.1.target", "x.2.block"]);
        let edits = json!([{ "op": "append", "markdown": "a", "find": "b" }, { "op": "insert_after", "all": true }]);
        assert_eq!(unknown(&EDIT, &edits), ["x.0.find", "x.1.all"]);
    }

    #[test]
    fn the_description_has_the_same_fields() {
        let mut named = Named::new();
        change_schemas::put_operations(&mut named);
        change_schemas::put_entries(&mut named);
        change_schemas::put_edits(&mut named);
        for (known, union) in [(&OPERATION, "BatchOperation"), (&ENTRY, "BatchEntry"), (&EDIT, "MarkdownEdit")] {
            let KnownFields::ByOp(kinds) = known else { panic!("{union} has no kinds") };
            let mapping = named[union]["discriminator"]["mapping"].as_object().unwrap();
            assert_eq!(mapping.len(), kinds.iter().map(|(words, _)| words.len()).sum::<usize>(), "{union}");
            for (words, fields) in *kinds {
                for word in *words {
                    let (_, schema) = mapping[*word].as_str().unwrap().rsplit_once('/').unwrap();
                    let described: BTreeSet<_> = named[schema]["properties"].as_object().unwrap().keys().collect();
                    let known: BTreeSet<_> = fields.iter().map(|(name, _)| *name).collect();
                    assert!(described.into_iter().eq(known), "{schema}");
                }
            }
        }
    }

    #[test]
    fn only_the_first_ones_are_named() {
        let many = vec![json!({ "kind": 1 }); 50];
        assert_eq!(unknown(&BLOCK, &json!(many)).len(), MAX_UNKNOWN);
    }
}
