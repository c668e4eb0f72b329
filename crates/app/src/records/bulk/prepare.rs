//! Everything that operations need from the store, with few statements.

use super::{
    Context, Operation, RecordRef,
    matching::{Wanted, keys_of, scan, slots_of},
    working_set::{Entry, State, WorkingSet},
};
use crate::{
    outcome::AppResult,
    page_access::visibility::Visibility,
    record_values::{title_of, values_of},
    records::lookups::look_up,
    scope::Unit,
};
use octavo_core_model::{
    Level,
    id::{DatabaseId, RecordId},
    page::Node,
    position::Position,
    record::{Record, RecordPage},
};
use octavo_databases::{
    Schema,
    fault::ValuesFault,
    record::{Found, How, ReadValues, Write, read},
    types::Form,
    value::Values,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// An operation whose values are read. `read` is `None` for operations without values.
pub(super) struct ReadOperation {
    pub(super) operation: Operation,
    pub(super) read: Option<Result<ReadValues, ValuesFault>>,
}

/// The operations, and the records that they are about.
pub(super) struct Prepared {
    pub(super) operations: Vec<ReadOperation>,
    pub(super) records: (WorkingSet, Found),
    pub(super) last_position: Option<Position>,
}

/// How the values of new and of changed records are read.
pub(super) const fn how(write: Write, typecast: bool) -> How {
    How { write, form: if typecast { Form::Any } else { Form::Exact }, allows_references: true }
}

impl Prepared {
    pub(super) async fn load(unit: &mut Unit, context: &Context<'_>, operations: Vec<Operation>) -> AppResult<Self> {
        let (workspace, schema) = (context.caller.workspace, &context.held.schema);
        let read_values = |operation: Operation| {
            let read = operation.values().map(|(write, sent)| read(schema, sent.clone(), how(write, context.typecast)));
            ReadOperation { operation, read }
        };
        let operations: Vec<_> = operations.into_iter().map(read_values).collect();
        let readable: Vec<_> =
            operations.iter().filter_map(|operation| operation.read.as_ref()?.as_ref().ok()).collect();
        let found = look_up(unit, workspace, context.authority, &readable).await?;
        let wanted = wanted(schema, context, &operations, &found);
        let matching = scan(unit, &context.held.database, schema, &context.match_on, &wanted).await?;
        let named = operations.iter().filter_map(|operation| operation.operation.named());
        let ids: BTreeSet<RecordId> = named.chain(matching).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let records = if ids.is_empty() { Vec::new() } else { unit.tx.records().lock_many(workspace, &ids).await? };
        let entries = entries(unit, context, records).await?;
        let creates = operations.iter().any(|operation| operation.operation.may_create());
        let last_position = if creates {
            unit.tx.records().find_last_position(workspace, context.held.database.id).await?
        } else {
            None
        };
        let records = WorkingSet::new(entries, wanted, schema, &context.match_on);
        Ok(Self { operations, records: (records, found), last_position })
    }
}

impl Prepared {
    /// Operations that only create records.
    pub(super) async fn of_new(
        unit: &mut Unit,
        context: &Context<'_>,
        operations: Vec<ReadOperation>,
    ) -> AppResult<Self> {
        let workspace = context.caller.workspace;
        let readable: Vec<_> =
            operations.iter().filter_map(|operation| operation.read.as_ref()?.as_ref().ok()).collect();
        let found = look_up(unit, workspace, context.authority, &readable).await?;
        let last_position = unit.tx.records().find_last_position(workspace, context.held.database.id).await?;
        Ok(Self { operations, records: (WorkingSet::default(), found), last_position })
    }

    /// All records that links of the operations may lead to.
    pub(super) fn targets(&self) -> BTreeSet<(DatabaseId, RecordId)> {
        let found = &self.records.1;
        let titled = found.titles.iter().flat_map(|((database, _), ids)| ids.iter().map(|id| (*database, *id)));
        found.records.iter().copied().chain(titled).collect()
    }
}

/// The combinations of values by which upserts look for records.
fn wanted(schema: &Schema, context: &Context<'_>, operations: &[ReadOperation], found: &Found) -> Wanted {
    let slots = slots_of(schema, &context.match_on);
    let upserts = operations.iter().filter(|operation| matches!(operation.operation, Operation::Upsert { .. }));
    let keys = |operation: &ReadOperation| {
        let read = operation.read.as_ref()?.as_ref().ok()?.clone();
        let mut values = Values::default();
        read.resolve(found, &values).ok()?.apply(&mut values);
        keys_of(&slots, &values)
    };
    upserts.filter_map(keys).collect()
}

/// Stored records with what the caller may do with them. Records that the caller may not see are left out.
async fn entries(unit: &mut Unit, context: &Context<'_>, records: Vec<Record>) -> AppResult<Vec<Entry>> {
    let mut visibility = Visibility::of_everything(context.caller.workspace, context.authority);
    let has_entries = |record: &&Record| record.page == RecordPage::WithEntries;
    let nodes: Vec<_> = records.iter().filter(has_entries).map(|record| Node::Page(record.id.page())).collect();
    if !nodes.is_empty() {
        visibility.look_up(unit, nodes).await?;
    }
    let mut entries = Vec::with_capacity(records.len());
    for record in records.into_iter().filter(|record| record.database == context.held.database.id) {
        let level = match record.page {
            RecordPage::WithEntries => visibility.level(Node::Page(record.id.page())),
            // The caller may edit the database.
            RecordPage::Implied | RecordPage::Stored => Level::Edit,
        };
        if level >= Level::View {
            let values = values_of(&record, &context.held.schema)?;
            let title_before = title_of(&values, &context.held.schema);
            entries.push(Entry { record, values, state: State::Stored, level, title_before });
        }
    }
    Ok(entries)
}

impl Operation {
    /// The values that it writes, and how they are read first. Whether an upsert creates a record is not known yet.
    const fn values(&self) -> Option<(Write, &Map<String, Value>)> {
        match self {
            Self::Create { properties, .. } => Some((Write::Create, properties)),
            Self::Upsert { properties } | Self::Update { properties: Some(properties), .. } => {
                Some((Write::Update, properties))
            }
            _ => None,
        }
    }

    const fn may_create(&self) -> bool {
        matches!(self, Self::Create { .. } | Self::Upsert { .. })
    }

    /// The stored record that it names, itself or as a parent.
    fn named(&self) -> Option<RecordId> {
        let named = match self {
            Self::Create { parent, .. } => parent.as_ref()?,
            Self::Upsert { .. } => return None,
            Self::Update { record, .. }
            | Self::Archive { record }
            | Self::Unarchive { record }
            | Self::Delete { record, .. } => record,
        };
        match named {
            RecordRef::Id(id) => Some(*id),
            RecordRef::Label(_) => None,
        }
    }
}
