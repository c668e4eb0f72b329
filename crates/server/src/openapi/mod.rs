//! The published description, OpenAPI 3.1, generated from the declarations of the routes.

mod error_schema;
mod errors;
mod events;
mod operation;
mod payload_schema;
mod shared;
#[cfg(test)]
mod tests;
mod yaml;

pub(crate) use shared::OVERVIEW;

use crate::{
    route::{Area, BASE, Place},
    wire::Named,
};
use errors::SharedResponses;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The description of the routes of these areas in YAML, as it is served.
pub fn openapi_yaml(areas: &[Area]) -> String {
    yaml::write(Description::of(areas))
}

/// The same in JSON, without spaces. The viewer on the documentation page reads this form.
pub fn openapi_json(areas: &[Area]) -> String {
    // Plain data with text keys, so serializing it cannot fail.
    serde_json::to_string(&Description::of(areas)).unwrap_or_default()
}

/// The parts of the document, in the order in which they are best read.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    openapi: &'static str,
    info: Value,
    servers: Value,
    tags: Vec<Value>,
    paths: Map<String, Value>,
    webhooks: Map<String, Value>,
    components: Value,
}

impl Description {
    pub(crate) fn of(areas: &[Area]) -> Self {
        let mut named = Named::new();
        let mut paths = Map::new();
        let mut responses = SharedResponses::default();
        for area in areas {
            for route in area.routes().filter(|route| route.options.published) {
                for answer in route.answers {
                    (answer.shape.collect)(&mut named);
                }
                for (name, schema) in route.inputs().named {
                    let other = named.insert(name.clone(), schema);
                    debug_assert!(other.is_none_or(|other| other == named[&name]), "two schemas are named {name}");
                }
                for path in route.paths() {
                    let item = paths.entry(path).or_insert_with(|| json!({}));
                    item[route.method.as_str().to_ascii_lowercase()] =
                        operation::describe(area, route, path, &mut responses);
                    if route.options.place == Place::Origin {
                        item["servers"] =
                            json!([{ "url": "/", "description": "At the origin, not under the base path." }]);
                    }
                }
            }
        }
        let published = || areas.iter().flat_map(Area::routes).filter(|route| route.options.published);
        let deprecating = published().any(|route| route.options.deprecated.is_some());
        let webhooks = events::webhooks(&mut named);
        named.insert("Error".to_owned(), error_schema::schema());
        named.insert("ErrorDetail".to_owned(), error_schema::detail_schema());
        named.insert("FormError".to_owned(), error_schema::form_schema());
        Self {
            openapi: "3.1.0",
            info: shared::info(),
            servers: json!([{ "url": BASE, "description": "This service." }]),
            tags: areas
                .iter()
                .filter(|area| area.routes().any(|route| route.options.published))
                .map(|area| json!({ "name": area.name, "description": area.about }))
                .collect(),
            paths,
            webhooks,
            components: json!({
                "schemas": named,
                "responses": responses.into_components(),
                "parameters": shared::parameters(),
                "headers": shared::headers(deprecating),
                "securitySchemes": shared::security_schemes(),
            }),
        }
    }
}
