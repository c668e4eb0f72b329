//! `unique_id`: the number of the record in its database.

use super::{Config, ConfigInputs, Facts, FilterKind, RecordField, Rules, SortKind, Storage, object};
use crate::read::{Fields, Flaw, text};
use octavo_core_model::fault::Issue;
use serde_json::{Map, Value, json};

/// The configuration of `unique_id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UniqueIdConfig {
    /// What stands before the number.
    pub prefix: Option<String>,
}

impl UniqueIdConfig {
    /// The id of the record with this number: `<prefix>-0001`, with at least four digits.
    pub fn id_of(&self, number: u64) -> String {
        self.prefix.as_ref().map_or_else(|| format!("{number:04}"), |prefix| format!("{prefix}-{number:04}"))
    }
}

const PREFIX: &str = "^[A-Za-z0-9_-]{1,20}$";

impl Config for UniqueIdConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        Some(Self { prefix: fields.nullable("prefix", prefix).or(before.and_then(|before| before.prefix.clone())) })
    }

    fn write(&self) -> Map<String, Value> {
        object([("prefix", json!(self.prefix))])
    }

    fn keys() -> Map<String, Value> {
        object([("prefix", json!({ "type": ["string", "null"], "pattern": PREFIX }))])
    }
}

fn prefix(sent: &Value) -> Result<String, Flaw> {
    let prefix = text(sent)?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let fits = (1..=20).contains(&prefix.len()) && prefix.bytes().all(is_letter);
    if fits { Ok(prefix.to_owned()) } else { Err(Flaw::of_pattern(Issue::InvalidFormat, PREFIX)) }
}

pub(super) struct UniqueId;

impl Rules for UniqueId {
    type Config = UniqueIdConfig;

    const FACTS: Facts = Facts::read_only(
        "The number of the record in its database; numbers are given once.",
        Storage::Record(RecordField::Number),
        FilterKind::UniqueId,
        SortKind::UniqueNumber,
    );

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "string" } }, "required": ["value"] })
    }
}
