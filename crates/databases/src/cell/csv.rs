//! The values of a record as texts in tables.

use super::{Cell, json::existing};
use crate::{types::PropertyConfig, value::PropertyValue};
use octavo_core_model::id::{RecordId, UserId};
use serde_json::Value;
use std::{borrow::Cow, fmt::Display};

/// What users and records are called.
pub trait Names {
    /// The name of a user; `None` if it is not known.
    fn user(&self, id: UserId) -> Option<Cow<'_, str>>;

    /// The title of a record; `None` if it is not known.
    fn record(&self, id: RecordId) -> Option<Cow<'_, str>>;
}

/// A text in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvCell<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Whether it is a number. Programs that open tables can take other texts for formulas.
    pub is_number: bool,
}

impl<'a> CsvCell<'a> {
    /// The text of a value: lists are joined by `, `, ends of spans follow a slash.
    pub fn of(config: &'a PropertyConfig, cell: Cell<'a>, names: &'a impl Names) -> Self {
        match cell {
            Cell::Empty if matches!(config, PropertyConfig::Checkbox(_)) => Self::text("false"),
            Cell::Empty => Self::text(""),
            Cell::Value(PropertyValue::Number(number)) => Self::number(number),
            Cell::Value(value) => Self::text(of_value(config, value, names)),
            Cell::Links(links) => {
                Self::text(joined(links, |id| names.record(*id).unwrap_or_else(|| id.to_string().into())))
            }
            Cell::Time(time) => Self::text(time.to_string()),
            Cell::User(user) => Self::text(user_name(names, user)),
            Cell::Number(number) => Self::text(config.unique_id(number)),
            Cell::Computed(result) => of_result(result),
        }
    }

    fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: text.into(), is_number: false }
    }

    fn number(number: impl Display) -> Self {
        Self { text: number.to_string().into(), is_number: true }
    }
}

fn of_value<'a>(config: &'a PropertyConfig, value: &'a PropertyValue, names: &'a impl Names) -> Cow<'a, str> {
    let options = config.options();
    let option_name =
        |id| existing(options, id).and_then(|id| options?.by_id(id.as_str())).map(|option| option.name.as_str());
    match value {
        PropertyValue::RichText(text) => text.text().into(),
        PropertyValue::Text(text) => text.into(),
        PropertyValue::Number(number) => number.to_string().into(),
        PropertyValue::Option(id) => option_name(id).unwrap_or_default().into(),
        PropertyValue::Options(ids) => ids.iter().filter_map(option_name).collect::<Vec<_>>().join(", ").into(),
        PropertyValue::Date(date) => span(&date.start, date.end.as_ref()).into(),
        PropertyValue::Range(range) => span(&range.start, range.end.as_ref()).into(),
        PropertyValue::Persons(ids) => joined(ids, |id| user_name(names, *id)).into(),
        PropertyValue::Link(link) => (&link.url).into(),
        PropertyValue::Checkbox(is_ticked) => (if *is_ticked { "true" } else { "false" }).into(),
        PropertyValue::Files(ids) => joined(ids, |id| id.to_string().into()).into(),
    }
}

fn user_name(names: &impl Names, user: UserId) -> Cow<'_, str> {
    names.user(user).unwrap_or_else(|| user.to_string().into())
}

fn span(start: &impl Display, end: Option<&impl Display>) -> String {
    end.map_or_else(|| start.to_string(), |end| format!("{start}/{end}"))
}

fn joined<'a, T>(list: &'a [T], text: impl Fn(&'a T) -> Cow<'a, str>) -> String {
    list.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The result of a formula or rollup: its value, or its values.
fn of_result(result: &Value) -> CsvCell<'_> {
    match (result.get("value"), result.get("values").and_then(Value::as_array)) {
        (Some(Value::Number(number)), _) => CsvCell::number(number),
        (Some(value), _) => CsvCell::text(plain(value)),
        (None, Some(values)) => CsvCell::text(values.iter().map(plain).collect::<Vec<_>>().join(", ")),
        (None, None) => CsvCell::text(""),
    }
}

fn plain(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "".into(),
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}
