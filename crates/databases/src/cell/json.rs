//! The values of a record in the form of the API.

use super::{Cell, RecordFacts};
use crate::{
    options::{OptionId, Options},
    property::Property,
    schema::Schema,
    types::PropertyConfig,
    value::{PropertyValue, Values},
};
use octavo_blocks_tree::RichText;
use octavo_core_model::id::PropertyId;
use serde::{Serialize, Serializer, ser::SerializeMap};

/// One value in the form of the API: an object with the keys of its type, or null.
#[derive(Clone, Copy, Debug)]
pub struct ShownCell<'a> {
    /// The type and configuration of the property.
    pub config: &'a PropertyConfig,
    /// What the record shows in it.
    pub cell: Cell<'a>,
}

/// The values of a record by the ids of properties.
#[derive(Clone, Copy, Debug)]
pub struct ShownCells<'a> {
    /// The properties of the database.
    pub schema: &'a Schema,
    /// The properties that are shown, in this order; all if there is no selection.
    pub select: Option<&'a [PropertyId]>,
    /// The values in the bag.
    pub values: &'a Values,
    /// What else is known of the record.
    pub facts: RecordFacts<'a>,
}

impl Serialize for ShownCells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut show = |property: &Property| {
            let cell = self.facts.cell(property, self.values);
            map.serialize_entry(&property.id, &ShownCell { config: &property.config, cell })
        };
        match self.select {
            None => self.schema.properties().iter().try_for_each(&mut show)?,
            Some(ids) => ids.iter().filter_map(|id| self.schema.property(*id)).try_for_each(&mut show)?,
        }
        map.end()
    }
}

impl Serialize for ShownCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.cell {
            Cell::Empty => self.config.kind().unset().serialize(serializer),
            Cell::Value(value) => self.value(value, serializer),
            Cell::Links(links) => one(serializer, "recordIds", links),
            Cell::Time(time) => one(serializer, "value", &time),
            Cell::User(user) => one(serializer, "userId", &user),
            Cell::Number(number) => one(serializer, "value", &self.config.unique_id(number)),
            Cell::Computed(result) => result.serialize(serializer),
        }
    }
}

impl ShownCell<'_> {
    fn value<S: Serializer>(&self, value: &PropertyValue, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            PropertyValue::RichText(text) => rich_text(text, serializer),
            PropertyValue::Number(number) => one(serializer, "value", &number.to_json()),
            PropertyValue::Option(id) => match existing(self.config.options(), id) {
                Some(id) => one(serializer, "optionId", id),
                None => serializer.serialize_unit(),
            },
            PropertyValue::Options(ids) => {
                let ids: Vec<_> = ids.iter().filter_map(|id| existing(self.config.options(), id)).collect();
                if ids.is_empty() { serializer.serialize_unit() } else { one(serializer, "optionIds", &ids) }
            }
            PropertyValue::Date(date) => {
                let mut map = serializer.serialize_map(Some(3))?;
                map.serialize_entry("start", &Text(&date.start))?;
                map.serialize_entry("end", &date.end.as_ref().map(Text))?;
                map.serialize_entry("dateTimeTimezone", &date.time_zone)?;
                map.end()
            }
            PropertyValue::Range(range) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("start", &Text(&range.start))?;
                map.serialize_entry("end", &range.end.as_ref().map(Text))?;
                map.end()
            }
            PropertyValue::Persons(ids) => one(serializer, "userIds", ids),
            PropertyValue::Text(text) => one(serializer, "value", text),
            PropertyValue::Link(link) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("value", &link.url)?;
                map.serialize_entry("title", &link.title)?;
                map.end()
            }
            PropertyValue::Checkbox(is_ticked) => one(serializer, "value", is_ticked),
            PropertyValue::Files(ids) => one(serializer, "fileIds", ids),
        }
    }
}

/// An object with one key.
fn one<S: Serializer, T: Serialize + ?Sized>(serializer: S, key: &str, value: &T) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}

/// The id under which an option is known. Values that still have its name are shown with the id.
pub(super) fn existing<'a>(options: Option<&'a Options>, id: &OptionId) -> Option<&'a OptionId> {
    options.and_then(|options| options.find(id.as_str())).map(|option| &option.id)
}

fn rich_text<S: Serializer>(text: &RichText, serializer: S) -> Result<S::Ok, S::Error> {
    if !text.marks().is_empty() {
        return text.to_json().serialize(serializer);
    }
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("text", text.text())?;
    map.serialize_entry("marks", &[(); 0])?;
    map.end()
}

/// Something that is written as it is displayed.
struct Text<'a, T>(&'a T);

impl<T: std::fmt::Display> Serialize for Text<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}
