//! One unit of an import.

use super::{
    Table, TableTarget,
    faults::{of_mapping, rejected},
    sheet::SheetRow,
    step::{Opened, Step, Target, Written},
};
use crate::{
    access::{self, CallerKind, RouteAccess, WorkspaceCaller, enter_locked},
    database_quota::require_room,
    databases::{self, Creator, NewDatabase, SeenDatabase, add_properties},
    outcome::{AppResult, Draft},
    page_access::{
        self,
        lineage::{Visible, need},
    },
    pages::{Place, find_destination},
    records::{
        HeldDatabase, Hold,
        bulk::{RowWriter, TextRow},
    },
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{EventPayload, pages::PageImported},
    fault::{ImportFault, RejectedRow, Unknown},
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use octavo_databases::{
    Schema,
    import::{BoundColumn, ColumnWarning, bind, draft},
    types::ConfigInputs,
};
use octavo_permissions::Authority;
use std::sync::Arc;

/// How many rows a refusal names.
const NAMED_ROWS: usize = 500;

/// Checks whether the caller may import, before the table is read.
pub(super) async fn authorize(
    unit: &mut Unit,
    target: TableTarget,
    table: Draft<Arc<Table>>,
) -> AppResult<(Target, Arc<Table>)> {
    match target {
        TableTarget::New(place) => {
            let (caller, workspace) = enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?;
            let authority = access::authority_in_teams(unit, &caller).await?;
            let destination = find_destination(unit, workspace.id, &authority, place.clone(), None).await?;
            unit.claim().await?;
            let table = table?;
            destination?.admit(1)?;
            require_room(unit, &workspace, 1).await?;
            Ok((Target::New(place?), table))
        }
        TableTarget::Existing(id) => {
            let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
            let Ok(id) = id else {
                unit.claim().await?;
                // The draft of the whole body reports the same flaw, with the others.
                return Err(table.err().or(id.err()).unwrap_or(Fault::UnknownId(FIELD)).into());
            };
            let node = editable(unit, &caller, &authority, id).await?;
            unit.claim().await?;
            let table = table?;
            HeldDatabase::lock(unit, &node.page, id, Hold::Shared).await?;
            Ok((Target::Existing(id), table))
        }
    }
}

const FIELD: &str = "databaseId";

/// Finds the database that a call names in its body, for a caller that may edit it.
async fn editable<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: DatabaseId,
) -> AppResult<Visible<'a>> {
    let found = page_access::look_up(unit, caller.workspace, authority, &Ok(id)).await;
    let Some(node) = found.map_err(|interrupt| interrupt.naming(FIELD))? else {
        return Err(unit.absent().await.naming(FIELD));
    };
    need(authority, node.lineage.level(), Level::Edit)?;
    Ok(node)
}

/// Writes rows. The first unit creates the database, or finds the properties of the one that exists.
pub(super) async fn write(unit: &mut Unit, step: &Step) -> AppResult<Written> {
    match (&step.opened, &step.target) {
        (Some(opened), _) => go_on(unit, step, opened).await,
        (None, Target::New(place)) => create(unit, step, *place).await,
        (None, Target::Existing(id)) => append(unit, step, *id).await,
    }
}

async fn create(unit: &mut Unit, step: &Step, place: Place) -> AppResult<Written> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let destination = find_destination(unit, workspace.id, &authority, Ok(place), None).await?;
    unit.claim().await?;
    let destination = destination?;
    destination.admit(1)?;
    step.announce(unit)?;
    require_room(unit, &workspace, 1).await?;
    let plan = &step.plan;
    let drafted = with_inputs(unit, "", |inputs| draft(&plan.columns, &plan.kinds, &plan.mapping, inputs));
    let drafted = drafted.map_err(of_mapping)?;
    let creator = Creator { caller: &caller, authority: &authority, destination: &destination };
    let wanted = NewDatabase { title: plan.title.clone(), ..NewDatabase::default() };
    let made = databases::put(unit, creator, wanted, drafted.properties).await?;
    let schema = made.schema.ok_or(Fault::Internal("a new database has no schema"))?;
    let bound = |(index, name, property): (usize, String, PropertyName)| {
        Some(BoundColumn { index, name, property: schema.by_name(property.as_str())?.id })
    };
    let columns = drafted.columns.into_iter().filter_map(bound).collect();
    let opened = Opened { database: made.database.id, page: made.node.container.page(), columns };
    let held = HeldDatabase { database: made.database, schema };
    let writer = RowWriter::new(caller, &authority, made.node, held);
    fill(unit, step, writer, opened, Vec::new()).await
}

