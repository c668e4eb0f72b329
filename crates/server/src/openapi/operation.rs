//! One operation of the description.

use super::{
    errors::{self, SharedResponses},
    shared::{ALWAYS, header},
};
use crate::{
    request::Inputs,
    route::{AnswerDoc, Area, Caller, Ids, Route, parameter_names},
    wire::{Bodies, MediaDoc, ParameterDoc, prose},
};
use actix_web::http::StatusCode;
use octavo_app::access::{AppRequirement, RouteAccess};
use octavo_core_model::{AppScope, Bucket};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Describes a route under one of its paths.
pub(super) fn describe(area: &Area, route: &Route, path: &str, shared: &mut SharedResponses) -> Value {
    let inputs = route.inputs();
    let mut responses: Map<String, Value> =
        errors::responses(route, shared).into_iter().map(|(status, response)| (status.to_string(), response)).collect();
    for answer in route.answers {
        responses.insert(answer.status.to_string(), success(route, answer, &inputs));
    }
    let mut operation = json!({
        "tags": [area.name],
        "operationId": route.operation_at(path),
        "summary": route.summary.trim().trim_end_matches('.'),
        "description": description(route, path),
        "parameters": parameters(route, path, &inputs),
        "responses": responses,
        "security": security(route),
    });
    if let Some(body) = inputs.body {
        let is_required = !(body.flaws)(&json!({})).is_empty();
        operation["requestBody"] = json!({
            "required": is_required,
            "content": route.bodies().media().iter()
                .map(|media| ((*media).to_owned(), json!({ "schema": body.schema, "example": body.example })))
                .collect::<Map<_, _>>(),
        });
    }
    if inputs.bytes {
        let bytes = if route.bodies() == Bodies::Csv {
            json!({ "schema": { "type": "string" }, "example": "Name,Email\nAda Lovelace,ada@example.com\n" })
        } else {
            json!({ "schema": { "type": "string", "format": "binary" } })
        };
        let content: Map<_, _> =
            route.bodies().media().iter().map(|media| ((*media).to_owned(), bytes.clone())).collect();
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    if route.options.deprecated.is_some() {
        operation["deprecated"] = true.into();
    }
    operation
}

/// The ways to authenticate; includes an empty one if authentication is optional.
fn security(route: &Route) -> Vec<Value> {
    let scope = match route.caller {
        Caller::Inside(RouteAccess { app: AppRequirement::Area { area, writes }, .. }) => {
            Some(AppScope::needed(area, writes))
        }
        _ => None,
    };
    let requirement = |name: &str| match scope {
        Some(scope) if name == "appToken" => json!({ name: [scope] }),
        _ => json!({ name: [] }),
    };
    let mut requirements: Vec<_> = route.caller.credentials().iter().copied().map(requirement).collect();
    if !requirements.is_empty() && !route.caller.needs_credential() {
        requirements.insert(0, json!({}));
    }
    requirements
}

/// The doc comment, with additions from the declaration.
fn description(route: &Route, path: &str) -> String {
    let mut text = prose(route.description).trim().to_owned();
    let buckets: Vec<_> = general_buckets(route).iter().chain(route.limits).map(|bucket| limit(*bucket)).collect();
    // Writing to a String cannot fail.
    if path != route.path {
        let _ = write!(text, "\n\nAnother name of `{}`; both count in the same buckets.", route.path);
    }
    if buckets.is_empty() {
        text.push_str("\n\n**Rate limit**: none.");
    } else {
        let _ = write!(text, "\n\n**Rate limits** (defaults): {}.", buckets.join("; "));
        if route.caller.credentials().contains(&"apiKey") {
            let _ = write!(text, " For API keys {} in place of the first two.", limit(Bucket::ApiKey));
        }
    }
    if !route.events.is_empty() {
        let names: Vec<_> = route.events.iter().map(|kind| format!("`{}`", kind.name())).collect();
        let _ = write!(text, "\n\n**Events**: {}.", names.join(", "));
    }
    if let Some(sunset) = route.options.deprecated {
        let _ = write!(text, "\n\n**Deprecated**: goes away on {sunset}.");
    }
    text
}

const fn general_buckets(route: &Route) -> &'static [Bucket] {
    if route.options.free { &[] } else { &[Bucket::Generic, Bucket::Ip] }
}

