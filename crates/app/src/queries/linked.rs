//! What a query has to know of records in other databases: which of them the viewer sees, and their titles.

use crate::{outcome::AppResult, relations::Reader, scope::View};
use octavo_core_model::id::{DatabaseId, PropertyId, RecordId, WorkspaceId};
use octavo_databases::{Schema, query::Query, types::SortKind};
use octavo_query_engine::Visible;
use std::collections::{BTreeMap, BTreeSet};

/// A relation that a query uses.
#[derive(Debug)]
pub(crate) struct LinkedRecords {
    /// The database that it leads to.
    pub(crate) target: DatabaseId,
    seen: Seen,
}

#[derive(Debug)]
enum Seen {
    Nothing,
    AllBut(BTreeSet<RecordId>),
}

impl LinkedRecords {
    /// Whether the viewer sees the database that it leads to.
    pub(crate) const fn is_visible(&self) -> bool {
        matches!(self.seen, Seen::AllBut(_))
    }

    /// Hides those of these records that it does not hide yet.
    pub(super) fn hide(&mut self, ids: impl IntoIterator<Item = RecordId>) {
        if let Seen::AllBut(hidden) = &mut self.seen {
            hidden.extend(ids);
        }
    }

    pub(crate) fn visible(&self) -> Visible<'_> {
        match &self.seen {
            Seen::Nothing => Visible::Nothing,
            Seen::AllBut(hidden) => Visible::AllBut(hidden),
        }
    }
}

/// Finds the relations among these properties. No statement if there are none.
pub(crate) async fn linked_records(
    view: &mut View,
    workspace: WorkspaceId,
    reader: Reader<'_>,
    schema: &Schema,
    used: BTreeSet<PropertyId>,
) -> AppResult<BTreeMap<PropertyId, LinkedRecords>> {
    let targets: BTreeMap<PropertyId, DatabaseId> =
        used.into_iter().filter_map(|id| Some((id, schema.property(id)?.config.relation()?.target))).collect();
    if targets.is_empty() {
        return Ok(BTreeMap::new());
    }
    let databases: BTreeSet<_> = targets.values().copied().collect();
    let databases: Vec<_> = databases.into_iter().collect();
    let mut hidden = BTreeMap::new();
    for database in reader.visible_databases(view, workspace, &databases).await? {
        hidden.insert(database, reader.hidden_records(view, workspace, database).await?);
    }
    let linked =
        |target| LinkedRecords { target, seen: hidden.get(&target).cloned().map_or(Seen::Nothing, Seen::AllBut) };
    Ok(targets.into_iter().map(|(property, target)| (property, linked(target))).collect())
}

/// The properties that a query filters, sorts, groups or sums up by.
pub(crate) fn used_properties(query: &Query) -> BTreeSet<PropertyId> {
    let filtered = query.filter.iter().flat_map(|filter| filter.leaves()).map(|(_, leaf)| leaf.property);
    let keys = query.sort.keys().iter().chain(query.group.keys()).map(|key| key.property);
    let summed = query.aggregates.iter().filter_map(|aggregate| aggregate.property());
    filtered.chain(keys).chain(summed).collect()
}

/// Whether a query sorts or groups by persons.
pub(super) fn names_persons(query: &Query, schema: &Schema) -> bool {
    let mut keys = query.sort.keys().iter().chain(query.group.keys()).filter_map(|key| schema.property(key.property));
    keys.any(|property| property.kind().facts().sort == Some(SortKind::PersonName))
}
