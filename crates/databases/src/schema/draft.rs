//! Properties that callers ask for.

use super::{Schema, default};
use crate::{
    property::Property,
    read::{Fields, Flaw, Origin, boolean, line, one_of, text},
    types::{ConfigInputs, PropertyConfig, PropertyType},
    value::PropertyValue,
};
use octavo_core_model::{
    Timestamp,
    fault::{Hint, Issue, Violation},
    id::{DatabaseId, PropertyId},
    position::Position,
    text::PropertyName,
};
use serde_json::{Map, Value};

/// A property that does not exist yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyDraft {
    /// Its name.
    pub name: PropertyName,
    /// Its type and configuration.
    pub config: PropertyConfig,
    /// Its place; at the end unless one is sent.
    pub position: Option<Position>,
    /// Whether views show it.
    pub is_visible: bool,
    /// Whether it requires a value.
    pub required: bool,
    /// The value of new records.
    pub default: Option<PropertyValue>,
    /// Whether the name of the other side of a relation was sent.
    pub names_reverse: bool,
}

/// Whether the configuration of a property that was sent has a name for the other side of the relation.
pub(super) fn names_reverse(sent: &Map<String, Value>) -> bool {
    sent.get("config").and_then(|config| config.get("reverseName")).is_some_and(|name| !name.is_null())
}

impl PropertyDraft {
    /// Reads `{ name, type, position?, isVisible?, required?, config?, default? }`. `at` is the path of the object, or
    /// empty.
    pub fn read(sent: Map<String, Value>, at: &str, inputs: &mut ConfigInputs<'_>) -> Result<Self, Vec<Violation>> {
        let (mut flaws, names_reverse) = (Vec::new(), names_reverse(&sent));
        let draft = Self::read_fields(&mut Fields::new(sent, at, Origin::Caller, &mut flaws), inputs);
        match draft {
            Some(draft) if flaws.is_empty() => Ok(Self { names_reverse, ..draft }),
            _ => Err(flaws),
        }
    }

    fn read_fields(fields: &mut Fields<'_>, inputs: &mut ConfigInputs<'_>) -> Option<Self> {
        let name = fields.required("name", None, |sent| line(sent, PropertyName::parse, PropertyName::MAX));
        let kind = fields.required("type", None, |sent| one_of(sent, PropertyType::ALL));
        let position = fields.nullable("position", position).or(None);
        let is_visible = fields.nullable("isVisible", boolean).or(None).unwrap_or(true);
        let required = fields.nullable("required", |sent| required(kind, sent)).or(None).unwrap_or(false);
        let config = kind?.read_config(&mut fields.object("config"), inputs)?;
        let default = fields.nullable("default", |sent| default::read(&config, sent)).or(None).flatten();
        Some(Self { name: name?, config, position, is_visible, required, default, names_reverse: false })
    }

    /// The title of a database that is created without properties.
    pub fn default_title() -> Self {
        Self {
            name: PropertyName::from_stored("Name".to_owned()),
            config: PropertyConfig::Title(crate::types::NoConfig),
            position: None,
            is_visible: true,
            required: false,
            default: None,
            names_reverse: false,
        }
    }

    /// The database whose schema the draft needs besides that of its own: the target of a relation or rollup.
    pub fn neighbour(&self, schema: Option<&Schema>) -> Option<DatabaseId> {
        match &self.config {
            PropertyConfig::Relation(config) => Some(config.target),
            PropertyConfig::Rollup(config) => {
                schema?.property(config.relation)?.config.relation().map(|relation| relation.target)
            }
            _ => None,
        }
    }

    /// The property; its slot is given when it is inserted.
    pub(super) fn made(self, id: PropertyId, database: DatabaseId, position: Position, now: Timestamp) -> Property {
        Property {
            id,
            database,
            slot: 0,
            name: self.name,
            position: self.position.unwrap_or(position),
            is_visible: self.is_visible,
            required: self.required,
            config: self.config,
            default: self.default,
            created_at: now,
        }
    }
}

pub(super) fn position(sent: &Value) -> Result<Position, Flaw> {
    Position::parse(text(sent)?).map_err(|_| Flaw::of_pattern(Issue::InvalidPosition, "^[0-9A-Za-z]{1,100}$"))
}

/// Nobody could write the value that a read-only property would require.
pub(super) fn required(kind: Option<PropertyType>, sent: &Value) -> Result<bool, Flaw> {
    match boolean(sent)? {
        true if kind.is_some_and(PropertyType::is_read_only) => {
            Err(Flaw::new(Issue::InvalidValue).ruled(&["false, because callers cannot write values of this type"]))
        }
        required => Ok(required),
    }
}

/// Reads the properties of a new database: 1 to 200 with exactly one title. Without any there is a title `Name`.
pub fn read_drafts(sent: Option<Value>, inputs: &mut ConfigInputs<'_>) -> Result<Vec<PropertyDraft>, Vec<Violation>> {
    let list = match sent {
        None | Some(Value::Null) => return Ok(vec![PropertyDraft::default_title()]),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(vec![Violation::new("properties", Issue::InvalidType).with(other)]),
    };
    let bounds = || Hint { min: Some(1), max: i64::try_from(Schema::MAX).ok(), ..Hint::default() };
    match list.len() {
        0 => return Err(vec![Violation::new("properties", Issue::TooShort).hinting(bounds())]),
        1..=Schema::MAX => {}
        _ => return Err(vec![Violation::new("properties", Issue::TooLong).hinting(bounds())]),
    }
    let (mut drafts, mut flaws, mut titles) = (Vec::with_capacity(list.len()), Vec::new(), 0);
    for (index, sent) in list.into_iter().enumerate() {
        let at = format!("properties.{index}");
        let Value::Object(sent) = sent else {
            flaws.push(Violation::new(at, Issue::InvalidType).with(sent));
            continue;
        };
        if sent.get("type").and_then(Value::as_str) == Some(PropertyType::Title.name()) {
            titles += 1;
            if titles > 1 {
                flaws.push(Violation::new(format!("{at}.type"), Issue::InvalidValue).hinting(one_title()));
            }
        }
        match PropertyDraft::read(sent, &at, inputs) {
            Ok(draft) => drafts.push(draft),
            Err(found) => flaws.extend(found),
        }
    }
    if titles == 0 && flaws.is_empty() {
        flaws.push(Violation::new("properties", Issue::Required).hinting(one_title()));
    }
    if flaws.is_empty() { Ok(drafts) } else { Err(flaws) }
}

pub(crate) fn one_title() -> Hint {
    Hint::ruled_by(&["a database has exactly one property of the type title"])
}
