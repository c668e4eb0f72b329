//! Values that are parsed once their context is known, with a description of their final form.

use super::{
    change_schemas,
    known_fields::{BLOCK, EDIT, ENTRY, INSERTED, KnownFields, OPERATION},
    schema,
};
use crate::wire::{Documented, Named, Readable, reference, tag};
use octavo_blocks_tree::{Kind, batch::MAX_OPERATIONS, markdown::MAX_EDITS};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::{BlockId, PageId},
    position::Position,
};
use serde_json::{Value, json};

/// Declares such a value with its schema, an example, the fields that are known in its objects, and the function that adds
/// the schemas it refers to.
macro_rules! sent {
    ($($(#[doc = $about:literal])+ $name:ident: $schema:expr, $example:expr, $known:expr $(, $put:path)?;)*) => {
        $(
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

                fn take_field(field: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
                    let known: Option<&'static KnownFields> = $known;
                    if let Some(known) = known {
                        known.check_field(value, &field, violations);
                    }
                    Some(Self(value.take()))
                }
            }
        )*
    };
}

sent! {
    /// A page id. It is checked later, so that other flaws are reported along with it.
    SentPage: PageId::schema(), PageId::example(), None;
    /// The operations of a batch; all flaws are reported.
    SentOperations:
        json!({ "type": "array", "items": reference("BatchOperation"), "minItems": 1, "maxItems": MAX_OPERATIONS }),
        json!([]), Some(&OPERATION), change_schemas::put_operations;
    /// The operations of a batch in their other format.
    SentEntries:
        json!({ "type": "array", "items": reference("BatchEntry"), "minItems": 1, "maxItems": MAX_OPERATIONS }),
        json!([{ "op": "update", "blockId": BlockId::example(), "block": { "content": "Ship it today" } }]),
        Some(&ENTRY), change_schemas::put_entries;
    /// The operation for a single block.
    SentInsert: tag(&["insert", "upsert"]), "insert".into(), None;
    /// The block after which to put a single block.
    SentNeighbour: BlockId::schema(), BlockId::example(), None;
    /// A single block.
    SentNewBlock: reference("NewBlockBody"), json!({ "type": "paragraph" }), Some(&INSERTED);
    /// Edits of a text; every flaw is reported with its index.
    SentEdits:
        json!({ "type": "array", "items": reference("MarkdownEdit"), "minItems": 1, "maxItems": MAX_EDITS }),
        json!([]), Some(&EDIT), change_schemas::put_edits;
    /// Nested blocks; every flaw is reported with its path.
    SentBlocks: json!({ "type": "array", "items": reference("NestedBlock") }), json!([]), Some(&BLOCK), schema::put_nested;
    /// A document of any length.
    SentDocument: json!({ "type": "string" }), "# Plan".into(), None;
    /// The type of a block.
    SentKind: json!({ "type": "string", "enum": Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>() }), "paragraph".into(), None;
    /// The content of a block.
    SentContent: json!({ "anyOf": [{ "type": "string" }, reference("AnyContentInput")] }), "Ship it".into(), None, schema::put_any;
    /// The properties of a block.
    SentProperties: reference("AnyPropertiesInput"), json!({ "align": "left" }), None, schema::put_any;
    /// A position among siblings.
    SentPosition: Position::schema(), Position::example(), None;
}
