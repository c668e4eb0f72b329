//! Changes of links: first everything is checked, then everything is written.

use super::{ends, other_side, side_of, targets::visible};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Fault,
    event::{MAX_LISTED, records::RecordUpdated},
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, PropertyId, RecordId, WorkspaceId},
    record::RecordLink,
};
use octavo_databases::{Property, types::RelationConfig};
use octavo_permissions::Authority;
use octavo_ports::record_links::LinkSide;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Who changes links, and where.
#[derive(Clone, Copy)]
pub(crate) struct LinkWriter<'a> {
    pub(crate) workspace: WorkspaceId,
    pub(crate) authority: &'a Authority,
    /// Whether the unit also creates records that it links, and writes them later.
    pub(crate) creates_targets: bool,
}

/// What is sent for the links of a record.
#[derive(Clone, Debug)]
pub(crate) enum Wanted<'a> {
    /// These links and no others that the writer may see.
    All(&'a [RecordId]),
    /// These links more and those less. Nothing happens for links that are there, or not there, already.
    Changes { add: &'a [RecordId], remove: &'a [RecordId] },
}

/// A change of the links of one record through one property.
#[derive(Clone, Debug)]
pub(crate) struct LinkPlan {
    pub(crate) property: PropertyId,
    side: LinkSide,
    record: RecordId,
    /// New links, and those that get another place.
    insert: Vec<RecordLink>,
    /// Ends of links that go, also of those that get another place.
    remove: Vec<RecordId>,
    /// How many links the writer sees afterwards.
    pub(crate) count: u64,
    /// Records to which links were added or removed.
    pub(crate) added: Vec<RecordId>,
    pub(crate) removed: Vec<RecordId>,
    /// The property that shows the change on the other side, with its database.
    pub(crate) reverse: Option<(DatabaseId, PropertyId)>,
    /// The first links before and after the change, those included that the writer does not see.
    before: Vec<RecordId>,
    after: Vec<RecordId>,
}

/// Checks a change of the links of a record, whose targets exist and are visible. Locks the records on the other side,
/// so that two writers cannot exceed what the relation allows together. Three statements and those of [`visible`].
#[allow(clippy::too_many_lines, reason = "one decision after the other")]
pub(crate) async fn plan(
    unit: &mut Unit,
    writer: LinkWriter<'_>,
    property: &Property,
    relation: &RelationConfig,
    record: RecordId,
    wanted: Wanted<'_>,
) -> AppResult<LinkPlan> {
    let LinkWriter { workspace, authority, creates_targets } = writer;
    let side = side_of(property, relation);
    let present = unit.tx.record_links().list(workspace, side, &[record]).await?;
    // Any number of records can link the same one.
    unit.expect_content(present.len() as u64, 0)?;
    let targets = present.iter().map(|link| (relation.target, ends(side, link).1)).collect();
    let seen = visible(unit, workspace, authority, &targets).await?;
    let is_seen = |link: &&RecordLink| seen.contains(&(relation.target, ends(side, link).1));
    let shown: Vec<_> = present.iter().filter(is_seen).copied().collect();
    let held: BTreeSet<_> = present.iter().map(|link| ends(side, link).1).collect();
    let shown_ends: Vec<_> = shown.iter().map(|link| ends(side, link).1).collect();
    let (added, removed): (Vec<RecordId>, Vec<RecordId>) = match &wanted {
        Wanted::All(all) => {
            let wanted: BTreeSet<_> = all.iter().collect();
            (
                all.iter().filter(|id| !held.contains(id)).copied().collect(),
                shown_ends.iter().filter(|id| !wanted.contains(id)).copied().collect(),
            )
        }
        Wanted::Changes { add, remove } => (
            add.iter().filter(|id| !held.contains(id)).copied().collect(),
            shown_ends.iter().filter(|id| remove.contains(id) && !add.contains(id)).copied().collect(),
        ),
    };
    let reverse = relation.reverse.as_ref().map(|reverse| (relation.target, reverse.property));
    let refused = || Fault::from(DataProblem::of_property(DataIssue::CardinalityViolation, property.id));
    if relation.links_one() && !added.is_empty() && held.len() + added.len() > removed.len() + 1 {
        return Err(refused().into());
    }
    if !added.is_empty() {
        // Whoever deletes one of them waits, and then finds the link. One that was deleted meanwhile is not linked.
        let locked = unit.tx.records().lock_many(workspace, &added).await?.len();
        if locked < added.len() && !creates_targets {
            return Err(Fault::from(DataProblem::of_property(DataIssue::RelationIntegrity, property.id)).into());
        }
        if relation.is_linked_once()
            && !unit.tx.record_links().count_of(workspace, other_side(side), &added).await?.is_empty()
        {
            return Err(refused().into());
        }
    }
    let (mut insert, mut remove) = (new_links(unit, side, record, &added), removed.clone());
    if let Wanted::All(all) = wanted {
        let gone: BTreeSet<_> = removed.iter().collect();
        let kept: Vec<_> = shown_ends.iter().filter(|id| !gone.contains(id)).copied().collect();
        if !all.starts_with(&kept) {
            // The order is another one, so all of them get new places.
            insert = new_links(unit, side, record, all);
            let by_end: BTreeMap<_, _> = shown.iter().map(|link| (ends(side, link).1, link)).collect();
            for (link, id) in insert.iter_mut().zip(all) {
                if let Some(same) = by_end.get(id) {
                    keep_place_of_target(side, link, same);
                }
            }
            remove.extend(kept);
        }
    }
    let count = (shown.len() + added.len() - removed.len()) as u64;
    let before = present.iter().map(|link| ends(side, link).1).take(MAX_LISTED).collect();
    let after = after(side, &present, &insert, &remove);
    let property = property.id;
    Ok(LinkPlan { property, side, record, insert, remove, count, added, removed, reverse, before, after })
}

