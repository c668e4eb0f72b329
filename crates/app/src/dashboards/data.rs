//! What the widgets of a dashboard show.

use super::{access::find, change::contents_of};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    call::Call,
    charts::{Answered, Batch, ChartData, ChartSettings, Task, of_chart, run},
    engine::Engine,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access::{self, visibility::Visibility},
    queries::{OpenDatabase, Prepared, QueryResult, ShownProperties, Sources, Viewer, too_large},
    scope::View,
};
use chrono_tz::Tz;
use octavo_charts::{
    ChartFault, ComputedKinds, both,
    dashboards::{Content, DashboardFilter},
    stored_filter,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    chart::Chart,
    id::{ChartId, DashboardId, DatabaseId, PropertyId, ViewId, WidgetId, WorkspaceId},
};
use octavo_databases::{
    Schema,
    query::{Filter, PageSize, Query},
    views::{self, ViewType},
};
use octavo_permissions::Authority;
use octavo_query_engine::Answer;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many records a widget shows at most: as many as a page of a view has.
const MOST_RECORDS: i64 = 200;

/// What a dashboard shows, and when and where that was the case.
#[derive(Clone, Debug)]
pub struct DashboardAnswer {
    /// In the order of the widgets.
    pub widgets: Vec<WidgetAnswer>,
    pub zone: Tz,
    pub computed_at: Timestamp,
}

/// What a widget shows, or why it shows nothing.
#[derive(Clone, Debug)]
pub struct WidgetAnswer {
    pub id: WidgetId,
    pub shown: Result<WidgetData, Fault>,
}

/// What a widget shows.
#[derive(Clone, Debug)]
pub enum WidgetData {
    Chart(ChartData),
    Records(Box<QueryResult>),
    Text(String),
}

/// Computes what the widgets of a dashboard show, for a caller that may see it. Each database is loaded once, and
/// everything is computed in one job.
pub async fn dashboard_data(
    engine: &Engine,
    call: Call,
    id: Draft<DashboardId>,
    zone: Draft<Option<Tz>>,
) -> AppResult<DashboardAnswer> {
    let plan = engine.read(call.clone(), move |view| Box::pin(plan(view, id, zone))).await?;
    let Plan { mut widgets, zone, batches, places } = plan;
    let answered = run(engine, &call, batches).await?;
    let mut pages = Vec::new();
    for ((prepared, answers), places) in answered.into_iter().zip(places) {
        for (answer, place) in answers.into_iter().zip(places) {
            let shown = match answer {
                Answered::Chart(data) => Ok(WidgetData::Chart(data)),
                Answered::TooMany => Err(crate::charts::too_many()),
                Answered::TooLarge => Err(too_large()),
                Answered::Records(answer) => {
                    let records = place.records.unwrap_or_default();
                    pages.push((Arc::clone(&prepared), place.widget, records, answer));
                    continue;
                }
            };
            widgets[place.widget].shown = shown;
        }
    }
    if !pages.is_empty() {
        let load = engine.read(call.clone(), move |view| Box::pin(load(view, pages)));
        for (widget, result) in load.await? {
            widgets[widget].shown = Ok(WidgetData::Records(Box::new(result)));
        }
    }
    Ok(DashboardAnswer { widgets, zone, computed_at: call.now })
}

type Page = (Arc<Prepared>, usize, Records, Answer);

/// Reads the records of all widgets that show some.
async fn load(view: &mut View, pages: Vec<Page>) -> AppResult<Vec<(usize, QueryResult)>> {
    let mut results = Vec::with_capacity(pages.len());
    for (prepared, widget, Records { query, select }, answer) in pages {
        results.push((widget, QueryResult::of_query(view, &prepared, &query, select, answer).await?));
    }
    Ok(results)
}

/// What is to be computed.
struct Plan {
    widgets: Vec<WidgetAnswer>,
    zone: Tz,
    batches: Vec<Batch>,
    /// For each task of each batch the widget that shows it.
    places: Vec<Vec<TaskPlace>>,
}

