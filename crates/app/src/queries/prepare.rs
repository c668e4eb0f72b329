//! What a query needs before it runs, read in one view.

use super::{
    linked::{LinkedRecords, linked_records, names_persons, used_properties},
    operators::{refuse_unfit_aggregates, refuse_unfit_operators},
    place::QueryPlace,
    viewer::{OpenDatabase, Viewer},
};
use crate::{
    computed::{ComputedPlan, plan},
    databases::faults::of_query,
    kept_tables::KeptTable,
    outcome::{AppResult, Draft},
    record_tables::{Look, follow, look},
    scope::View,
};
use octavo_core_model::{
    Fault,
    database::Database,
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, PropertyId, RecordId, ViewId, WorkspaceId},
    text::PageTitle,
};
use octavo_databases::{
    Schema,
    query::{Columns, Filter, Query},
    types::{FilterKind, SortKind},
    views::{self, ViewType},
};
use octavo_query_engine::Request;
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The tables that a query reads, by database.
pub(crate) type Tables = BTreeMap<DatabaseId, KeptTable>;

/// A query as it is sent.
#[derive(Clone, Debug, Default)]
pub struct QueryRequest {
    /// The parts of the query. Those that are sent replace those of the view.
    pub fields: Map<String, Value>,
    /// The view whose filter, sort and groups are used.
    pub view: Option<ViewId>,
    /// Only parts of this record.
    pub part_of: Option<RecordId>,
    /// Where the answer continues.
    pub after: Option<QueryPlace>,
    /// Which properties are shown if none are selected.
    pub shown: ShownProperties,
}

/// Which properties are shown if a query selects none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownProperties {
    #[default]
    Visible,
    All,
    /// Those that the view shows; without a view, all.
    OfView,
}

impl ShownProperties {
    pub(crate) fn of(self, schema: &Schema, base: Option<&views::View>) -> Vec<PropertyId> {
        let of_view = base.filter(|_| self == Self::OfView);
        if let Some(named) = of_view.and_then(|view| view.config.visible_properties()).filter(|ids| !ids.is_empty()) {
            return named.to_vec();
        }
        let only_visible = self == Self::Visible || of_view.is_some();
        let shown = schema.properties().iter().filter(|property| !only_visible || property.is_visible);
        shown.map(|property| property.id).collect()
    }
}

/// A query that is ready to run.
pub(crate) struct Prepared {
    pub(crate) viewer: Viewer,
    pub(crate) workspace: WorkspaceId,
    /// The title of the database.
    pub(crate) title: PageTitle,
    /// The properties that the viewer sees.
    pub(crate) schema: Arc<Schema>,
    pub(crate) query: Query,
    /// The properties to show, in this order.
    pub(crate) select: Vec<PropertyId>,
    pub(crate) part_of: Option<RecordId>,
    /// Whether groups without records are shown.
    pub(crate) is_board: bool,
    pub(crate) after: Option<QueryPlace>,
    /// Records of the database that the viewer must not see.
    pub(crate) hidden: BTreeSet<RecordId>,
    /// The relations that the query uses.
    pub(crate) linked: BTreeMap<PropertyId, LinkedRecords>,
    /// The computed properties that the query uses.
    pub(crate) computed: ComputedPlan,
    /// Whether names of persons are needed: for keys, or for formulas.
    pub(crate) needs_names: bool,
    /// The tables that the query needs: that of the database, those with titles of linked records, and those from which
    /// something is computed.
    pub(crate) tables: BTreeMap<DatabaseId, Look>,
}

impl Prepared {
    /// Looks up what these queries over one database need besides themselves, for queries that count all records.
    pub(crate) async fn gather(
        view: &mut View,
        open: OpenDatabase,
        queries: &[&Query],
        sources: Sources<'_>,
    ) -> AppResult<Self> {
        let OpenDatabase { viewer, title, database, schema } = open;
        let workspace = database.workspace;
        let used: BTreeSet<_> = queries.iter().flat_map(|query| used_properties(query)).collect();
        let linked = linked_records(view, workspace, viewer.reader(), &schema, used.clone()).await?;
        let computed = plan(view, workspace, viewer.reader(), &schema, used).await?;
        let mut tables = BTreeMap::from([(database.id, sources.look(view, &database).await?)]);
        let mut others: BTreeSet<_> = queries.iter().flat_map(|query| titled(&schema, query, &linked)).collect();
        others.extend(computed.databases());
        if !viewer.reader().sees_archived() {
            // Their tables say which records are archived.
            others.extend(linked.values().filter(|linked| linked.is_visible()).map(|linked| linked.target));
        }
        for target in others {
            if !tables.contains_key(&target)
                && let Some(target) = view.tx.databases().find(workspace, target).await?
            {
                tables.insert(target.id, sources.look(view, &target).await?);
            }
        }
        let needs_names = computed.reads_persons || queries.iter().any(|query| names_persons(query, &schema));
        Ok(Self {
            viewer,
            workspace,
            title,
            schema,
            query: Query::default(),
            select: Vec::new(),
            part_of: None,
            is_board: false,
            after: None,
            hidden: BTreeSet::new(),
            linked,
            computed,
            needs_names,
            tables,
        })
    }

