//! `/dashboards/{dashboardId}`

use super::dashboard::{DashboardBody, DashboardReply, LAYOUT};
use crate::{
    answer::{Answer, ok, versioned},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Nothing, Path, expected_version, routes},
    v1::databases::view::UNFIT_FILTER,
    wire::Data,
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    dashboards::{self, DashboardUpdate},
};
use octavo_core_model::{
    Fault, Level,
    dashboard::Dashboard,
    fault::{Conflict, Denial},
    id::DashboardId,
    version::{Expected, Stale},
};
use std::borrow::Cow;

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const ARCHIVED: Fault = Fault::Conflict(Conflict::DatabaseArchived);
const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);
const STALE: Fault = Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 }));

routes! {
    /// Shows a dashboard.
    ///
    /// Its widgets and where they are, for everybody who may see the page or database that it is on. What they show is
    /// another route.
    GET "/dashboards/{dashboardId}" as getDashboard => get {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (dashboard: Path<DashboardId>),
        answers: { 200: Data<DashboardReply>, 304: Nothing },
        refusals: [EDIT],
        events: [],
    }

    /// Changes a dashboard.
    ///
    /// For callers that may edit the page or database that it is on. Widgets are replaced as a whole, and keep the ids
    /// that they are sent with. What the dashboard names already may be gone or hidden; what is new must exist.
    PATCH "/dashboards/{dashboardId}" as updateDashboard => change {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (dashboard: Path<DashboardId>, version: IfMatch, body: Body<DashboardBody>),
        answers: { 200: Data<DashboardReply> },
        refusals: [
            EDIT,
            Fault::UnknownId("widgets"),
            STALE,
            ARCHIVED,
            TRASHED,
            Fault::Data(Cow::Borrowed(LAYOUT)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
        ],
        events: [DashboardUpdated],
    }

    /// Deletes a dashboard.
    ///
    /// For callers that may edit the page or database that it is on. What it shows stays.
    DELETE "/dashboards/{dashboardId}" as deleteDashboard => delete {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (dashboard: Path<DashboardId>, version: IfMatch),
        answers: { 204: Nothing },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED],
        events: [DashboardDeleted],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, dashboard: Draft<DashboardId>) -> Answer {
    let shape = |dashboard: Dashboard| versioned(dashboard.version, DashboardReply::from(dashboard));
    dispatcher.read(call, move |view| Box::pin(dashboards::get(view, dashboard)), shape).await
}

async fn change(
    dispatcher: Dispatcher,
    call: Call,
    dashboard: Draft<DashboardId>,
    version: Draft<Option<Expected>>,
    body: Draft<DashboardBody>,
) -> Answer {
    let draft = version.and_then(|header| {
        let DashboardBody { name, widgets, filters, version } = body?;
        let expected = expected_version(header, version.map(|version| version.0))?;
        let (widgets, filters) = (widgets.map(|sent| sent.0), filters.map(|sent| sent.0));
        Ok(DashboardUpdate { name, widgets, filters, expected })
    });
    let shape = |dashboard| ok(DashboardReply::from(dashboard));
    dispatcher.write(call, move |unit| Box::pin(dashboards::change(unit, dashboard, draft)), shape).await
}

async fn delete(
    dispatcher: Dispatcher,
    call: Call,
    dashboard: Draft<DashboardId>,
    version: Draft<Option<Expected>>,
) -> Answer {
    let shape = |()| Reply::nothing();
    dispatcher.write(call, move |unit| Box::pin(dashboards::delete(unit, dashboard, version)), shape).await
}
