//! Whom and what the defaults of properties name.

use super::faults::of_refusals;
use crate::{
    outcome::{AppResult, Interrupt},
    scope::Unit,
};
use octavo_core_model::id::{UserId, WorkspaceId};
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
    let changed = schema.properties().iter().filter(|property| property.default.as_ref() != known(property));
    let mut members = None;
    for property in changed {
        match &property.default {
            Some(PropertyValue::Files(_)) => return Err(refused(Refusal::UnknownFile(property.id))),
            Some(PropertyValue::Persons(persons)) => {
                if members.is_none() {
                    members = Some(unit.tx.members().list_ids(workspace).await?.into_iter().collect());
                }
                let members: &BTreeSet<UserId> = members.get_or_insert_default();
                let stayed = known(property);
                let stayed = |id| matches!(stayed, Some(PropertyValue::Persons(before)) if before.contains(id));
                if persons.iter().any(|id| !members.contains(id) && !stayed(id)) {
                    return Err(refused(Refusal::UnknownPrincipal(property.id)));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn refused(refusal: Refusal) -> Interrupt {
    of_refusals(&[refusal]).into()
}
