//! The keys of configurations and the rules for their values.

use crate::{
    query::Columns,
    read::{Flaw, boolean, id, id_pattern, text},
    types::PropertyType,
    value::Number,
};
use octavo_core_model::{
    fault::{Hint, Issue},
    id::{ChartId, DashboardId, FormId, PropertyId},
};
use serde_json::{Map, Value, json};

/// A key of a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    /// What it does, in one sentence.
    pub(super) description: &'static str,
}

/// A key and what it does.
pub(super) const fn key(name: &'static str, rule: Rule, description: &'static str) -> Key {
    Key { name, rule, description }
}

/// The values that a key can have. Null stands for no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Flag,
    OneOf(&'static [&'static str]),
    /// A number within bounds.
    Number {
        least: u32,
        most: u32,
    },
    /// A text with at most this many characters.
    Text {
        most: usize,
    },
    /// A short name, such as that of a colour, or `#rrggbb`.
    Word,
    /// A day of the week: its English name, or its number from 0 for Sunday to 6.
    Weekday,
    /// Width to height, for example `16:9`, or as a number.
    Ratio,
    /// An object with a few values for whoever draws the view.
    Bag,
    /// A property.
    Property,
    /// A property of the type `date` or `date_range`.
    DateProperty,
    /// Several properties in their order.
    Properties,
    /// Numbers by properties.
    Widths,
    Chart,
    Dashboard,
    Form,
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    /// A value that names no property.
    Plain(Value),
    Property(PropertyId),
    Properties(Vec<PropertyId>),
    Widths(Vec<(PropertyId, Number)>),
}

/// Why a value does not fit its key.
pub(super) enum Misfit {
    /// It breaks a constraint.
    Flaw(Flaw),
    /// It does not fit the schema.
    Schema(&'static str),
}

impl From<Flaw> for Misfit {
    fn from(flaw: Flaw) -> Self {
        Self::Flaw(flaw)
    }
}

const WIDEST: u32 = 10_000;
const MAX_PROPERTIES: usize = 200;
const MAX_BAG_BYTES: usize = 4096;
const WORD_CHARS: usize = 35;
const WEEKDAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const RATIO: &str = "a number above 0, or a text such as 16:9";
const NO_DATE: &str = "the id of a property of the type date or date_range";

impl Rule {
    /// Reads a value that is not null.
    pub(super) fn read(self, sent: &Value, columns: Columns<'_>) -> Result<Setting, Misfit> {
        let fits = match self {
            Self::Property | Self::DateProperty => return property(self, sent, columns).map(Setting::Property),
            Self::Properties => return properties(sent, columns).map(Setting::Properties),
            Self::Widths => return widths(sent, columns).map(Setting::Widths),
            Self::Flag => boolean(sent).map(drop),
            Self::OneOf(words) => one_of(sent, words),
            Self::Number { least, most } => number(sent, least, most).map(drop),
            Self::Text { most } => bounded(sent, most),
            Self::Word => word(sent),
            Self::Weekday if sent.is_number() => number(sent, 0, 6).and_then(whole),
            Self::Weekday => one_of(sent, &WEEKDAYS),
            Self::Ratio => ratio(sent),
            Self::Bag => bag(sent),
            Self::Chart => id::<ChartId>(sent, ChartId::PREFIX).map(drop),
            Self::Dashboard => id::<DashboardId>(sent, DashboardId::PREFIX).map(drop),
            Self::Form => id::<FormId>(sent, FormId::PREFIX).map(drop),
        };
        fits?;
        Ok(Setting::Plain(sent.clone()))
    }

