//! The names of the persons that a query reads.

use super::{
    prepare::{Prepared, Tables},
    viewer::Viewer,
};
use crate::{computed::names, outcome::AppResult, scope::View};
use octavo_core_model::{account::FORMER_MEMBER, id::UserId};
use octavo_databases::{Property, types::FilterKind};
use std::collections::{BTreeMap, BTreeSet};

/// The names of all persons in the tables of a query. One statement, or none.
pub(crate) async fn names_in_tables(
    view: &mut View,
    prepared: &Prepared,
    tables: &Tables,
) -> AppResult<BTreeMap<UserId, String>> {
    let has_persons = |property: &&Property| property.kind().facts().filter == FilterKind::Person;
    let mut persons = BTreeSet::new();
    for (database, kept) in tables {
        let planned = prepared.computed.schemas.get(database);
        let own = (*database == prepared.schema.database()).then_some(&prepared.schema);
        let Some(schema) = own.or(planned) else { continue };
        let columns = schema.properties().iter().filter(has_persons);
        persons.extend(columns.flat_map(|property| kept.table.persons(property)));
    }
    match prepared.viewer {
        Viewer::Caller { .. } => names(view, persons).await,
        Viewer::Link(_) => display_names(view, persons).await,
    }
}

/// What holders of links see of persons. One statement, or none.
async fn display_names(view: &mut View, persons: BTreeSet<UserId>) -> AppResult<BTreeMap<UserId, String>> {
    if persons.is_empty() {
        return Ok(BTreeMap::new());
    }
    let people = view.tx.members().list_people(&Vec::from_iter(persons.clone())).await?;
    let mut names: BTreeMap<_, _> = persons.into_iter().map(|person| (person, FORMER_MEMBER.to_owned())).collect();
    names.extend(people.into_iter().map(|person| (person.id, person.display_name.as_str().to_owned())));
    Ok(names)
}
