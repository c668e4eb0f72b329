//! Properties of a database: listing, adding, changing and deleting them, and choosing the title.

use super::{
    access::{SeenDatabase, find, require_in_use},
    affected::settle,
    defaults::require_known_defaults,
    events::emit_effects,
    faults::{of_query, of_schema},
    schemas::LockedSchemas,
    targets::{changed_elsewhere, require_additions, require_edit_elsewhere, require_targets},
    views::forget_properties,
};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    computed::values_of_few,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    record_scan::expect_records,
    relations::Reader,
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Level,
    database::Database,
    fault::Conflict,
    id::{DatabaseId, PropertyId, WorkspaceId},
    page::Page,
    text::PropertyName,
    version::{Expected, Stale},
};
use octavo_databases::{
    Property, Schema,
    record::NewOptions,
    schema::{Deleted, Effect, Effects, PropertyDraft, TitleTransfer},
    types::{ConfigInputs, PropertyConfig, PropertyType},
};
use octavo_formula::RowError;
use octavo_permissions::Authority;
use octavo_ports::records::RecordFilter;
use serde_json::{Map, Value};
use std::{collections::BTreeSet, sync::Arc};

/// What a caller sent for a property, and the version of the schema that it is based on.
#[derive(Clone, Debug, Default)]
pub struct PropertyEdit {
    pub sent: Map<String, Value>,
    pub expected: Option<i64>,
}

/// What is deleted along with a property, and the version of the schema that the deletion is based on.
#[derive(Clone, Copy, Debug, Default)]
pub struct PropertyDeletion {
    /// Whether rollups and formulas that use it are deleted too.
    pub cascade: bool,
    pub expected: Option<i64>,
}

/// A property in its schema, and how many records the change concerns.
#[derive(Clone, Debug)]
pub struct ChangedProperty {
    pub schema: Schema,
    pub property: PropertyId,
    pub affected_records: u64,
}

/// A property that was deleted, with everything that was deleted along with it.
#[derive(Clone, Debug)]
pub struct DeletedProperty {
    pub property: PropertyId,
    pub along: Deleted,
    pub affected_records: u64,
}

/// Lists the properties of a database in their order.
pub async fn list_properties(view: &mut View, id: Draft<DatabaseId>) -> AppResult<Arc<Schema>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    schema_of(view, &seen.database).await
}

/// Adds a property, and the other side of a relation that is visible on both.
pub async fn add_property(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    draft: Draft<PropertyEdit>,
) -> AppResult<ChangedProperty> {
    let (caller, authority) = enter_to_change(unit).await?;
    let Some(seen) = open(unit, &caller, &authority, &id).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let PropertyEdit { sent, expected } = draft?;
    require_in_use(&seen)?;
    let reverse_name = reverse_name(&seen);
    let wanted =
        with_inputs(unit, &reverse_name, |inputs| PropertyDraft::read(sent, "", inputs)).map_err(Fault::Invalid)?;
    let targets = require_targets(unit, seen.database.workspace, &authority, [&wanted.config].into_iter()).await?;
    let mut locked = LockedSchemas::of(unit, &seen, targets).await?;
    require_current(&locked, &seen, expected)?;
    let (now, property) = (unit.call.now, unit.id(PropertyId::new));
    let shows_numbers = wanted.config.kind() == PropertyType::UniqueId;
    let before = locked.schema(seen.database.id)?.clone();
    let effects = locked.schemas.add(seen.database.id, property, wanted, now).map_err(of_schema)?;
    let (workspace, schema) = (seen.database.workspace, locked.schema(seen.database.id)?);
    require_known_defaults(unit, workspace, schema, Some(&before)).await?;
    require_fitting_filter(&locked, schema, property)?;
    require_cheap(unit, workspace, &authority, schema, property).await?;
    if shows_numbers {
        number_records(unit, &seen.database).await?;
    }
    save(unit, &seen, &mut locked, &effects).await?;
    Ok(ChangedProperty { schema: locked.schema(seen.database.id)?.clone(), property, affected_records: 0 })
}

/// Gives numbers to the records that have none, in the order of their creation.
async fn number_records(unit: &mut Unit, database: &Database) -> AppResult<()> {
    expect_records(unit, database.workspace, database.id).await?;
    Ok(unit.tx.databases().number_records(database.workspace, database.id).await?)
}

/// Adds options to properties of a database that this unit holds, and returns it with its new schema.
pub(crate) async fn add_named_options(
    unit: &mut Unit,
    node: &Page,
    database: &Database,
    added: &[NewOptions],
) -> AppResult<(Database, Schema)> {
    let id = database.id;
    let mut locked = LockedSchemas::lock(unit, database.workspace, BTreeSet::from([id])).await?;
    let effects = locked.schemas.add_options(id, added).map_err(of_schema)?;
    locked.save(unit, &effects).await?;
    let mut node = unit.tx.pages().find(database.workspace, node.id).await?.ok_or(Fault::NotFound)?;
    report_change(unit, &mut node, locked.schema(id)?.version(), &effects).await?;
    Ok((locked.database(id)?.clone(), locked.schema(id)?.clone()))
}

