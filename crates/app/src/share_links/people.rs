//! The people that records name, as a link shows them: without ids and addresses.

use crate::{outcome::AppResult, records::RecordDetails, scope::View};
use octavo_core_model::{
    account::FORMER_MEMBER,
    id::{PropertyId, UserId},
    text::{Name, WebAddress},
};
use octavo_databases::value::PropertyValue;
use std::collections::{BTreeMap, BTreeSet};

/// A person as a link shows them.
#[derive(Clone, Debug)]
pub struct SharedPerson {
    pub display_name: Name,
    pub avatar_url: Option<WebAddress>,
}

/// The people that records name.
#[derive(Clone, Debug, Default)]
pub struct SharedPeople(BTreeMap<UserId, SharedPerson>);

impl SharedPeople {
    /// A person; one that does not exist any more is a former member.
    pub fn get(&self, id: UserId) -> SharedPerson {
        let former = || SharedPerson { display_name: Name::from_stored(FORMER_MEMBER.to_owned()), avatar_url: None };
        self.0.get(&id).cloned().unwrap_or_else(former)
    }
}

/// Looks up the people that records name in properties of the type `person`. One statement; none if there are none.
pub(super) async fn people_in(
    view: &mut View,
    records: impl IntoIterator<Item = &RecordDetails>,
    is_wanted: &(dyn Fn(PropertyId) -> bool + Sync),
) -> AppResult<SharedPeople> {
    let mut ids = BTreeSet::new();
    for RecordDetails { values, schema, .. } in records {
        for (slot, value) in values.iter() {
            let PropertyValue::Persons(persons) = value else { continue };
            if schema.by_slot(slot).is_some_and(|property| is_wanted(property.id)) {
                ids.extend(persons.iter().copied());
            }
        }
    }
    if ids.is_empty() {
        return Ok(SharedPeople::default());
    }
    let found = view.tx.members().list_people(&Vec::from_iter(ids)).await?;
    let shown = found
        .into_iter()
        .map(|person| (person.id, SharedPerson { display_name: person.display_name, avatar_url: person.avatar_url }));
    Ok(SharedPeople(shown.collect()))
}
