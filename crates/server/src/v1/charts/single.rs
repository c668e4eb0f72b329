//! `/charts/{chartId}`

use super::chart::{ChartBody, ChartReply, UNFIT};
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
    charts::{self, ChartUpdate},
};
use octavo_core_model::{
    Fault, Level,
    chart::Chart,
    fault::{Conflict, Denial},
    id::ChartId,
    version::{Expected, Stale},
};
use std::borrow::Cow;

const EDIT: Fault = Fault::Forbidden(Denial::RequiresLevel(Level::Edit));
const ARCHIVED: Fault = Fault::Conflict(Conflict::DatabaseArchived);
const TRASHED: Fault = Fault::Conflict(Conflict::PageTrashed);
const STALE: Fault = Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 }));

routes! {
    /// Shows a chart.
    ///
    /// Its settings, for everybody who may see its database. What it shows is another route.
    GET "/charts/{chartId}" as getChart => get {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (chart: Path<ChartId>),
        answers: { 200: Data<ChartReply>, 304: Nothing },
        refusals: [EDIT],
        events: [],
    }

    /// Changes a chart.
    ///
    /// For callers that may edit its database. The type can change, if the axes fit the new one. A change that changes
    /// nothing raises no version.
    PATCH "/charts/{chartId}" as updateChart => change {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (chart: Path<ChartId>, version: IfMatch, body: Body<ChartBody>),
        answers: { 200: Data<ChartReply> },
        refusals: [
            EDIT,
            STALE,
            ARCHIVED,
            TRASHED,
            Fault::Data(Cow::Borrowed(UNFIT)),
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
        ],
        events: [ChartUpdated],
    }

    /// Deletes a chart.
    ///
    /// For callers that may edit its database. Blocks, views and widgets that show it stay, and show it as missing.
    DELETE "/charts/{chartId}" as deleteChart => delete {
        caller: Inside(RouteAccess::DATABASES_CHANGE),
        limits: [],
        takes: (chart: Path<ChartId>, version: IfMatch),
        answers: { 204: Nothing },
        refusals: [EDIT, STALE, ARCHIVED, TRASHED],
        events: [ChartDeleted],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, chart: Draft<ChartId>) -> Answer {
    let shape = |chart: Chart| versioned(chart.version, ChartReply::from(chart));
    dispatcher.read(call, move |view| Box::pin(charts::get(view, chart)), shape).await
}

async fn change(
    dispatcher: Dispatcher,
    call: Call,
    chart: Draft<ChartId>,
    version: Draft<Option<Expected>>,
    body: Draft<ChartBody>,
) -> Answer {
    let draft = version.and_then(|header| {
        let body = body?;
        let expected = expected_version(header, body.version.as_ref().map(|version| version.0))?;
        Ok(ChartUpdate { name: body.name.clone(), settings: body.settings(), expected })
    });
    let shape = |chart| ok(ChartReply::from(chart));
    dispatcher.write(call, move |unit| Box::pin(charts::change(unit, chart, draft)), shape).await
}

async fn delete(dispatcher: Dispatcher, call: Call, chart: Draft<ChartId>, version: Draft<Option<Expected>>) -> Answer {
    let shape = |()| Reply::nothing();
    dispatcher.write(call, move |unit| Box::pin(charts::delete(unit, chart, version)), shape).await
}
