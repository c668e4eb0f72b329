//! The pages of records.
//!
//! A record has a page from the beginning, whose id has the same body. It has a row in the tree once somebody uses the
//! page in a way that needs one: writes to it, gives access to it, keeps it as a favorite. Until then it takes
//! everything from the record and from the node of the database.

mod from_page;

pub(crate) use from_page::Host;

use crate::{
    loaded_schemas::schema_of,
    outcome::AppResult,
    page_count::count_new,
    record_values::{report_value, title_of, values_of, written_bytes},
    scope::{Scope, Unit},
    write_budget::WrittenSize,
};
use octavo_blocks_tree::RichText;
use octavo_core_model::{
    Fault,
    database::Database,
    event::{
        EventPayload,
        records::{OfRecord, RecordUpdated},
    },
    fault::{Conflict, Issue, Violation},
    id::{DatabaseId, PageId, UserId, WorkspaceId},
    page::{Node, Page, PageKind},
    record::{Record, RecordPage},
    text::PageTitle,
};
use octavo_databases::{Schema, stored::encode, value::PropertyValue};
use octavo_ports::store::Reads;
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The page of a record that has no row, as it would be stored. One statement if there is no such record, four
/// otherwise.
pub(crate) async fn find_implied<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    id: PageId,
) -> AppResult<Option<Page>> {
    Ok(list_implied(scope, workspace, &[id]).await?.pop())
}

/// Of these pages those that belong to records and have no row, as they would be stored. Four statements at most, and one
/// for each schema that is not known yet.
pub(crate) async fn list_implied<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    ids: &[PageId],
) -> AppResult<Vec<Page>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = ids.iter().map(|id| id.as_record()).collect();
    let mut records = scope.tx.records().list_by_id(workspace, &ids).await?;
    records.retain(|record| record.page == RecordPage::Implied);
    let databases: BTreeSet<_> = records.iter().map(|record| record.database).collect();
    if databases.is_empty() {
        return Ok(Vec::new());
    }
    let nodes: Vec<_> = databases.iter().map(|database| database.node()).collect();
    let nodes = scope.tx.pages().list_by_id(workspace, &nodes).await?;
    let nodes: BTreeMap<_, _> = nodes.into_iter().map(|node| (node.id.as_database(), node)).collect();
    let mut schemas = BTreeMap::new();
    for database in scope.tx.databases().list_by_id(workspace, &Vec::from_iter(databases)).await? {
        schemas.insert(database.id, schema_of(scope, &database).await?);
    }
    let mut pages = Vec::with_capacity(records.len());
    for record in records {
        if let (Some(node), Some(schema)) = (nodes.get(&record.database), schemas.get(&record.database)) {
            let title = title_of(&values_of(&record, schema)?, schema);
            pages.push(page_of(record, node, title));
        }
    }
    Ok(pages)
}

fn page_of(record: Record, database: &Page, title: PageTitle) -> Page {
    Page {
        id: record.id.page(),
        kind: PageKind::Record,
        workspace: record.workspace,
        team: database.team,
        container: Node::Page(database.id),
        access: database.access,
        inherit: true,
        title,
        icon: record.icon,
        cover_url: record.cover_url,
        position: record.position,
        lock: None,
        trash: database.trash,
        grants_version: 1,
        version: record.version,
        created_by: record.created_by,
        updated_by: record.updated_by,
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}

/// Gives the page of a record its row, and returns it locked. `None` if the record does not exist any more.
pub(crate) async fn store(unit: &mut Unit, workspace: WorkspaceId, id: PageId) -> AppResult<Option<Page>> {
    // Pages are created, moved and trashed under this lock, so the database stays where it is.
    unit.tx.workspaces().lock(workspace).await?;
    if unit.tx.records().lock(workspace, id.as_record()).await?.is_none() {
        return Ok(None);
    }
    if let Some(page) = find_implied(unit, workspace, id).await? {
        count_new(unit, workspace, 1).await?;
        if !unit.tx.pages().insert(&page).await? {
            return Err(Conflict::Taken("id").into());
        }
        unit.tx.records().note_page(workspace, id, RecordPage::Stored).await?;
    }
    Ok(unit.tx.pages().lock(workspace, id).await?)
}

/// Locks a database so that nobody changes, archives or removes it while the unit writes a record of it. Refuses if it is
/// archived.
async fn hold(unit: &mut Unit, workspace: WorkspaceId, id: DatabaseId) -> AppResult<(Database, Arc<Schema>)> {
    let database = unit.tx.databases().lock_shared(workspace, id).await?.ok_or(Fault::NotFound)?;
    if database.archived_at.is_some() {
        return Err(Conflict::DatabaseArchived.into());
    }
    let schema = schema_of(unit, &database).await?;
    Ok((database, schema))
}

/// Writes the title, icon and cover of a page into its record, if it has one. `changed` are the fields of the page that
/// have changed.
pub(crate) async fn write_to_record(unit: &mut Unit, page: &Page, changed: &[&str], by: UserId) -> AppResult<()> {
    let Some((id, database)) = page.record().zip(page.database_of_record()) else { return Ok(()) };
    let (_, schema) = hold(unit, page.workspace, database).await?;
    let mut record = unit.tx.records().lock(page.workspace, id).await?.ok_or(Fault::NotFound)?;
    let mut updated = RecordUpdated::default();
    if changed.contains(&"title") {
        write_title(&mut record, &schema, &page.title, &mut updated)?;
    }
    if changed.contains(&"icon") {
        updated.report_field("icon", json!(record.icon), json!(page.icon));
        record.icon.clone_from(&page.icon);
    }
    if changed.contains(&"coverUrl") {
        updated.report_field("coverUrl", json!(record.cover_url), json!(page.cover_url));
        record.cover_url.clone_from(&page.cover_url);
    }
    if updated.is_empty() {
        return Ok(());
    }
    record.touch(by, unit.call.now);
    unit.count_written(WrittenSize::of_records(1, written_bytes(&record)))?;
    unit.tx.records().save_many(vec![record.clone()]).await?;
    unit.emit(page.workspace, EventPayload::RecordUpdated(OfRecord::new(&record, page.team, updated)));
    Ok(())
}

fn write_title(
    record: &mut Record,
    schema: &Schema,
    title: &PageTitle,
    updated: &mut RecordUpdated,
) -> Result<(), Fault> {
    let Some(property) = schema.title() else { return Ok(()) };
    if property.required && title.as_str().is_empty() {
        return Err(Violation::new("title", Issue::Required).into());
    }
    let mut values = values_of(record, schema)?;
    let before = values.get(property.slot).cloned();
    values.set(property.slot, Some(PropertyValue::RichText(RichText::plain(title.as_str()))));
    report_value(updated, property, before.as_ref(), values.get(property.slot));
    record.bag = encode(&values);
    Ok(())
}
