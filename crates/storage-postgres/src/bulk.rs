//! Writing many pages, blocks or grants in one statement.

use super::Conn;
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{Array, BigInt, Text},
    upsert::excluded,
};
use diesel_async::RunQueryDsl;
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

/// Writes new pages in one statement.
pub async fn insert_pages(conn: &mut Conn, rows: Vec<PageRow>) -> QueryResult<()> {
    diesel::insert_into(pages::table).values(&rows).execute(conn).await.map(drop)
}

/// How many rows one statement writes: a block has sixteen columns, and a statement has at most 65,535 parameters.
pub const ROWS_AT_ONCE: usize = 1_000;

/// Writes new blocks, except those whose id is taken.
pub async fn insert_blocks(conn: &mut Conn, rows: Vec<BlockRow>) -> QueryResult<usize> {
    let insert = diesel::insert_into(blocks::table).values(&rows);
    insert.on_conflict((blocks::workspace_id, blocks::id)).do_nothing().execute(conn).await
}

/// Writes the references of blocks.
pub async fn insert_references(conn: &mut Conn, rows: Vec<ReferenceRow>) -> QueryResult<()> {
    diesel::insert_into(block_references::table).values(&rows).execute(conn).await.map(drop)
}

/// Writes new grants in one statement, except to grantees that already have one on the page.
pub async fn insert_grants(conn: &mut Conn, rows: Vec<GrantRow>) -> QueryResult<usize> {
    let insert = diesel::insert_into(access_grants::table).values(&rows);
    let key = (access_grants::workspace_id, access_grants::resource_id, access_grants::grantee);
    insert.on_conflict(key).do_nothing().execute(conn).await
}

/// Saves existing blocks in one statement: an upsert, of which only the update applies.
pub async fn save_blocks(conn: &mut Conn, rows: Vec<BlockRow>) -> QueryResult<()> {
    let insert = diesel::insert_into(blocks::table).values(&rows);
    let save = insert.on_conflict((blocks::workspace_id, blocks::id)).do_update().set((
        blocks::parent_id.eq(excluded(blocks::parent_id)),
        blocks::position.eq(excluded(blocks::position)),
        blocks::kind.eq(excluded(blocks::kind)),
        blocks::body.eq(excluded(blocks::body)),
        blocks::source_id.eq(excluded(blocks::source_id)),
        blocks::version.eq(excluded(blocks::version)),
        blocks::since.eq(excluded(blocks::since)),
        blocks::updated_by.eq(excluded(blocks::updated_by)),
        blocks::updated_at.eq(excluded(blocks::updated_at)),
        blocks::deleted_at.eq(excluded(blocks::deleted_at)),
        blocks::deleted_with.eq(excluded(blocks::deleted_with)),
    ));
    save.execute(conn).await.map(drop)
}

/// Changes the positions of blocks in one statement.
pub async fn move_blocks(
    conn: &mut Conn,
    workspace: WorkspaceId,
    places: &[(BlockId, Position)],
    page_version: i64,
) -> QueryResult<()> {
    let (ids, keys): (Vec<_>, Vec<_>) =
        places.iter().map(|(id, position)| (id.to_string(), position.as_str().to_owned())).unzip();
    let update = sql_query(
        "UPDATE blocks AS b SET position = place.position, since = $4 \
         FROM unnest($2, $3) AS place (id, position) WHERE b.workspace_id = $1 AND b.id = place.id",
    );
    let update = update
        .bind::<Text, _>(workspace.to_string())
        .bind::<Array<Text>, _>(ids)
        .bind::<Array<Text>, _>(keys)
        .bind::<BigInt, _>(page_version);
    update.prepared().execute(conn).await.map(drop)
}

/// Changes the positions of pages in one statement.
pub async fn move_pages(conn: &mut Conn, workspace: WorkspaceId, places: &[(PageId, Position)]) -> QueryResult<()> {
    let (ids, keys): (Vec<_>, Vec<_>) =
        places.iter().map(|(id, position)| (id.to_string(), position.as_str().to_owned())).unzip();
    let update = sql_query(
        "UPDATE pages AS p SET position = place.position \
         FROM unnest($2, $3) AS place (id, position) WHERE p.workspace_id = $1 AND p.id = place.id",
    );
    let update = update.bind::<Text, _>(workspace.to_string()).bind::<Array<Text>, _>(ids).bind::<Array<Text>, _>(keys);
    update.prepared().execute(conn).await.map(drop)
}

/// Writes new properties in one statement.
pub async fn insert_properties(conn: &mut Conn, rows: Vec<PropertyRow>) -> QueryResult<()> {
    diesel::insert_into(properties::table).values(&rows).execute(conn).await.map(drop)
}

/// Writes new views in one statement.
pub async fn insert_views(conn: &mut Conn, rows: Vec<ViewRow>) -> QueryResult<()> {
    diesel::insert_into(views::table).values(&rows).execute(conn).await.map(drop)
}

/// Writes new records in one statement.
pub async fn insert_records(conn: &mut Conn, rows: Vec<RecordRow>) -> QueryResult<()> {
    diesel::insert_into(records::table).values(&rows).execute(conn).await.map(drop)
}

/// Saves existing records in one statement: an upsert, of which only the update applies.
pub async fn save_records(conn: &mut Conn, rows: Vec<RecordRow>) -> QueryResult<()> {
    let insert = diesel::insert_into(records::table).values(&rows);
    let save = insert.on_conflict((records::workspace_id, records::id)).do_update().set((
        records::parent_id.eq(excluded(records::parent_id)),
        records::position.eq(excluded(records::position)),
        records::bag.eq(excluded(records::bag)),
        records::icon.eq(excluded(records::icon)),
        records::cover_url.eq(excluded(records::cover_url)),
        records::archived_at.eq(excluded(records::archived_at)),
        records::version.eq(excluded(records::version)),
        records::updated_by.eq(excluded(records::updated_by)),
        records::updated_at.eq(excluded(records::updated_at)),
    ));
    save.execute(conn).await.map(drop)
}

/// Writes new links in one statement, except those that exist.
pub async fn insert_record_links(conn: &mut Conn, rows: Vec<RecordLinkRow>) -> QueryResult<usize> {
    diesel::insert_into(record_links::table).values(&rows).on_conflict_do_nothing().execute(conn).await
}

/// Writes new notifications, except to users that were told of the same action, and returns the ids of those written.
pub async fn insert_notifications(
    conn: &mut Conn,
    rows: Vec<NotificationRow>,
) -> QueryResult<Vec<Stored<NotificationId>>> {
    let insert = diesel::insert_into(notifications::table).values(&rows);
    let key = (notifications::user_id, notifications::workspace_id, notifications::action);
    insert.on_conflict(key).do_nothing().returning(notifications::id).load(conn).await
}
