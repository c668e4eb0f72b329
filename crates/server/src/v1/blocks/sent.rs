//! Values that are parsed once their context is known, with a description of their final form.

use crate::wire::{Documented, Readable};
use octavo_blocks_tree::Kind;
use octavo_core_model::{
    fault::{Issue, Violation},
    id::PageId,
    position::Position,
};
use serde_json::{Value, json};

/// Declares such a value with its schema and an example.
macro_rules! sent {
    ($($(#[doc = $about:literal])+ $name:ident: $schema:expr, $example:expr;)*) => {
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

                fn take_field(_: &str, value: &mut Value, _: &mut Vec<Violation>) -> Option<Self> {
                    Some(Self(value.take()))
                }
            }
        )*
    };
}

sent! {
    /// A page id. It is checked later, so that other flaws are reported along with it.
    SentPage: PageId::schema(), PageId::example();
    /// The operations of a batch; all flaws are reported.
    SentOperations: json!({ "type": "array", "items": { "type": "object", "additionalProperties": true } }), json!([]);
    /// Edits of a text; every flaw is reported with its index.
    SentEdits: json!({ "type": "array", "items": { "type": "object", "additionalProperties": true } }), json!([]);
    /// Nested blocks; every flaw is reported with its path.
    SentBlocks: json!({ "type": "array", "items": { "type": "object", "additionalProperties": true } }), json!([]);
    /// A document of any length.
    SentDocument: json!({ "type": "string" }), "# Plan".into();
    /// The type of a block.
    SentKind: json!({ "type": "string", "enum": Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>() }), "paragraph".into();
    /// The content of a block.
    SentContent: json!({ "type": ["object", "string"], "additionalProperties": true }), "Ship it".into();
    /// A position among siblings.
    SentPosition: Position::schema(), Position::example();
}
