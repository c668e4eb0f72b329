//! What a formula computed, as a column.

use crate::computed::{ComputedBuilder, ComputedValue};
use octavo_core_model::Timestamp;
use octavo_databases::value::{Day, Moment};
use octavo_formula::{Column, Date, Value};

/// Adds results to a column.
pub(super) fn add(values: &Column, builder: &mut ComputedBuilder) {
    for value in values.values() {
        builder.push(match value {
            Value::Null => ComputedValue::Null,
            Value::Number(number) => ComputedValue::Number(number),
            Value::Text(text) => ComputedValue::Text(text),
            Value::Boolean(boolean) => ComputedValue::Boolean(boolean),
            Value::Date(date) => moment(date).map_or(ComputedValue::Null, ComputedValue::Date),
            Value::Error(error) => ComputedValue::Error(error.code()),
        });
    }
}

fn moment(date: Date) -> Option<Moment> {
    if date.has_time() {
        return Some(Moment::Instant(Timestamp::from_millis(date.millis())));
    }
    let day = chrono::DateTime::from_timestamp_millis(date.millis())?.date_naive();
    Day::new(day).map(Moment::Day)
}
