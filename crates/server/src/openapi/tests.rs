//! The description holds every route, whole and consistent.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use crate::{
    SNAPSHOTS,
    request::BodyDoc,
    route::parameter_names,
    v1::AREAS,
    wire::{Documented, pascal_case, reference},
};
use octavo_core_model::{
    event::{EventType, Reach},
    fault::Issue,
};
use std::{collections::BTreeSet, fmt::Write, fs};

fn description() -> Value {
    serde_json::from_str(&openapi_json(AREAS)).unwrap()
}

fn operations(description: &Value) -> Vec<(String, &Value)> {
    let mut operations = Vec::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap().iter().filter(|(verb, _)| *verb != "servers") {
            operations.push((format!("{verb} {path}"), operation));
        }
    }
    operations
}

/// What a reference points to, or the value itself.
fn resolve<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
    let target = value.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
    target.map_or(value, |pointer| description.pointer(pointer).unwrap())
}

/// Calls `admitted` with every object in a value and its path.
fn walk(value: &Value, path: &str, admitted: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            admitted(path, fields);
            for (name, value) in fields {
                walk(value, &format!("{path}/{name}"), admitted);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, path, admitted)),
        _ => {}
    }
}

#[test]
fn yaml_and_json_say_the_same() {
    let yaml: Value = yaml_serde::from_str(&openapi_yaml(AREAS)).unwrap();
    assert_eq!(yaml, description());
    assert!(openapi_yaml(AREAS).starts_with("openapi: 3.1.0\n"));
}

/// Compares with the file that reviewers read. `cargo xtask openapi --check` also compares it with the output of the
/// binary.
#[test]
fn the_written_description_is_the_served_one() {
    let written = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.yaml")).unwrap();
    let served = openapi_yaml(AREAS);
    let differing =
        written.lines().chain([""]).zip(served.lines().chain([""])).find(|(written, served)| written != served);
    assert_eq!(differing, None, "docs/openapi.yaml is out of date: cargo xtask openapi rewrites it");
}

#[test]
fn every_published_route_is_described_once() {
    let description = description();
    let described: BTreeSet<_> = operations(&description).into_iter().map(|(name, _)| name).collect();
    let declared: BTreeSet<_> = AREAS
        .iter()
        .flat_map(Area::routes)
        .filter(|route| route.options.published)
        .flat_map(|route| route.paths().map(|path| format!("{} {path}", route.method.as_str().to_ascii_lowercase())))
        .collect();
    assert_eq!(described, declared);
}

/// Generated clients have one base address, although the description names another one for routes at the origin.
#[test]
fn only_pages_for_browsers_are_outside_of_the_base_path() {
    for route in AREAS.iter().flat_map(Area::routes).filter(|route| route.options.published) {
        let is_under_base = route.options.place != Place::Origin;
        assert!(is_under_base || route.is_screen(), "{} {}", route.method, route.path);
    }
}

/// Generated clients have a function for each id, so an id in this list is never changed.
#[test]
fn every_operation_has_a_stable_unique_id() {
    let description = description();
    let (mut table, mut ids) = (String::from("The id of each operation.\n\n"), BTreeSet::new());
    for (name, operation) in operations(&description) {
        let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{name} has no id: add `as listThings`"));
        assert!(ids.insert(id.to_owned()), "two operations have the id {id}");
        let words = id.chars().filter(char::is_ascii_uppercase).count();
        let is_camel = id.starts_with(|first: char| first.is_ascii_lowercase())
            && id.chars().all(|letter| letter.is_ascii_alphanumeric());
        assert!(is_camel && (1..=5).contains(&words), "{name}: {id} is not a verb and a noun in camel case");
        let (verb, path) = name.split_once(' ').unwrap();
        writeln!(table, "{id:<26} {:<6} {path}", verb.to_ascii_uppercase()).unwrap();
    }
    insta::with_settings!({ snapshot_path => SNAPSHOTS, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("operations", table);
    });
}

