//! Looking up the people that values name. There are no files yet, so none is found.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::id::WorkspaceId;
use octavo_databases::{
    record::{Found, Lookups, ReadValues},
    text::folded_line,
};
use std::collections::BTreeMap;

/// Looks up what the values of records name. No statement if they name nothing; one for ids of people, two for names or
/// addresses.
pub(super) async fn look_up(unit: &mut Unit, workspace: WorkspaceId, read: &[&ReadValues]) -> AppResult<Found> {
    let mut wanted = Lookups::default();
    read.iter().for_each(|values| wanted.add(values));
    let mut found = Found::default();
    let by_text = !wanted.emails.is_empty() || !wanted.user_names.is_empty();
    if wanted.users.is_empty() && !by_text {
        return Ok(found);
    }
    let members = unit.tx.members().list_ids(workspace).await?;
    found.users = members.iter().copied().filter(|id| wanted.users.contains(id)).collect();
    if by_text {
        let mut by_name: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for person in unit.tx.members().list_people(&members).await? {
            let mut names = vec![folded_line(person.name.as_str()), folded_line(person.display_name.as_str())];
            names.dedup();
            for name in names.into_iter().filter(|name| wanted.user_names.contains(name)) {
                by_name.entry(name).or_default().push(person.id);
            }
            if wanted.emails.contains(&person.email) {
                found.emails.insert(person.email, person.id);
            }
        }
        // A name that several people have names nobody.
        let single = |(name, ids): (String, Vec<_>)| match ids.as_slice() {
            [id] => Some((name, *id)),
            _ => None,
        };
        found.user_names = by_name.into_iter().filter_map(single).collect();
    }
    Ok(found)
}
