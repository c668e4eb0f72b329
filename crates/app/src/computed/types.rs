//! Types of the values that formulas read and make.

use octavo_core_model::id::PropertyId;
use octavo_databases::{Property, PropertyType, types::Aggregate};
use octavo_formula::Types;
use std::collections::BTreeMap;

/// The types of the values of a property, as formulas read them; `computed` are those of formulas and rollups.
pub(super) fn types_of(property: &Property, computed: &BTreeMap<PropertyId, Types>) -> Option<Types> {
    Some(match property.kind() {
        PropertyType::Number => Types::NUMBER,
        PropertyType::Checkbox => Types::BOOLEAN,
        PropertyType::Date | PropertyType::DateRange | PropertyType::CreatedTime | PropertyType::LastEditedTime => {
            Types::DATE
        }
        PropertyType::Formula | PropertyType::Rollup => return computed.get(&property.id).copied(),
        _ => Types::TEXT,
    })
}

/// The types of the values of a rollup.
pub(super) const fn types_of_rollup(aggregate: Aggregate) -> Types {
    match aggregate {
        Aggregate::Min | Aggregate::Max | Aggregate::Unique => Types::ANY,
        _ => Types::NUMBER,
    }
}

/// What a formula is called that has no value in some row: the one type that it has in others, otherwise `text`.
pub(super) fn name_without_value(types: Types) -> &'static str {
    let names = [(Types::NUMBER, "number"), (Types::BOOLEAN, "boolean"), (Types::DATE, "date")];
    names.into_iter().find(|(only, _)| types == *only).map_or("text", |(_, name)| name)
}
