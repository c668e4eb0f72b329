//! How many records views with filters show.

use super::{
    lanes::{QueryBounds, run_query, weight},
    prepare::{Prepared, Sources},
    run::{current_tables, names_of, over_tables},
    viewer::OpenDatabase,
};
use crate::{
    call::Call,
    databases::ViewDetails,
    engine::Engine,
    outcome::{AppResult, Interrupt},
    scope::View,
};
use octavo_core_model::{Fault, fault::DataIssue, id::DatabaseId};
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
        Err(Interrupt::Fault(fault)) if is_about_room(&fault) => Ok(()),
        done => done,
    }
}

fn is_about_room(fault: &Fault) -> bool {
    match fault {
        Fault::Compute(_) => true,
        Fault::Data(problems) => problems.iter().all(|problem| problem.issue == DataIssue::TooLarge),
        _ => false,
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
    let (weight, now) = (weight(&prepared, &tables, queries.iter()), call.now);
    let count = move |bounds: &mut QueryBounds<'_>| -> Result<Vec<u64>, Stopped> {
        over_tables(&prepared, &tables, &persons, now, bounds, |table, context, bounds| {
            let filters = queries.iter().map(|query| query.filter.as_ref());
            filters.map(|filter| count(table, &prepared.schema, filter, context, bounds)).collect()
        })
    };
    let (counts, _slot) = run_query(engine, &call, weight, count).await?;
    for (place, count) in places.into_iter().zip(counts) {
        *place = Some(count);
    }
    Ok(())
}

async fn prepare(view: &mut View, id: DatabaseId, queries: Vec<Query>) -> AppResult<Prepared> {
    let open = OpenDatabase::find(view, &Ok(id)).await?;
    let queries: Vec<_> = queries.iter().collect();
    Prepared::gather(view, open, &queries, Sources::Memory).await
}
