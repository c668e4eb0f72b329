//! Refusals say what would have been right.

use octavo_tests::{Engine, Person, Server, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_long_value_is_not_repeated_in_full,
    a_refusal_names_what_would_have_been_right,
    a_missing_value_is_refused_with_those_to_choose_from,
    broken_json_is_refused_with_its_place,
    an_integer_may_be_written_with_a_fraction_of_zero,
    an_unknown_field_of_a_body_is_named_in_the_answer,
    an_unknown_field_is_refused_if_the_caller_prefers_that,
    unknown_keys_of_blocks_are_named_by_every_route_that_writes_blocks,
    an_overlong_idempotency_key_is_refused_also_where_nothing_is_written,
    an_unknown_id_of_a_body_is_named,
}

fn a_long_value_is_not_repeated_in_full(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let answer = ada.post("/pages", &json!({ "title": "x".repeat(900_000) })).send();
    let refusal = answer.refuses(400, "VALIDATION_ERROR");
    assert_eq!(refusal.of("title", "too_long").names("title")["received"], format!("{}\u{2026}", "x".repeat(200)));
    assert!(answer.text().len() < 2_000, "{} bytes", answer.text().len());
    let short = ada.post("/pages", &json!({ "title": 7 })).send().refuses(400, "VALIDATION_ERROR");
    assert_eq!(short.names("title")["received"], 7);
}

