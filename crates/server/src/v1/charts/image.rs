//! `/charts/{chartId}/image.svg`

use super::{chart::UNFIT, scope::zone};
use crate::{
    answer::{Answer, FileBody, FileBytes, disposition, put_header},
    dispatcher::Dispatcher,
    route::{Path, Query, RouteReply, routes},
    v1::{databases::view_sent::SentFilter, records::query::TOO_LARGE},
    wire::{Documented, JsonText, Whole, query},
};
use actix_web::{
    http::{
        StatusCode,
        header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue},
    },
    web::Bytes,
};
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    charts::{self, ChartScope},
};
use octavo_charts::svg::{Look, Size, Theme};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Denial},
    id::ChartId,
    text::TimeZone,
};
use serde_json::Value;
use std::{borrow::Cow, sync::Arc};

query! {
    /// How to draw a chart, and what.
    pub(crate) ChartImageQuery {
        /// `light` by default.
        theme "theme": optional Theme,
        /// Its width in pixels; 720 by default.
        width "width": optional Whole<200, 2000> = 720,
        /// Its height in pixels; 400 by default.
        height "height": optional Whole<150, 1500> = 400,
        /// Records also have to meet this filter, as JSON.
        filter "filter": optional JsonText<SentFilter>,
        /// The time zone in which days begin; by default that of the caller, and UTC for API keys.
        timezone "timezone": optional TimeZone,
    }
}

/// A chart as a picture.
#[derive(Debug)]
pub(crate) struct ChartImage;

impl Documented for ChartImage {
    fn schema() -> Value {
        serde_json::json!({ "type": "string" })
    }

    fn example() -> Value {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"400\"></svg>".into()
    }
}

impl RouteReply for ChartImage {
    const MEDIA: &'static str = "image/svg+xml";
}

/// A picture loads nothing and runs nothing, wherever it is opened.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox; frame-ancestors 'none'");

routes! {
    /// Draws a chart.
    ///
    /// As SVG, from the same points as its data. The picture has no scripts and refers to nothing, so it can be shown in
    /// mails and documents.
    GET "/charts/{chartId}/image.svg" as drawChart => image {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (chart: Path<ChartId>, query: Query<ChartImageQuery>),
        answers: { 200: ChartImage },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Data(Cow::Borrowed(UNFIT)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }
}

async fn image(dispatcher: Dispatcher, call: Call, chart: Draft<ChartId>, query: Draft<ChartImageQuery>) -> Answer {
    let wanted = query.and_then(|query| {
        let size = Size::new(pixels(query.width, 720), pixels(query.height, 400));
        let look = Look { size, theme: query.theme.unwrap_or(Theme::Light) };
        let scope = ChartScope { filter: query.filter.map(|sent| sent.value), zone: zone(query.timezone.as_ref())? };
        Ok((scope, look))
    });
    let draw = move |engine: Arc<Engine>, call: Call| async move { charts::image(&engine, call, chart, wanted).await };
    match dispatcher.computing().ask(call, draw).await {
        Ok((name, svg)) => Answer::File(file(&name, svg)),
        Err(refusal) => refusal.into(),
    }
}

fn pixels<const MIN: i64, const MAX: i64>(sent: Option<Whole<MIN, MAX>>, default: u16) -> u16 {
    sent.and_then(|sent| u16::try_from(sent.0).ok()).unwrap_or(default)
}

fn file(name: &str, svg: String) -> FileBytes {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    put_header(&mut headers, CONTENT_DISPOSITION, &disposition("inline", &format!("{name}.svg")));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    FileBytes { status: StatusCode::OK, headers, body: FileBody::Whole(Bytes::from(svg)) }
}
