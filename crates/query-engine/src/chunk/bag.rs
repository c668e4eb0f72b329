//! Reading the stored values of a record straight into columns. What fits no column is left out, as when single
//! records are read.

use super::{Layout, layout::LayoutColumn};
use crate::column::{ColumnBuilder, Point};
use octavo_core_model::id::{FileId, UserId};
use octavo_databases::value::{Day, Moment, Number};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};

/// A text is not the stored form of any values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBag;

/// Adds the values to the columns, which have so many rows afterwards if there is a value.
pub(super) fn read(bag: &str, layout: &Layout, columns: &mut [ColumnBuilder], rows: usize) -> Result<(), InvalidBag> {
    let mut deserializer = serde_json::Deserializer::from_str(bag);
    let seed = Bag { layout: layout.columns(), columns, rows };
    seed.deserialize(&mut deserializer).and_then(|()| deserializer.end()).map_err(|_| InvalidBag)
}

struct Bag<'a> {
    layout: &'a [LayoutColumn],
    columns: &'a mut [ColumnBuilder],
    rows: usize,
}

impl<'de> DeserializeSeed<'de> for Bag<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Bag<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values by slots")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // Slots are written in rising order, so the next one is mostly the next column.
        let mut next = 0;
        while let Some(slot) = map.next_key::<u32>()? {
            let at = match self.layout.get(next) {
                Some(column) if column.slot == slot => Some(next),
                _ => self.layout.binary_search_by_key(&slot, |column| column.slot).ok(),
            };
            match at {
                Some(at) if self.columns[at].len() < self.rows => {
                    next = at + 1;
                    map.next_value_seed(Into(&mut self.columns[at]))?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Adds one value to a column; what does not fit is no value.
struct Into<'a>(&'a mut ColumnBuilder);

impl<'de> DeserializeSeed<'de> for Into<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Into<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, is_ticked: bool) -> Result<(), E> {
        if let ColumnBuilder::Checkbox(column) = self.0 {
            column.push(is_ticked);
        }
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        match self.0 {
            #[expect(clippy::cast_precision_loss, reason = "only whole numbers below 2^53 are written like this")]
            ColumnBuilder::Number(column) => column.push(Number::new(number as f64).map(Number::get)),
            ColumnBuilder::Date(column) => column.push(Some(Point::instant(number)), None),
            _ => {}
        }
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            #[expect(clippy::cast_precision_loss, reason = "a number is as exact as its type")]
            Err(_) => self.visit_f64(number as f64),
        }
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        if let ColumnBuilder::Number(column) = self.0 {
            column.push(Number::new(number).map(Number::get));
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        match self.0 {
            ColumnBuilder::Text(column) => column.push(text),
            ColumnBuilder::Option(column) => column.push(Some(text)),
            ColumnBuilder::Date(column) => column.push(day(text), None),
            _ => {}
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        match self.0 {
            ColumnBuilder::Options(column) => {
                while let Some(text) = list.next_element::<Text<'_>>()? {
                    column.add_text(&text.0);
                }
                column.end();
            }
            ColumnBuilder::Persons(column) => {
                while let Some(id) = list.next_element::<UserId>()? {
                    column.add(id);
                }
                column.end();
            }
            ColumnBuilder::Files(column) => {
                while let Some(id) = list.next_element::<FileId>()? {
                    column.add(id);
                }
                column.end();
            }
            // The first part is the address, the second one its title.
            ColumnBuilder::Text(column) => {
                if let Some(text) = list.next_element::<Text<'_>>()? {
                    column.push(&text.0);
                }
            }
            ColumnBuilder::Date(column) => {
                let start = list.next_element::<Moments>()?.and_then(|read| read.0);
                let end = list.next_element::<Moments>()?.and_then(|read| read.0);
                column.push(start, end);
            }
            _ => {}
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut text = None;
        while let Some(key) = map.next_key::<Text<'_>>()? {
            if key.0 == "text" {
                text = Some(map.next_value::<Text<'_>>()?);
            } else {
                let _ = map.next_value::<IgnoredAny>()?;
            }
        }
        if let ColumnBuilder::Text(column) = self.0 {
            column.push(text.as_ref().map_or("", |text| &text.0));
        }
        Ok(())
    }
}

fn day(text: &str) -> Option<Point> {
    Day::parse(text).ok().map(|day| Moment::Day(day).into())
}

/// A text that is borrowed where nothing in it is escaped.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A day as text, a point in time as milliseconds, or null.
struct Moments(Option<Point>);

impl<'de> Deserialize<'de> for Moments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored<'a> {
            Millis(i64),
            Day(#[serde(borrow)] Cow<'a, str>),
            Nothing(()),
        }
        Ok(Self(match Stored::deserialize(deserializer)? {
            Stored::Millis(millis) => Some(Point::instant(millis)),
            Stored::Day(text) => day(&text),
            Stored::Nothing(()) => None,
        }))
    }
}
