//! Looking up the people that values name. There are no files yet, so none is found.

use crate::{
    loaded_schemas::schema_of,
    outcome::AppResult,
    record_scan::RecordScan,
    record_values::title_of,
    relations::{existing, visible},
    scope::Unit,
};
use octavo_core_model::id::{DatabaseId, RecordId, WorkspaceId};
use octavo_databases::{
    record::{Found, Lookups, ReadValues},
    stored::decode_slots,
    text::folded_line,
};
use octavo_permissions::Authority;
use std::collections::{BTreeMap, BTreeSet};

/// Looks up what the values of records name. No statement if they name nothing; one for ids of people, two for names or
/// addresses.
pub(super) async fn look_up(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    read: &[&ReadValues],
) -> AppResult<Found> {
    let mut wanted = Lookups::default();
    for values in read {
        wanted.add(values);
    }
    let mut found = Found::default();
    look_up_titles(unit, workspace, authority, &wanted, &mut found).await?;
    found.records.extend(existing(unit, workspace, authority, &wanted.records).await?);
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

/// Looks up records by their titles, which reads the titles of all records of each database that is named.
async fn look_up_titles(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    wanted: &Lookups,
    found: &mut Found,
) -> AppResult<()> {
    let mut by_database: BTreeMap<DatabaseId, BTreeSet<&str>> = BTreeMap::new();
    for (database, title) in &wanted.titles {
        by_database.entry(*database).or_default().insert(title);
    }
    for (database, titles) in by_database {
        let named = find_titled(unit, workspace, database, &titles).await?;
        let all = named.iter().map(|(_, id)| (database, *id)).collect();
        let seen = visible(unit, workspace, authority, &all).await?;
        for (title, id) in named.into_iter().filter(|(_, id)| seen.contains(&(database, *id))) {
            found.titles.entry((database, title)).or_default().push(id);
        }
    }
    Ok(())
}

async fn find_titled(
    unit: &mut Unit,
    workspace: WorkspaceId,
    database: DatabaseId,
    titles: &BTreeSet<&str>,
) -> AppResult<Vec<(String, RecordId)>> {
    let mut found = Vec::new();
    let Some(database) = unit.tx.databases().find(workspace, database).await? else { return Ok(found) };
    let schema = schema_of(unit, &database).await?;
    let slots: Vec<_> = schema.title().map(|title| title.slot).into_iter().collect();
    let mut scan = RecordScan::begin(unit, workspace, database.id).await?;
    while let Some(bags) = scan.next(unit).await? {
        for (id, bag) in bags {
            let Ok(values) = decode_slots(&bag, &schema, &slots) else { continue };
            let title = title_of(&values, &schema);
            if titles.contains(title.as_str()) {
                found.push((title.as_str().to_owned(), id));
            }
        }
    }
    Ok(found)
}