/// The first links after a change: those that stay where they are, and then the inserted ones.
fn after(side: LinkSide, present: &[RecordLink], insert: &[RecordLink], remove: &[RecordId]) -> Vec<RecordId> {
    let gone: BTreeSet<_> = remove.iter().collect();
    let present = present.iter().map(|link| ends(side, link).1).filter(|id| !gone.contains(id));
    present.chain(insert.iter().map(|link| ends(side, link).1)).take(MAX_LISTED).collect()
}

/// Links that come behind all others on both sides: their places grow with time.
fn new_links(unit: &Unit, side: LinkSide, record: RecordId, targets: &[RecordId]) -> Vec<RecordLink> {
    links_from(unit.call.now.millis().saturating_mul(RecordLink::PLACES_IN_A_MILLISECOND), side, record, targets)
}

fn links_from(first: i64, side: LinkSide, record: RecordId, targets: &[RecordId]) -> Vec<RecordLink> {
    let link = |(number, id): (i64, &RecordId)| {
        let (source, target) = if side.is_reverse { (*id, record) } else { (record, *id) };
        let order = first.saturating_add(number);
        RecordLink { source, target, source_order: order, target_order: order }
    };
    (0..).zip(targets).map(link).collect()
}

const fn keep_place_of_target(side: LinkSide, link: &mut RecordLink, same: &RecordLink) {
    if side.is_reverse {
        link.source_order = same.source_order;
    } else {
        link.target_order = same.target_order;
    }
}

fn shown(links: &[RecordId]) -> Value {
    if links.is_empty() { Value::Null } else { json!({ "recordIds": links }) }
}

impl LinkPlan {
    /// The links of a new record, which are allowed. Their places begin with this number.
    pub(super) fn of_new(
        property: PropertyId,
        side: LinkSide,
        record: RecordId,
        targets: &[RecordId],
        first: i64,
        reverse: Option<(DatabaseId, PropertyId)>,
    ) -> Self {
        Self {
            property,
            side,
            record,
            insert: links_from(first, side, record, targets),
            remove: Vec::new(),
            count: targets.len() as u64,
            added: targets.to_vec(),
            removed: Vec::new(),
            reverse,
            before: Vec::new(),
            after: targets.iter().take(MAX_LISTED).copied().collect(),
        }
    }

    /// The rows of its new links.
    pub(super) fn into_inserted(self) -> Vec<RecordLink> {
        self.insert
    }

    /// Whether no link is added or removed. The order can change all the same.
    pub(crate) const fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    /// Whether nothing changes, not even the order.
    pub(crate) const fn changes_nothing(&self) -> bool {
        self.insert.is_empty() && self.remove.is_empty()
    }

    /// Adds the change to the event of the record. Readers of the event get the links to records that they may see.
    pub(crate) fn report(&self, updated: &mut RecordUpdated) {
        updated.report_property(self.property, shown(&self.before), shown(&self.after));
    }

    /// The links after the change in the form of the API; `None` if there are none.
    pub(crate) fn value(&self) -> Option<Value> {
        (!self.after.is_empty()).then(|| shown(&self.after))
    }

    /// Writes the links. One statement to insert links, and one to remove them from a source.
    pub(crate) async fn write(&self, unit: &mut Unit, workspace: WorkspaceId) -> AppResult<()> {
        if !self.remove.is_empty() {
            if self.side.is_reverse {
                for source in &self.remove {
                    unit.tx.record_links().remove(workspace, self.side.property, *source, &[self.record]).await?;
                }
            } else {
                unit.tx.record_links().remove(workspace, self.side.property, self.record, &self.remove).await?;
            }
        }
        if !self.insert.is_empty() {
            unit.tx.record_links().insert(workspace, self.side.property, &self.insert).await?;
        }
        Ok(())
    }

    /// The records on the other side that show the change, if the relation is visible there.
    pub(crate) fn touched(&self) -> impl Iterator<Item = RecordId> {
        let shown = self.reverse.is_some();
        self.added.iter().chain(&self.removed).copied().filter(move |_| shown)
    }
}
