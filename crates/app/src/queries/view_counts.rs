//! How many records views with filters show.

use super::{
    prepare::{Prepared, Sources},
    run::{current_tables, kind_of, of_stopped, over_tables},
    viewer::OpenDatabase,
};
use crate::{
    call::Call,
    databases::ViewDetails,
    engine::Engine,
    outcome::{AppResult, Interrupt},
    scope::View,
};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    id::{DatabaseId, PropertyId},
};
use octavo_databases::query::{Filter, Query};
use octavo_query_engine::{Stopped, count};
use std::collections::{BTreeMap, BTreeSet};

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
    let used = filters.iter().flat_map(Filter::leaves).map(|(_, leaf)| leaf.property).collect();
    let prepare = engine.read(call.clone(), move |view| Box::pin(prepare(view, database, used)));
    let mut prepared = prepare.await?;
    let tables = current_tables(engine, &call, &mut prepared).await?;
    let (kind, now) = (kind_of(&prepared, &tables), call.now);
    let count = move |cancellation: &Cancellation| -> Result<Vec<u64>, Stopped> {
        over_tables(&prepared, &tables, &BTreeMap::new(), now, cancellation, |table, context, is_late| {
            filters.iter().map(|filter| count(table, &prepared.schema, Some(filter), context, is_late)).collect()
        })
    };
    let (counts, _slot) = engine.compute(kind, call.work_owner(), count).await?;
    for (place, count) in places.into_iter().zip(counts.map_err(of_stopped)?) {
        *place = Some(count);
    }
    Ok(())
}

async fn prepare(view: &mut View, id: DatabaseId, used: BTreeSet<PropertyId>) -> AppResult<Prepared> {
    let open = OpenDatabase::find(view, &Ok(id)).await?;
    Prepared::counting(view, open, Query::default(), used, Sources::Memory).await
}