async fn append(unit: &mut Unit, step: &Step, id: DatabaseId) -> AppResult<Written> {
    let mapping = &step.plan.mapping;
    let caller = if mapping.adds_properties() {
        enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?.0
    } else {
        access::enter(unit, RouteAccess::DATABASES_CHANGE).await?
    };
    let authority = access::authority_in_teams(unit, &caller).await?;
    let node = editable(unit, &caller, &authority, id).await?;
    unit.claim().await?;
    step.announce(unit)?;
    let mut held = HeldDatabase::lock(unit, &node.page, id, Hold::Alone).await?;
    let title = node.page.title.to_string();
    let bound = with_inputs(unit, &title, |inputs| bind(&held.schema, &step.plan.columns, mapping, inputs));
    let mut bound = bound.map_err(of_mapping)?;
    let page = node.page.clone();
    if !bound.added.is_empty() {
        let (places, drafts): (Vec<_>, Vec<_>) =
            bound.added.drain(..).map(|(index, name, draft)| ((index, name, draft.name.clone()), draft)).unzip();
        let seen = SeenDatabase { node, database: held.database };
        let (database, schema) = add_properties(unit, &authority, &seen, drafts).await?;
        bound.columns.extend(places.into_iter().filter_map(|(index, name, property)| {
            Some(BoundColumn { index, name, property: schema.by_name(property.as_str())?.id })
        }));
        held = HeldDatabase { database, schema: Arc::new(schema) };
    }
    let opened = Opened { database: id, page: page.container.page(), columns: bound.columns };
    let writer = RowWriter::new(caller, &authority, page, held);
    fill(unit, step, writer, opened, bound.warnings).await
}

/// Writes further rows. Properties that were deleted meanwhile are left out.
async fn go_on(unit: &mut Unit, step: &Step, opened: &Opened) -> AppResult<Written> {
    let caller = access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let caller = still_valid(unit, caller).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let node = editable(unit, &caller, &authority, opened.database).await?;
    unit.claim().await?;
    step.announce(unit)?;
    let held = HeldDatabase::lock(unit, &node.page, opened.database, Hold::Alone).await?;
    let row = step.first_row();
    let (columns, gone): (Vec<_>, Vec<_>) =
        opened.columns.iter().cloned().partition(|column| is_writable(&held.schema, column.property));
    let gone = gone.into_iter().map(|column| ColumnWarning::Deleted(column.name, row)).collect();
    let writer = RowWriter::new(caller, &authority, node.page, held);
    fill(unit, step, writer, Opened { columns, ..opened.clone() }, gone).await
}

fn is_writable(schema: &Schema, property: PropertyId) -> bool {
    schema.property(property).is_some_and(|property| !property.kind().is_read_only())
}

/// Refuses an API key that was revoked since the call began. Others are read again whenever they enter.
async fn still_valid(unit: &mut Unit, caller: WorkspaceCaller) -> AppResult<WorkspaceCaller> {
    let CallerKind::Key(key) = &caller.kind else { return Ok(caller) };
    let now = unit.call.now;
    let key = unit.tx.api_keys().find(caller.workspace, key.id).await?.filter(|key| key.is_live(now));
    let key = key.ok_or(Fault::Unauthenticated(Unknown::KeyRevoked))?;
    Ok(WorkspaceCaller { kind: CallerKind::Key(key), ..caller })
}

/// Creates the records, and reports the import if these are the last ones.
async fn fill(
    unit: &mut Unit,
    step: &Step,
    mut writer: RowWriter<'_>,
    opened: Opened,
    warnings: Vec<ColumnWarning>,
) -> AppResult<Written> {
    let (mut imported, mut bad) = (0, Vec::new());
    for rows in step.rows.iter().filter(|rows| !rows.is_empty()) {
        let texts: Vec<_> = rows.iter().map(|row| texts_of(row, &opened)).collect();
        let faults = writer.create(unit, &texts).await?;
        imported += faults.iter().filter(|fault| fault.is_none()).count() as u64;
        let failed = rows.iter().zip(&faults).filter_map(|(row, fault)| Some((row.number, fault.as_ref()?)));
        bad.extend(failed.map(|(row, fault)| rejected(row, fault, &opened)));
    }
    if let Some(fatal) = &step.plan.fatal {
        require_all(fatal.iter().chain(&bad))?;
    }
    if step.is_last {
        let node = writer.node();
        unit.emit(node.workspace, EventPayload::PageImported(PageImported::new(node, "csv")));
    }
    let warnings = warnings.iter().map(ToString::to_string).collect();
    Ok(Written { opened, imported, rejected: bad, warnings })
}

fn texts_of<'a>(row: &'a SheetRow, opened: &Opened) -> TextRow<'a> {
    opened.columns.iter().map(|column| (column.property, row.cell(column.index))).collect()
}

/// Refuses everything if a row is bad.
fn require_all<'a>(bad: impl Iterator<Item = &'a RejectedRow>) -> Result<(), Fault> {
    let mut bad: Vec<_> = bad.cloned().collect();
    if bad.is_empty() {
        return Ok(());
    }
    bad.sort_by_key(|row| row.row);
    bad.truncate(NAMED_ROWS);
    Err(Fault::Import(ImportFault::Rejected(bad.into())))
}

fn with_inputs<T>(unit: &mut Unit, title: &str, read: impl FnOnce(&mut ConfigInputs<'_>) -> T) -> T {
    let short: String = title.chars().take(PropertyName::MAX).collect();
    let reverse_name = PropertyName::parse(&short).unwrap_or_else(|_| PropertyName::from_stored("Related".to_owned()));
    let mut draw = || unit.id(PropertyId::new);
    read(&mut ConfigInputs { draw: &mut draw, reverse_name: &reverse_name })
}