fn limit(bucket: Bucket) -> String {
    let window = match bucket.window().as_secs() {
        60 => "a minute".to_owned(),
        3600 => "an hour".to_owned(),
        seconds => format!("{} minutes", seconds / 60),
    };
    format!("`{}` {} in {window}", bucket.name(), bucket.default_limit())
}

fn parameters(route: &Route, path: &str, inputs: &Inputs) -> Vec<Value> {
    let mut parameters = Vec::new();
    for (name, (schema, example)) in parameter_names(path).zip(&inputs.path) {
        let otherwise = match route.options.ids {
            Ids::Revealed => "404",
            Ids::Concealed => "answered like any other",
        };
        let about = format!("The `{name}` of the path. One that is malformed or unknown is {otherwise}.");
        parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": about, "schema": schema, "example": example,
        }));
    }
    parameters.extend(inputs.query.iter().map(|parameter| parameter_json(parameter, "query")));
    parameters.extend(inputs.headers.iter().map(|parameter| parameter_json(parameter, "header")));
    if route.caller.brings_credential() {
        parameters.push(json!({ "$ref": "#/components/parameters/Workspace" }));
    }
    let is_described = || inputs.headers.iter().any(|header| header.name == "If-None-Match");
    if route.is_conditional() && !is_described() {
        parameters.push(json!({ "$ref": "#/components/parameters/IfNoneMatch" }));
    }
    if route.takes_key() {
        parameters.push(json!({ "$ref": "#/components/parameters/IdempotencyKey" }));
    }
    parameters
}

fn parameter_json(parameter: &ParameterDoc, place: &str) -> Value {
    let mut described = json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.required,
        "description": parameter.about,
        "schema": parameter.schema,
    });
    if described["schema"]["type"] == "array" {
        // One text with commas.
        described["style"] = "form".into();
        described["explode"] = false.into();
    }
    if parameter.required {
        described["example"] = parameter.example.clone();
    }
    described
}

fn success(route: &Route, answer: &AnswerDoc, inputs: &Inputs) -> Value {
    let mut headers: Map<_, _> = ALWAYS.iter().map(|(name, kind)| ((*name).to_owned(), header(kind))).collect();
    if route.takes_key() {
        headers.insert("Idempotency-Replayed".to_owned(), header("IdempotencyReplayed"));
    }
    if route.is_conditional() {
        headers.insert("ETag".to_owned(), header("ETag"));
    }
    if answer.shape.has_location {
        headers.insert("Location".to_owned(), header("Location"));
    }
    if inputs.body.is_some() {
        headers.insert("X-Unknown-Fields".to_owned(), header("UnknownFields"));
        headers.insert("Preference-Applied".to_owned(), header("PreferenceApplied"));
    }
    if route.options.deprecated.is_some() {
        headers.insert("Deprecation".to_owned(), header("Deprecation"));
        headers.insert("Sunset".to_owned(), header("Sunset"));
    }
    let reason = StatusCode::from_u16(answer.status).ok().and_then(|status| status.canonical_reason());
    let mut response = json!({ "description": reason.unwrap_or("Done"), "headers": headers });
    if !answer.shape.media.is_empty() {
        let (schema, example) = ((answer.shape.schema)(), (answer.shape.example)());
        let first = MediaDoc { media: answer.shape.media, schema, example };
        let content: Map<_, _> = [first]
            .into_iter()
            .chain((answer.shape.alternatives)())
            .map(|MediaDoc { media, schema, example }| {
                (media.to_owned(), json!({ "schema": schema, "example": example }))
            })
            .collect();
        response["content"] = content.into();
    }
    response
}
