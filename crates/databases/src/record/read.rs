//! The first step: checks that need the schema only.

use crate::{
    fault::{Refusal, ValuesFault},
    input::{Input, LinkInput, OptionInput, PersonInput},
    options::NewOptions,
    property::Property,
    read::Flaw,
    schema::Schema,
    types::Form,
    value::{PropertyValue, Shape},
};
use octavo_blocks_tree::RichText;
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::{DatabaseId, FileId, PropertyId},
};
use serde_json::{Map, Value, json};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// A new record: the title must be sent, and defaults stand for what is not.
    Create,
    /// An existing record: what is not sent stays as it is.
    Update,
}

/// How values are read.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// What is written.
    pub write: Write,
    /// The form of the values.
    pub form: Form,
    /// Whether `$label` can stand in place of the id of a record.
    pub allows_references: bool,
}

/// Values that were read, and what has to be looked up for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadValues {
    /// Values that need no look-up, by slot; `None` clears.
    pub(super) values: Vec<(u32, PropertyId, Option<PropertyValue>)>,
    pub(super) persons: Vec<(u32, PropertyId, Vec<PersonInput>)>,
    pub(super) files: Vec<(u32, PropertyId, Vec<FileId>)>,
    pub(super) links: Vec<ReadLinks>,
    pub(super) new_options: Vec<NewOptions>,
}

/// Links that were sent for a relation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadLinks {
    pub(super) property: PropertyId,
    pub(super) target: DatabaseId,
    pub(super) links_one: bool,
    pub(super) links: Vec<LinkInput>,
}

/// Reads the map of values that a caller sent. Reports every flaw, with `properties.<id>` as its field.
pub fn read(schema: &Schema, sent: Map<String, Value>, how: How) -> Result<ReadValues, ValuesFault> {
    let mut reading = Reading::new(schema, how);
    for (key, value) in sent {
        match key.parse().ok().and_then(|id| schema.property(id)) {
            Some(property) => reading.value(property, value),
            None => reading.flaws.push(unknown(schema, &key)),
        }
    }
    reading.finish()
}

/// Reads the texts of a row of a table. An empty text is no value, but below the title it is an empty title.
pub fn read_texts<'a>(
    schema: &'a Schema,
    texts: impl IntoIterator<Item = (&'a Property, &'a str)>,
    write: Write,
) -> Result<ReadValues, ValuesFault> {
    let mut reading = Reading::new(schema, How { write, form: Form::Any, allows_references: false });
    for (property, text) in texts {
        let is_untitled = property.is_title() && text.trim().is_empty();
        reading.value(property, if is_untitled { json!({ "text": "" }) } else { Value::from(text) });
    }
    reading.finish()
}

/// The property that a caller named does not exist. Few are named in place of it.
fn unknown(schema: &Schema, key: &str) -> Violation {
    let field = format!("properties.{}", key.chars().take(100).collect::<String>());
    let by_name = schema.by_name(key).map(|property| property.id);
    let hint = by_name
        .map_or_else(|| Hint::ruled_by(&["the keys are ids of properties of this database"]), |id| Hint::one_of([id]));
    Violation::new(field, Issue::UnknownField).hinting(hint)
}

struct Reading<'a> {
    schema: &'a Schema,
    how: How,
    sent: Vec<PropertyId>,
    read: ReadValues,
    flaws: Vec<Violation>,
    refusals: Vec<Refusal>,
}

impl<'a> Reading<'a> {
    fn new(schema: &'a Schema, how: How) -> Self {
        let (read, sent, flaws, refusals) = Default::default();
        Self { schema, how, sent, read, flaws, refusals }
    }

    fn value(&mut self, property: &Property, sent: Value) {
        self.sent.push(property.id);
        let kept = if is_small(&sent) { Some(sent.clone()) } else { None };
        match property.config.read_value(sent, self.how.form) {
            None => self.refusals.push(Refusal::ReadOnlyProperty(property.id)),
            Some(read) => {
                if let Err(flaw) = read.and_then(|input| self.keep(property, input)) {
                    self.flaws.push(flaw.at(field_of(property), kept));
                }
            }
        }
    }

