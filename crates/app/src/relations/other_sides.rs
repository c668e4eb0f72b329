//! Records on the other side of a relation, which change when links to them are added or removed.

use super::LinkPlan;
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    event::{
        EventPayload,
        records::{OfRecord, RecordUpdated},
    },
    id::{PageId, PropertyId, RecordId, TeamId, UserId, WorkspaceId},
    record::Record,
};
use std::collections::{BTreeMap, BTreeSet};

/// Records that show a change of links, with the properties that show it.
#[derive(Debug, Default)]
pub(crate) struct OtherSides(BTreeMap<RecordId, BTreeSet<PropertyId>>);

impl OtherSides {
    /// Adds the records that show this change.
    pub(crate) fn add(&mut self, plan: &LinkPlan) {
        let Some((_, property)) = plan.reverse else { return };
        for record in plan.touched() {
            self.insert(record, property);
        }
    }

    /// Adds a record with a property that shows a change.
    pub(super) fn insert(&mut self, record: RecordId, property: PropertyId) {
        self.0.entry(record).or_default().insert(property);
    }

    /// Adds all records of others.
    pub(crate) fn extend(&mut self, others: Self) {
        for (record, properties) in others.0 {
            self.0.entry(record).or_default().extend(properties);
        }
    }

    /// Takes out records that do not exist any more.
    pub(super) fn leave_out(&mut self, removed: &BTreeSet<RecordId>) {
        self.0.retain(|record, _| !removed.contains(record));
    }

    /// Takes out the properties of a record that the caller saves and reports itself.
    pub(crate) fn take(&mut self, record: RecordId) -> BTreeSet<PropertyId> {
        self.0.remove(&record).unwrap_or_default()
    }

    /// The records.
    pub(crate) fn records(&self) -> Vec<RecordId> {
        self.0.keys().copied().collect()
    }

    /// Raises the versions of the records, and reports each of them. Three statements; none if there are no records.
    pub(crate) async fn save(self, unit: &mut Unit, workspace: WorkspaceId, by: UserId) -> AppResult<()> {
        let ids = self.records();
        if ids.is_empty() {
            return Ok(());
        }
        let mut records = unit.tx.records().lock_many(workspace, &ids).await?;
        let teams = teams_of(unit, workspace, &records).await?;
        for record in &mut records {
            record.touch(by, unit.call.now);
            let changed = self.0.get(&record.id).into_iter().flatten().copied().collect();
            let updated = RecordUpdated { changed_property_ids: changed, ..RecordUpdated::default() };
            let team = teams.get(&record.database.node()).copied().flatten();
            unit.emit(workspace, EventPayload::RecordUpdated(OfRecord::new(record, team, updated)));
        }
        Ok(unit.tx.records().save_many(records).await?)
    }
}

/// The teams of the databases of records.
async fn teams_of(
    unit: &mut Unit,
    workspace: WorkspaceId,
    records: &[Record],
) -> AppResult<BTreeMap<PageId, Option<TeamId>>> {
    let nodes: BTreeSet<_> = records.iter().map(|record| record.database.node()).collect();
    let nodes = unit.tx.pages().list_by_id(workspace, &Vec::from_iter(nodes)).await?;
    Ok(nodes.into_iter().map(|node| (node.id, node.team)).collect())
}
