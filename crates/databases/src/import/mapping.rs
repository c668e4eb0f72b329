//! What a caller wants with the columns of a table.

use super::MappingFault;
use crate::{csv::Column, read::Flaw, text::folded_line};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::PropertyId,
};
use serde_json::{Map, Value};

/// How much of a header is repeated in the path of a field.
const SHOWN: usize = 100;

/// How many headers are named when one is unknown.
const NAMED: usize = 20;

/// What a caller wants with columns, by their headers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping(Vec<(String, Wanted)>);

/// What a caller wants with a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wanted {
    /// Its cells are values of this property.
    Property(PropertyId),
    /// Its cells are values of a new property, which was sent like this.
    New(Map<String, Value>),
    /// It is left out.
    Nothing,
}

impl Mapping {
    /// Reads an object with headers as keys. A value is the id of a property, an object with the name and type of one,
    /// or null to leave the column out.
    pub fn read(sent: Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let (mut read, mut flaws) = (Vec::with_capacity(sent.len()), Vec::new());
        for (header, value) in sent {
            match wanted(value) {
                Ok(wanted) => read.push((header, wanted)),
                Err((flaw, sent)) => flaws.push(flaw.at(field(&header), Some(sent))),
            }
        }
        if flaws.is_empty() { Ok(Self(read)) } else { Err(flaws) }
    }

    /// Whether it can add properties to a database that exists.
    pub fn adds_properties(&self) -> bool {
        self.0.iter().any(|(_, wanted)| matches!(wanted, Wanted::New(_)))
    }

    /// What is wanted with each column, with the path of the wish. Names are compared without regard to case.
    pub(super) fn assign(&self, columns: &[Column]) -> Result<Vec<Option<(String, &Wanted)>>, MappingFault> {
        let (mut assigned, mut flaws) = (vec![None; columns.len()], Vec::new());
        for (header, wanted) in &self.0 {
            let field = field(header);
            let key = folded_line(header);
            let place = columns.iter().position(|column| folded_line(&column.name) == key);
            let place = place.or_else(|| columns.iter().position(|column| folded_line(&column.header) == key));
            match place.map(|place| &mut assigned[place]) {
                None => {
                    let names = columns.iter().take(NAMED).map(|column| column.name.as_str());
                    flaws.push(Violation::new(field, Issue::UnknownField).hinting(Hint::one_of(names)));
                }
                Some(Some(_)) => {
                    let rule = "each column is named once, whatever the case";
                    flaws.push(Violation::new(field, Issue::InvalidValue).hinting(Hint::ruled_by(&[rule])));
                }
                Some(free) => *free = Some((field, wanted)),
            }
        }
        if flaws.is_empty() { Ok(assigned) } else { Err(MappingFault::Invalid(flaws)) }
    }
}

fn wanted(sent: Value) -> Result<Wanted, (Flaw, Value)> {
    const SHAPE: &str = "the id of a property, `{ name, type }` for a new one, or null to leave the column out";
    match sent {
        Value::Null => Ok(Wanted::Nothing),
        Value::Object(fields) => Ok(Wanted::New(fields)),
        Value::String(id) => match id.parse() {
            Ok(id) => Ok(Wanted::Property(id)),
            Err(_) => Err((Flaw::new(Issue::InvalidId).ruled(&[SHAPE]), Value::String(id))),
        },
        other => Err((Flaw::of_shape(SHAPE), other)),
    }
}

/// The path of what is wanted with a column.
fn field(header: &str) -> String {
    format!("mapping.{}", header.trim().chars().take(SHOWN).collect::<String>())
}
