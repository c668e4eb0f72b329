//! Refusals in the description. They come from the same table as real ones.

use super::shared::{ALWAYS, header};
use crate::{
    refusal::{Problem, Refusal},
    route::{Bodies, Duplicates, Route, RouteReply},
    screen::Html,
    wire::Documented,
};
use actix_web::http::StatusCode;
use octavo_core_model::{
    Bucket, Fault, StoreError,
    fault::{Conflict, Issue, Violation},
    id::RequestId,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Error responses that many routes have, under the names by which routes refer to them.
#[derive(Debug, Default)]
pub(super) struct SharedResponses(Map<String, Value>);

impl SharedResponses {
    /// A reference to a response. A different response with the same name gets a number appended.
    fn refer_to(&mut self, status: StatusCode, response: Value) -> Value {
        let reason: String = status.canonical_reason().unwrap_or("Refused").split(' ').collect();
        let mut name = reason.clone();
        let mut number = 1;
        while self.0.get(&name).is_some_and(|known| *known != response) {
            number += 1;
            name = format!("{reason}{number}");
        }
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        self.0.insert(name, response);
        reference
    }

    pub(super) fn into_components(self) -> Value {
        Value::Object(self.0)
    }
}

/// The error responses of a route, by status: inline if the route adds refusals of its own, otherwise shared with
/// other routes.
pub(super) fn responses(route: &Route, shared: &mut SharedResponses) -> BTreeMap<u16, Value> {
    let mut by_status: BTreeMap<StatusCode, Vec<Problem>> = BTreeMap::new();
    let own: Vec<_> = route.refusals.iter().map(|fault| Refusal::Fault(fault.clone()).problem()).collect();
    let general: Vec<_> = general_refusals(route).iter().map(Refusal::problem).collect();
    for problem in own.iter().chain(&general) {
        // RFC 6749, 5.2: an app that sent its credentials in the header is asked for them again.
        let asked_again = problem.asks_for_client && route.bodies() == Bodies::JsonOrForm;
        for status in [Some(problem.status), asked_again.then_some(StatusCode::UNAUTHORIZED)].into_iter().flatten() {
            let problems = by_status.entry(status).or_default();
            if !problems.contains(problem) {
                problems.push(problem.clone());
            }
        }
    }
    let answered = |(status, problems): (StatusCode, Vec<Problem>)| {
        let whole = match route.bodies() {
            // A head that is too long is refused before the route is known, so never with a page.
            _ if status == StatusCode::URI_TOO_LONG => response(status, &problems),
            _ if route.is_screen() => page(status, &problems),
            Bodies::JsonOrForm => either_way(status, &problems),
            Bodies::Json | Bodies::Form | Bodies::Bytes | Bodies::Csv => response(status, &problems),
        };
        let is_general = problems.iter().all(|problem| general.contains(problem));
        (status.as_u16(), if is_general { shared.refer_to(status, whole) } else { whole })
    };
    by_status.into_iter().map(answered).collect()
}

/// The refusals that every route of this kind can give.
fn general_refusals(route: &Route) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let inputs = route.inputs();
    if inputs.body.is_some() || !inputs.query.is_empty() || route.mutates() {
        let violation = Violation::new("field", Issue::InvalidFormat).with(json!("what was sent"));
        refusals.push(Refusal::Fault(violation.into()));
    }
    // Also of routes without parameters: an address can be too long for its query, which they ignore.
    refusals.push(Refusal::UriTooLong);
    refusals.extend(route.caller.refusals().into_iter().map(Refusal::Fault));
    if route.takes_key() {
        if route.options.duplicates == Duplicates::Refused {
            refusals.push(Refusal::Fault(Fault::Conflict(Conflict::InProgress)));
        }
        refusals.push(Refusal::Fault(Fault::KeyReused));
    }
    if route.mutates() {
        if route.is_screen() {
            refusals.extend([Refusal::ForeignForm, Refusal::StaleForm]);
        }
        refusals.push(Refusal::BodyTooLarge { max: route.max_body().unwrap_or(1 << 20) });
        if route.takes_bytes() {
            refusals.push(Refusal::EncodedBody);
        }
        if route.bodies() != Bodies::Bytes {
            refusals.push(Refusal::WrongMediaType(route.bodies()));
        }
    }
    if route.is_screen() && !route.mutates() {
        refusals.push(Refusal::ForeignEmbedding);
    }
    if !route.options.free {
        refusals.push(Refusal::RateLimited { bucket: Bucket::Generic, retry_after: 12 });
    }
    refusals.push(Refusal::Fault(Fault::Internal("")));
    refusals.push(Refusal::Fault(Fault::Store(StoreError::Unavailable)));
    refusals.push(Refusal::Overloaded);
    refusals
}

fn response(status: StatusCode, problems: &[Problem]) -> Value {
    let mut examples = Map::new();
    for problem in problems {
        // A route's own refusals come first. A general one with the same reason does not replace their example.
        examples.entry(name(problem)).or_insert_with(|| json!({ "value": body(problem) }));
    }
    let mut messages: Vec<&str> = Vec::new();
    for problem in problems {
        if !messages.contains(&problem.message.as_ref()) {
            messages.push(&problem.message);
        }
    }
    let mut headers: Map<_, _> = ALWAYS.iter().map(|(name, kind)| ((*name).to_owned(), header(kind))).collect();
    if problems.iter().any(|problem| problem.retry_after.is_some()) {
        headers.insert("Retry-After".to_owned(), header("RetryAfter"));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert("WWW-Authenticate".to_owned(), header("WwwAuthenticate"));
    }
    json!({
        "description": messages.join(" Or: "),
        "headers": headers,
        "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/Error" }, "examples": examples },
        },
    })
}

/// A refusal as a page for browsers.
fn page(status: StatusCode, problems: &[Problem]) -> Value {
    let mut page = response(status, problems);
    page["content"] = json!({ Html::MEDIA: { "schema": Html::schema(), "example": Html::example() } });
    page
}

/// A refusal in the format for JSON callers or for forms.
fn either_way(status: StatusCode, problems: &[Problem]) -> Value {
    let mut either = response(status, problems);
    let [json, form] = ["Error", "FormError"].map(|name| json!({ "$ref": format!("#/components/schemas/{name}") }));
    either["content"]["application/json"]["schema"] = json!({ "oneOf": [json, form] });
    either
}

/// What distinguishes a refusal from others with the same status: its cause, otherwise its code.
fn name(problem: &Problem) -> String {
    let cause = problem.details.first().and_then(|detail| detail.get("reason").or_else(|| detail.get("issue")));
    let cause = cause.and_then(Value::as_str).unwrap_or(problem.code);
    match problem.details.first().and_then(|detail| detail.get("field")).and_then(Value::as_str) {
        Some(field) => format!("{field}_{cause}"),
        None => cause.to_owned(),
    }
}

fn body(problem: &Problem) -> Value {
    let id = RequestId::example().as_str().and_then(|text| text.parse().ok());
    let id = id.unwrap_or_else(|| RequestId::new(0, [0; 10]));
    serde_json::from_slice(&problem.to_json(id)).unwrap_or_default()
}
