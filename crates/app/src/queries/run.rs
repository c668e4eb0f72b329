//! Running a query.

use super::{
    found::QueryResult,
    persons::{names, person_keys},
    place::QueryPlace,
    prepare::{Prepared, QueryRequest, Sources, prepare},
};
use crate::{
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft},
    record_tables::{KeptTable, Look, ready},
};
use octavo_core_model::{
    Fault, Timestamp,
    cancellation::Cancellation,
    fault::{ComputeFault, DataIssue, DataProblem, Issue, Violation},
    id::{DatabaseId, UserId},
};
use octavo_ports::compute::WorkKind;
use octavo_query_engine::{Answer, Context, Relation, Request, Scan, Stopped, Titles, run};
use std::{collections::BTreeMap, sync::Arc};

/// Up to this many records, a query takes a few milliseconds.
const FEW_RECORDS: usize = 200_000;

pub(super) type Tables = BTreeMap<DatabaseId, KeptTable>;

/// Runs a query over the records of a database, for a caller that may see it.
pub async fn query(
    engine: &Engine,
    call: Call,
    database: Draft<DatabaseId>,
    wanted: Draft<QueryRequest>,
) -> AppResult<QueryResult> {
    let mut prepared =
        engine.read(call.clone(), move |view| Box::pin(prepare(view, database, wanted, Sources::Memory))).await?;
    let tables = current_tables(engine, &call, &mut prepared).await?;
    let prepared = Arc::new(prepared);
    let persons = names_of(engine, &call, &prepared, &tables).await?;
    let (kind, asked, now) = (kind_of(&prepared, &tables), Arc::clone(&prepared), call.now);
    let work = move |cancellation: &Cancellation| answer(&asked, asked.request(), &tables, &persons, now, cancellation);
    let (answer, _slot) = engine.compute(kind, call.work_owner(), work).await?;
    let answer = answer.map_err(of_stopped)?;
    engine.read(call, move |view| Box::pin(async move { QueryResult::load(view, &prepared, answer).await })).await
}

/// The tables of a query with everything that has changed.
pub(super) async fn current_tables(engine: &Engine, call: &Call, prepared: &mut Prepared) -> AppResult<Tables> {
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

/// The names of the persons by whom the query sorts or groups.
async fn names_of(
    engine: &Engine,
    call: &Call,
    prepared: &Arc<Prepared>,
    tables: &Tables,
) -> AppResult<BTreeMap<UserId, String>> {
    let keys = person_keys(&prepared.schema, &prepared.query);
    let Some(kept) = tables.get(&prepared.schema.database()).filter(|_| !keys.is_empty()) else {
        return Ok(BTreeMap::new());
    };
    let (prepared, table) = (Arc::clone(prepared), Arc::clone(&kept.table));
    engine
        .read(call.clone(), move |view| Box::pin(async move { names(view, &prepared.schema, &table, &keys).await }))
        .await
}

pub(super) fn kind_of(prepared: &Prepared, tables: &Tables) -> WorkKind {
    let records = tables.get(&prepared.schema.database()).map_or(0, |kept| kept.table.len());
    if records > FEW_RECORDS { WorkKind::Long } else { WorkKind::Short }
}

pub(super) fn answer(
    prepared: &Prepared,
    request: Request<'_>,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    cancellation: &Cancellation,
) -> Result<Answer, Stopped> {
    let nothing = BTreeMap::new();
    let titles = |target: &DatabaseId| -> &dyn Titles {
        tables.get(target).map_or(&nothing as &dyn Titles, |kept| kept.table.as_ref())
    };
    let relations: BTreeMap<_, _> = prepared
        .linked
        .iter()
        .map(|(property, linked)| (*property, Relation { titles: titles(&linked.target), visible: linked.visible() }))
        .collect();
    let context = Context {
        caller: prepared.caller,
        persons,
        relations: &relations,
        hidden: &prepared.hidden,
        ..Context::new(now, prepared.zone)
    };
    let Some(kept) = tables.get(&prepared.schema.database()) else {
        return Err(Stopped::Deadline);
    };
    let after = prepared.after.map(|QueryPlace(place)| place);
    run(&kept.table, request, &context, after.as_ref(), &mut || cancellation.is_cancelled())
}

pub(super) fn of_stopped(stopped: Stopped) -> Fault {
    match stopped {
        Stopped::Deadline => ComputeFault::Timeout.into(),
        Stopped::OtherQuery => Violation::new("cursor", Issue::InvalidValue).into(),
        Stopped::TooManyGroups => {
            let rule = Some(format!("records may be in at most {} groups", Scan::MAX_GROUPS));
            DataProblem { rule, ..DataProblem::at_path(DataIssue::InvalidGroup, "group") }.into()
        }
    }
}
