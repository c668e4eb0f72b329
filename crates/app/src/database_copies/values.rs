//! The values of copied records.

use crate::{outcome::AppResult, record_values::values_of};
use octavo_blocks_tree::CopiedIds;
use octavo_core_model::{id::UserId, record::Record};
use octavo_databases::{
    Schema,
    stored::encode,
    value::{PropertyValue, Values},
};
use std::collections::BTreeSet;

/// How values change when they are copied.
pub(super) struct CopiedValues<'a> {
    /// What mentions in texts can lead to.
    pub(super) ids: &'a CopiedIds,
    /// The members of the other workspace, for copies that leave the workspace.
    pub(super) members: Option<BTreeSet<UserId>>,
}

impl CopiedValues<'_> {
    /// The values of the copy of a record in the stored form.
    pub(super) fn bag(&self, record: &Record, schema: &Schema) -> AppResult<String> {
        if self.members.is_none() && !record.bag.contains("mention") {
            return Ok(record.bag.clone());
        }
        let values = values_of(record, schema)?;
        let copies = values.iter().filter_map(|(slot, value)| Some((slot, self.value(value.clone())?)));
        Ok(encode(&copies.collect::<Values>()))
    }

    /// The copy of a value: mentions lead to copies, and what does not exist in another workspace is left out.
    pub(super) fn value(&self, value: PropertyValue) -> Option<PropertyValue> {
        match (value, &self.members) {
            (PropertyValue::RichText(mut text), members) => {
                text.point_to_copies(self.ids, members.is_none());
                Some(PropertyValue::RichText(text))
            }
            (PropertyValue::Persons(mut ids), Some(members)) => {
                ids.retain(|id| members.contains(id));
                (!ids.is_empty()).then_some(PropertyValue::Persons(ids))
            }
            (PropertyValue::Files(_), Some(_)) => None,
            (other, _) => Some(other),
        }
    }
}
