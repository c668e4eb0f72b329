//! Writing many pages, blocks or grants, row by row with prepared statements.

use super::{Conn, statements::RunQueryDsl};
use diesel::prelude::*;
use octavo_core_model::{
    id::{BlockId, NotificationId, PageId, WorkspaceId},
    position::Position,
};
use octavo_storage_tables::{
    prepared::Prepare,
    rows::{
        blocks::{BlockRow, ReferenceRow},
        databases::PropertyRow,
        grants::GrantRow,
        notifications::NotificationRow,
        pages::PageRow,
        records::{RecordLinkRow, RecordRow},
        views::ViewRow,
    },
    schema::{access_grants, block_references, blocks, notifications, pages, properties, record_links, records, views},
    stored::Stored,
};

/// Writes new pages. On SQLite one prepared statement per page costs less than one statement for all.
pub async fn insert_pages(conn: &mut Conn, rows: Vec<PageRow>) -> QueryResult<()> {
    for row in &rows {
        diesel::insert_into(pages::table).values(row).execute(conn).await?;
    }
    Ok(())
}

/// How many rows are written at once.
pub const ROWS_AT_ONCE: usize = 1_000;

struct InsertBlock;
struct SaveRecord;
struct InsertRecordLink;
struct InsertGrant;
struct InsertNotification;
struct SaveBlock;
struct MoveBlock;
struct MovePage;

/// Writes new blocks, except those whose id is taken.
pub async fn insert_blocks(conn: &mut Conn, rows: Vec<BlockRow>) -> QueryResult<usize> {
    let mut written = 0;
    for row in &rows {
        let insert = diesel::insert_into(blocks::table).values(row);
        let insert = insert.on_conflict((blocks::workspace_id, blocks::id)).do_nothing();
        written += insert.prepared_as::<InsertBlock>().execute(conn).await?;
    }
    Ok(written)
}

/// Writes the references of blocks.
pub async fn insert_references(conn: &mut Conn, rows: Vec<ReferenceRow>) -> QueryResult<()> {
    for row in &rows {
        diesel::insert_into(block_references::table).values(row).execute(conn).await?;
    }
    Ok(())
}

/// Writes new grants, except to grantees that already have one on the page.
pub async fn insert_grants(conn: &mut Conn, rows: Vec<GrantRow>) -> QueryResult<usize> {
    let mut written = 0;
    for row in &rows {
        let insert = diesel::insert_into(access_grants::table).values(row);
        let key = (access_grants::workspace_id, access_grants::resource_id, access_grants::grantee);
        written += insert.on_conflict(key).do_nothing().prepared_as::<InsertGrant>().execute(conn).await?;
    }
    Ok(written)
}

/// Saves existing blocks.
pub async fn save_blocks(conn: &mut Conn, rows: Vec<BlockRow>) -> QueryResult<()> {
    for row in rows {
        diesel::update(blocks::table.find(row.key())).set(row).prepared_as::<SaveBlock>().execute(conn).await?;
    }
    Ok(())
}

/// Changes the positions of blocks.
pub async fn move_blocks(
    conn: &mut Conn,
    workspace: WorkspaceId,
    places: &[(BlockId, Position)],
    page_version: i64,
) -> QueryResult<()> {
    for (id, position) in places {
        let row = blocks::table.find((Stored(workspace), Stored(*id)));
        let set = (blocks::position.eq(Stored(position.clone())), blocks::since.eq(page_version));
        diesel::update(row).set(set).prepared_as::<MoveBlock>().execute(conn).await?;
    }
    Ok(())
}

/// Changes the positions of pages.
pub async fn move_pages(conn: &mut Conn, workspace: WorkspaceId, places: &[(PageId, Position)]) -> QueryResult<()> {
    for (id, position) in places {
        let row = pages::table.find((Stored(workspace), Stored(*id)));
        let set = pages::position.eq(Stored(position.clone()));
        diesel::update(row).set(set).prepared_as::<MovePage>().execute(conn).await?;
    }
    Ok(())
}

/// Writes new properties.
pub async fn insert_properties(conn: &mut Conn, rows: Vec<PropertyRow>) -> QueryResult<()> {
    for row in &rows {
        diesel::insert_into(properties::table).values(row).execute(conn).await?;
    }
    Ok(())
}

/// Writes new views.
pub async fn insert_views(conn: &mut Conn, rows: Vec<ViewRow>) -> QueryResult<()> {
    for row in &rows {
        diesel::insert_into(views::table).values(row).execute(conn).await?;
    }
    Ok(())
}

/// Writes new records.
pub async fn insert_records(conn: &mut Conn, rows: Vec<RecordRow>) -> QueryResult<()> {
    for row in &rows {
        diesel::insert_into(records::table).values(row).execute(conn).await?;
    }
    Ok(())
}

/// Saves existing records.
pub async fn save_records(conn: &mut Conn, rows: Vec<RecordRow>) -> QueryResult<()> {
    for row in rows {
        diesel::update(records::table.find(row.key())).set(row).prepared_as::<SaveRecord>().execute(conn).await?;
    }
    Ok(())
}

/// Writes new links, except those that exist.
pub async fn insert_record_links(conn: &mut Conn, rows: Vec<RecordLinkRow>) -> QueryResult<usize> {
    let mut written = 0;
    for row in &rows {
        let insert = diesel::insert_into(record_links::table).values(row).on_conflict_do_nothing();
        written += insert.prepared_as::<InsertRecordLink>().execute(conn).await?;
    }
    Ok(written)
}

/// Writes new notifications, except to users that were told of the same action, and returns the ids of those written.
pub async fn insert_notifications(
    conn: &mut Conn,
    rows: Vec<NotificationRow>,
) -> QueryResult<Vec<Stored<NotificationId>>> {
    let mut written = Vec::new();
    for row in &rows {
        let insert = diesel::insert_into(notifications::table).values(row);
        let key = (notifications::user_id, notifications::workspace_id, notifications::action);
        let insert = insert.on_conflict(key).do_nothing();
        if insert.prepared_as::<InsertNotification>().execute(conn).await? == 1 {
            written.push(row.id());
        }
    }
    Ok(written)
}
