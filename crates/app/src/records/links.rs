//! The links of one record through one relation: listing them, and adding and removing some.

use super::access::{self, HeldDatabase, Hold};
use crate::{
    access::RouteAccess,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft, Interrupt},
    page_access::{self, lineage::need},
    record_values::{title_of, values_of},
    relations::{LinkWriter, OtherSides, Wanted, ends, existing, plan, side_of, visible},
    scope::{Unit, View},
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Fault, Level,
    event::{
        EventPayload,
        records::{OfRecord, RecordUpdated},
    },
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, PropertyId, RecordId},
    record::Record,
    text::{PageIcon, PageTitle},
    version::Expected,
};
use octavo_databases::{Property, Schema, types::RelationConfig};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

/// How many links are read at once if some of them are hidden.
const CHUNK: u32 = 200;

/// A record at the other end of a link.
#[derive(Clone, Debug)]
pub struct LinkedRecord {
    pub id: RecordId,
    pub title: PageTitle,
    pub icon: Option<PageIcon>,
    pub mark: LinkMark,
}

/// The link after which a list continues. It can be parsed from its text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkMark {
    order: i64,
    other: RecordId,
}

impl fmt::Display for LinkMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.other, self.order)
    }
}

/// The text is not a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMark;

impl FromStr for LinkMark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        let (other, order) = text.split_once(' ').ok_or(InvalidMark)?;
        let other = other.parse().map_err(|_| InvalidMark)?;
        Ok(Self { other, order: order.parse().map_err(|_| InvalidMark)? })
    }
}

/// Which links to list.
#[derive(Clone, Copy, Debug)]
pub struct LinkList {
    pub after: Option<LinkMark>,
    pub limit: u32,
}

/// The relation with this id.
fn relation(schema: &Schema, id: PropertyId) -> Option<(&Property, &RelationConfig)> {
    let property = schema.property(id)?;
    Some((property, property.config.relation()?))
}

/// Lists the records that a record links, in the order of the links. Those that the caller may not see are left out.
pub async fn list_linked(
    view: &mut View,
    id: Draft<RecordId>,
    property: Draft<PropertyId>,
    asked: Draft<LinkList>,
) -> AppResult<Vec<LinkedRecord>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let workspace = caller.workspace;
    let seen = access::find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let database = view.tx.databases().find(workspace, seen.record.database).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &database).await?;
    let (property, relation) = property.ok().and_then(|id| relation(&schema, id)).ok_or(Fault::NotFound)?;
    let asked = asked?;
    let side = side_of(property, relation);
    let (mut after, mut found) = (asked.after, Vec::new());
    while found.len() < asked.limit as usize {
        let mark = after.map(|mark| (mark.order, mark.other));
        let links = view.tx.record_links().list_page(workspace, side, seen.record.id, mark, CHUNK).await?;
        let marks: Vec<_> = links
            .iter()
            .map(|link| {
                let order = if side.is_reverse { link.target_order } else { link.source_order };
                LinkMark { order, other: ends(side, link).1 }
            })
            .collect();
        after = marks.last().copied();
        let is_end = links.len() < CHUNK as usize;
        let targets = marks.iter().map(|mark| (relation.target, mark.other)).collect();
        let shown = visible(view, workspace, &authority, &targets).await?;
        found.extend(marks.into_iter().filter(|mark| shown.contains(&(relation.target, mark.other))));
        if is_end {
            break;
        }
    }
    found.truncate(asked.limit as usize);
    details(view, relation.target, &caller, found).await
}

async fn details(
    view: &mut View,
    target: DatabaseId,
    caller: &crate::access::WorkspaceCaller,
    marks: Vec<LinkMark>,
) -> AppResult<Vec<LinkedRecord>> {
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    let database = view.tx.databases().find(caller.workspace, target).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &database).await?;
    let ids: Vec<_> = marks.iter().map(|mark| mark.other).collect();
    let records = view.tx.records().list_by_id(caller.workspace, &ids).await?;
    let mut records: BTreeMap<_, Record> = records.into_iter().map(|record| (record.id, record)).collect();
    let mut linked = Vec::with_capacity(marks.len());
    for mark in marks {
        let Some(record) = records.remove(&mark.other) else { continue };
        let title = title_of(&values_of(&record, &schema)?, &schema);
        linked.push(LinkedRecord { id: record.id, title, icon: record.icon, mark });
    }
    Ok(linked)
}

