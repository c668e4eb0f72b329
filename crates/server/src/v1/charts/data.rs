//! `/charts/{chartId}/data` and `/charts/preview`

use super::{
    chart::{ChartHome, PreviewBody, UNFIT},
    points::ChartDataReply,
    scope::{ChartScopeQuery, zone},
};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Path, Query, routes},
    v1::{databases::view::UNFIT_FILTER, records::query::TOO_LARGE},
    wire::Data,
};
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    charts::{self, Preview},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Denial},
    id::ChartId,
};
use std::{borrow::Cow, sync::Arc};

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));

routes! {
    /// Shows the points of a chart.
    ///
    /// Computed from the records as they are now, without those that the caller may not see. A record with several
    /// options, persons or links counts once under each. Spans of the calendar without records between the first and the
    /// last one are points, too. If the properties of the database no longer allow the chart, `field` names the setting.
    GET "/charts/{chartId}/data" as getChartData => data {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (chart: Path<ChartId>, query: Query<ChartScopeQuery>),
        answers: { 200: Data<ChartDataReply> },
        refusals: [
            EDIT,
            Fault::Data(Cow::Borrowed(UNFIT)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }

    /// Shows the points of a chart that is not stored.
    ///
    /// For everybody who may see the database. Nothing is stored.
    POST "/charts/preview" as previewChart => preview {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (home: EarlyFields<ChartHome>, body: Body<PreviewBody>),
        answers: { 200: Data<ChartDataReply> },
        refusals: [
            EDIT,
            Fault::UnknownId("databaseId"),
            Fault::Data(Cow::Borrowed(UNFIT)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }
}

async fn data(dispatcher: Dispatcher, call: Call, chart: Draft<ChartId>, query: Draft<ChartScopeQuery>) -> Answer {
    let scope = query.and_then(ChartScopeQuery::scope);
    let flow = move |engine: Arc<Engine>, call: Call| async move {
        let (_, answer) = charts::chart_data(&engine, call, chart, scope).await?;
        Ok(ok(ChartDataReply::from(answer)))
    };
    dispatcher.computing().flow(call, flow).await
}

async fn preview(dispatcher: Dispatcher, call: Call, home: Draft<ChartHome>, body: Draft<PreviewBody>) -> Answer {
    let database = home.map(|home| home.database_id);
    let wanted = body.and_then(|body| {
        // The database is read early, and the name is that of a chart to be created.
        let _ = (body.database_id, &body.name);
        let zone = zone(body.timezone.as_ref())?;
        Ok(Preview { settings: body.settings(), zone })
    });
    let flow = move |engine: Arc<Engine>, call: Call| async move {
        let answer = charts::preview(&engine, call, database, wanted).await?;
        Ok(ok(ChartDataReply::from(answer)))
    };
    dispatcher.computing().flow(call, flow).await
}
