//! Whether what a dashboard names exists for the person who writes it.

use crate::{
    access::WorkspaceCaller, blocks::ExistingReferences, databases::faults::of_query, loaded_schemas::schema_of,
    outcome::AppResult, scope::Unit,
};
use octavo_blocks_tree::Reference;
use octavo_charts::dashboards::{Content, DashboardFault, DashboardFilter, LayoutProblem, WidgetIds, Widgets};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
    id::WidgetId,
};
use octavo_databases::query::{Columns, Filter};
use octavo_permissions::Authority;
use serde_json::Value;
use std::collections::BTreeSet;

/// What a dashboard shows and how it narrows that.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) widgets: Widgets,
    pub(super) filters: Vec<DashboardFilter>,
}

/// Reads widgets. Those that are sent with a known id keep it.
pub(super) fn read_widgets(unit: &mut Unit, sent: &Value, known: &Widgets) -> AppResult<Widgets> {
    let known = known.as_slice().iter().map(|widget| widget.id).collect();
    let mut draw = || unit.id(WidgetId::new);
    Ok(Widgets::read(sent, &mut WidgetIds { known, draw: &mut draw }).map_err(of_dashboard)?)
}

pub(super) fn read_filters(sent: &Value) -> AppResult<Vec<DashboardFilter>> {
    Ok(DashboardFilter::read_all(sent).map_err(of_dashboard)?)
}

fn of_dashboard(fault: DashboardFault) -> Fault {
    let problem = |LayoutProblem { field, message }| DataProblem {
        rule: Some(message),
        ..DataProblem::in_field(DataIssue::WidgetLayout, field)
    };
    match fault {
        DashboardFault::Invalid(violations) => Fault::Invalid(violations),
        DashboardFault::Layout(problems) => Fault::Data(problems.into_iter().map(problem).collect::<Vec<_>>().into()),
    }
}

/// Checks that charts, views and databases exist for the caller. What the dashboard has named before is not checked again:
/// it may have been deleted since, or be hidden from this person.
pub(super) async fn require_known(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    before: &Contents,
    after: &mut Contents,
) -> AppResult<()> {
    let named_before: BTreeSet<String> =
        before.widgets.as_slice().iter().filter_map(|widget| named(&widget.content)).collect();
    let is_new = |content: &Content| named(content).is_some_and(|id| !named_before.contains(&id));
    let shown = after.widgets.as_slice().iter().map(|widget| &widget.content).filter(|content| is_new(content));
    let shown: Vec<_> = shown.filter_map(reference).collect();
    let changed = |filter: &&mut DashboardFilter| !before.filters.contains(filter);
    let filtered: Vec<_> = after.filters.iter_mut().enumerate().filter(|(_, filter)| changed(filter)).collect();
    let databases = filtered.iter().map(|(_, filter)| Reference::Database(filter.database));
    let all: Vec<_> = shown.iter().copied().chain(databases).collect();
    if all.is_empty() {
        return Ok(());
    }
    let there = ExistingReferences::load(unit, caller, authority, &all, std::iter::empty()).await?;
    if shown.iter().any(|reference| !there.has(*reference)) {
        return Err(Fault::UnknownId("widgets").into());
    }
    for (index, filter) in filtered {
        if !there.has(Reference::Database(filter.database)) {
            return Err(Fault::UnknownId("filters").into());
        }
        let database = unit.tx.databases().find(caller.workspace, filter.database).await?;
        let schema = schema_of(unit, &database.ok_or(Fault::UnknownId("filters"))?).await?;
        let read = Filter::read(&filter.filter, Columns::by_id(&schema));
        let read = read.map_err(|fault| within(of_query(fault), &format!("filters.{index}.filter")))?;
        filter.filter = read.as_ref().map_or(Value::Null, Filter::to_json);
    }
    Ok(())
}

/// The same problems of a part of the body.
fn within(fault: Fault, field: &str) -> Fault {
    let Fault::Data(problems) = fault else { return fault };
    let named = |problem: &DataProblem| DataProblem { field: Some(field.to_owned()), ..problem.clone() };
    Fault::Data(problems.iter().map(named).collect::<Vec<_>>().into())
}

fn named(content: &Content) -> Option<String> {
    match content {
        Content::Chart(id) => Some(id.to_string()),
        Content::View(id) => Some(id.to_string()),
        Content::Text(_) => None,
    }
}

const fn reference(content: &Content) -> Option<Reference> {
    match content {
        Content::Chart(id) => Some(Reference::Chart(*id)),
        Content::View(id) => Some(Reference::View(*id)),
        Content::Text(_) => None,
    }
}
