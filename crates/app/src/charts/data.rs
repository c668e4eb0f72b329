//! What a chart shows.

use super::{
    access::{find, kinds_in, settings_of},
    batch::{Answered, Batch, Task, run, too_many},
    faults::of_chart,
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    call::Call,
    databases::{SeenDatabase, faults::of_query, find_database},
    engine::Engine,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access,
    queries::{OpenDatabase, Prepared, Sources, Viewer, too_large},
    scope::View,
};
use chrono_tz::Tz;
use octavo_charts::{
    ChartData, ChartSettings,
    svg::{Look, draw},
};
use octavo_core_model::{
    Fault, Timestamp,
    cancellation::Cancellation,
    chart::Chart,
    id::{ChartId, DatabaseId},
};
use octavo_databases::query::{Columns, Filter};
use octavo_permissions::Authority;
use octavo_ports::compute::WorkKind;
use serde_json::{Map, Value};

/// What narrows a chart, and where its days begin.
#[derive(Clone, Debug, Default)]
pub struct ChartScope {
    /// Records also have to meet this filter.
    pub filter: Option<Value>,
    /// By default the time zone of the caller.
    pub zone: Option<Tz>,
}

/// A chart that is not stored.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The settings as they were sent.
    pub settings: Map<String, Value>,
    pub zone: Option<Tz>,
}

/// What a chart shows, and when and where that was the case.
#[derive(Clone, Debug)]
pub struct ChartAnswer {
    pub data: ChartData,
    pub settings: ChartSettings,
    pub zone: Tz,
    pub computed_at: Timestamp,
}

/// Computes what a chart shows, for a caller that may see its database. Also returns the chart.
pub async fn chart_data(
    engine: &Engine,
    call: Call,
    id: Draft<ChartId>,
    scope: Draft<ChartScope>,
) -> AppResult<(Chart, ChartAnswer)> {
    let prepare = engine.read(call.clone(), move |view| Box::pin(prepare_chart(view, id, scope)));
    let (chart, asking) = prepare.await?;
    let answer = compute(engine, &call, asking).await?;
    Ok((chart, answer))
}

/// Draws what a chart shows. Returns its name and the picture.
pub async fn image(
    engine: &Engine,
    call: Call,
    id: Draft<ChartId>,
    wanted: Draft<(ChartScope, Look)>,
) -> AppResult<(String, String)> {
    let look = wanted.as_ref().map(|(_, look)| *look).unwrap_or_default();
    let (chart, answer) = chart_data(engine, call.clone(), id, wanted.map(|(scope, _)| scope)).await?;
    let name = chart.name.as_str().to_owned();
    let title = name.clone();
    let work = move |_: &Cancellation| draw(&title, &answer.settings, &answer.data, look);
    let (svg, _slot) = engine.compute(WorkKind::Short, call.work_owner(), work).await?;
    Ok((name, svg))
}

/// Computes what a chart would show, for a caller that may see its database.
pub async fn preview(
    engine: &Engine,
    call: Call,
    database: Draft<DatabaseId>,
    wanted: Draft<Preview>,
) -> AppResult<ChartAnswer> {
    let asking = engine.read(call.clone(), move |view| Box::pin(prepare_preview(view, database, wanted))).await?;
    compute(engine, &call, asking).await
}

async fn prepare_chart(view: &mut View, id: Draft<ChartId>, scope: Draft<ChartScope>) -> AppResult<(Chart, Asking)> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let (chart, seen) = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let scope = scope?;
    let settings = settings_of(&chart)?;
    let asking = prepare(view, &caller, authority.clone(), seen, settings, scope).await?;
    Ok((chart, asking))
}

async fn prepare_preview(view: &mut View, database: Draft<DatabaseId>, wanted: Draft<Preview>) -> AppResult<Asking> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    if let (Err(_), Err(fault)) = (&database, &wanted) {
        // It reports the flaw of the id among others.
        return Err(fault.clone().into());
    }
    let id = Ok(database?);
    let seen = find_database(view, &caller, &authority, &id).await?.ok_or(Fault::UnknownId("databaseId"))?;
    let Preview { settings, zone } = wanted?;
    let settings = ChartSettings::read(settings).map_err(of_chart)?;
    let schema = schema_of(view, &seen.database).await?;
    let kinds = kinds_in(view, caller.workspace, &authority, &schema, &settings).await?;
    let settings = settings.fitted(&schema, &kinds).map_err(of_chart)?;
    prepare(view, &caller, authority.clone(), seen, settings, ChartScope { filter: None, zone }).await
}

/// A chart that is ready to be computed.
struct Asking {
    batch: Batch,
    settings: ChartSettings,
    zone: Tz,
}

async fn prepare(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: Authority,
    seen: SeenDatabase<'_>,
    settings: ChartSettings,
    scope: ChartScope,
) -> AppResult<Asking> {
    let schema = schema_of(view, &seen.database).await?;
    let kinds = kinds_in(view, caller.workspace, &authority, &schema, &settings).await?;
    let mut asked = settings.query(&schema, &kinds).map_err(of_chart)?;
    let narrowed = scope.filter.unwrap_or_default();
    asked.narrow(Filter::read(&narrowed, Columns::by_id(&schema)).map_err(of_query)?);
    let viewer = Viewer::of(caller, authority);
    let zone = scope.zone.unwrap_or(viewer.zone());
    let SeenDatabase { node, database } = seen;
    let open = OpenDatabase { viewer: viewer.in_zone(zone), title: node.page.title.clone(), database, schema };
    let prepared = Prepared::gather(view, open, &[&asked.query], Sources::Memory).await?.seen(view).await?;
    let tasks = vec![Task::Chart(Box::new(settings.clone()), Box::new(asked))];
    Ok(Asking { batch: Batch { prepared, tasks }, settings, zone })
}

async fn compute(engine: &Engine, call: &Call, asking: Asking) -> AppResult<ChartAnswer> {
    let Asking { batch, settings, zone } = asking;
    let answered = run(engine, call, vec![batch]).await?;
    match answered.into_iter().flat_map(|(_, answers)| answers).next() {
        Some(Answered::Chart(data)) => Ok(ChartAnswer { data, settings, zone, computed_at: call.now }),
        Some(Answered::TooLarge) => Err(too_large().into()),
        _ => Err(too_many().into()),
    }
}
