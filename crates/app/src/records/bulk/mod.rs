//! Many changes of records of one database in one call.
//!
//! Operations are applied to records in memory, one after the other, and only what became of them is written, with few
//! statements. So an operation that fails leaves nothing behind, whether the others are kept or not.

mod apply;
mod matching;
mod new_options;
mod prepare;
mod rows;
mod save;
mod working_set;

use super::{
    access::{HeldDatabase, Hold},
    shown::RecordDetails,
};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    scope::Unit,
};
use apply::Applying;
use octavo_core_model::{
    Fault, Level,
    fault::{FailedOperation, Hint, Issue, Violation},
    id::{DatabaseId, PropertyId, RecordId, TeamId},
    named,
    position::Position,
    text::{PageIcon, WebAddress},
};
use octavo_databases::Schema;
use octavo_permissions::Authority;
use prepare::Prepared;
pub(crate) use rows::{RowWriter, TextRow};
use save::Saved;
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many operations one call may have.
pub const MAX_OPERATIONS: usize = 500;

/// A record that an operation names: by its id, or by the label of an earlier operation that creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordRef {
    Id(RecordId),
    Label(String),
}

/// One change. Values are as they were sent, by the ids of properties.
#[derive(Clone, Debug)]
pub enum Operation {
    Create {
        properties: Map<String, Value>,
        icon: Option<PageIcon>,
        cover_url: Option<WebAddress>,
        parent: Option<RecordRef>,
        /// By which later operations can name the record.
        label: Option<String>,
    },
    Update {
        record: RecordRef,
        properties: Option<Map<String, Value>>,
        icon: Option<Option<PageIcon>>,
        position: Option<Position>,
        version: Option<i64>,
    },
    /// Updates the one record that matches the values of certain properties, or creates one.
    Upsert {
        properties: Map<String, Value>,
    },
    Archive {
        record: RecordRef,
    },
    Unarchive {
        record: RecordRef,
    },
    Delete {
        record: RecordRef,
        confirmation: Option<String>,
    },
}

/// Changes of records.
#[derive(Clone, Debug)]
pub struct Bulk {
    pub operations: Vec<Result<Operation, Vec<Violation>>>,
    /// Whether nothing is kept if an operation fails.
    pub atomic: bool,
    /// Whether plain texts and numbers stand for values, and unknown names for new options.
    pub typecast: bool,
    /// The properties by which upserts find records.
    pub match_on: Vec<PropertyId>,
}

named! {
    /// What became of an operation.
    OperationStatus {
        Created = "created",
        Updated = "updated",
        Unchanged = "unchanged",
        Archived = "archived",
        Unarchived = "unarchived",
        Deleted = "deleted",
        Failed = "failed",
    }
}

/// The result of one operation.
#[derive(Clone, Debug)]
pub struct OperationResult {
    pub status: OperationStatus,
    /// The record; `None` if the operation failed before it was known.
    pub record: Option<RecordId>,
    pub label: Option<String>,
    /// The version of the record after the operation.
    pub version: Option<i64>,
    /// Why it failed.
    pub fault: Option<Fault>,
}

/// The results of all operations, in their order, and the records that they are about and that still exist.
#[derive(Clone, Debug)]
pub struct BulkResults {
    pub results: Vec<OperationResult>,
    pub records: BTreeMap<RecordId, RecordDetails>,
}

/// The database that the operations are about, and who makes them.
struct Context<'a> {
    caller: WorkspaceCaller,
    authority: &'a Authority,
    team: Option<TeamId>,
    held: HeldDatabase,
    typecast: bool,
    match_on: Vec<PropertyId>,
}

