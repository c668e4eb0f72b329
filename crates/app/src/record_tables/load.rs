//! Loading the table of a database.

use super::{
    look::{Look, Refresh, follow, look},
    rows::Rows,
};
use crate::{
    call::Call, engine::Engine, kept_tables::KeptTable, loaded_schemas::schema_of, outcome::AppResult, scope::View,
};
use octavo_core_model::{
    Fault,
    database::Database,
    fault::ComputeFault,
    id::{DatabaseId, RecordId, WorkspaceId},
};
use octavo_databases::Schema;
use octavo_ports::compute::WorkKind;
use octavo_query_engine::{Chunk, ChunkBuilder, Layout, ROWS, Table};
use std::sync::Arc;

/// How often a table that was loaded may turn out to be outdated before the call is given up.
const ATTEMPTS: usize = 3;

/// Loads the table of a database, unless another call does that already, and returns it with what has changed
/// meanwhile. The caller must have checked that its caller may see the database.
pub(crate) async fn ready(
    engine: &Engine,
    call: &Call,
    workspace: WorkspaceId,
    database: DatabaseId,
) -> AppResult<Refresh> {
    let turn = engine.tables().turn((workspace, database));
    let _turn = turn.lock().await;
    let again = engine.read(call.clone(), move |view| Box::pin(look_again(view, workspace, database)));
    if let Look::Found(refresh) = again.await? {
        return Ok(*refresh);
    }
    for _ in 0..ATTEMPTS {
        let table = load(engine, call, workspace, database).await?;
        engine.tables().put((workspace, database), table.clone());
        let looked = engine.read(call.clone(), move |view| Box::pin(catch_up(view, workspace, database, table)));
        if let Look::Found(refresh) = looked.await? {
            return Ok(*refresh);
        }
    }
    Err(Fault::from(ComputeFault::Busy).into())
}

/// Looks whether another call has loaded the table meanwhile.
async fn look_again(view: &mut View, workspace: WorkspaceId, id: DatabaseId) -> AppResult<Look> {
    let database = find(view, workspace, id).await?;
    look(view, &database).await
}

/// Reads what has changed while the table was loaded.
async fn catch_up(view: &mut View, workspace: WorkspaceId, id: DatabaseId, table: KeptTable) -> AppResult<Look> {
    let database = find(view, workspace, id).await?;
    follow(view, &database, table).await
}

async fn find(view: &mut View, workspace: WorkspaceId, id: DatabaseId) -> AppResult<Database> {
    Ok(view.tx.databases().find(workspace, id).await?.ok_or(Fault::NotFound)?)
}

/// What is known of a database before its records are read.
struct Start {
    schema: Arc<Schema>,
    epoch: i64,
    up_to: i64,
}

async fn load(engine: &Engine, call: &Call, workspace: WorkspaceId, database: DatabaseId) -> AppResult<KeptTable> {
    let start = engine
        .read(call.clone(), move |view| {
            Box::pin(async move {
                // First the log, then the schema: see the module.
                let up_to = view.tx.events().find_log_ends(workspace).await?.last_sequence;
                let found = find(view, workspace, database).await?;
                let schema = schema_of(view, &found).await?;
                Ok(Start { schema, epoch: found.schema.epoch, up_to })
            })
        })
        .await?;
    let layout = Arc::new(Layout::of(&start.schema));
    let (mut chunks, mut after, mut large) = (Vec::new(), None, None);
    loop {
        let (chunk, last) = load_chunk(engine, call, workspace, &start.schema, &layout, after).await?;
        let is_last = chunk.len() < ROWS;
        chunks.push(chunk);
        if is_last {
            break;
        }
        if large.is_none() {
            large = Some(engine.tables().large_load().await);
        }
        after = last;
    }
    let schema = Arc::clone(&start.schema);
    let kind = if chunks.len() > 1 { WorkKind::Long } else { WorkKind::Short };
    let (table, _slot) = engine.compute(kind, call.work_owner(), move |_| Table::new(&schema, chunks)).await?;
    drop(large);
    let Start { schema, epoch, up_to } = start;
    Ok(KeptTable { table: Arc::new(table), schema_version: schema.version(), epoch, up_to, as_of: call.now })
}

/// Loads the records after an id, and returns the id of the last one.
async fn load_chunk(
    engine: &Engine,
    call: &Call,
    workspace: WorkspaceId,
    schema: &Arc<Schema>,
    layout: &Arc<Layout>,
    after: Option<RecordId>,
) -> AppResult<(Chunk, Option<RecordId>)> {
    let (of_rows, of_chunk) = (Arc::clone(schema), Arc::clone(layout));
    let limit = u32::try_from(ROWS).unwrap_or(u32::MAX);
    let rows = engine
        .read(call.clone(), move |view| {
            Box::pin(async move { Rows::after(view, workspace, &of_rows, after, limit).await })
        })
        .await?;
    let last = rows.records().last().map(|record| record.id);
    let kind = if rows.records().len() < ROWS { WorkKind::Short } else { WorkKind::Long };
    let build = move |_: &_| {
        let mut builder = ChunkBuilder::new(&of_chunk);
        for row in rows.iter() {
            // A record with values that cannot be read is found without them.
            let _ = builder.push(&row);
        }
        builder.finish()
    };
    let (chunk, _slot) = engine.compute(kind, call.work_owner(), build).await?;
    Ok((chunk, last))
}
