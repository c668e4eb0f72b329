//! What a rollup may summarize.

use super::Schemas;
use crate::{
    fault::SchemaFault,
    types::{Aggregate, FilterKind, PropertyType, RollupConfig},
};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::DatabaseId,
};

/// Checks that a rollup follows a relation of its database and summarizes a property of the target in a way that
/// suits its type.
pub(super) fn check(
    schemas: &Schemas,
    database: DatabaseId,
    config: &RollupConfig,
    at: &str,
) -> Result<(), SchemaFault> {
    let wrong = |field: &str, hint: Hint| {
        SchemaFault::from(Violation::new(format!("{at}config.{field}"), Issue::InvalidValue).hinting(hint))
    };
    let relation = schemas.get(database).and_then(|schema| schema.property(config.relation));
    let relation = relation.and_then(|property| property.config.relation());
    let relation =
        relation.ok_or_else(|| wrong("relationPropertyId", Hint::ruled_by(&["a relation of this database"])))?;
    let target = schemas.get(relation.target).and_then(|schema| schema.property(config.target));
    let target = target.ok_or_else(|| {
        wrong("targetPropertyId", Hint::ruled_by(&["a property of the database that the relation leads to"]))
    })?;
    let kind = target.kind();
    if fits(config.aggregate, kind) {
        return Ok(());
    }
    Err(wrong("aggregate", Hint::one_of(Aggregate::ALL.iter().filter(|aggregate| fits(**aggregate, kind)))))
}

/// Whether values of a type can be summarized like this. Only when it runs is it known what a formula gives.
fn fits(aggregate: Aggregate, kind: PropertyType) -> bool {
    let filter = kind.facts().filter;
    match aggregate {
        Aggregate::Count | Aggregate::Percent | Aggregate::Unique => true,
        Aggregate::Sum | Aggregate::Average => matches!(filter, FilterKind::Number | FilterKind::Computed),
        Aggregate::Min | Aggregate::Max => {
            matches!(filter, FilterKind::Number | FilterKind::Date | FilterKind::Computed)
        }
    }
}
