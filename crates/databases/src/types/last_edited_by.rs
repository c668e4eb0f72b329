//! `last_edited_by`: who last changed the record.

use super::{Facts, FilterKind, NoConfig, RecordField, Rules, SortKind, Storage};
use crate::read::id_pattern;
use octavo_core_model::id::UserId;
use serde_json::{Value, json};

pub(super) struct LastEditedBy;

impl Rules for LastEditedBy {
    type Config = NoConfig;

    const FACTS: Facts = Facts::read_only(
        "Who last changed the record.",
        Storage::Record(RecordField::EditedBy),
        FilterKind::Person,
        SortKind::PersonName,
    );

    fn value_schema() -> Value {
        let id = json!({ "type": "string", "pattern": id_pattern(UserId::PREFIX) });
        json!({ "type": "object", "properties": { "userId": id }, "required": ["userId"] })
    }
}
