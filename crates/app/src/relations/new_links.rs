//! The links of many new records: checked together and written together.

use super::{OtherSides, other_side, plan::LinkPlan, side_of};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, PropertyId, RecordId, WorkspaceId},
    record::RecordLink,
};
use octavo_databases::{Property, Schema};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Links that are not written yet. New records have none in the store, so only the other side has to be looked up.
#[derive(Debug, Default)]
pub(crate) struct NewLinks {
    /// For relations whose targets are linked from one record only: the targets that are.
    taken: BTreeMap<PropertyId, BTreeSet<RecordId>>,
    /// Targets that were deleted meanwhile.
    deleted: BTreeSet<RecordId>,
    /// By the property that the rows of the relation belong to.
    pending: BTreeMap<PropertyId, Vec<RecordLink>>,
    /// How many links there were so far: later ones come behind them on the other side.
    count: i64,
}

impl NewLinks {
    /// Locks these targets, so that whoever deletes one of them waits and then finds the links, and looks up which of them
    /// cannot be linked once more. One statement, and one for each relation that links its targets once; none without
    /// targets.
    pub(crate) async fn prepare(
        unit: &mut Unit,
        workspace: WorkspaceId,
        schema: &Schema,
        targets: &BTreeSet<(DatabaseId, RecordId)>,
    ) -> AppResult<Self> {
        let mut links = Self::default();
        if targets.is_empty() {
            return Ok(links);
        }
        let ids: Vec<_> = targets.iter().map(|(_, id)| *id).collect();
        let found: BTreeSet<_> =
            unit.tx.records().lock_many(workspace, &ids).await?.into_iter().map(|record| record.id).collect();
        links.deleted.extend(ids.into_iter().filter(|id| !found.contains(id)));
        for property in schema.properties() {
            let Some(relation) = property.config.relation().filter(|relation| relation.is_linked_once()) else {
                continue;
            };
            let named: Vec<_> = targets.iter().filter(|(database, _)| *database == relation.target).collect();
            let named: Vec<_> = named.into_iter().map(|(_, id)| *id).collect();
            if named.is_empty() {
                continue;
            }
            let side = other_side(side_of(property, relation));
            let linked = unit.tx.record_links().count_of(workspace, side, &named).await?;
            links.taken.insert(property.id, linked.into_iter().map(|(id, _)| id).collect());
        }
        Ok(links)
    }

    /// Adds the links of a new record through all its relations, if all of them are allowed. `other_sides` learns which
    /// records show them. Returns them as the event of the record shows them.
    pub(crate) fn add(
        &mut self,
        unit: &Unit,
        schema: &Schema,
        record: RecordId,
        links: &[(PropertyId, Vec<RecordId>)],
        other_sides: &mut OtherSides,
    ) -> Result<Vec<(PropertyId, Value)>, Fault> {
        let relations = links.iter().filter(|(_, targets)| !targets.is_empty());
        let relations: Vec<_> =
            relations.filter_map(|(id, targets)| Some((schema.property(*id)?, targets.as_slice()))).collect();
        for (property, targets) in &relations {
            self.check(property, targets)?;
        }
        let mut values = Vec::new();
        for (property, targets) in relations {
            let Some(relation) = property.config.relation() else { continue };
            let side = side_of(property, relation);
            let reverse = relation.reverse.as_ref().map(|reverse| (relation.target, reverse.property));
            let first =
                unit.call.now.millis().saturating_mul(RecordLink::PLACES_IN_A_MILLISECOND).saturating_add(self.count);
            let plan = LinkPlan::of_new(property.id, side, record, targets, first, reverse);
            self.count += i64::try_from(targets.len()).unwrap_or(i64::MAX);
            if let Some(taken) = self.taken.get_mut(&property.id) {
                taken.extend(targets);
            }
            other_sides.add(&plan);
            values.extend(plan.value().map(|value| (property.id, value)));
            self.pending.entry(side.property).or_default().extend(plan.into_inserted());
        }
        Ok(values)
    }

    fn check(&self, property: &Property, targets: &[RecordId]) -> Result<(), Fault> {
        if targets.iter().any(|target| self.deleted.contains(target)) {
            return Err(DataProblem::of_property(DataIssue::RelationIntegrity, property.id).into());
        }
        let links_one = property.config.relation().is_some_and(octavo_databases::types::RelationConfig::links_one);
        let taken = self.taken.get(&property.id);
        let is_taken = taken.is_some_and(|taken| targets.iter().any(|target| taken.contains(target)));
        if is_taken || (links_one && targets.len() > 1) {
            return Err(DataProblem::of_property(DataIssue::CardinalityViolation, property.id).into());
        }
        Ok(())
    }

    /// Writes the links. One statement for each relation.
    pub(crate) async fn write(self, unit: &mut Unit, workspace: WorkspaceId) -> AppResult<()> {
        for (property, links) in self.pending {
            unit.tx.record_links().insert(workspace, property, &links).await?;
        }
        Ok(())
    }
}