#[test]
fn every_operation_says_what_it_takes_and_answers_with_examples() {
    let description = description();
    for (name, operation) in operations(&description) {
        for text in ["summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| text.len() > 5), "{name} lacks a {text}");
        }
        for parameter in operation["parameters"].as_array().unwrap().iter().filter(|p| p.get("$ref").is_none()) {
            assert!(!parameter["description"].as_str().unwrap().is_empty(), "{name} {parameter}");
            assert_eq!(parameter["example"].is_null(), parameter["required"] == false, "{name} {parameter}");
        }
        if let Some(body) = operation.get("requestBody") {
            let contents = body["content"].as_object().unwrap();
            let have_examples = contents.values().all(|content| !content["example"].is_null());
            assert!(!contents.is_empty() && have_examples, "{name} lacks an example of its body");
        }
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with(['2', '3'])), "{name}");
        assert!(responses.contains_key("414"), "{name} does not say that its address can be too long");
        for (status, response) in responses {
            let response = resolve(&description, response);
            assert!(response["headers"]["X-Request-Id"].is_object(), "{name} {status}");
            for (media, content) in response.get("content").and_then(Value::as_object).into_iter().flatten() {
                let has_example =
                    content.get("example").or_else(|| content.get("examples")).is_some_and(|e| !e.is_null());
                assert!(has_example, "{name} {status} {media} lacks an example");
            }
        }
    }
}

