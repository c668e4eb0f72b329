//! How many records views with filters show.

use super::{
    prepare::{Prepared, Sources},
    run::{current_tables, kind_of, names_of, of_stopped, over_tables},
    viewer::OpenDatabase,
};
use crate::{
    call::Call,
    databases::ViewDetails,
    engine::Engine,
    outcome::{AppResult, Interrupt},
    scope::View,
};
use octavo_core_model::{Fault, cancellation::Cancellation, id::DatabaseId};
use octavo_databases::query::Query;
use octavo_query_engine::{Stopped, count};
use std::sync::Arc;

/// Counts the records of those of these views that have a filter. The count is the same for everybody who may see the
/// database, except where a filter asks for the caller or for the present day. If there is no room for the computation,
/// the counts stay unknown: what else is shown of the views does not depend on it.
pub async fn count_views(
    engine: &Engine,
    call: Call,
    database: DatabaseId,
    views: &mut [ViewDetails],
) -> AppResult<()> {
    match count_all(engine, call, database, views).await {
        Err(Interrupt::Fault(Fault::Compute(_))) => Ok(()),
        done => done,
    }
}

async fn count_all(engine: &Engine, call: Call, database: DatabaseId, views: &mut [ViewDetails]) -> AppResult<()> {
    let uncounted = views.iter_mut().filter(|shown| shown.record_count.is_none());
    let (mut places, mut filters) = (Vec::new(), Vec::new());
    for shown in uncounted {
        filters.extend(shown.view.selection.filter.clone());
        places.push(&mut shown.record_count);
    }
    if filters.is_empty() {
        return Ok(());
    }
    let queries: Vec<_> =
        filters.into_iter().map(|filter| Query { filter: Some(filter), ..Query::default() }).collect();
    let asked = queries.clone();
    let prepare = engine.read(call.clone(), move |view| Box::pin(prepare(view, database, asked)));
    let mut prepared = prepare.await?;
    let tables = Arc::new(current_tables(engine, &call, &mut prepared).await?);
    let prepared = Arc::new(prepared);
    let persons = names_of(engine, &call, &prepared, &tables).await?;
    let (kind, now) = (kind_of(&prepared, &tables), call.now);
    let count = move |cancellation: &Cancellation| -> Result<Vec<u64>, Stopped> {
        over_tables(&prepared, &tables, &persons, now, cancellation, |table, context, is_late| {
            let filters = queries.iter().map(|query| query.filter.as_ref());
            filters.map(|filter| count(table, &prepared.schema, filter, context, is_late)).collect()
        })
    };
    let (counts, _slot) = engine.compute(kind, call.work_owner(), count).await?;
    for (place, count) in places.into_iter().zip(counts.map_err(of_stopped)?) {
        *place = Some(count);
    }
    Ok(())
}

async fn prepare(view: &mut View, id: DatabaseId, queries: Vec<Query>) -> AppResult<Prepared> {
    let open = OpenDatabase::find(view, &Ok(id)).await?;
    let queries: Vec<_> = queries.iter().collect();
    Prepared::gather(view, open, &queries, Sources::Memory).await
}
