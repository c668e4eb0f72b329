//! Values that are parsed once their context is known, with a description of their final form.

use super::known_fields::{BLOCK, EDIT, KnownFields, OPERATION};
use crate::wire::{Documented, Readable};
use octavo_blocks_tree::Kind;
use octavo_core_model::{
    fault::{Issue, Violation},
    id::PageId,
    position::Position,
};
use serde_json::{Value, json};

/// Declares such a value with its schema, an example and, for a list of objects, their fields.
macro_rules! sent {
    ($($(#[doc = $about:literal])+ $name:ident: $schema:expr, $example:expr, $known:expr;)*) => {
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
            }

            impl Readable for $name {
                fn read(value: &Value) -> Result<Self, Issue> {
                    Ok(Self(value.clone()))
                }

                fn take_field(field: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
                    let known: Option<&'static KnownFields> = $known;
                    if let Some(known) = known {
                        known.check_list(value, &field, violations);
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
    SentOperations: json!({ "type": "array", "items": { "type": "object", "additionalProperties": true } }), json!([]), Some(&OPERATION);
    /// Edits of a text; every flaw is reported with its index.
    SentEdits: json!({ "type": "array", "items": { "type": "object", "additionalProperties": true } }), json!([]), Some(&EDIT);
    /// Nested blocks; every flaw is reported with its path.
    SentBlocks: json!({ "type": "array", "items": { "type": "object", "additionalProperties": true } }), json!([]), Some(&BLOCK);
    /// A document of any length.
    SentDocument: json!({ "type": "string" }), "# Plan".into(), None;
    /// The type of a block.
    SentKind: json!({ "type": "string", "enum": Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>() }), "paragraph".into(), None;
    /// The content of a block.
    SentContent: json!({ "type": ["object", "string"], "additionalProperties": true }), "Ship it".into(), None;
    /// A position among siblings.
    SentPosition: Position::schema(), Position::example(), None;
}
