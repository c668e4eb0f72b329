//! The links that events of records contain: a reader gets those to records that they may see.

use super::ReadEvent;
use crate::{
    access::{self, WorkspaceCaller},
    outcome::AppResult,
    relations,
    scope::View,
};
use octavo_core_model::{event::EventType, id::RecordId};
use serde_json::Value;
use std::collections::BTreeSet;

/// The parts of the data that contain values by property.
const PARTS: [&str; 3] = ["properties", "before", "after"];

/// The key under which a value has links.
const LINKS: &str = "recordIds";

/// Takes the ids of records out that the caller may not see, and those of records that do not exist any more, because
/// nobody knows who could see them. Nothing is hidden from callers that see everything. Five statements, and one for each
/// database; none if no event contains links.
pub(super) async fn hide(view: &mut View, caller: &WorkspaceCaller, events: &mut [ReadEvent]) -> AppResult<()> {
    if caller.is_in_charge() {
        return Ok(());
    }
    let mut named = BTreeSet::new();
    for event in events.iter_mut() {
        each_list(event, |list| named.extend(list.iter().filter_map(id_of)));
    }
    if named.is_empty() {
        return Ok(());
    }
    let found = view.tx.records().list_by_id(caller.workspace, &Vec::from_iter(named)).await?;
    let found = found.into_iter().map(|record| (record.database, record.id)).collect();
    let authority = access::authority_in_teams(view, caller).await?;
    let seen = relations::visible(view, caller.workspace, &authority, &found).await?;
    let seen: BTreeSet<_> = seen.into_iter().map(|(_, record)| record).collect();
    for event in events {
        each_list(event, |list| list.retain(|id| id_of(id).is_some_and(|id| seen.contains(&id))));
    }
    Ok(())
}

fn id_of(id: &Value) -> Option<RecordId> {
    id.as_str()?.parse().ok()
}

/// Whether the event can contain links.
pub(super) fn can_have(event: &ReadEvent) -> bool {
    [EventType::RecordCreated, EventType::RecordUpdated].iter().any(|kind| event.logged.kind == kind.name())
}

/// Visits the links in the values of an event.
fn each_list(event: &mut ReadEvent, mut visit: impl FnMut(&mut Vec<Value>)) {
    if !can_have(event) {
        return;
    }
    for part in PARTS {
        let Some(values) = event.data.get_mut(part).and_then(Value::as_object_mut) else { continue };
        for value in values.values_mut() {
            if let Some(list) = value.get_mut(LINKS).and_then(Value::as_array_mut) {
                visit(list);
            }
        }
    }
}
