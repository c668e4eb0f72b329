//! The names of the persons by whom a query sorts or groups.

use crate::{outcome::AppResult, scope::View};
use octavo_core_model::id::{PropertyId, UserId};
use octavo_databases::{Schema, query::Query, types::SortKind};
use octavo_query_engine::Table;
use std::collections::{BTreeMap, BTreeSet};

/// The properties with persons by whom a query sorts or groups.
pub(super) fn person_keys(schema: &Schema, query: &Query) -> Vec<PropertyId> {
    let keys = query.sort.keys().iter().chain(query.group.keys()).map(|key| key.property);
    keys.filter(|id| {
        schema.property(*id).is_some_and(|property| property.kind().facts().sort == Some(SortKind::PersonName))
    })
    .collect()
}

/// The names of all persons that a table has in these columns. One statement, or none.
pub(super) async fn names(
    view: &mut View,
    schema: &Schema,
    table: &Table,
    keys: &[PropertyId],
) -> AppResult<BTreeMap<UserId, String>> {
    let persons: BTreeSet<_> =
        keys.iter().filter_map(|id| schema.property(*id)).flat_map(|property| table.persons(property)).collect();
    if persons.is_empty() {
        return Ok(BTreeMap::new());
    }
    let persons: Vec<_> = persons.into_iter().collect();
    let people = view.tx.members().list_people(&persons).await?;
    Ok(people.into_iter().map(|person| (person.id, person.name.as_str().to_owned())).collect())
}
