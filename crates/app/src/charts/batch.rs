//! Running what charts and dashboards show: one job of the compute pool for all of it, over tables that are loaded once.

use super::input::chart_input;
use crate::{
    call::Call,
    engine::Engine,
    outcome::AppResult,
    queries::{Prepared, QueryBounds, Tables, current_tables, names_in_tables, over_tables, run_query, weight},
};
use octavo_charts::{ChartData, ChartQuery, ChartSettings, chart_data};
use octavo_core_model::{
    Fault, Timestamp,
    fault::{DataIssue, DataProblem},
    id::UserId,
};
use octavo_databases::query::Query;
use octavo_query_engine::{self as query_engine, Answer, Context, Request, Scan, Stopped, Table};
use std::{collections::BTreeMap, sync::Arc};

/// What is asked about one database.
pub(crate) struct Batch {
    pub(crate) prepared: Prepared,
    pub(crate) tasks: Vec<Task>,
}

/// Something to compute.
pub(crate) enum Task {
    Chart(Box<ChartSettings>, Box<ChartQuery>),
    /// The first page of a query, and whether groups without records are shown.
    Records(Box<Query>, bool),
}

/// What was computed.
pub(crate) enum Answered {
    Chart(ChartData),
    Records(Answer),
    /// There are too many groups.
    TooMany,
    /// There is not enough memory for one query.
    TooLarge,
}

/// Runs the tasks of all batches, and returns the answers in the same order.
pub(crate) async fn run(
    engine: &Engine,
    call: &Call,
    mut batches: Vec<Batch>,
) -> AppResult<Vec<(Arc<Prepared>, Vec<Answered>)>> {
    let Some(first) = batches.first_mut() else { return Ok(Vec::new()) };
    let mut looks = std::mem::take(&mut first.prepared.tables);
    for batch in &mut batches[1..] {
        for (database, look) in std::mem::take(&mut batch.prepared.tables) {
            looks.entry(database).or_insert(look);
        }
    }
    batches[0].prepared.tables = looks;
    let tables = Arc::new(current_tables(engine, call, &mut batches[0].prepared).await?);
    let batches: Vec<Asked> = batches.into_iter().map(|batch| (Arc::new(batch.prepared), batch.tasks)).collect();
    let persons = names(engine, call, &batches, &tables).await?;
    let weights = batches.iter().map(|(prepared, tasks)| weight(prepared, &tables, tasks.iter().map(Task::query)));
    let weight = weights.fold(0, usize::saturating_add);
    let prepared: Vec<_> = batches.iter().map(|(prepared, _)| Arc::clone(prepared)).collect();
    let now = call.now;
    let work = move |bounds: &mut QueryBounds<'_>| -> Result<Vec<Vec<Answered>>, Stopped> {
        batches.iter().map(|batch| bounds.within(|bounds| answer(batch, &tables, &persons, now, bounds))).collect()
    };
    let (answers, _slot) = run_query(engine, call, weight, work).await?;
    Ok(prepared.into_iter().zip(answers).collect())
}

/// A batch that is shared with the compute pool.
type Asked = (Arc<Prepared>, Vec<Task>);

/// The names of all persons that some batch needs. One statement for each database that needs some.
async fn names(
    engine: &Engine,
    call: &Call,
    batches: &[Asked],
    tables: &Arc<Tables>,
) -> AppResult<BTreeMap<UserId, String>> {
    let mut names = BTreeMap::new();
    for (prepared, _) in batches.iter().filter(|(prepared, _)| prepared.needs_names) {
        let (prepared, tables) = (Arc::clone(prepared), Arc::clone(tables));
        let read = engine
            .read(call.clone(), move |view| Box::pin(async move { names_in_tables(view, &prepared, &tables).await }));
        names.extend(read.await?);
    }
    Ok(names)
}

fn answer(
    (prepared, tasks): &Asked,
    tables: &Tables,
    persons: &BTreeMap<UserId, String>,
    now: Timestamp,
    bounds: &mut QueryBounds<'_>,
) -> Result<Vec<Answered>, Stopped> {
    let answers = over_tables(prepared, tables, persons, now, bounds, |table, context, bounds| {
        tasks.iter().map(|task| bounds.within(|bounds| task.run(prepared, table, context, bounds))).collect()
    });
    match answers {
        Err(Stopped::TooLarge) => Ok(tasks.iter().map(|_| Answered::TooLarge).collect()),
        answers => answers,
    }
}

impl Task {
    pub(crate) fn query(&self) -> &Query {
        match self {
            Self::Chart(_, asked) => &asked.query,
            Self::Records(query, _) => query,
        }
    }

    fn run(
        &self,
        prepared: &Prepared,
        table: &Table,
        context: &Context<'_>,
        bounds: &mut QueryBounds<'_>,
    ) -> Result<Answered, Stopped> {
        let answered = match self {
            Self::Chart(settings, asked) => {
                let request = Request { buckets: asked.buckets, ..Request::new(&prepared.schema, &asked.query) };
                query_engine::cells(table, request, context, bounds).map(|cells| {
                    let made = cells.map(|cells| chart_input(cells, asked.function(), asked.buckets, &prepared.schema));
                    made.map_or(Answered::TooMany, |input| Answered::Chart(chart_data(settings, input)))
                })
            }
            Self::Records(query, is_board) => {
                let request = Request { with_empty_groups: *is_board, ..Request::new(&prepared.schema, query) };
                query_engine::run(table, request, context, None, bounds).map(Answered::Records)
            }
        };
        match answered {
            Err(Stopped::TooManyGroups) => Ok(Answered::TooMany),
            Err(Stopped::TooLarge) => Ok(Answered::TooLarge),
            answered => answered,
        }
    }
}

/// A chart would need more groups than the engine makes.
pub(crate) fn too_many() -> Fault {
    let rule = Some(format!("records may be in at most {} groups", Scan::MAX_CELLS));
    Fault::Data(vec![DataProblem { rule, ..DataProblem::in_field(DataIssue::ChartInvalid, "axes") }].into())
}