    /// The same for the records that the viewer sees.
    pub(crate) async fn seen(self, view: &mut View) -> AppResult<Self> {
        let hidden = self.viewer.reader().hidden_records(view, self.workspace, self.schema.database()).await?;
        Ok(Self { hidden, ..self })
    }

    /// Hides links to archived records from viewers that see none.
    pub(super) fn hide_archived_links(&mut self, tables: &Tables) {
        for linked in self.linked.values_mut() {
            if let Some(kept) = tables.get(&linked.target) {
                linked.hide(kept.table.archived());
            }
        }
    }

    pub(crate) fn request(&self) -> Request<'_> {
        Request { parent: self.part_of, with_empty_groups: self.is_board, ..Request::new(&self.schema, &self.query) }
    }
}

/// Where the tables of a query are looked for.
#[derive(Clone, Copy)]
pub(crate) enum Sources<'a> {
    Memory,
    /// Among tables that were read before the view began. A table in memory may be newer than what the view sees.
    Earlier(&'a BTreeMap<DatabaseId, KeptTable>),
}

impl Sources<'_> {
    async fn look(self, view: &mut View, database: &Database) -> AppResult<Look> {
        match self {
            Self::Memory => look(view, database).await,
            Self::Earlier(tables) => match tables.get(&database.id) {
                Some(table) => follow(view, database, table.clone()).await,
                None => Ok(Look::Missing),
            },
        }
    }
}

pub(crate) async fn prepare(
    view: &mut View,
    open: OpenDatabase,
    wanted: Draft<QueryRequest>,
    sources: Sources<'_>,
) -> AppResult<Prepared> {
    let QueryRequest { fields, view: base, part_of, after, shown } = wanted?;
    let (workspace, schema) = (open.database.workspace, Arc::clone(&open.schema));
    let base = match base {
        Some(base) => Some(find_view(view, workspace, &schema, base).await?),
        None => None,
    };
    let is_board = base.as_ref().is_some_and(|base| base.kind() == ViewType::Board);
    let shown = shown.of(&schema, base.as_ref());
    let sends_filter = fields.contains_key("filter");
    let mut query = over(base, fields, Columns::by_id(&schema))?;
    if !open.viewer.knows_persons() {
        refuse_filters_of_persons(&query, &schema)?;
    }
    query.include_archived &= open.viewer.reader().sees_archived();
    let select = query.select.clone().unwrap_or(shown);
    let prepared = Prepared::gather(view, open, &[&query], sources).await?.seen(view).await?;
    // A saved filter may have been saved before the formula changed.
    refuse_unfit_operators(query.filter.as_ref().filter(|_| sends_filter), &prepared.computed)?;
    refuse_unfit_aggregates(&query.aggregates, &prepared.computed)?;
    Ok(Prepared { query, select, part_of, is_board, after, ..prepared })
}

/// A filter would show which person is meant by an id.
fn refuse_filters_of_persons(query: &Query, schema: &Schema) -> AppResult<()> {
    let is_person = |id| schema.property(id).is_some_and(|found| found.kind().facts().filter == FilterKind::Person);
    let mut leaves = query.filter.iter().flat_map(Filter::leaves);
    let Some((path, _)) = leaves.find(|(_, leaf)| is_person(leaf.property)) else { return Ok(()) };
    let path = if path.is_empty() { "propertyId".to_owned() } else { format!("{path}.propertyId") };
    let rule = Some("persons cannot be filtered through a share link".to_owned());
    Err(Fault::from(DataProblem { rule, ..DataProblem::at_path(DataIssue::InvalidFilter, path) }).into())
}

async fn find_view(view: &mut View, workspace: WorkspaceId, schema: &Schema, id: ViewId) -> AppResult<views::View> {
    let views = view.tx.databases().list_views(workspace, &[schema.database()]).await?;
    let found = views.into_iter().find(|(_, stored)| stored.id == id);
    Ok(found.map(|(_, stored)| views::View::from_stored(stored, schema)).ok_or(Fault::NotFound)?)
}

/// The query that is sent, over the filter, sort, groups and page size of a view.
fn over(base: Option<views::View>, fields: Map<String, Value>, columns: Columns<'_>) -> AppResult<Query> {
    let is_sent = |name: &str| fields.contains_key(name);
    let [filter, sort, group, page_size] = ["filter", "sort", "group", "pageSize"].map(is_sent);
    let mut query = Query::read(fields, columns).map_err(of_query)?;
    let Some(base) = base else { return Ok(query) };
    if !filter {
        query.filter = base.selection.filter;
    }
    if !sort {
        query.sort = base.selection.sort;
    }
    if !group {
        query.group = base.selection.group;
    }
    if !page_size {
        query.page_size = base.page_size;
    }
    Ok(query)
}

/// The databases whose titles the query sorts or groups by.
fn titled(schema: &Schema, query: &Query, linked: &BTreeMap<PropertyId, LinkedRecords>) -> BTreeSet<DatabaseId> {
    let keys = query.sort.keys().iter().chain(query.group.keys()).map(|key| key.property);
    keys.filter(|id| {
        schema.property(*id).is_some_and(|property| property.kind().facts().sort == Some(SortKind::FirstTitle))
    })
    .filter_map(|id| linked.get(&id).filter(|linked| linked.is_visible()).map(|linked| linked.target))
    .collect()
}