/// Makes many changes of records.
pub async fn bulk(unit: &mut Unit, database: Draft<DatabaseId>, draft: Draft<Bulk>) -> AppResult<BulkResults> {
    let caller = if draft.as_ref().is_ok_and(Bulk::deletes) {
        // Deleted records take their pages along. Pages are created and removed under the lock of the workspace.
        enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?.0
    } else {
        access::enter(unit, RouteAccess::DATABASES_CHANGE).await?
    };
    let authority = access::authority_in_teams(unit, &caller).await?;
    let node = page_access::look_up(unit, caller.workspace, &authority, &database).await?;
    let Some(node) = node else { return Err(unit.absent().await) };
    need(&authority, node.lineage.level(), Level::Edit)?;
    unit.claim().await?;
    let Bulk { operations, atomic, typecast, match_on } = draft?;
    let operations = all_readable(operations)?;
    require_distinct_labels(&operations)?;
    // A parent must not move meanwhile, no second record must match, and options must not be added twice.
    let is_alone = typecast || operations.iter().any(Operation::depends_on_others);
    let mode = if is_alone { Hold::Alone } else { Hold::Shared };
    let held = HeldDatabase::lock(unit, &node.page, node.page.id.as_database(), mode).await?;
    require_match(&held.schema, &match_on, &operations)?;
    let mut context = Context { caller, authority: &authority, team: node.page.team, held, typecast, match_on };
    if typecast {
        let values = new_options::values_of(Arc::clone(&context.held.schema), &operations);
        new_options::create(unit, &mut context, &node.page, values).await?;
    }
    let prepared = Prepared::load(unit, &context, operations).await?;
    let mut applying = Applying::new(unit, &context, prepared.records, prepared.last_position);
    for operation in prepared.operations {
        applying.apply(operation).await?;
    }
    let applied = applying.finish();
    if atomic {
        refuse_failed(&applied.results)?;
    }
    let Saved { results, records } = save::save(unit, &context, applied).await?;
    let workspace = context.caller.workspace;
    let details = RecordDetails::load(unit, workspace, context.authority, records, &context.held.schema).await?;
    let records = details.into_iter().map(|details| (details.record.id, details)).collect();
    Ok(BulkResults { results, records })
}

impl Bulk {
    fn deletes(&self) -> bool {
        self.operations.iter().any(|operation| matches!(operation, Ok(Operation::Delete { .. })))
    }
}

impl Operation {
    /// Whether its result depends on records that it does not name, or on what is above them.
    const fn depends_on_others(&self) -> bool {
        matches!(self, Self::Upsert { .. } | Self::Create { parent: Some(_), .. })
    }
}

/// Refuses all operations if one of them cannot be read.
fn all_readable(operations: Vec<Result<Operation, Vec<Violation>>>) -> Result<Vec<Operation>, Fault> {
    let mut failed = Vec::new();
    let mut readable = Vec::with_capacity(operations.len());
    for (index, operation) in operations.into_iter().enumerate() {
        match operation {
            Ok(operation) => readable.push(operation),
            Err(flaws) => failed.push(FailedOperation::new(index, Fault::Invalid(flaws))),
        }
    }
    if failed.is_empty() { Ok(readable) } else { Err(Fault::Operations(failed)) }
}

/// Refuses labels that several operations give to their records.
fn require_distinct_labels(operations: &[Operation]) -> Result<(), Fault> {
    let (mut labels, mut again) = (BTreeSet::new(), Vec::new());
    for (index, operation) in operations.iter().enumerate() {
        let Operation::Create { label: Some(label), .. } = operation else { continue };
        if !labels.insert(label) {
            let flaw = Violation::new(format!("ops.{index}.ref"), Issue::Duplicate);
            again.push(flaw.with(label.clone().into()).hinting(Hint::ruled_by(&["another label for each record"])));
        }
    }
    if again.is_empty() { Ok(()) } else { Err(Fault::Invalid(again)) }
}

/// Checks the properties by which upserts find records.
fn require_match(schema: &Schema, match_on: &[PropertyId], operations: &[Operation]) -> Result<(), Fault> {
    if match_on.is_empty() && operations.iter().any(|operation| matches!(operation, Operation::Upsert { .. })) {
        return Err(Violation::new("matchOn", Issue::Required).into());
    }
    for (index, id) in match_on.iter().enumerate() {
        let fits = schema.property(*id).is_some_and(|property| property.kind().facts().can_match);
        if !fits {
            let issue = if schema.property(*id).is_some() { Issue::InvalidValue } else { Issue::UnknownField };
            return Err(Violation::new(format!("matchOn.{index}"), issue).with(id.to_string().into()).into());
        }
    }
    Ok(())
}

/// Refuses everything because of the failures that are of the same kind as the first.
fn refuse_failed(results: &[OperationResult]) -> Result<(), Fault> {
    let failed = results.iter().enumerate().filter_map(|(index, result)| {
        let fault = result.fault.clone()?;
        Some(FailedOperation::new(index, fault))
    });
    let failed: Vec<_> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(Fault::Operations(failed)) }
}
