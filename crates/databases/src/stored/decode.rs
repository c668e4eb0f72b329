//! Reading the stored form. It is read without an intermediate tree, because a cold start reads every record.

use crate::{
    options::Options,
    schema::Schema,
    types::PropertyConfig,
    value::{Date, DateRange, Day, Moment, Number, PropertyValue, Shape, Values, WebLink},
};
use octavo_blocks_tree::RichText;
use octavo_core_model::{Timestamp, text::TimeZone};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::fmt;

/// A text is not the stored form of any values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidValues;

/// The values from their stored form. Slots without a property and options that no longer exist are left out; options
/// that are stored by name get their ids.
pub fn decode(text: &str, schema: &Schema) -> Result<Values, InvalidValues> {
    decode_with(text, |slot| schema.by_slot(slot).map(|property| &property.config))
}

/// The same, of these slots only.
pub fn decode_slots(text: &str, schema: &Schema, slots: &[u32]) -> Result<Values, InvalidValues> {
    let config = |slot| schema.by_slot(slot).map(|property| &property.config);
    decode_with(text, |slot| config(slot).filter(|_| slots.contains(&slot)))
}

pub(super) fn decode_with<'a>(
    text: &str,
    config: impl Fn(u32) -> Option<&'a PropertyConfig>,
) -> Result<Values, InvalidValues> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let values = BagSeed(config).deserialize(&mut deserializer).map_err(|_| InvalidValues)?;
    deserializer.end().map_err(|_| InvalidValues)?;
    Ok(values)
}

struct BagSeed<F>(F);

impl<'de, 'a, F: Fn(u32) -> Option<&'a PropertyConfig>> DeserializeSeed<'de> for BagSeed<F> {
    type Value = Values;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Values, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, 'a, F: Fn(u32) -> Option<&'a PropertyConfig>> Visitor<'de> for BagSeed<F> {
    type Value = Values;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values by slots")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
        let mut values = Values::default();
        while let Some(slot) = map.next_key::<u32>()? {
            let config = (self.0)(slot);
            let seed = config.and_then(|config| Some((config.kind().facts().shape()?, config.options())));
            match seed {
                Some((shape, options)) => values.set(slot, map.next_value_seed(ValueSeed { shape, options })?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(values)
    }
}

/// Reads one value of a known form; what does not fit is no value.
#[derive(Clone, Copy)]
struct ValueSeed<'a> {
    shape: Shape,
    options: Option<&'a Options>,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Option<PropertyValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Option<PropertyValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, is_ticked: bool) -> Result<Self::Value, E> {
        Ok((self.shape == Shape::Checkbox).then_some(PropertyValue::Checkbox(is_ticked)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        let moment = || Moment::Instant(Timestamp::from_millis(number));
        Ok(match self.shape {
            #[expect(clippy::cast_precision_loss, reason = "only whole numbers below 2^53 are written like this")]
            Shape::Number => Number::new(number as f64).map(PropertyValue::Number),
            Shape::Date => Some(date(moment())),
            Shape::Range => Some(range(moment())),
            _ => None,
        })
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            #[expect(clippy::cast_precision_loss, reason = "a number is as exact as its type")]
            Err(_) => self.visit_f64(number as f64),
        }
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        let number = (self.shape == Shape::Number).then(|| Number::new(number)).flatten();
        Ok(number.map(PropertyValue::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        let day = || Day::parse(text).ok().map(Moment::Day);
        Ok(match self.shape {
            Shape::RichText => Some(PropertyValue::RichText(RichText::plain(text))),
            Shape::Option => self.option(text).map(PropertyValue::Option),
            Shape::Date => day().map(date),
            Shape::Range => day().map(range),
            Shape::Text => Some(PropertyValue::Text(text.to_owned())),
            Shape::Link => Some(PropertyValue::Link(WebLink { url: text.to_owned(), title: None })),
            _ => None,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        Ok(match self.shape {
            Shape::Options => {
                let mut ids = Vec::new();
                while let Some(found) = list.next_element_seed(ValueSeed { shape: Shape::Option, ..self })? {
                    if let Some(PropertyValue::Option(id)) = found
                        && !ids.contains(&id)
                    {
                        ids.push(id);
                    }
                }
                Some(PropertyValue::Options(ids))
            }
            Shape::Persons => Some(PropertyValue::Persons(all(&mut list)?)),
            Shape::Files => Some(PropertyValue::Files(all(&mut list)?)),
            Shape::Link => {
                let (url, title) = (list.next_element()?, list.next_element()?);
                url.map(|url| PropertyValue::Link(WebLink { url, title }))
            }
            Shape::Date => {
                let (start, end) = span(&mut list)?;
                let time_zone = list.next_element::<Option<TimeZone>>()?.flatten();
                start.map(|start| PropertyValue::Date(Date { start, end, time_zone }))
            }
            Shape::Range => {
                let (start, end) = span(&mut list)?;
                start.map(|start| PropertyValue::Range(DateRange { start, end }))
            }
            _ => {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                None
            }
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        if self.shape == Shape::RichText {
            let mut stored = Map::new();
            while let Some((key, value)) = map.next_entry::<String, Value>()? {
                stored.insert(key, value);
            }
            return Ok(Some(PropertyValue::RichText(RichText::from_stored(&stored))));
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

impl ValueSeed<'_> {
    /// The id of an option, sharing the text with the schema.
    fn option(&self, named: &str) -> Option<crate::options::OptionId> {
        self.options?.find(named).map(|option| option.id.clone())
    }
}

const fn date(start: Moment) -> PropertyValue {
    PropertyValue::Date(Date { start, end: None, time_zone: None })
}

const fn range(start: Moment) -> PropertyValue {
    PropertyValue::Range(DateRange { start, end: None })
}

fn all<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(list: &mut A) -> Result<Vec<T>, A::Error> {
    let mut found = Vec::with_capacity(list.size_hint().unwrap_or_default());
    while let Some(one) = list.next_element()? {
        found.push(one);
    }
    Ok(found)
}

fn span<'de, A: SeqAccess<'de>>(list: &mut A) -> Result<(Option<Moment>, Option<Moment>), A::Error> {
    let start = list.next_element::<Point>()?.and_then(|point| point.0);
    let end = list.next_element::<Point>()?.and_then(|point| point.0);
    Ok((start, end))
}

/// A day as text, a point in time as milliseconds, or null.
struct Point(Option<Moment>);

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seed = ValueSeed { shape: Shape::Range, options: None };
        Ok(Self(match seed.deserialize(deserializer)? {
            Some(PropertyValue::Range(range)) => Some(range.start),
            _ => None,
        }))
    }
}
