//! Formulas and the properties that they name: by id where they are saved, by the present name where they are shown.

use super::Schema;
use crate::read::Flaw;
use octavo_core_model::{
    fault::{Hint, Issue},
    id::PropertyId,
};
use octavo_formula::{Named, SyntaxError};

/// The formula with ids in place of names, if it is one and the schema has the properties.
pub(crate) fn bound(expression: &str, schema: &Schema) -> Result<String, Flaw> {
    let find = |named: Named<'_>| match named {
        Named::Quoted(named) => schema.find(named).map(|property| property.id),
        Named::Word(id) => id.parse().ok().and_then(|id| schema.property(id)).map(|property| property.id),
    };
    octavo_formula::bind(expression, find).map_err(|error| flaw(&error))
}

fn flaw(error: &SyntaxError) -> Flaw {
    let SyntaxError { position, mistake } = error;
    let rules = vec![mistake.to_string()];
    Flaw::new(Issue::FormulaParseError).hinting(Hint { offset: Some(position.offset), rules, ..Hint::default() })
}

/// A saved formula with the present names of properties.
pub(crate) fn shown(expression: &str, schema: &Schema) -> String {
    octavo_formula::show(expression, |id| {
        let property = id.parse().ok().and_then(|id| schema.property(id))?;
        Some(property.name.as_str())
    })
}

/// Whether a saved formula uses a property.
pub(crate) fn uses(expression: &str, id: PropertyId) -> bool {
    octavo_formula::properties(expression).contains(&id.to_string())
}
