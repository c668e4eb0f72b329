//! How many records views with filters show.

use super::{
    linked::linked_records,
    prepare::{Prepared, who},
    run::{answer, current_tables, kind_of, of_stopped},
};
use crate::{
    access::RouteAccess,
    call::Call,
    computed::plan,
    databases::ViewDetails,
    engine::Engine,
    loaded_schemas::schema_of,
    outcome::{AppResult, Interrupt},
    page_access::{self, lineage},
    record_tables::look,
    relations::Reader,
    scope::View,
};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    id::{DatabaseId, PropertyId},
};
use octavo_databases::query::{Aggregate, Filter, Query};
use octavo_query_engine::{AggregateValue, Request, Stopped};
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
        let count = |filter| {
            let query = Query { filter: Some(filter), aggregates: vec![Aggregate::CountRecords], ..Query::default() };
            let request = Request::new(&prepared.schema, &query);
            let answer = answer(&prepared, request, &tables, &BTreeMap::new(), now, cancellation)?;
            Ok(whole(answer.aggregates.first()))
        };
        filters.into_iter().map(count).collect()
    };
    let (counts, _slot) = engine.compute(kind, call.work_owner(), count).await?;
    for (place, count) in places.into_iter().zip(counts.map_err(of_stopped)?) {
        *place = Some(count);
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of records")]
fn whole(count: Option<&AggregateValue>) -> u64 {
    match count {
        Some(AggregateValue::Number(count)) => *count as u64,
        _ => 0,
    }
}

async fn prepare(view: &mut View, id: DatabaseId, used: BTreeSet<PropertyId>) -> AppResult<Prepared> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let node = lineage::find(view, &caller, &authority, &Ok(id)).await?.ok_or(Fault::NotFound)?;
    let (workspace, title) = (caller.workspace, node.page.title.clone());
    let database = view.tx.databases().find(workspace, id).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &database).await?;
    let linked = linked_records(view, workspace, &authority, &schema, used.clone()).await?;
    let computed = plan(view, workspace, Reader::Caller(&authority), &schema, used).await?;
    let mut tables = BTreeMap::from([(id, look(view, &database).await?)]);
    for target in computed.databases() {
        if !tables.contains_key(&target)
            && let Some(target) = view.tx.databases().find(workspace, target).await?
        {
            tables.insert(target.id, look(view, &target).await?);
        }
    }
    let (caller, zone) = who(&caller);
    Ok(Prepared {
        workspace,
        authority,
        title,
        schema,
        query: Query::default(),
        select: Vec::new(),
        part_of: None,
        is_board: false,
        after: None,
        caller,
        zone,
        hidden: BTreeSet::new(),
        linked,
        computed,
        needs_names: false,
        tables,
    })
}
