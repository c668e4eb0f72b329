//! Creating a database.

use super::{
    defaults::require_known_defaults,
    faults::of_schema,
    properties::report_others,
    schemas::LockedSchemas,
    shown::DatabaseDetails,
    targets::require_targets,
    views::{insert_first, show},
};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    blocks::embed_database,
    database_quota::require_room,
    outcome::{AppResult, Draft},
    page_count::count_new,
    pages::{Destination, Place, find_destination, put_node, refuse_files},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    database::{Database, SchemaState},
    event::{EventPayload, databases::DatabaseCreated},
    id::{BlockId, DatabaseId, PageId, PropertyId},
    page::{Page, PageKind, ParentRef},
    position::Position,
    text::{DatabaseDescription, DatabaseTitle, PageIcon, PageTitle, PropertyName},
};
use octavo_databases::{
    schema::{PropertyDraft, read_drafts},
    types::ConfigInputs,
};
use octavo_permissions::Authority;
use serde_json::Value;
use std::sync::Arc;

/// Where a new database is, as a caller names it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DatabasePlace {
    /// The page above it; the root of the workspace by default.
    pub parent: Option<PageId>,
    /// Whether that page shows it in a block.
    pub is_embedded: bool,
}

/// The properties of a new database.
#[derive(Clone, Debug, Default)]
pub struct NewDatabase {
    pub title: Option<DatabaseTitle>,
    pub icon: Option<PageIcon>,
    pub description: Option<DatabaseDescription>,
    /// The block of the page that is to show it; a new one by default.
    pub block: Option<BlockId>,
    /// The properties as they were sent.
    pub properties: Option<Value>,
    /// The views as they were sent.
    pub views: Option<Value>,
}

/// Creates a database in a page or at the root of the workspace.
pub async fn create(
    unit: &mut Unit,
    place: Draft<DatabasePlace>,
    draft: Draft<NewDatabase>,
) -> AppResult<DatabaseDetails> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let embedded_in = place.as_ref().ok().filter(|place| place.is_embedded).and_then(|place| place.parent);
    let named = place.map(|place| Place { parent: Some(place.parent.map(ParentRef::Page)), team: None });
    let destination = find_destination(unit, workspace.id, &authority, named, None).await?;
    unit.claim().await?;
    let wanted = draft?;
    let destination = destination?;
    destination.admit(1)?;
    refuse_files(wanted.icon.as_ref())?;
    let drafts = read_properties(unit, wanted.properties.clone())?;
    require_room(unit, &workspace, 1).await?;
    let block = wanted.block;
    let creator = Creator { caller: &caller, authority: &authority, destination: &destination };
    let details = put(unit, creator, wanted, drafts).await?;
    if let Some(page) = embedded_in {
        embed_database(unit, &caller, &authority, page, block, details.database.id).await?;
    }
    Ok(details)
}

/// Who creates a database, and where.
#[derive(Clone, Copy)]
pub(crate) struct Creator<'a> {
    pub(crate) caller: &'a WorkspaceCaller,
    pub(crate) authority: &'a Authority,
    pub(crate) destination: &'a Destination<'a>,
}

/// Puts a database with these properties at a place that admits it. The workspace is locked and has room for it.
pub(crate) async fn put(
    unit: &mut Unit,
    creator: Creator<'_>,
    wanted: NewDatabase,
    drafts: Vec<PropertyDraft>,
) -> AppResult<DatabaseDetails> {
    let Creator { caller, authority, destination } = creator;
    let workspace = caller.workspace;
    count_new(unit, workspace, 1).await?;
    let node = node(unit, caller, destination, &wanted);
    let configs = drafts.iter().map(|draft| &draft.config);
    let targets = require_targets(unit, workspace, authority, configs).await?;
    let mut related = LockedSchemas::lock(unit, workspace, targets).await?;
    let database = database(unit, caller, &node, wanted.description);
    let id = database.id;
    unit.tx.databases().insert(&database).await?;
    related.insert(database);
    let (now, mut ids) = (unit.call.now, Vec::new());
    ids.resize_with(drafts.len(), || unit.id(PropertyId::new));
    let mut draw = || ids.pop().unwrap_or(PropertyId::LOWEST);
    let effects = related.schemas.create(id, drafts, now, &mut draw).map_err(of_schema)?;
    let (node, level) = put_node(unit, caller, node, destination).await?;
    related.save(unit, &effects).await?;
    report_others(unit, workspace, id, &related, &effects).await?;
    let schema = related.schema(id)?.clone();
    require_known_defaults(unit, workspace, &schema, None).await?;
    let views = insert_first(unit, workspace, &schema, &wanted.views.unwrap_or_default()).await?;
    let created = DatabaseCreated::new(&node, schema.properties().len());
    unit.emit(workspace, EventPayload::DatabaseCreated(created));
    Ok(DatabaseDetails {
        node,
        level,
        database: related.database(id)?.clone(),
        record_count: 0,
        schema: Some(Arc::new(schema)),
        views: Some(show(views, 0)),
    })
}

fn read_properties(unit: &mut Unit, sent: Option<Value>) -> Result<Vec<PropertyDraft>, Fault> {
    let reverse_name = PropertyName::from_stored("Related".to_owned());
    let mut draw = || unit.id(PropertyId::new);
    let mut inputs = ConfigInputs { draw: &mut draw, reverse_name: &reverse_name };
    read_drafts(sent, &mut inputs).map_err(Fault::Invalid)
}

fn node(unit: &mut Unit, caller: &WorkspaceCaller, destination: &Destination<'_>, wanted: &NewDatabase) -> Page {
    let title = wanted.title.clone().map_or_else(|| PageTitle::from_stored(String::new()), DatabaseTitle::of_node);
    let id = unit.id(DatabaseId::new).node();
    let blank = crate::pages::blank(unit, caller, destination, Position::behind_pages());
    Page { id, kind: PageKind::Database, title, icon: wanted.icon.clone(), ..blank }
}

fn database(unit: &Unit, caller: &WorkspaceCaller, node: &Page, description: Option<DatabaseDescription>) -> Database {
    let now = unit.call.now;
    Database {
        id: node.id.as_database(),
        workspace: node.workspace,
        description,
        schema: SchemaState { version: 0, changed_at: now, next_slot: 0, epoch: 0 },
        archived_at: None,
        created_by: Some(caller.author()),
        created_at: now,
        updated_at: now,
    }
}
