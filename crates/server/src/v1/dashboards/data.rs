//! `/dashboards/{dashboardId}/data`

use super::widgets::DashboardDataReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Path, Query, routes},
    v1::charts::zone,
    wire::{Data, query},
};
use octavo_app::{Call, Draft, Engine, access::RouteAccess, dashboards};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Denial},
    id::DashboardId,
    text::TimeZone,
};
use std::sync::Arc;

query! {
    /// Where days begin.
    pub(crate) DashboardScopeQuery {
        /// The time zone in which days begin; by default that of the caller, and UTC for API keys.
        timezone "timezone": optional TimeZone,
    }
}

routes! {
    /// Shows what the widgets of a dashboard show.
    ///
    /// Computed from the records as they are now, narrowed by the filters of the dashboard. A widget whose source the caller
    /// may not see, or that is gone, has an error and nothing else.
    GET "/dashboards/{dashboardId}/data" as getDashboardData => data {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (dashboard: Path<DashboardId>, query: Query<DashboardScopeQuery>),
        answers: { 200: Data<DashboardDataReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }
}

async fn data(
    dispatcher: Dispatcher,
    call: Call,
    dashboard: Draft<DashboardId>,
    query: Draft<DashboardScopeQuery>,
) -> Answer {
    let zone = query.and_then(|query| zone(query.timezone.as_ref()));
    let flow = move |engine: Arc<Engine>, call: Call| async move {
        let answer = dashboards::dashboard_data(&engine, call, dashboard, zone).await?;
        Ok(ok(DashboardDataReply::from(answer)))
    };
    dispatcher.computing().flow(call, flow).await
}