/// The debug build also checks each answer: it has a `Location` if and only if its route declares that.
#[test]
fn answers_declare_the_headers_that_they_have() {
    let description = description();
    let (mut located, mut readers) = (BTreeSet::new(), 0);
    for (name, operation) in operations(&description) {
        let reads_body = operation["requestBody"]["content"]["application/json"]["example"].is_object();
        for (status, response) in operation["responses"].as_object().unwrap() {
            let headers = &resolve(&description, response)["headers"];
            if headers["Location"].is_object() && status == "201" {
                located.insert(name.clone());
            }
            assert_eq!(headers["Location"].is_object() && status != "201", ["302", "303"].contains(&status.as_str()));
            if reads_body && status.starts_with('2') {
                let are_declared =
                    ["X-Unknown-Fields", "Preference-Applied"].iter().all(|name| headers[*name].is_object());
                assert!(are_declared, "{name} {status}");
                readers += 1;
            }
        }
    }
    let expected = [
        "post /blocks/{blockId}/duplicate",
        "post /charts",
        "post /comments",
        "post /dashboards",
        "post /databases",
        "post /databases/{databaseId}/records",
        "post /pages",
        "post /pages/import",
        "post /pages/{pageId}/blocks",
        "post /pages/{pageId}/duplicate",
        "post /pages/{pageId}/versions",
        "post /public/shares/{token}/duplicate",
        "post /workspaces",
        "post /workspaces/{workspaceId}/oauth/apps",
        "post /workspaces/{workspaceId}/teams",
    ];
    assert_eq!(located.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    assert!(readers > 50, "{readers}");
}

/// The routes with a body that is not bytes, and how the description shows that body.
fn bodies() -> impl Iterator<Item = (String, BodyDoc, Value)> {
    let description = description();
    let schemas = description["components"]["schemas"].clone();
    AREAS.iter().flat_map(Area::routes).filter(|route| route.options.published).filter_map(move |route| {
        let body = route.inputs().body?;
        let schema = schemas[body.name].clone();
        Some((format!("{} {}", route.method, route.path), body, schema))
    })
}

/// The viewer fills in the example when somebody tries a route, so the example must be a call that works.
#[test]
fn every_worked_example_is_read_without_a_flaw() {
    for (name, body, _) in bodies() {
        let flaws = (body.flaws)(&body.example);
        assert!(flaws.is_empty(), "{name}: {} has {flaws:?}", body.example);
        let changes = name.starts_with("PATCH ") || name.starts_with("PUT ");
        let may_be_empty = name.starts_with("PUT /favorites");
        assert!(!changes || may_be_empty || body.example != json!({}), "the example of {name} changes nothing");
    }
}

#[test]
fn examples_of_mailed_tokens_are_of_the_kind_that_the_route_takes() {
    let examples: Vec<_> = bodies().map(|(name, body, _)| (name, body.example)).collect();
    for (path, prefix) in [
        ("/auth/email-verification/confirm", "evt_"),
        ("/auth/email-verification/reject", "evt_"),
        ("/auth/password-reset/confirm", "pwrt_"),
        ("/auth/email-change/confirm", "ect_"),
        ("/auth/email-change/revert", "ecr_"),
        ("/auth/account-restore", "urt_"),
        ("/verify-email", "evt_"),
        ("/verify-email/reject", "evt_"),
        ("/reset-password", "pwrt_"),
        ("/confirm-email-change", "ect_"),
        ("/revert-email-change", "ecr_"),
        ("/restore-account", "urt_"),
        ("/accept-invitation", "itn_"),
        ("/accept-invitation/decline", "itn_"),
    ] {
        let (_, example) = examples.iter().find(|(name, _)| *name == format!("POST {path}")).unwrap();
        let token = example["token"].as_str().unwrap();
        assert!(token.strip_prefix(prefix).is_some_and(|bits| bits.len() == 43), "{path}: {token}");
    }
}

#[test]
fn examples_of_forms_show_the_field_that_binds_them_to_their_page() {
    for route in AREAS.iter().flat_map(Area::routes).filter(|route| route.is_screen()) {
        if let Some(body) = route.inputs().body {
            assert!(body.example["csrf_token"].is_string(), "{} {}: {}", route.method, route.path, body.example);
        }
    }
}

/// What is required, and what may be null, is what the server says it is.
#[test]
fn bodies_require_what_the_server_requires() {
    for (name, body, schema) in bodies() {
        let Some(properties) = schema["properties"].as_object() else { continue };
        let listed = |field: &str| schema["required"].as_array().is_some_and(|all| all.contains(&json!(field)));
        let missing = (body.flaws)(&json!({}));
        for field in properties.keys() {
            let is_missed = missing.iter().any(|flaw| flaw.field == *field && flaw.issue == Issue::Required);
            assert_eq!(listed(field), is_missed, "{name} {field}");
        }
        assert_eq!(missing.len(), schema["required"].as_array().map_or(0, Vec::len), "{name}: {missing:?}");
    }
}

/// Each listed value is read and no other one is.
#[test]
fn bodies_read_the_listed_values_and_no_others() {
    let is_flawed = |body: &BodyDoc, field: &str, value: Value| {
        let flaws = (body.flaws)(&json!({ field: value }));
        flaws.iter().any(|flaw| flaw.field == field && flaw.issue != Issue::Required)
    };
    let mut count = 0;
    for (name, body, schema) in bodies() {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            let Some(words) = property["enum"].as_array() else { continue };
            count += 1;
            for word in words {
                assert!(!is_flawed(&body, field, word.clone()), "{name} refuses {field} {word}");
            }
            // The type of a block and the kind of a batch are read later.
            let is_read_later = name.contains("/blocks") && ["type", "op"].contains(&field.as_str());
            assert!(is_read_later || is_flawed(&body, field, json!("no such word")), "{name} reads any {field}");
        }
    }
    assert!(count > 5, "only {count} enumerations");
}

