//! `created_time`: when the record was created.

use super::{Facts, FilterKind, NoConfig, RecordField, Rules, SortKind, Storage};
use serde_json::{Value, json};

pub(super) struct CreatedTime;

impl Rules for CreatedTime {
    type Config = NoConfig;

    const FACTS: Facts = Facts::read_only(
        "When the record was created.",
        Storage::Record(RecordField::CreatedAt),
        FilterKind::Date,
        SortKind::Date,
    );

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "string", "format": "date-time" } }, "required": ["value"] })
    }
}
