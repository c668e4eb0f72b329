//! Whom and what the defaults of properties name.

use super::faults::of_refusals;
use crate::{
    outcome::{AppResult, Interrupt},
    scope::Unit,
};
use octavo_core_model::id::WorkspaceId;
use octavo_databases::{Property, Schema, fault::Refusal, value::PropertyValue};
use std::collections::BTreeSet;

/// Refuses new defaults that name people who are no members, or files, of which there are none yet. What a default named
/// before stays. One statement if a new default names people, otherwise none.
pub(super) async fn require_known_defaults(
    unit: &mut Unit,
    workspace: WorkspaceId,
    schema: &Schema,
    before: Option<&Schema>,
) -> AppResult<()> {
    let known = |property: &Property| before.and_then(|before| before.property(property.id)?.default.as_ref());
    let mut named = Vec::new();
    for property in schema.properties().iter().filter(|property| property.default.as_ref() != known(property)) {
        match (&property.default, known(property)) {
            (Some(PropertyValue::Files(_)), _) => return Err(refused(Refusal::UnknownFile(property.id))),
            (Some(PropertyValue::Persons(persons)), Some(PropertyValue::Persons(before))) => {
                named.extend(persons.iter().filter(|user| !before.contains(user)).map(|user| (property.id, *user)));
            }
            (Some(PropertyValue::Persons(persons)), _) => {
                named.extend(persons.iter().map(|user| (property.id, *user)));
            }
            _ => {}
        }
    }
    if named.is_empty() {
        return Ok(());
    }
    let members: BTreeSet<_> = unit.tx.members().list_ids(workspace).await?.into_iter().collect();
    match named.into_iter().find(|(_, user)| !members.contains(user)) {
        Some((property, _)) => Err(refused(Refusal::UnknownPrincipal(property))),
        None => Ok(()),
    }
}

fn refused(refusal: Refusal) -> Interrupt {
    of_refusals(&[refusal]).into()
}