    /// Keeps what was read, unless the property requires a value and there is none.
    fn keep(&mut self, property: &Property, input: Input) -> Result<(), Flaw> {
        let must_have_one = property.required || (property.is_title() && self.how.write == Write::Create);
        let is_missing = match &input {
            Input::Clear => must_have_one,
            Input::Value(value) => property.required && value.is_empty(),
            Input::Options(list, _) => must_have_one && list.is_empty(),
            Input::Persons(list) => must_have_one && list.is_empty(),
            Input::Files(list) => must_have_one && list.is_empty(),
            Input::Links(list) => must_have_one && list.is_empty(),
        };
        if is_missing {
            return Err(Flaw::new(Issue::Required));
        }
        let (slot, id) = (property.slot, property.id);
        match input {
            Input::Clear => self.clear(property),
            Input::Value(value) => self.read.values.push((slot, id, Some(value))),
            Input::Options(options, shape) => {
                let value = self.options(property, options, shape)?;
                self.read.values.push((slot, id, value));
            }
            Input::Persons(persons) => self.read.persons.push((slot, id, persons)),
            Input::Files(files) => self.read.files.push((slot, id, files)),
            Input::Links(links) => self.links(property, links)?,
        }
        Ok(())
    }

    fn clear(&mut self, property: &Property) {
        if property.config.relation().is_some() {
            // A relation without links needs no look-up either.
            return drop(self.links(property, Vec::new()));
        }
        // A record always has a title, even if it is empty.
        let value = property.is_title().then(|| PropertyValue::RichText(RichText::default()));
        self.read.values.push((property.slot, property.id, value));
    }

    fn links(&mut self, property: &Property, links: Vec<LinkInput>) -> Result<(), Flaw> {
        let Some(relation) = property.config.relation() else { return Ok(()) };
        let links = if self.how.allows_references { links } else { without_references(links, self.how.form)? };
        let (target, links_one) = (relation.target, relation.links_one());
        self.read.links.push(ReadLinks { property: property.id, target, links_one, links });
        Ok(())
    }

    /// The value, with options for the names that had none.
    fn options(
        &mut self,
        property: &Property,
        named: Vec<OptionInput>,
        shape: Shape,
    ) -> Result<Option<PropertyValue>, Flaw> {
        let mut known = property.config.options().cloned().unwrap_or_default();
        let (mut ids, mut added) = (Vec::new(), Vec::new());
        for option in named {
            let id = match option {
                OptionInput::Known(id) => id,
                OptionInput::New(name) => {
                    if known.by_name(name.as_str()).is_none() {
                        let full = Flaw::new(Issue::UnknownOption)
                            .ruled(&["an existing option, because the property has as many options as it may have"]);
                        added.push(known.append(name.clone()).ok_or(full)?.clone());
                    }
                    let Some(option) = known.by_name(name.as_str()) else { continue };
                    option.id.clone()
                }
            };
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if !added.is_empty() {
            self.read.new_options.push(NewOptions { property: property.id, options: added });
        }
        Ok(match shape {
            Shape::Option => ids.into_iter().next().map(PropertyValue::Option),
            _ => Some(PropertyValue::Options(ids)).filter(|value| !value.is_unset()),
        })
    }

    /// Adds defaults, and reports what a new record lacks.
    fn complete(&mut self) {
        let absent = self.schema.properties().iter().filter(|property| !self.sent.contains(&property.id));
        for property in absent {
            match &property.default {
                Some(default) => self.read.values.push((property.slot, property.id, Some(default.clone()))),
                None if property.required || property.is_title() => {
                    self.flaws.push(Violation::new(field_of(property), Issue::Required));
                }
                None => {}
            }
        }
    }

    fn finish(mut self) -> Result<ReadValues, ValuesFault> {
        if self.how.write == Write::Create {
            self.complete();
        }
        if !self.flaws.is_empty() {
            return Err(ValuesFault::Invalid(self.flaws));
        }
        if !self.refusals.is_empty() {
            return Err(ValuesFault::Refused(self.refusals));
        }
        Ok(self.read)
    }
}

/// Where there are no labels, a plain text that looks like one is a title.
fn without_references(links: Vec<LinkInput>, form: Form) -> Result<Vec<LinkInput>, Flaw> {
    let read = |link| match link {
        LinkInput::Reference(label) if form == Form::Any => Ok(LinkInput::Title(format!("${label}"))),
        LinkInput::Reference(_) => {
            Err(Flaw::new(Issue::InvalidId).ruled(&["labels of records are known in bulk requests only"]))
        }
        other => Ok(other),
    };
    links.into_iter().map(read).collect()
}

fn field_of(property: &Property) -> String {
    format!("properties.{}", property.id)
}

/// Whether a value is short enough to be repeated in a refusal.
fn is_small(sent: &Value) -> bool {
    match sent {
        Value::String(text) => text.len() <= 200,
        Value::Array(list) => list.len() <= 20 && list.iter().all(is_small),
        Value::Object(object) => object.len() <= 5 && object.values().all(is_small),
        _ => true,
    }
}

impl ReadValues {
    /// The options that have to be created first.
    pub fn new_options(&self) -> &[NewOptions] {
        &self.new_options
    }
}
