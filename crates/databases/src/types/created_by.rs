//! `created_by`: who created the record.

use super::{Facts, FilterKind, NoConfig, RecordField, Rules, SortKind, Storage};
use crate::read::id_pattern;
use octavo_core_model::id::UserId;
use serde_json::{Value, json};

pub(super) struct CreatedBy;

impl Rules for CreatedBy {
    type Config = NoConfig;

    const FACTS: Facts = Facts::read_only(
        "Who created the record.",
        Storage::Record(RecordField::CreatedBy),
        FilterKind::Person,
        SortKind::PersonName,
    );

    fn value_schema() -> Value {
        let id = json!({ "type": "string", "pattern": id_pattern(UserId::PREFIX) });
        json!({ "type": "object", "properties": { "userId": id }, "required": ["userId"] })
    }
}
