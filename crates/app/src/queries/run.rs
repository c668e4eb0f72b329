//! Running a query.

use super::{
    found::QueryResult,
    lanes::{QueryBounds, run_query, weight},
    persons::names_in_tables,
    place::QueryPlace,
    prepare::{Prepared, QueryRequest, Sources, Tables, prepare},
    viewer::OpenDatabase,
};
use crate::{
    call::Call,
    computed::{ComputeInputs, compute},
    engine::Engine,
    outcome::{AppResult, Draft},
    record_tables::{Look, ready},
};
use octavo_core_model::{
    Timestamp,
    cancellation::Cancellation,
    id::{DatabaseId, RecordId, UserId},
};
use octavo_ports::compute::WorkKind;
use octavo_query_engine::{Answer, Context, Relation, Stopped, Table, Titles, find_all, run};
use std::{collections::BTreeMap, sync::Arc};

/// Runs a query over the records of a database, for a caller that may see it.
pub async fn query(
    engine: &Engine,
    call: Call,
    database: Draft<DatabaseId>,
    wanted: Draft<QueryRequest>,
) -> AppResult<QueryResult> {
    let prepare = engine.read(call.clone(), move |view| {
        Box::pin(async move {
            let open = OpenDatabase::find(view, &database).await?;
            prepare(view, open, wanted, Sources::Memory).await
        })
    });
    let prepared = prepare.await?;
    find(engine, call, prepared).await
}

/// Runs a query that was prepared in a view.
pub(crate) async fn find(engine: &Engine, call: Call, mut prepared: Prepared) -> AppResult<QueryResult> {
    let tables = Arc::new(current_tables(engine, &call, &mut prepared).await?);
    if !prepared.viewer.reader().sees_archived() {
        prepared.hide_archived_links(&tables);
    }
    let prepared = Arc::new(prepared);
    let persons = names_of(engine, &call, &prepared, &tables).await?;
    let (weight, asked, now) =
        (weight(&prepared, &tables, [&prepared.query].into_iter()), Arc::clone(&prepared), call.now);
    let work = move |bounds: &mut QueryBounds<'_>| answer(&asked, &tables, &persons, now, bounds);
    let (answer, _slot) = run_query(engine, &call, weight, work).await?;
    engine.read(call, move |view| Box::pin(async move { QueryResult::load(view, &prepared, answer).await })).await
}

/// The tables of a query with everything that has changed.
pub(crate) async fn current_tables(engine: &Engine, call: &Call, prepared: &mut Prepared) -> AppResult<Tables> {
    let mut found = Vec::new();
    for (database, looked) in std::mem::take(&mut prepared.tables) {
        let refresh = match looked {
            Look::Found(refresh) => *refresh,
            Look::Missing => ready(engine, call, prepared.workspace, database).await?,
        };
        found.push((database, refresh));
    }
    if found.iter().all(|(_, refresh)| refresh.is_current()) {
        return Ok(found.into_iter().map(|(database, refresh)| (database, refresh.apply())).collect());
    }
    let apply = move |_: &Cancellation| -> Tables {
        found.into_iter().map(|(database, refresh)| (database, refresh.apply())).collect()
    };
    let (tables, _slot) = engine.compute(WorkKind::Short, call.work_owner(), apply).await?;
    for (database, table) in &tables {
        engine.tables().put((prepared.workspace, *database), table.clone());
    }
    Ok(tables)
}

/// The names of the persons that the query needs.
pub(super) async fn names_of(
    engine: &Engine,
    call: &Call,
    prepared: &Arc<Prepared>,
    tables: &Arc<Tables>,
) -> AppResult<BTreeMap<UserId, String>> {
    if !prepared.needs_names {
        return Ok(BTreeMap::new());
    }
    let (prepared, tables) = (Arc::clone(prepared), Arc::clone(tables));
    engine
        .read(call.clone(), move |view| Box::pin(async move { names_in_tables(view, &prepared, &tables).await }))
        .await
}

fn answer(
    prepared: &Prepared,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    bounds: &mut QueryBounds<'_>,
) -> Result<Answer, Stopped> {
    let after = prepared.after.map(|QueryPlace(place)| place);
    over_tables(prepared, tables, persons, now, bounds, |table, context, bounds| {
        run(table, prepared.request(), context, after.as_ref(), bounds)
    })
}

/// The ids of all records that a query finds, in their order.
pub(crate) fn all_ids(
    prepared: &Prepared,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    bounds: &mut QueryBounds<'_>,
) -> Result<Vec<RecordId>, Stopped> {
    over_tables(prepared, tables, persons, now, bounds, |table, context, bounds| {
        find_all(table, prepared.request(), context, bounds)
    })
}

/// Runs something over the table of a query, with the computed columns that it uses.
pub(crate) fn over_tables<R>(
    prepared: &Prepared,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    bounds: &mut QueryBounds<'_>,
    run: impl FnOnce(&Table, &Context<'_>, &mut QueryBounds<'_>) -> Result<R, Stopped>,
) -> Result<R, Stopped> {
    let mut tables: BTreeMap<_, _> =
        tables.iter().map(|(database, kept)| (*database, Arc::clone(&kept.table))).collect();
    let inputs = ComputeInputs { now, persons, leaves_out: false };
    compute(&prepared.computed, &mut tables, &inputs, bounds)?;
    let untitled = BTreeMap::new();
    let titles = |target: &DatabaseId| -> &dyn Titles {
        tables.get(target).map_or(&untitled as &dyn Titles, |table| table.as_ref())
    };
    let relations: BTreeMap<_, _> = prepared
        .linked
        .iter()
        .map(|(property, linked)| (*property, Relation { titles: titles(&linked.target), visible: linked.visible() }))
        .collect();
    let context = Context {
        caller: prepared.viewer.user(),
        persons,
        relations: &relations,
        hidden: &prepared.hidden,
        persons_by_name: !prepared.viewer.knows_persons(),
        ..Context::new(now, prepared.viewer.zone())
    };
    let nothing = Arc::new(Table::new(&prepared.schema, Vec::new()));
    let own = tables.get(&prepared.schema.database()).filter(|_| prepared.viewer.sees_records());
    run(own.unwrap_or(&nothing), &context, bounds)
}
