//! Writing the stored form.

use crate::value::{Moment, PropertyValue, Values};
use serde::{
    Serialize, Serializer,
    ser::{SerializeMap, SerializeSeq},
};

/// The values as compact JSON, by rising slots.
pub fn encode(values: &Values) -> String {
    // Neither a key nor a value can fail to be written.
    serde_json::to_string(&Bag(values)).unwrap_or_default()
}

struct Bag<'a>(&'a Values);

impl Serialize for Bag<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (slot, value) in self.0.iter() {
            map.serialize_entry(&slot, &Inner(value))?;
        }
        map.end()
    }
}

/// The bare inner value.
struct Inner<'a>(&'a PropertyValue);

impl Serialize for Inner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            PropertyValue::RichText(text) if text.marks().is_empty() => serializer.serialize_str(text.text()),
            PropertyValue::RichText(text) => text.to_json().serialize(serializer),
            PropertyValue::Number(number) => match number.whole() {
                Some(whole) => serializer.serialize_i64(whole),
                None => serializer.serialize_f64(number.get()),
            },
            PropertyValue::Option(id) => id.serialize(serializer),
            PropertyValue::Options(ids) => ids.serialize(serializer),
            PropertyValue::Date(date) => match (&date.end, &date.time_zone) {
                (None, None) => Point(date.start).serialize(serializer),
                (end, zone) => {
                    let mut list = serializer.serialize_seq(Some(3))?;
                    list.serialize_element(&Point(date.start))?;
                    list.serialize_element(&end.map(Point))?;
                    list.serialize_element(zone)?;
                    list.end()
                }
            },
            PropertyValue::Range(range) => match range.end {
                None => Point(range.start).serialize(serializer),
                Some(end) => [Point(range.start), Point(end)].serialize(serializer),
            },
            PropertyValue::Persons(ids) => ids.serialize(serializer),
            PropertyValue::Text(text) => serializer.serialize_str(text),
            PropertyValue::Link(link) => match &link.title {
                None => serializer.serialize_str(&link.url),
                Some(title) => [&link.url, title].serialize(serializer),
            },
            PropertyValue::Checkbox(is_ticked) => serializer.serialize_bool(*is_ticked),
            PropertyValue::Files(ids) => ids.serialize(serializer),
        }
    }
}

/// Days are texts, points in time are milliseconds.
struct Point(Moment);

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Moment::Day(day) => serializer.collect_str(&day),
            Moment::Instant(time) => serializer.serialize_i64(time.millis()),
        }
    }
}