/// Reports changed properties of a database, whose node shows when it last changed.
async fn report_change(unit: &mut Unit, node: &mut Page, schema_version: i64, effects: &Effects) -> AppResult<()> {
    node.updated_at = unit.call.now;
    unit.tx.pages().save(node).await?;
    emit_effects(unit, node, schema_version, effects);
    Ok(())
}

/// Changes a property. `affected` is how many records lose a value, if the change takes options away.
pub async fn change_property(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    property: Draft<PropertyId>,
    draft: Draft<PropertyEdit>,
) -> AppResult<ChangedProperty> {
    let (caller, authority) = enter_to_change(unit).await?;
    let Some(seen) = open(unit, &caller, &authority, &id).await? else { return Err(unit.absent().await) };
    let Some(property) = known(unit, &seen, property).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let PropertyEdit { sent, expected } = draft?;
    require_in_use(&seen)?;
    let mut locked = LockedSchemas::of(unit, &seen, BTreeSet::new()).await?;
    require_current(&locked, &seen, expected)?;
    let (database, now, reverse_name) = (seen.database.id, unit.call.now, reverse_name(&seen));
    let before = locked.schemas.clone();
    let effects =
        with_inputs(unit, &reverse_name, |inputs| locked.schemas.change(database, property.id, sent, inputs, now))
            .map_err(of_schema)?;
    require_additions(unit, seen.database.workspace, &authority, database, &effects).await?;
    let elsewhere = changed_elsewhere(database, &effects, &before, &locked.schemas);
    require_edit_elsewhere(unit, seen.database.workspace, &authority, elsewhere).await?;
    let schema = locked.schema(database)?;
    require_known_defaults(unit, seen.database.workspace, schema, before.get(database)).await?;
    require_fitting_filter(&locked, schema, property.id)?;
    require_cheap(unit, seen.database.workspace, &authority, schema, property.id).await?;
    let affected_records = settle(unit, seen.database.workspace, &authority, &effects, &locked).await?;
    save(unit, &seen, &mut locked, &effects).await?;
    Ok(ChangedProperty { schema: locked.schema(database)?.clone(), property: property.id, affected_records })
}

/// Deletes a property. Rollups and formulas go along only in databases that the caller may edit.
pub async fn delete_property(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    property: Draft<PropertyId>,
    wanted: Draft<PropertyDeletion>,
) -> AppResult<DeletedProperty> {
    let (caller, authority) = enter_to_change(unit).await?;
    let Some(seen) = open(unit, &caller, &authority, &id).await? else { return Err(unit.absent().await) };
    let Some(property) = known(unit, &seen, property).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let PropertyDeletion { cascade, expected } = wanted?;
    require_in_use(&seen)?;
    let mut locked = LockedSchemas::with_dependents(unit, &seen, property.id).await?;
    require_current(&locked, &seen, expected)?;
    let before = locked.schemas.clone();
    let workspace = seen.database.workspace;
    let (along, effects) = match locked.schemas.delete(seen.database.id, property.id, cascade) {
        Ok(deleted) => deleted,
        Err(fault) => {
            let visible = Reader::Caller(&authority).visible_databases(unit, workspace, &locked.ids()).await?;
            return Err(of_schema(locked.naming_dependents_in(&visible, fault)).into());
        }
    };
    // The other side of a relation goes along, whoever may edit the database there.
    let goes_along = |effect: &Effect| matches!(effect, Effect::Removed(gone) if along.relations.contains(&gone.id));
    let elsewhere = effects.iter().filter(|(database, effect)| *database != seen.database.id && !goes_along(effect));
    let elsewhere = elsewhere.map(|(database, _)| database).collect();
    require_edit_elsewhere(unit, workspace, &authority, elsewhere).await?;
    let affected_records = settle(unit, workspace, &authority, &effects, &locked).await?;
    save(unit, &seen, &mut locked, &effects).await?;
    forget_properties(unit, &seen, &before, &locked, &effects).await?;
    Ok(DeletedProperty { property: property.id, along, affected_records })
}

/// Makes a text property the title of its database.
pub async fn set_title(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    property: Draft<PropertyId>,
) -> AppResult<TitleTransfer> {
    let (caller, authority) = enter_to_change(unit).await?;
    let Some(seen) = open(unit, &caller, &authority, &id).await? else { return Err(unit.absent().await) };
    let Some(property) = known(unit, &seen, property).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    require_in_use(&seen)?;
    let mut locked = LockedSchemas::of(unit, &seen, BTreeSet::new()).await?;
    let (transfer, effects) = locked.schemas.set_title(seen.database.id, property.id).map_err(of_schema)?;
    save(unit, &seen, &mut locked, &effects).await?;
    Ok(transfer)
}

