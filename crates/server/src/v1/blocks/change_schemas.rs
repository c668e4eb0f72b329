//! The schemas of changes to the content of a page: operations of a batch, and edits of its Markdown.

use super::schema;
use crate::wire::{Documented, FieldDoc, Named, Version, object_schema, reference, tag, union};
use octavo_blocks_tree::Kind;
use octavo_core_model::{
    id::{BlockId, PageId},
    position::Position,
};
use serde_json::{Value, json};

/// A kind of change: the values of `op`, the name of its schema, its purpose and its fields apart from `op`.
type Change = (&'static [&'static str], &'static str, &'static str, Vec<FieldDoc>);

/// Describes the operations of a batch.
pub(super) fn put_operations(named: &mut Named) {
    put_parts(named);
    let update = vec![block_id(), version(), required("patch", "The changes.", reference("BlockPatch"), json!({}))];
    let place = required("move", "The new place.", reference("BlockPlace"), json!({ "parentId": null }));
    let new = json!({ "type": "paragraph", "content": "Ship it" });
    let operations: [Change; 4] = [
        (
            &["upsert", "insert"],
            "UpsertOperation",
            "Adds a block.",
            vec![required("block", "The block.", reference("NewBlockBody"), new)],
        ),
        (&["update"], "UpdateOperation", "Changes a block.", update),
        (&["delete"], "DeleteOperation", "Deletes a block and everything in it.", vec![block_id(), version()]),
        (&["move"], "MoveOperation", "Moves a block.", vec![block_id(), version(), place]),
    ];
    put_changes(named, "BatchOperation", "An operation of a batch.", operations);
}

/// Describes the operations of a batch in their other format.
pub(super) fn put_entries(named: &mut Named) {
    put_parts(named);
    let page = || optional("pageId", "The page; the same in all operations.", PageId::schema(), PageId::example());
    let id = optional("blockId", "Its id, if the caller chooses it.", BlockId::schema(), BlockId::example());
    let place = || optional("target", "The place.", reference("BlockPlace"), json!({ "parentId": null }));
    let new = required("block", "The block.", reference("NewBlockBody"), json!({ "type": "paragraph" }));
    let patch = required("block", "The changes.", reference("BlockPatch"), json!({ "content": "Ship it today" }));
    let entries: [Change; 4] = [
        (&["upsert", "insert"], "UpsertEntry", "Adds a block.", vec![page(), id, new, place()]),
        (&["update"], "UpdateEntry", "Changes a block.", vec![page(), block_id(), version(), patch]),
        (&["delete"], "DeleteEntry", "Deletes a block and everything in it.", vec![page(), block_id(), version()]),
        (&["move"], "MoveEntry", "Moves a block.", vec![page(), block_id(), version(), place()]),
    ];
    put_changes(named, "BatchEntry", "An operation of a batch in its other format.", entries);
}

/// Describes the edits of the Markdown of a page.
pub(super) fn put_edits(named: &mut Named) {
    let text = || json!({ "type": "string" });
    let markdown = || required("markdown", "The text.", text(), json!("- [ ] Tell everybody"));
    let find = || json!({ "type": "string", "minLength": 1 });
    let nullable = |field: FieldDoc| FieldDoc { nullable: true, ..field };
    let edits: [Change; 5] = [
        (&["append"], "AppendEdit", "Adds a text at the end.", vec![markdown()]),
        (&["prepend"], "PrependEdit", "Adds a text at the beginning.", vec![markdown()]),
        (&["replace_all"], "ReplaceAllEdit", "Replaces the whole text.", vec![markdown()]),
        (
            &["insert_after"],
            "InsertAfterEdit",
            "Adds a text after a block, which either `blockId` or `find` names.",
            vec![
                markdown(),
                nullable(optional("blockId", "The block.", BlockId::schema(), BlockId::example())),
                nullable(optional("find", "The text of the block.", find(), json!("Plan"))),
            ],
        ),
        (
            &["find_replace"],
            "FindReplaceEdit",
            "Replaces a text that the page contains.",
            vec![
                markdown(),
                required("find", "The text to replace.", find(), json!("Tell nobody")),
                nullable(optional(
                    "all",
                    "Whether to replace it everywhere.",
                    json!({ "type": "boolean" }),
                    json!(true),
                )),
            ],
        ),
    ];
    put_changes(named, "MarkdownEdit", "An edit of the text of a page.", edits);
}

/// Adds a union and a schema for each of its members.
fn put_changes<const COUNT: usize>(named: &mut Named, union_name: &str, about: &str, changes: [Change; COUNT]) {
    let mut members = Vec::new();
    for (words, name, about, fields) in changes {
        let op = required("op", "The kind of change.", tag(words), json!(words.first()));
        let fields = [op].into_iter().chain(fields).collect();
        named.insert(name.to_owned(), object_schema(about, fields));
        members.extend(words.iter().map(|word| (*word, name.to_owned())));
    }
    named.insert(union_name.to_owned(), union(about, "op", &members));
}

/// Adds the changes of a block and its place.
fn put_parts(named: &mut Named) {
    schema::put_any(named);
    let kinds: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let nullable = |field: FieldDoc| FieldDoc { nullable: true, ..field };
    let id = |name, about| nullable(optional(name, about, BlockId::schema(), Value::Null));
    let parent = || id("parentId", "The parent block; null for the top of the page.");
    let position = || optional("position", "Its position.", Position::schema(), Position::example());
    let content = json!({ "anyOf": [{ "type": "string" }, reference("AnyContentInput")] });
    let properties = reference("AnyPropertiesInput");
    let patch = vec![
        optional("type", "Another type.", json!({ "type": "string", "enum": kinds }), json!("todo")),
        optional("content", "The keys to change, or a replacement for its text.", content, json!("Ship it today")),
        nullable(optional("properties", "Its appearance; replaces all properties.", properties, json!({}))),
        parent(),
        position(),
    ];
    named.insert("BlockPatch".to_owned(), object_schema("The changes of a block.", patch));
    let place = vec![
        parent(),
        id("afterBlockId", "The sibling after which to put it."),
        id("beforeBlockId", "The sibling before which to put it."),
        position(),
    ];
    let about = "A place: at most one of `afterBlockId`, `beforeBlockId` and `position`; without any it is the end.";
    named.insert("BlockPlace".to_owned(), object_schema(about, place));
}

fn block_id() -> FieldDoc {
    required("blockId", "The block.", BlockId::schema(), BlockId::example())
}

fn version() -> FieldDoc {
    optional("version", "The version of the block that the change is based on.", Version::schema(), Version::example())
}

fn required(name: &'static str, about: &str, schema: Value, example: Value) -> FieldDoc {
    FieldDoc { name, about: about.to_owned(), required: true, nullable: false, schema, example }
}

fn optional(name: &'static str, about: &str, schema: Value, example: Value) -> FieldDoc {
    FieldDoc { required: false, ..required(name, about, schema, example) }
}