fn a_refusal_names_what_would_have_been_right(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let sort = ada.get("/pages?sort=name").send().refuses(400, "VALIDATION_ERROR").names("sort").clone();
    assert!(sort["allowed"].as_array().unwrap().contains(&json!("-updatedAt")), "{sort}");
    let limit = ada.get("/pages?limit=0").send().refuses(400, "VALIDATION_ERROR").names("limit").clone();
    assert_eq!((&limit["min"], &limit["max"]), (&json!(1), &json!(100)), "{limit}");
    let keys = format!("/workspaces/{}/api-keys", ada.workspace);
    let wrong = json!({ "name": "Importer", "scopes": ["READ", "OWN"], "rateLimit": 0 });
    let wrong = ada.post(&keys, &wrong).send().refuses(400, "VALIDATION_ERROR");
    assert_eq!(wrong.names("scopes.1")["allowed"], json!(["READ", "WRITE", "ADMIN"]));
    assert!(wrong.names("rateLimit")["min"].is_u64(), "{}", wrong.error);
    let weak = json!({ "email": "weak@example.com", "password": "weakweak", "name": "Ada" });
    let weak = server.post("/auth/register", &weak).send().refuses(400, "VALIDATION_ERROR");
    let rules = weak.of("password", "invalid_format").names("password")["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule.as_str().unwrap().contains("upper-case")), "{rules:?}");
    let page = ada.post("/pages", &json!({})).send().data(201)["id"].as_str().unwrap().to_owned();
    let boolean = json!(["true or false"]);
    let locked = ada.patch(&format!("/pages/{page}"), &json!({ "isLocked": "yes" })).send();
    assert_eq!(locked.refuses(400, "VALIDATION_ERROR").names("isLocked")["rules"], boolean);
    let deleted = ada.delete(&format!("/pages/{page}?permanent=maybe")).send();
    assert_eq!(deleted.refuses(400, "VALIDATION_ERROR").names("permanent")["rules"], boolean);
}

fn a_missing_value_is_refused_with_those_to_choose_from(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let page = ada.post("/pages", &json!({})).send().data(201)["id"].as_str().unwrap().to_owned();
    let formats = json!(["markdown", "html", "json"]);
    let exported = ada.get(&format!("/pages/{page}/export")).send().refuses(400, "VALIDATION_ERROR");
    assert_eq!(exported.of("format", "required").names("format")["allowed"], formats);
    let imported = ada.post("/pages/import", &json!({ "content": "x" })).send().refuses(400, "VALIDATION_ERROR");
    let formats = json!(["markdown", "html", "json", "csv"]);
    assert_eq!(imported.of("format", "required").names("format")["allowed"], formats);
}

fn broken_json_is_refused_with_its_place(engine: Engine) {
    let server = Server::start(engine);
    let broken = "{\n  \"email\": \"nobody@example.com\",\n}";
    let request = server.request("POST", "/auth/password-reset/request").body("application/json", broken);
    let refusal = request.send().refuses(400, "VALIDATION_ERROR");
    let detail = refusal.of("body", "invalid_format").detail();
    assert_eq!((&detail["line"], &detail["column"]), (&json!(3), &json!(1)), "{detail}");
}

fn an_integer_may_be_written_with_a_fraction_of_zero(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let settings = format!("/workspaces/{}/settings", ada.workspace);
    let change = |days: &str| {
        let body = format!(r#"{{"trashRetentionDays":{days}}}"#);
        ada.request("PATCH", &settings).body("application/json", body).send()
    };
    for days in ["16.0", "1.6e1", "16"] {
        assert_eq!(change(days).data(200)["settings"]["trashRetentionDays"], 16, "{days}");
    }
    change("16.5").refuses(400, "VALIDATION_ERROR").of("trashRetentionDays", "invalid_type");
    ada.get("/sessions?limit=1.0").send().is(200);
    ada.get("/sessions?limit=1.5").send().refuses(400, "VALIDATION_ERROR").of("limit", "invalid_type");
}

fn an_unknown_field_of_a_body_is_named_in_the_answer(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let created = ada.post("/pages", &json!({ "title": "Plan", "markdwn": "# Plan", "a,b": 1 })).send();
    assert_eq!(created.is(201).named("X-Unknown-Fields"), "a%2Cb, markdwn");
    assert_eq!(created.header("Preference-Applied"), None);
    let refused = ada.post("/pages", &json!({ "title": 7, "markdwn": "# Plan" })).send();
    assert_eq!(refused.refuses(400, "VALIDATION_ERROR").details().len(), 1);
    assert_eq!(refused.named("X-Unknown-Fields"), "markdwn");
    let settings = format!("/workspaces/{}/settings", ada.workspace);
    let nested = ada.patch(&settings, &json!({ "shareLinks": { "alowed": true } })).send();
    assert_eq!(nested.is(200).named("X-Unknown-Fields"), "shareLinks.alowed");
    let child = json!({ "type": "paragraph", "content": "x", "kind": 1 });
    let blocks = json!([{ "type": "toggle", "content": "x", "contnt": "x", "children": [child] }]);
    let inner = ada.post("/pages", &json!({ "blocks": blocks })).send();
    assert_eq!(inner.is(201).named("X-Unknown-Fields"), "blocks.0.children.0.kind, blocks.0.contnt");
    let empty = ada.post("/pages", &json!({ "": 1 })).send();
    assert_eq!(empty.is(201).named("X-Unknown-Fields"), "\"\"");
    let known = ada.post("/pages", &json!({ "title": "Plan" })).send();
    assert_eq!(known.is(201).header("X-Unknown-Fields"), None);
    let many: serde_json::Map<_, _> = (0..30).map(|n| (format!("x{n}"), json!(n))).collect();
    let many = ada.post("/pages", &json!(many)).send();
    assert_eq!(many.is(201).named("X-Unknown-Fields").split(',').count(), 20);
}

fn an_unknown_field_is_refused_if_the_caller_prefers_that(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let create = |body: Value| ada.post("/pages", &body).header("Prefer", "return=minimal, handling=strict").send();
    let refused = create(json!({ "title": "Plan", "markdwn": "# Plan" }));
    refused.refuses(400, "VALIDATION_ERROR").of("markdwn", "unknown_field");
    assert_eq!(refused.named("Preference-Applied"), "handling=strict");
    assert_eq!(refused.header("X-Unknown-Fields"), None);
    let both = create(json!({ "title": 7, "markdwn": "# Plan" })).refuses(400, "VALIDATION_ERROR");
    both.of("title", "invalid_type");
    both.of("markdwn", "unknown_field");
    let created = create(json!({ "title": "Plan", "markdown": "# Plan" }));
    assert_eq!(created.is(201).named("Preference-Applied"), "handling=strict");
}

fn unknown_keys_of_blocks_are_named_by_every_route_that_writes_blocks(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let page = ada.post("/pages", &json!({})).send().data(201)["id"].clone();
    let page = page.as_str().unwrap();
    let blocks = format!("/pages/{page}/blocks");
    let todo = json!({ "type": "todo", "content": "x" });
    let id = ada.post(&blocks, &todo).send().data(201)["id"].clone();
    let block = format!("/blocks/{}", id.as_str().unwrap());
    let wrong = json!({ "type": "todo", "content": { "texxt": "x" }, "properties": { "cheked": true } });
    let upsert = json!([{ "op": "upsert", "block": wrong }]);
    for (request, within) in [
        (ada.post("/pages", &json!({ "blocks": [wrong] })), "blocks.0."),
        (ada.post(&blocks, &wrong), ""),
        (ada.patch(&block, &wrong), ""),
        (ada.post("/blocks/batch", &json!({ "pageId": page, "ops": upsert })), "ops.0.block."),
        (ada.post("/blocks/batch", &json!({ "pageId": page, "operations": upsert })), "operations.0.block."),
        (ada.post("/blocks", &json!({ "pageId": page, "op": "insert", "block": wrong })), "block."),
    ] {
        let fields = [format!("{within}content.texxt"), format!("{within}properties.cheked")];
        let refused = request.clone().header("Prefer", "handling=strict").send().refuses(400, "VALIDATION_ERROR");
        for field in &fields {
            refused.of(field, "unknown_field");
        }
        assert_eq!(request.send().named("X-Unknown-Fields"), fields.join(", "));
    }
    let change = json!({ "content": { "text": "y" }, "properties": { "checked": true } });
    let changed = ada.patch(&block, &change).header("Prefer", "handling=strict").send();
    assert_eq!(changed.is(200).header("X-Unknown-Fields"), None);
}

fn an_overlong_idempotency_key_is_refused_also_where_nothing_is_written(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let introspect = || server.post("/oauth/introspect", &json!({ "token": "nonsense" }));
    let create = || ada.post("/pages", &json!({ "title": "Plan" }));
    for (request, status) in [(introspect(), 200), (create(), 201)] {
        let refusal = request.clone().key(&"k".repeat(256)).send().refuses(400, "VALIDATION_ERROR");
        assert_eq!(refusal.of("Idempotency-Key", "too_long").detail()["max"], 255);
        request.key(&"k".repeat(255)).send().is(status);
    }
}

fn an_unknown_id_of_a_body_is_named(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let make = |person: &Person, body: Value| person.post("/pages", &body).send().data(201)["id"].clone();
    let (page, hidden) = (make(&ada, json!({})), make(&eve, json!({})));
    let id = page.as_str().unwrap();
    let (unknown, team, user) =
        ("pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3");
    let batch = json!([{ "op": "upsert", "block": { "type": "paragraph", "content": "x" } }]);
    for (path, body, field) in [
        ("/pages".to_owned(), json!({ "parentId": unknown }), "parentId"),
        ("/pages".to_owned(), json!({ "parentId": hidden }), "parentId"),
        ("/pages".to_owned(), json!({ "parentId": unknown, "markdown": "x" }), "parentId"),
        ("/pages".to_owned(), json!({ "teamId": team }), "teamId"),
        (format!("/pages/{id}/move"), json!({ "parentId": unknown }), "parentId"),
        (format!("/pages/{id}/duplicate"), json!({ "parentId": unknown }), "parentId"),
        (format!("/pages/{id}/duplicate"), json!({ "workspaceId": eve.workspace }), "workspaceId"),
        (format!("/workspaces/{}/members", ada.workspace), json!({ "userId": user, "role": "MEMBER" }), "userId"),
        ("/blocks".to_owned(), json!({ "pageId": unknown, "ops": batch }), "pageId"),
    ] {
        let refusal = ada.post(&path, &body).send().refuses(404, "NOT_FOUND");
        assert_eq!(refusal.details(), [json!({ "field": field })], "{path} {body}");
    }
    let by_path = ada.get(&format!("/pages/{unknown}")).send().refuses(404, "NOT_FOUND");
    assert!(by_path.details().is_empty(), "the path names the page: {}", by_path.error);
}
