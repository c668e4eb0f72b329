//! `last_edited_time`: when the record was last changed.

use super::{Facts, FilterKind, NoConfig, RecordField, Rules, SortKind, Storage};
use serde_json::{Value, json};

pub(super) struct LastEditedTime;

impl Rules for LastEditedTime {
    type Config = NoConfig;

    const FACTS: Facts = Facts::read_only(
        "When the record was last changed.",
        Storage::Record(RecordField::EditedAt),
        FilterKind::Date,
        SortKind::Date,
    );

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "string", "format": "date-time" } }, "required": ["value"] })
    }
}