/// Admits the caller of a change of a schema, and locks the workspace: which databases are related must not change
/// while their schemas are locked one after the other.
async fn enter_to_change(unit: &mut Unit) -> AppResult<(WorkspaceCaller, Authority)> {
    let (caller, _) = enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    Ok((caller, authority))
}

/// Finds the database whose schema a call changes, for a caller that may edit it.
async fn open<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<DatabaseId>,
) -> AppResult<Option<SeenDatabase<'a>>> {
    let Some(node) = page_access::lock(unit, caller.workspace, authority, id).await? else { return Ok(None) };
    need(authority, node.lineage.level(), Level::Edit)?;
    let database = unit.tx.databases().find(caller.workspace, node.page.id.as_database()).await?;
    Ok(database.map(|database| SeenDatabase { node, database }))
}

async fn known(unit: &mut Unit, seen: &SeenDatabase<'_>, id: Draft<PropertyId>) -> AppResult<Option<Property>> {
    let Ok(id) = id else { return Ok(None) };
    Ok(schema_of(unit, &seen.database).await?.property(id).cloned())
}

fn require_current(locked: &LockedSchemas, seen: &SeenDatabase<'_>, expected: Option<i64>) -> AppResult<()> {
    let Some(received) = expected else { return Ok(()) };
    let actual = locked.schema(seen.database.id)?.version();
    Expected::Exactly(received)
        .check(actual)
        .map_err(|Stale { actual, received }| Conflict::StaleSchema(Stale { actual, received }))?;
    Ok(())
}

/// Refuses a rollup whose filter does not fit the records that it would filter.
fn require_fitting_filter(locked: &LockedSchemas, schema: &Schema, property: PropertyId) -> Result<(), Fault> {
    let Some(PropertyConfig::Rollup(config)) = schema.property(property).map(|property| &property.config) else {
        return Ok(());
    };
    let relation = schema.property(config.relation).and_then(|property| property.config.relation());
    let Some(relation) = relation else { return Ok(()) };
    config.check_filter(locked.schema(relation.target)?).map_err(of_query)
}

/// Refuses a formula that takes too long for the first record. At most as many statements as showing that record takes.
async fn require_cheap(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    schema: &Schema,
    property: PropertyId,
) -> AppResult<()> {
    let formula = schema.property(property).filter(|property| property.kind() == PropertyType::Formula).cloned();
    let Some(formula) = formula else { return Ok(()) };
    let filter = RecordFilter { with_archived: true, ..RecordFilter::default() };
    let first = unit.tx.records().list(workspace, schema.database(), &filter, None, 1).await?;
    let schema = Arc::new(schema.clone());
    let reader = Reader::Caller(authority);
    let computed = values_of_few(unit, workspace, reader, &schema, &first, &[&formula]).await?;
    let spends_too_much = |value: &Value| value["error"] == RowError::FormulaBudget.code();
    let is_over = computed.values().filter_map(|values| values.get(&property)).any(spends_too_much);
    if is_over { Err(Fault::FormulaTimeout.into()) } else { Ok(()) }
}

/// The name of the other side of a relation unless one is sent: the title of this database.
fn reverse_name(seen: &SeenDatabase<'_>) -> PropertyName {
    let title = seen.node.page.title.as_str();
    let short: String = title.chars().take(PropertyName::MAX).collect();
    PropertyName::parse(&short).unwrap_or_else(|_| PropertyName::from_stored("Related".to_owned()))
}

fn with_inputs<T>(unit: &mut Unit, reverse_name: &PropertyName, read: impl FnOnce(&mut ConfigInputs<'_>) -> T) -> T {
    let mut draw = || unit.id(PropertyId::new);
    read(&mut ConfigInputs { draw: &mut draw, reverse_name })
}

/// Saves a change and reports it for each database that it concerns.
pub(super) async fn save(
    unit: &mut Unit,
    seen: &SeenDatabase<'_>,
    locked: &mut LockedSchemas,
    effects: &Effects,
) -> AppResult<()> {
    locked.save(unit, effects).await?;
    let (database, mut node) = (seen.database.id, seen.node.page.clone());
    if effects.databases().contains(&database) {
        report_change(unit, &mut node, locked.schema(database)?.version(), effects).await?;
    }
    report_others(unit, seen.database.workspace, database, locked, effects).await
}

/// Reports the changes of other databases than this one.
pub(super) async fn report_others(
    unit: &mut Unit,
    workspace: WorkspaceId,
    database: DatabaseId,
    locked: &LockedSchemas,
    effects: &Effects,
) -> AppResult<()> {
    for id in effects.databases().into_iter().filter(|id| *id != database) {
        if let Some(mut node) = unit.tx.pages().find(workspace, id.node()).await? {
            report_change(unit, &mut node, locked.schema(id)?.version(), effects).await?;
        }
    }
    Ok(())
}