struct TaskPlace {
    widget: usize,
    records: Option<Records>,
}

/// What is read of the records of a widget.
#[derive(Default)]
struct Records {
    query: Query,
    select: Vec<PropertyId>,
}

async fn plan(view: &mut View, id: Draft<DashboardId>, zone: Draft<Option<Tz>>) -> AppResult<Plan> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let (dashboard, _) = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let viewer = Viewer::of(&caller, authority.clone());
    let zone = zone?.unwrap_or(viewer.zone());
    let viewer = viewer.in_zone(zone);
    let contents = contents_of(&dashboard);
    let sources =
        Shown::find(view, &caller, &authority, contents.widgets.as_slice().iter().map(|widget| &widget.content));
    let sources = sources.await?;
    let mut widgets = Vec::new();
    let mut tasks: BTreeMap<DatabaseId, Vec<(Task, TaskPlace)>> = BTreeMap::new();
    for (place, widget) in contents.widgets.as_slice().iter().enumerate() {
        let shown = match &widget.content {
            Content::Text(text) => Ok(WidgetData::Text(text.clone())),
            content => match sources.task(content, &contents.filters) {
                Ok((database, task, records)) => {
                    tasks.entry(database).or_default().push((task, TaskPlace { widget: place, records }));
                    // It is replaced by what is computed.
                    Err(Fault::NotFound)
                }
                Err(fault) => Err(fault),
            },
        };
        widgets.push(WidgetAnswer { id: widget.id, shown });
    }
    let (mut batches, mut places) = (Vec::new(), Vec::new());
    for (id, tasks) in tasks {
        let Some(source) = sources.databases.get(&id) else { continue };
        let (tasks, own): (Vec<_>, Vec<_>) = tasks.into_iter().unzip();
        let queries: Vec<_> = tasks.iter().map(Task::query).collect();
        let open = OpenDatabase {
            viewer: viewer.clone(),
            title: source.title.clone(),
            database: source.database.clone(),
            schema: Arc::clone(&source.schema),
        };
        let prepared = Prepared::gather(view, open, &queries, Sources::Memory).await?.seen(view).await?;
        batches.push(Batch { prepared, tasks });
        places.push(own);
    }
    Ok(Plan { widgets, zone, batches, places })
}

/// The charts and views of widgets, in databases that the caller may see.
struct Shown {
    charts: BTreeMap<ChartId, Chart>,
    views: BTreeMap<ViewId, views::View>,
    databases: BTreeMap<DatabaseId, Source>,
}

struct Source {
    database: octavo_core_model::database::Database,
    title: octavo_core_model::text::PageTitle,
    schema: Arc<Schema>,
}

impl Shown {
    async fn find(
        view: &mut View,
        caller: &WorkspaceCaller,
        authority: &Authority,
        contents: impl Iterator<Item = &Content>,
    ) -> AppResult<Self> {
        let workspace = caller.workspace;
        let (mut chart_ids, mut view_ids) = (BTreeSet::new(), BTreeSet::new());
        for content in contents {
            match content {
                Content::Chart(id) => drop(chart_ids.insert(*id)),
                Content::View(id) => drop(view_ids.insert(*id)),
                Content::Text(_) => {}
            }
        }
        let charts = if chart_ids.is_empty() {
            Vec::new()
        } else {
            view.tx.charts().list_by_id(workspace, &Vec::from_iter(chart_ids)).await?
        };
        let located = if view_ids.is_empty() {
            Vec::new()
        } else {
            view.tx.databases().locate_views(workspace, &Vec::from_iter(view_ids.clone())).await?
        };
        let named = charts.iter().map(|chart| chart.database).chain(located.iter().map(|(_, database)| *database));
        let databases = visible_databases(view, workspace, authority, named.collect()).await?;
        let viewed: BTreeSet<_> = located.iter().map(|(_, database)| *database).collect();
        let viewed: Vec<_> = viewed.into_iter().filter(|id| databases.contains_key(id)).collect();
        let mut views = BTreeMap::new();
        if !viewed.is_empty() {
            for (database, stored) in view.tx.databases().list_views(workspace, &viewed).await? {
                if let Some(source) = databases.get(&database).filter(|_| view_ids.contains(&stored.id)) {
                    views.insert(stored.id, views::View::from_stored(stored, &source.schema));
                }
            }
        }
        Ok(Self { charts: charts.into_iter().map(|chart| (chart.id, chart)).collect(), views, databases })
    }

