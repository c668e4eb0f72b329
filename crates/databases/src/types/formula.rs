//! `formula`: an expression over the other properties of the record.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, Storage, object};
use crate::read::{Fields, Flaw, text};
use octavo_core_model::fault::{Hint, Issue};
use octavo_formula::MAX_BYTES;
use serde_json::{Map, Value, json};

/// The configuration of `formula`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormulaConfig {
    /// The expression; it names properties by their ids.
    pub expression: String,
}

impl Config for FormulaConfig {
    const REQUIRED: &'static [&'static str] = &["expression"];

    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let before = before.map(|before| before.expression.clone());
        // A stored expression has ids in place of names, so it can be longer than what was sent.
        let most = if fields.is_stored() { usize::MAX } else { MAX_BYTES };
        fields.required("expression", before, |sent| expression(sent, most)).map(|expression| Self { expression })
    }

    fn write(&self) -> Map<String, Value> {
        object([("expression", json!(self.expression))])
    }

    fn keys() -> Map<String, Value> {
        object([("expression", json!({ "type": "string", "minLength": 1, "maxLength": MAX_BYTES }))])
    }
}

/// Reads an expression of so many bytes at most.
fn expression(sent: &Value, most: usize) -> Result<String, Flaw> {
    let text = text(sent)?;
    if text.trim().is_empty() {
        let hint = Hint { offset: Some(0), rules: vec!["a formula".to_owned()], ..Hint::default() };
        return Err(Flaw::new(Issue::FormulaParseError).hinting(hint));
    }
    if text.len() > most {
        return Err(Flaw::too_long(most));
    }
    if text.contains('\0') {
        return Err(Flaw::new(Issue::InvalidFormat));
    }
    Ok(text.to_owned())
}

pub(super) struct Formula;

impl Rules for Formula {
    type Config = FormulaConfig;

    const FACTS: Facts = Facts::read_only(
        "An expression over the other properties of the record, computed when it is read.",
        Storage::Computed,
        FilterKind::Computed,
        SortKind::Computed,
    );

    fn value_schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "value": { "type": ["number", "string", "boolean", "null"] },
                "type": { "type": "string", "enum": ["number", "text", "boolean", "date", "error"] },
                "error": { "type": "string" },
            },
            "required": ["value", "type"],
        })
    }
}