#[test]
fn a_refusal_of_the_routes_own_stands_beside_those_of_its_kind() {
    let description = description();
    let response =
        |path: &str, status: &str| resolve(&description, &description["paths"][path]["post"]["responses"][status]);
    let reasons = |path: &str, status: &str| {
        let examples = response(path, status)["content"]["application/json"]["examples"].as_object().unwrap();
        examples.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(
        reasons("/auth/logout", "401"),
        ["api_key_expired", "api_key_revoked", "token_expired", "token_malformed", "token_missing"]
    );
    let own_too = [
        "api_key_expired",
        "api_key_revoked",
        "invalid_credentials",
        "token_expired",
        "token_malformed",
        "token_missing",
    ];
    assert_eq!(reasons("/auth/reauthenticate", "401"), own_too);
    let of_import = reasons("/pages/import", "503");
    for reason in ["busy", "queue_full", "timeout"] {
        assert!(of_import.iter().any(|listed| listed == reason), "{reason} is not in {of_import:?}");
    }
    let busy = response("/auth/login", "503").to_string();
    assert!(busy.contains("Too many sign-ins at once") && busy.contains("The service is overloaded"), "{busy}");
    let too_large = response("/auth/login", "413");
    assert!(too_large.to_string().contains("\"maxBytes\":16384"), "{too_large}");
}

#[test]
fn every_reference_leads_somewhere() {
    let description = description();
    walk(&description, "", &mut |path, fields| {
        if let Some(Value::String(target)) = fields.get("$ref") {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(description.pointer(pointer).is_some(), "{path} refers to {target}");
        }
    });
}

#[test]
fn every_path_parameter_is_declared() {
    for route in AREAS.iter().flat_map(Area::routes) {
        for path in route.paths() {
            // An alternative path may leave the workspace to the header.
            let left_out = usize::from(route.names_workspace() && !path.contains("{workspaceId}"));
            let declared = route.inputs().path.len() - left_out;
            assert_eq!(parameter_names(path).count(), declared, "{} {path}", route.method);
        }
    }
}

#[test]
fn routes_that_read_their_body_as_it_arrives_say_so_in_both_places() {
    for route in AREAS.iter().flat_map(Area::routes) {
        assert_eq!(route.inputs().bytes, route.takes_bytes(), "{} {}", route.method, route.path);
    }
}

/// A field without its own example shows that of its type; no example fits all text fields.
#[test]
fn every_text_field_has_an_example_of_its_own() {
    let mut lacking = Vec::new();
    walk(&description()["components"]["schemas"], "", &mut |path, fields| {
        let examples = fields.get("examples").and_then(Value::as_array);
        if examples.is_some_and(|examples| examples.contains(&String::example())) {
            lacking.push(path.to_owned());
        }
    });
    assert_eq!(lacking, [""; 0]);
}

#[test]
fn every_logged_event_has_a_schema_and_an_example() {
    let description = description();
    for kind in EventType::all().into_iter().filter(|kind| kind.reach() != Reach::Audit) {
        let content = &description["webhooks"][kind.name()]["post"]["requestBody"]["content"]["application/json"];
        assert_eq!(content["example"]["type"], kind.name());
        assert!(content["example"]["data"].as_object().is_some_and(|data| !data.is_empty()), "{kind}");
        assert_eq!(content["schema"]["properties"]["type"]["const"], kind.name());
        let name = format!("{}Data", pascal_case(kind.name()));
        assert_eq!(content["schema"]["properties"]["data"], reference(&name));
        assert_eq!(description["components"]["schemas"][&name]["type"], "object");
    }
}

/// A field without a type has no example, only an example that is null, or examples of different types.
#[test]
fn the_examples_of_events_show_the_type_of_every_field() {
    let description = description();
    for kind in EventType::all().into_iter().filter(|kind| kind.reach() != Reach::Audit) {
        let name = format!("{}Data", pascal_case(kind.name()));
        walk(&description["components"]["schemas"][&name], &name, &mut |path, fields| {
            if fields.get("type").is_some_and(|kind| kind == "array") {
                assert!(fields["items"]["type"].is_string(), "{path}: no example has an item");
            }
            // A field can have the name `properties` too.
            let is_schema = fields.get("type").is_some_and(Value::is_string);
            let described = fields.get("properties").filter(|_| is_schema).and_then(Value::as_object);
            for (field, schema) in described.into_iter().flatten() {
                assert!(!schema["type"].is_null(), "{path}: {field} has no type");
            }
        });
    }
}