    /// What is to be computed for a widget.
    fn task(
        &self,
        content: &Content,
        filters: &[DashboardFilter],
    ) -> Result<(DatabaseId, Task, Option<Records>), Fault> {
        match content {
            Content::Chart(id) => {
                let chart = self.charts.get(id).ok_or(Fault::NotFound)?;
                let source = self.databases.get(&chart.database).ok_or(Fault::NotFound)?;
                let settings = ChartSettings::from_stored(&chart.settings).ok_or_else(crate::charts::unreadable)?;
                let mut query = settings.query(&source.schema, &ComputedKinds::default()).map_err(of_chart)?;
                query.narrow(narrowing(filters, chart.database, &source.schema).map_err(of_chart)?);
                Ok((chart.database, Task::Chart(Box::new(settings), Box::new(query)), None))
            }
            Content::View(id) => {
                let view = self.views.get(id).ok_or(Fault::NotFound)?;
                let source = self.databases.get(&view.database).ok_or(Fault::NotFound)?;
                let narrowed = narrowing(filters, view.database, &source.schema).map_err(of_chart)?;
                let selection = view.selection.clone();
                let size = i64::from(view.page_size.get()).min(MOST_RECORDS);
                let query = Query {
                    filter: both(selection.filter, narrowed),
                    sort: selection.sort,
                    group: selection.group,
                    page_size: PageSize::new(size).unwrap_or_default(),
                    ..Query::default()
                };
                let select = ShownProperties::OfView.of(&source.schema, Some(view));
                let task = Task::Records(Box::new(query.clone()), view.kind() == ViewType::Board);
                Ok((view.database, task, Some(Records { query, select })))
            }
            Content::Text(_) => Err(Fault::NotFound),
        }
    }
}

/// The filters of a dashboard on one database.
fn narrowing(filters: &[DashboardFilter], database: DatabaseId, schema: &Schema) -> Result<Option<Filter>, ChartFault> {
    let own = filters.iter().filter(|filter| filter.database == database);
    own.map(|filter| stored_filter(&filter.filter, schema)).try_fold(None, |all, filter| Ok(both(all, filter?)))
}

/// Those of these databases that the caller may see and that are not in the trash.
async fn visible_databases(
    view: &mut View,
    workspace: WorkspaceId,
    authority: &Authority,
    ids: BTreeSet<DatabaseId>,
) -> AppResult<BTreeMap<DatabaseId, Source>> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let nodes: Vec<_> = ids.iter().map(|id| id.node()).collect();
    let nodes = view.tx.pages().list_by_id(workspace, &nodes).await?;
    let mut visibility = Visibility::of_everything(workspace, authority);
    visibility.look_up(view, nodes.iter().map(|node| node.access)).await?;
    let seen = nodes.into_iter().filter(|node| node.trash.is_none() && visibility.level_of(node) >= Level::View);
    let titles: BTreeMap<_, _> = seen.map(|node| (node.id.as_database(), node.title)).collect();
    let found = view.tx.databases().list_by_id(workspace, &titles.keys().copied().collect::<Vec<_>>()).await?;
    let mut databases = BTreeMap::new();
    for database in found {
        let Some(title) = titles.get(&database.id).cloned() else { continue };
        let schema = schema_of(view, &database).await?;
        databases.insert(database.id, Source { database, title, schema });
    }
    Ok(databases)
}
