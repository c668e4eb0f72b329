//! Values of records in their stored form and in that of the API.

use octavo_core_model::{Fault, event::records::RecordUpdated, id::PropertyId, record::Record, text::PageTitle};
use octavo_databases::{
    Cell, Property, PropertyType, Schema,
    cell::ShownCell,
    record::ValueChange,
    stored::decode,
    value::{PropertyValue, Values},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The values in the bag of a record.
pub(crate) fn values_of(record: &Record, schema: &Schema) -> Result<Values, Fault> {
    decode(&record.bag, schema).map_err(|_| Fault::Internal("the values of a record are unreadable"))
}

/// The title of the page of a record with these values: the first line of the title property, as far as it fits.
pub(crate) fn title_of(values: &Values, schema: &Schema) -> PageTitle {
    let value = schema.title().and_then(|title| values.get(title.slot));
    let text = value.and_then(PropertyValue::text).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    PageTitle::from_stored(line.chars().take(PageTitle::MAX).collect())
}

/// The values that are set, by property, as events show them.
pub(crate) fn snapshot(values: &Values, schema: &Schema) -> BTreeMap<PropertyId, Value> {
    let shown = |(slot, value): (u32, &PropertyValue)| {
        let property = schema.by_slot(slot)?;
        Some((property.id, shown_value(property, Some(value))))
    };
    values.iter().filter_map(shown).collect()
}

/// Adds a changed value to an event.
pub(crate) fn report_value(
    updated: &mut RecordUpdated,
    property: &Property,
    before: Option<&PropertyValue>,
    after: Option<&PropertyValue>,
) {
    updated.report_property(property.id, shown_value(property, before), shown_value(property, after));
}

/// Adds changed values to an event.
pub(crate) fn report_changes(updated: &mut RecordUpdated, changes: &[ValueChange], schema: &Schema) {
    for change in changes {
        if let Some(property) = schema.property(change.property) {
            report_value(updated, property, change.before.as_ref(), change.after.as_ref());
        }
    }
}

fn shown_value(property: &Property, value: Option<&PropertyValue>) -> Value {
    let cell = value.map_or(Cell::Empty, Cell::Value);
    json!(ShownCell { config: &property.config, cell })
}

/// Whether records of a database with this schema have numbers.
pub(crate) fn has_numbers(schema: &Schema) -> bool {
    schema.properties().iter().any(|property| property.kind() == PropertyType::UniqueId)
}

/// How much a record takes up on disk besides its row, with the event that shows its values.
pub(crate) fn written_bytes(record: &Record) -> u64 {
    2 * record.bag.len() as u64
}
