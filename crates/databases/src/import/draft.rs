//! Columns for a new database.

use super::{
    MappingFault,
    bind::are_equal,
    importable,
    mapping::{Mapping, Wanted},
};
use crate::{
    csv::{Column, ColumnKind, Columns},
    options::Options,
    schema::{PropertyDraft, Schema, one_title},
    types::{ConfigInputs, NoConfig, NumberConfig, PropertyConfig, PropertyType},
};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    text::{OptionName, PropertyName},
};
use serde_json::{Map, Value};

/// The properties of a database that is made from a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Drafted {
    /// The properties in their order.
    pub properties: Vec<PropertyDraft>,
    /// The columns that they come from: the place of each with its name and the name of its property.
    pub columns: Vec<(usize, String, PropertyName)>,
}

/// Makes the properties of a new database from columns. The first column is the title, unless the mapping makes another
/// one the title or says something else about it; a database whose table has no title gets an empty one.
pub fn draft(
    columns: &Columns,
    kinds: &[ColumnKind],
    mapping: &Mapping,
    inputs: &mut ConfigInputs<'_>,
) -> Result<Drafted, MappingFault> {
    let assigned = mapping.assign(&columns.columns)?;
    let is_title = |sent: &Map<String, Value>| sent.get("type").and_then(Value::as_str) == Some("title");
    let is_mapped_title =
        |wanted: &Option<(String, &Wanted)>| matches!(wanted, Some((_, Wanted::New(sent))) if is_title(sent));
    let has_mapped_title = assigned.iter().any(is_mapped_title);
    let (mut drafted, mut flaws) = (Drafted { properties: Vec::new(), columns: Vec::new() }, Vec::new());
    for ((index, column), wanted) in columns.columns.iter().enumerate().zip(assigned) {
        let kind = kinds.get(index).unwrap_or(&ColumnKind::Text);
        let kind = if has_mapped_title && *kind == ColumnKind::Title { &ColumnKind::Text } else { kind };
        let made = match &wanted {
            None => Ok(guessed(column, kind)),
            Some((_, Wanted::Nothing)) => continue,
            Some((field, Wanted::Property(id))) => {
                let rule = Hint::ruled_by(&["`{ name, type }`, because a new database has no properties yet"]);
                Err(vec![Violation::new(field, Issue::InvalidValue).with(id.to_string().into()).hinting(rule)])
            }
            Some((field, Wanted::New(sent))) => mapped(column, kind, field, sent, inputs),
        };
        match made {
            Ok(made) if drafted.has_title() && is_title_draft(&made) => {
                let field = wanted.map_or_else(|| "mapping".to_owned(), |(field, _)| format!("{field}.type"));
                flaws.push(Violation::new(field, Issue::InvalidValue).hinting(one_title()));
            }
            Ok(made) => drafted.add(index, column, made, wanted.map(|(field, _)| field))?,
            Err(found) => flaws.extend(found),
        }
    }
    if !drafted.has_title() && drafted.properties.len() == Schema::MAX {
        flaws.push(Violation::new("mapping", Issue::InvalidValue).hinting(one_title()));
    }
    if !flaws.is_empty() {
        return Err(MappingFault::Invalid(flaws));
    }
    drafted.complete();
    Ok(drafted)
}

fn is_title_draft(draft: &PropertyDraft) -> bool {
    draft.config.kind() == PropertyType::Title
}

/// The property that a caller wants for a column. Without a name it has that of the column, without a type the guessed
/// one.
fn mapped(
    column: &Column,
    kind: &ColumnKind,
    field: &str,
    sent: &Map<String, Value>,
    inputs: &mut ConfigInputs<'_>,
) -> Result<PropertyDraft, Vec<Violation>> {
    let mut sent = sent.clone();
    sent.entry("name").or_insert_with(|| column.name.as_str().into());
    if !sent.contains_key("type") {
        let guessed = guessed(column, kind);
        sent.insert("type".to_owned(), guessed.config.kind().name().into());
        sent.entry("config").or_insert_with(|| guessed.config.to_json().into());
    }
    let draft = PropertyDraft::read(sent, field, inputs)?;
    if draft.config.kind().is_read_only() {
        return Err(vec![Violation::new(format!("{field}.type"), Issue::InvalidValue).hinting(importable())]);
    }
    Ok(draft)
}

fn guessed(column: &Column, kind: &ColumnKind) -> PropertyDraft {
    let config = match kind {
        ColumnKind::Title => PropertyConfig::Title(NoConfig),
        ColumnKind::Checkbox => PropertyConfig::Checkbox(NoConfig),
        ColumnKind::Number => PropertyConfig::Number(NumberConfig::default()),
        ColumnKind::Date => PropertyConfig::Date(crate::types::DateConfig::default()),
        ColumnKind::Email => PropertyConfig::Email(NoConfig),
        ColumnKind::Url => PropertyConfig::Url(NoConfig),
        ColumnKind::Select { options } => PropertyConfig::Select(named(options)),
        ColumnKind::Text => PropertyConfig::Text(NoConfig),
    };
    let name = PropertyName::parse(&column.name).unwrap_or_else(|_| PropertyName::from_stored(column.name.clone()));
    PropertyDraft { name, config, ..PropertyDraft::default_title() }
}

fn named(names: &[String]) -> Options {
    let mut options = Options::default();
    for name in names.iter().filter_map(|name| OptionName::parse(name).ok()) {
        // There are few of them, so there is room.
        let _ = options.append(name);
    }
    options
}

impl Drafted {
    fn has_title(&self) -> bool {
        self.properties.iter().any(is_title_draft)
    }

    fn add(
        &mut self,
        index: usize,
        column: &Column,
        draft: PropertyDraft,
        field: Option<String>,
    ) -> Result<(), MappingFault> {
        if self.properties.iter().any(|other| are_equal(&other.name, &draft.name)) {
            // Names of columns differ, so one of the two was sent.
            let field = field.unwrap_or_else(|| format!("mapping.{}", column.name));
            return Err(MappingFault::Taken(format!("{field}.name")));
        }
        self.columns.push((index, column.name.clone(), draft.name.clone()));
        self.properties.push(draft);
        Ok(())
    }

    /// Adds an empty title if there is none.
    fn complete(&mut self) {
        if self.has_title() {
            return;
        }
        let free = |name: &String| !self.properties.iter().any(|other| other.name.as_str().eq_ignore_ascii_case(name));
        let names = std::iter::once("Name".to_owned()).chain((2..).map(|number| format!("Name {number}")));
        let title = PropertyDraft::default_title();
        if let Some(name) = names.take(crate::csv::MAX_COLUMNS + 2).find(free) {
            self.properties.insert(0, PropertyDraft { name: PropertyName::from_stored(name), ..title });
        }
    }
}