    /// The values as JSON Schema.
    pub(super) fn schema(self) -> Value {
        let id = |prefix| json!({ "type": ["string", "null"], "pattern": id_pattern(prefix) });
        let property = || json!({ "type": "string", "pattern": id_pattern(PropertyId::PREFIX) });
        match self {
            Self::Flag => json!({ "type": ["boolean", "null"] }),
            Self::OneOf(words) => {
                let mut words: Vec<Value> = words.iter().map(|word| json!(word)).collect();
                words.push(Value::Null);
                json!({ "type": ["string", "null"], "enum": words })
            }
            Self::Number { least, most } => json!({ "type": ["number", "null"], "minimum": least, "maximum": most }),
            Self::Text { most } => json!({ "type": ["string", "null"], "maxLength": most }),
            Self::Word => json!({ "type": ["string", "null"], "minLength": 1, "maxLength": WORD_CHARS }),
            Self::Weekday => json!({ "type": ["string", "integer", "null"], "description": weekdays() }),
            Self::Ratio => json!({ "type": ["string", "number", "null"], "description": RATIO }),
            Self::Bag => json!({ "type": ["object", "boolean", "string", "null"] }),
            Self::Property | Self::DateProperty => id(PropertyId::PREFIX),
            Self::Properties => {
                json!({ "type": ["array", "null"], "items": property(), "maxItems": MAX_PROPERTIES })
            }
            Self::Widths => {
                let width = json!({ "type": "number", "minimum": 1, "maximum": WIDEST });
                json!({ "type": ["object", "null"], "additionalProperties": width, "maxProperties": MAX_PROPERTIES })
            }
            Self::Chart => id(ChartId::PREFIX),
            Self::Dashboard => id(DashboardId::PREFIX),
            Self::Form => id(FormId::PREFIX),
        }
    }
}

fn weekdays() -> String {
    format!("{}, or 0 for sunday to 6", WEEKDAYS.join(", "))
}

fn property(rule: Rule, sent: &Value, columns: Columns<'_>) -> Result<PropertyId, Misfit> {
    text(sent)?;
    let property = columns.find_in(sent).ok_or(Misfit::Schema(crate::query::UNKNOWN_PROPERTY))?;
    let is_date = matches!(property.kind(), PropertyType::Date | PropertyType::DateRange);
    if rule == Rule::DateProperty && !is_date {
        return Err(Misfit::Schema(NO_DATE));
    }
    Ok(property.id)
}

fn properties(sent: &Value, columns: Columns<'_>) -> Result<Vec<PropertyId>, Misfit> {
    let list = sent.as_array().ok_or(Flaw::new(Issue::InvalidType))?;
    if list.len() > MAX_PROPERTIES {
        return Err(Flaw::too_long(MAX_PROPERTIES).into());
    }
    let mut ids = Vec::with_capacity(list.len());
    for sent in list {
        match property(Rule::Property, sent, columns) {
            Ok(id) if ids.contains(&id) => {}
            Ok(id) => ids.push(id),
            Err(Misfit::Schema(_)) if columns.is_stored() => {}
            Err(misfit) => return Err(misfit),
        }
    }
    Ok(ids)
}

fn widths(sent: &Value, columns: Columns<'_>) -> Result<Vec<(PropertyId, Number)>, Misfit> {
    let object = sent.as_object().ok_or(Flaw::new(Issue::InvalidType))?;
    if object.len() > MAX_PROPERTIES {
        return Err(Flaw::too_long(MAX_PROPERTIES).into());
    }
    let mut widths = Vec::with_capacity(object.len());
    for (named, width) in object {
        match columns.find(named) {
            Some(property) => {
                let width = number(width, 1, WIDEST).map_err(|flaw| flaw.with(width.clone()))?;
                widths.push((property.id, width));
            }
            None if columns.is_stored() => {}
            None => return Err(Misfit::Schema(crate::query::UNKNOWN_PROPERTY)),
        }
    }
    widths.sort_unstable_by_key(|(id, _)| *id);
    widths.dedup_by_key(|(id, _)| *id);
    Ok(widths)
}

fn number(sent: &Value, least: u32, most: u32) -> Result<Number, Flaw> {
    let number = sent.as_f64().and_then(Number::new).ok_or(Flaw::new(Issue::InvalidType))?;
    let hint = || Hint { min: Some(least.into()), max: Some(most.into()), ..Hint::default() };
    if number.get() < f64::from(least) {
        return Err(Flaw::new(Issue::TooSmall).hinting(hint()));
    }
    if number.get() > f64::from(most) {
        return Err(Flaw::new(Issue::TooLarge).hinting(hint()));
    }
    Ok(number)
}

fn whole(number: Number) -> Result<(), Flaw> {
    number.whole().map(drop).ok_or(Flaw::new(Issue::InvalidType))
}

fn one_of(sent: &Value, words: &[&str]) -> Result<(), Flaw> {
    let hint = || Hint::one_of(words.iter().copied());
    let word = sent.as_str().ok_or_else(|| Flaw::new(Issue::InvalidType).hinting(hint()))?;
    if words.contains(&word) { Ok(()) } else { Err(Flaw::new(Issue::InvalidValue).hinting(hint())) }
}

fn bounded(sent: &Value, most: usize) -> Result<(), Flaw> {
    let text = text(sent)?;
    if text.chars().count() > most {
        return Err(Flaw::too_long(most));
    }
    if text.contains('\0') { Err(Flaw::new(Issue::InvalidFormat)) } else { Ok(()) }
}

fn word(sent: &Value) -> Result<(), Flaw> {
    bounded(sent, WORD_CHARS)?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'_' | b'-');
    let fits = sent.as_str().is_some_and(|word| !word.is_empty() && word.bytes().all(is_letter));
    if fits { Ok(()) } else { Err(Flaw::of_pattern(Issue::InvalidFormat, "^[A-Za-z0-9#_-]{1,35}$")) }
}

fn ratio(sent: &Value) -> Result<(), Flaw> {
    let is_above_zero = |number: f64| number > 0.0 && number <= 1000.0;
    let is_part = |part: &str| part.trim().parse::<f64>().is_ok_and(is_above_zero);
    let fits = match sent {
        Value::Number(number) => number.as_f64().is_some_and(is_above_zero),
        Value::String(text) if text.len() <= 20 => {
            text.split_once([':', '/']).is_some_and(|(width, height)| is_part(width) && is_part(height))
        }
        Value::String(_) => false,
        _ => return Err(Flaw::of_shape(RATIO)),
    };
    if fits { Ok(()) } else { Err(Flaw::new(Issue::InvalidValue).ruled(&[RATIO])) }
}

fn bag(sent: &Value) -> Result<(), Flaw> {
    if !matches!(sent, Value::Object(_) | Value::Bool(_) | Value::String(_)) {
        return Err(Flaw::new(Issue::InvalidType));
    }
    if sent.to_string().len() > MAX_BAG_BYTES { Err(Flaw::too_long(MAX_BAG_BYTES)) } else { Ok(()) }
}

impl Setting {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Plain(value) => value.clone(),
            Self::Property(id) => json!(id),
            Self::Properties(ids) => json!(ids),
            Self::Widths(widths) => {
                let widths = widths.iter().map(|(id, width)| (id.to_string(), width.to_json()));
                Value::Object(widths.collect::<Map<_, _>>())
            }
        }
    }

    /// What is left when a property is deleted.
    pub(super) fn without_property(self, id: PropertyId) -> Option<Self> {
        match self {
            Self::Property(own) => (own != id).then_some(self),
            Self::Properties(ids) => Some(Self::Properties(ids.into_iter().filter(|own| *own != id).collect())),
            Self::Widths(widths) => Some(Self::Widths(widths.into_iter().filter(|(own, _)| *own != id).collect())),
            Self::Plain(_) => Some(self),
        }
    }
}
