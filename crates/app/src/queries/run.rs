//! Running a query.

use super::{
    found::QueryResult,
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
    Fault, Timestamp,
    cancellation::Cancellation,
    fault::{ComputeFault, DataIssue, DataProblem, Issue, Violation},
    id::{DatabaseId, RecordId, UserId},
};
use octavo_ports::compute::WorkKind;
use octavo_query_engine::{Answer, Context, Relation, Scan, Stopped, Table, Titles, find_all, run};
use std::{collections::BTreeMap, sync::Arc};

/// Up to this many records, a query takes a few milliseconds.
const FEW_RECORDS: usize = 200_000;

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
    let (kind, asked, now) = (kind_of(&prepared, &tables), Arc::clone(&prepared), call.now);
    let work = move |cancellation: &Cancellation| answer(&asked, &tables, &persons, now, cancellation);
    let (answer, _slot) = engine.compute(kind, call.work_owner(), work).await?;
    let answer = answer.map_err(of_stopped)?;
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

pub(crate) fn kind_of(prepared: &Prepared, tables: &Tables) -> WorkKind {
    let records = tables.get(&prepared.schema.database()).map_or(0, |kept| kept.table.len());
    if records > FEW_RECORDS { WorkKind::Long } else { WorkKind::Short }
}

fn answer(
    prepared: &Prepared,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    cancellation: &Cancellation,
) -> Result<Answer, Stopped> {
    let after = prepared.after.map(|QueryPlace(place)| place);
    over_tables(prepared, tables, persons, now, cancellation, |table, context, is_late| {
        run(table, prepared.request(), context, after.as_ref(), is_late)
    })
}

/// The ids of all records that a query finds, in their order.
pub(crate) fn all_ids(
    prepared: &Prepared,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    cancellation: &Cancellation,
) -> Result<Vec<RecordId>, Stopped> {
    over_tables(prepared, tables, persons, now, cancellation, |table, context, is_late| {
        find_all(table, prepared.request(), context, is_late)
    })
}

/// Runs something over the table of a query, with the computed columns that it uses.
pub(crate) fn over_tables<R>(
    prepared: &Prepared,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    cancellation: &Cancellation,
    run: impl FnOnce(&Table, &Context<'_>, &mut dyn FnMut() -> bool) -> Result<R, Stopped>,
) -> Result<R, Stopped> {
    let mut is_late = || cancellation.is_cancelled();
    let mut tables: BTreeMap<_, _> =
        tables.iter().map(|(database, kept)| (*database, Arc::clone(&kept.table))).collect();
    let inputs = ComputeInputs { now, persons };
    compute(&prepared.computed, &mut tables, &inputs, &mut is_late)?;
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
    run(own.unwrap_or(&nothing), &context, &mut is_late)
}

pub(crate) fn of_stopped(stopped: Stopped) -> Fault {
    match stopped {
        Stopped::Deadline => ComputeFault::Timeout.into(),
        Stopped::OtherQuery => Violation::new("cursor", Issue::InvalidValue).into(),
        Stopped::TooManyGroups => {
            let rule = Some(format!("records may be in at most {} groups", Scan::MAX_GROUPS));
            DataProblem { rule, ..DataProblem::at_path(DataIssue::InvalidGroup, "group") }.into()
        }
    }
}