/// Links to add and to remove.
#[derive(Clone, Debug, Default)]
pub struct LinkChange {
    pub add: Vec<RecordId>,
    pub remove: Vec<RecordId>,
    /// The version of the record that the change is based on.
    pub expected: Option<Expected>,
}

/// What became of them.
#[derive(Clone, Copy, Debug)]
pub struct ChangedLinks {
    pub added: u64,
    pub removed: u64,
    /// How many links the caller sees now.
    pub count: u64,
    pub version: i64,
}

/// Names the field of the links to add in the reasons for which these are refused.
fn naming_added(interrupt: Interrupt) -> Interrupt {
    match interrupt {
        Interrupt::Fault(Fault::Data(problems)) => {
            let named = |problem| DataProblem { field: Some("add".to_owned()), ..problem };
            Interrupt::Fault(Fault::Data(problems.into_owned().into_iter().map(named).collect()))
        }
        other => other,
    }
}

/// Adds and removes links of a record. Links that are there, or not there, already are no error.
pub async fn change_links(
    unit: &mut Unit,
    id: Draft<RecordId>,
    property: Draft<PropertyId>,
    draft: Draft<LinkChange>,
) -> AppResult<ChangedLinks> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let workspace = caller.workspace;
    let seen = access::look_up(unit, &caller, &authority, &id).await?;
    let Some(seen) = seen else { return Err(unit.absent().await) };
    need(&authority, seen.node.lineage.level(), Level::Edit)?;
    let database = unit.tx.databases().find(workspace, seen.record.database).await?.ok_or(Fault::NotFound)?;
    let known = schema_of(unit, &database).await?;
    let Some((property, _)) = property.ok().and_then(|id| relation(&known, id)) else {
        return Err(unit.absent().await);
    };
    unit.claim().await?;
    let LinkChange { add, remove, expected } = draft?;
    let held = HeldDatabase::lock(unit, &seen.node.page, seen.record.database, Hold::Shared).await?;
    let (property, relation) = relation(&held.schema, property.id).ok_or(Fault::NotFound)?;
    let mut record = unit.tx.records().lock(workspace, seen.record.id).await?.ok_or(Fault::NotFound)?;
    expected.unwrap_or(Expected::Any).check(record.version)?;
    let wanted: BTreeSet<_> = add.iter().map(|id| (relation.target, *id)).collect();
    if existing(unit, workspace, &authority, &wanted).await?.len() < wanted.len() {
        let problem = DataProblem::of_property(DataIssue::RelationIntegrity, property.id);
        return Err(naming_added(Fault::from(problem).into()));
    }
    let mut add = add;
    let mut sent = BTreeSet::new();
    add.retain(|id| sent.insert(*id));
    let writer = LinkWriter { workspace, authority: &authority, creates_targets: false };
    let wanted = Wanted::Changes { add: &add, remove: &remove };
    let plan = plan(unit, writer, property, relation, record.id, wanted).await.map_err(naming_added)?;
    if !plan.is_empty() {
        plan.write(unit, workspace).await?;
        let mut other_sides = OtherSides::default();
        other_sides.add(&plan);
        let mut updated = RecordUpdated::default();
        plan.report(&mut updated);
        other_sides.take(record.id).into_iter().for_each(|property| updated.report_links(property));
        record.touch(caller.author(), unit.call.now);
        unit.count_written(WrittenSize::of_records(1 + other_sides.records().len() as u64, 0))?;
        unit.tx.records().save_many(vec![record.clone()]).await?;
        let team = seen.node.page.team;
        unit.emit(workspace, EventPayload::RecordUpdated(OfRecord::new(&record, team, updated)));
        other_sides.save(unit, workspace, caller.author()).await?;
    }
    Ok(ChangedLinks {
        added: plan.added.len() as u64,
        removed: plan.removed.len() as u64,
        count: plan.count,
        version: record.version,
    })
}
