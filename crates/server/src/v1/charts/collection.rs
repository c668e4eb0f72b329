//! `/charts` and `/databases/{databaseId}/charts`

use super::chart::{ChartHome, ChartReply, NewChartBody, UNFIT};
use crate::{
    answer::{Answer, created, ok},
    dispatcher::Dispatcher,
    route::{Body, EarlyFields, Located, Path, routes},
    v1::{databases::view::UNFIT_FILTER, locations},
    wire::Data,
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    charts::{self, NewChart},
};
use octavo_core_model::{
    Fault, Level,
    chart::Chart,
    fault::{Conflict, Denial},
    id::DatabaseId,
};
use std::borrow::Cow;

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const ARCHIVED: Fault = Fault::Conflict(Conflict::DatabaseArchived);
const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);

routes! {
    /// Creates a chart.
    ///
    /// For callers that may edit the database, which has at most 100 charts. Axes, aggregation and filter must fit its
    /// properties. Dates that have no `bucket` are counted by month.
    POST "/charts" as createChart => create {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (home: EarlyFields<ChartHome>, body: Body<NewChartBody>),
        answers: { 201: Located<Data<ChartReply>> },
        refusals: [
            EDIT,
            ARCHIVED,
            TRASHED,
            Fault::UnknownId("databaseId"),
            Fault::Conflict(Conflict::LimitReached(Chart::MOST_PER_DATABASE)),
            Fault::Data(Cow::Borrowed(UNFIT)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
        ],
        events: [ChartCreated],
    }

    /// Lists the charts of a database.
    ///
    /// All of them, by name.
    GET "/databases/{databaseId}/charts" as listCharts => list {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Data<Vec<ChartReply>> },
        refusals: [EDIT],
        events: [],
    }
}

async fn create(dispatcher: Dispatcher, call: Call, home: Draft<ChartHome>, body: Draft<NewChartBody>) -> Answer {
    let database = home.map(|home| home.database_id);
    let draft = body.map(|body| {
        // It is read early.
        let _ = body.database_id;
        NewChart { name: body.name.clone(), settings: body.settings() }
    });
    let shape = |chart: Chart| {
        let location = locations::chart(chart.id);
        created(ChartReply::from(chart)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(charts::create(unit, database, draft)), shape).await
}

async fn list(dispatcher: Dispatcher, call: Call, database: Draft<DatabaseId>) -> Answer {
    let shape = |charts: Vec<Chart>| ok(charts.into_iter().map(ChartReply::from).collect::<Vec<_>>());
    dispatcher.read(call, move |view| Box::pin(charts::list(view, database)), shape).await
}
