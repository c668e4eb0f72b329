//! `/dashboards`

use super::dashboard::{DashboardHome, DashboardReply, LAYOUT, NewDashboardBody};
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Located, Query, routes},
    v1::{databases::view::UNFIT_FILTER, locations},
    wire::{Data, Page, query},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    dashboards::{self, DashboardList, NewDashboard},
};
use octavo_core_model::{
    Fault, Level,
    dashboard::Dashboard,
    fault::{Conflict, Denial, Issue, Violation},
    id::{DashboardId, DatabaseId, PageId},
    page::ResourceId,
};
use serde_json::Value;
use std::borrow::Cow;

query! {
    /// Which dashboards to list.
    pub(crate) DashboardsQuery {
        page: DashboardId, 20 up to 100;
        /// Only those on this page.
        page_id "pageId": optional PageId,
        /// Only those in this database.
        database_id "databaseId": optional DatabaseId,
    }
}

routes! {
    /// Creates a dashboard.
    ///
    /// For callers that may edit the page or database that it is on, which has at most 50. Charts, views and databases that
    /// it names must exist for the caller.
    POST "/dashboards" as createDashboard => create {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (home: EarlyFields<DashboardHome>, body: Body<NewDashboardBody>),
        answers: { 201: Located<Data<DashboardReply>> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::UnknownId("pageId"),
            Fault::Conflict(Conflict::DatabaseArchived),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(Dashboard::MOST_PER_HOST)),
            Fault::Data(Cow::Borrowed(LAYOUT)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
        ],
        events: [DashboardCreated],
    }

    /// Lists dashboards.
    ///
    /// Those that the caller may see, newest first.
    GET "/dashboards" as listDashboards => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (query: Query<DashboardsQuery>),
        answers: { 200: Page<DashboardReply> },
        refusals: [Fault::NotFound, Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}

/// The page or database that a call names, which must be exactly one.
fn host(page: Option<PageId>, database: Option<DatabaseId>) -> Draft<ResourceId> {
    match (page, database) {
        (Some(page), None) => Ok(ResourceId::Page(page)),
        (None, Some(database)) => Ok(ResourceId::Database(database)),
        (None, None) => Err(Violation::new("pageId", Issue::Required).into()),
        (Some(_), Some(_)) => Err(Violation::new("databaseId", Issue::InvalidValue).into()),
    }
}

async fn create(
    dispatcher: Dispatcher,
    call: Call,
    home: Draft<DashboardHome>,
    body: Draft<NewDashboardBody>,
) -> Answer {
    let host = home.and_then(|home| host(home.page_id.flatten(), home.database_id.flatten()));
    let draft = body.map(|body| {
        // They are read early.
        let _ = (body.page_id, body.database_id);
        let [widgets, filters] = [body.widgets.map(|sent| sent.0), body.filters.map(|sent| sent.0)]
            .map(|sent| sent.unwrap_or_else(|| Value::Array(Vec::new())));
        NewDashboard { name: body.name, widgets, filters }
    });
    let shape = |dashboard: Dashboard| {
        let location = locations::dashboard(dashboard.id);
        created(DashboardReply::from(dashboard)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(dashboards::create(unit, host, draft)), shape).await
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<DashboardsQuery>) -> Answer {
    let asked = query.and_then(|query| {
        let host = match (query.page_id, query.database_id) {
            (None, None) => None,
            (page, database) => Some(host(page, database)?),
        };
        Ok(DashboardList { host, before: query.page.after, limit: query.page.fetch() })
    });
    let position = |dashboard: &Dashboard| dashboard.id;
    dispatcher.list(call, move |view| Box::pin(dashboards::list(view, asked)), position, DashboardReply::from).await
}
