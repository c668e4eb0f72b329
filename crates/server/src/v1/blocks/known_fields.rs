//! The fields that blocks, operations and edits have in bodies, to find the unknown ones. Their values are parsed later,
//! and `content` and `properties` depend on the type of the block.

use crate::wire::{MAX_UNKNOWN, unknown_field};
use octavo_core_model::fault::Violation;
use serde_json::Value;
use std::fmt;

/// The fields of an object.
pub(super) struct KnownFields {
    names: &'static [&'static str],
    /// The fields among them that hold an object with known fields.
    objects: &'static [(&'static str, &'static KnownFields)],
    /// The fields among them that hold a list of such objects.
    lists: &'static [(&'static str, &'static KnownFields)],
}

/// A block with the blocks in it.
pub(super) static BLOCK: KnownFields = KnownFields {
    names: &["id", "type", "content", "properties", "children"],
    objects: &[],
    lists: &[("children", &BLOCK)],
};

/// An operation of a batch, whatever it does.
pub(super) static OPERATION: KnownFields = KnownFields {
    names: &["op", "blockId", "version", "block", "patch", "move"],
    objects: &[("block", &INSERTED), ("patch", &PATCH), ("move", &TARGET)],
    lists: &[],
};

/// An operation of a batch in its other format.
pub(super) static ENTRY: KnownFields = KnownFields {
    names: &["op", "pageId", "blockId", "version", "block", "target"],
    objects: &[("block", &INSERTED), ("target", &TARGET)],
    lists: &[],
};

/// An edit of a text, whatever it does.
pub(super) static EDIT: KnownFields =
    KnownFields { names: &["op", "markdown", "blockId", "find", "all"], objects: &[], lists: &[] };

/// A block with its place.
pub(super) static INSERTED: KnownFields = KnownFields {
    names: &["id", "type", "content", "properties", "parentId", "afterBlockId", "beforeBlockId", "position"],
    objects: &[],
    lists: &[],
};

static PATCH: KnownFields =
    KnownFields { names: &["type", "content", "properties", "parentId", "position"], objects: &[], lists: &[] };

static TARGET: KnownFields =
    KnownFields { names: &["parentId", "afterBlockId", "beforeBlockId", "position"], objects: &[], lists: &[] };

impl KnownFields {
    /// Records the first unknown fields of an object, or of the objects in a list.
    pub(super) fn check_field(&self, sent: &Value, at: &dyn fmt::Display, violations: &mut Vec<Violation>) {
        let most = violations.len() + MAX_UNKNOWN;
        if sent.is_array() {
            self.check_items(sent, at, most, violations);
        } else {
            self.check(sent, at, most, violations);
        }
    }

    fn check_items(&self, list: &Value, at: &dyn fmt::Display, most: usize, violations: &mut Vec<Violation>) {
        for (index, item) in list.as_array().into_iter().flatten().enumerate() {
            self.check(item, &format_args!("{at}.{index}"), most, violations);
        }
    }

    fn check(&self, value: &Value, at: &dyn fmt::Display, most: usize, violations: &mut Vec<Violation>) {
        let Value::Object(fields) = value else { return };
        for (name, value) in fields {
            if violations.len() >= most {
                return;
            }
            let part =
                |parts: &[(&str, &'static Self)]| parts.iter().find(|(known, _)| known == name).map(|(_, part)| *part);
            if let Some(known) = part(self.objects) {
                known.check(value, &format_args!("{at}.{name}"), most, violations);
            } else if let Some(known) = part(self.lists) {
                known.check_items(value, &format_args!("{at}.{name}"), most, violations);
            } else if !self.names.contains(&name.as_str()) {
                let unknown = unknown_field(name);
                violations.push(Violation { field: format!("{at}.{}", unknown.field), ..unknown });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::fault::Issue;
    use serde_json::json;

    fn unknown(known: &KnownFields, sent: &Value) -> Vec<String> {
        let mut violations = Vec::new();
        known.check_field(sent, &"x", &mut violations);
        assert!(violations.iter().all(|violation| violation.issue == Issue::UnknownField));
        violations.into_iter().map(|violation| violation.field).collect()
    }

    #[test]
    fn unknown_fields_of_blocks_are_found_at_every_depth() {
        let blocks = json!([
            { "type": "toggle", "contnt": "a", "children": [{ "id": null, "kind": 1, "content": { "anything": 1 } }] },
            7,
            { "children": 7, "properties": { "anything": 1 } },
        ]);
        assert_eq!(unknown(&BLOCK, &blocks), ["x.0.children.0.kind", "x.0.contnt"]);
        assert_eq!(unknown(&BLOCK, &json!("no list")), [""; 0]);
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
    fn only_the_first_ones_are_named() {
        let many = vec![json!({ "kind": 1 }); 50];
        assert_eq!(unknown(&BLOCK, &json!(many)).len(), MAX_UNKNOWN);
    }
}
