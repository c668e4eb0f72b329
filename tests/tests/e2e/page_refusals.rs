//! When several things are wrong with a call about a page: which one is reported first, and in which words.

use crate::{pages::office, share_links::link};
use octavo_tests::{Answer, Engine, Person, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    the_right_to_the_place_is_checked_before_the_flaws_of_a_page,
    the_right_to_unlock_is_checked_before_the_flaws_of_a_change,
    flaws_of_grants_and_links_are_reported_before_state,
    a_stale_version_prevents_trashing_restoring_and_removing,
    only_the_id_confirms_a_removal,
    a_malformed_grant_id_is_not_there,
    whoever_has_written_too_much_has_to_wait,
    a_full_workspace_takes_no_page_on_any_route,
}

const PAST: &str = "2020-01-01T00:00:00Z";

fn the_right_to_the_place_is_checked_before_the_flaws_of_a_page(engine: Engine) {
    let office = office(engine);
    let refused = |answer: &Answer| {
        answer.refuses(403, "FORBIDDEN").because("requires_EDIT");
    };
    refused(&office.post(&office.guest, "/pages", &json!({ "title": 7 })));
    refused(&office.post(&office.guest, "/pages/import", &json!({ "format": "scroll" })));
    let [parent, page, gone] = ["Parent", "Page", "Gone"].map(|title| office.below(None, title));
    office.grant(&parent, &[("user", &office.member.id, "VIEW")]);
    office.delete(&office.member, &format!("/pages/{gone}")).is(200);
    let flawed = [
        ("/pages".to_owned(), json!({ "title": "x".repeat(301) })),
        ("/pages/import".to_owned(), json!({})),
        (format!("/pages/{page}/move"), json!({ "position": "!" })),
        (format!("/pages/{page}/duplicate"), json!({ "title": 7 })),
        (format!("/pages/{gone}/restore"), json!({ "version": "new" })),
    ];
    for (path, mut body) in flawed {
        body["parentId"] = json!(parent);
        refused(&office.post(&office.member, &path, &body));
        body["parentId"] = json!("pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3");
        office.post(&office.member, &path, &body).refuses(404, "NOT_FOUND");
        body["parentId"] = json!("somewhere");
        office.post(&office.member, &path, &body).refuses(400, "VALIDATION_ERROR").of("parentId", "invalid_id");
    }
}

fn the_right_to_unlock_is_checked_before_the_flaws_of_a_change(engine: Engine) {
    let office = office(engine);
    let path = format!("/pages/{}", office.below(None, "Page"));
    office.patch(&office.owner, &path, &json!({ "isLocked": true })).is(200);
    let change = json!({ "isLocked": false, "title": 7 });
    office.patch(&office.member, &path, &change).refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    office.patch(&office.owner, &path, &change).refuses(400, "VALIDATION_ERROR").of("title", "invalid_type");
}

fn flaws_of_grants_and_links_are_reported_before_state(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let (permissions, links) = (format!("/pages/{page}/permissions"), format!("/pages/{page}/share-links"));
    let single = format!("/share-links/{}", shape::text(&link(&office, &office.owner, &page, &json!({}))["id"]));
    office.delete(&office.owner, &single).is(204);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    let to_guest = json!({ "principalType": "user", "principalId": office.guest.id, "level": "VIEW" });
    let mut over = to_guest.clone();
    over["expiresAt"] = json!(PAST);
    let everybody = json!({ "principalType": "workspace", "level": "VIEW" });
    let all_by_name = json!({ "principalType": "workspace", "principalId": office.id, "level": "EDIT" });
    for (method, path, body, field) in [
        ("PUT", &permissions, json!({ "version": 99, "grants": [to_guest, over] }), "grants.1.expiresAt"),
        ("PUT", &permissions, json!({ "version": 99, "grants": [everybody, all_by_name] }), "grants.1"),
        ("POST", &permissions, over.clone(), "expiresAt"),
        ("POST", &links, json!({ "expiresAt": PAST }), "expiresAt"),
        ("PATCH", &single, json!({ "expiresAt": PAST }), "expiresAt"),
    ] {
        let refused = office.call(&office.owner, method, path, &body).refuses(400, "VALIDATION_ERROR");
        let rule = refused.names(field)["rules"][0].as_str().unwrap_or_default();
        assert_eq!(rule.contains("in the future"), field.ends_with("expiresAt"), "{}", refused.error);
    }
    for (method, path, body) in [
        ("PUT", &permissions, json!({ "grants": [to_guest] })),
        ("POST", &permissions, to_guest.clone()),
        ("POST", &links, json!({})),
        ("PATCH", &single, json!({})),
    ] {
        office.call(&office.owner, method, path, &body).refuses(409, "CONFLICT").issue("page_trashed");
    }
}

fn a_stale_version_prevents_trashing_restoring_and_removing(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let path = format!("/pages/{page}");
    let send = |method: &str, path: &str, version: &str, body: &Value| {
        let request = office.owner.request(method, path).header("X-Service-Workspace", &office.id);
        request.header("If-Match", version).json(body).send()
    };
    let stale = |method: &str, path: &str, version: i64, body: &Value| {
        let mut body = body.clone();
        for answer in [send(method, path, "77", &body), {
            body["version"] = json!(77);
            office.call(&office.owner, method, path, &body)
        }] {
            let refusal = answer.refuses(409, "CONFLICT");
            refusal.of("version", "version_mismatch");
            assert_eq!(refusal.detail()["expected"], version);
        }
        send(method, path, "new", &body).refuses(400, "VALIDATION_ERROR");
    };
    let (restore, permanent) = (format!("{path}/restore"), format!("{path}?permanent=true"));
    let (nothing, confirm) = (json!({}), json!({ "confirm": page }));
    stale("POST", &restore, 1, &nothing);
    stale("DELETE", &path, 1, &nothing);
    send("DELETE", &path, "1", &nothing).is(200);
    stale("DELETE", &path, 2, &nothing);
    stale("POST", &restore, 2, &nothing);
    stale("DELETE", &permanent, 2, &confirm);
    send("POST", &restore, "\"2\"", &nothing).is(200);
    send("DELETE", &path, "3", &nothing).is(200);
    send("DELETE", &permanent, "4", &confirm).is(202);
}

fn only_the_id_confirms_a_removal(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    for path in [format!("/pages/{page}?permanent=true"), "/pages/trash".to_owned()] {
        let wrong = [json!("x".repeat(101)), json!(7), json!(null), json!([page])].map(|it| json!({ "confirm": it }));
        for body in wrong.into_iter().chain([json!({})]) {
            let refused = office.call(&office.owner, "DELETE", &path, &body).refuses(422, "CONFIRM_REQUIRED");
            let rule = refused.names("confirm")["rules"][0].as_str().unwrap();
            assert!(rule.starts_with("the id of"), "{rule}");
        }
    }
    office.get(&office.owner, &format!("/pages/{page}")).is(200);
}

fn a_malformed_grant_id_is_not_there(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let revoke = |by: &Person, grant: &str| office.delete(by, &format!("/pages/{page}/permissions/{grant}"));
    revoke(&office.owner, "grt_01J8Z3K4M5N6P7Q8R9S0T1V2W3").is(204);
    revoke(&office.owner, "nonsense").refuses(404, "NOT_FOUND");
    revoke(&office.member, "nonsense").refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
}

fn whoever_has_written_too_much_has_to_wait(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_WRITTEN_BYTES", "100000")]);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let blocks = vec![json!({ "type": "paragraph", "content": "a".repeat(2_000) }); 50];
    let page = ada.post("/pages", &json!({ "blocks": blocks })).send().data(201)["id"].as_str().unwrap().to_owned();
    let batch = json!({ "pageId": page, "ops": [{ "op": "upsert", "block": { "type": "divider" } }] });
    let before = shape::now_seconds();
    let refused = [
        ada.post("/blocks", &batch).send(),
        ada.post("/pages", &json!({})).send(),
        ada.post("/pages/import", &json!({ "format": "markdown", "content": "text" })).send(),
        ada.post(&format!("/pages/{page}/duplicate"), &json!({})).send(),
    ];
    for answer in refused {
        assert_eq!(answer.header("x-ratelimit-bucket"), Some("generic"));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
        let (wait, reset) = (answer.number("retry-after"), answer.number("x-ratelimit-reset"));
        assert!(wait > 60, "longer than the window of any bucket of these calls");
        let promised = i64::try_from(reset - wait).unwrap();
        assert!((before..=shape::now_seconds()).contains(&promised), "{before} {promised}");
        let refusal = answer.refuses(429, "RATE_LIMITED");
        let detail = json!({ "retryAfterSeconds": wait, "bucket": "generic", "reason": "written_bytes" });
        assert_eq!(*refusal.detail(), detail);
    }
    ada.get(&format!("/pages/{page}")).send().is(200);
    ada.delete(&format!("/pages/{page}")).send().is(200);
    assert_eq!(bob.post("/pages", &json!({})).send().status, 201);
}

fn a_full_workspace_takes_no_page_on_any_route(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_PAGES", "1")]);
    let ada = server.person("Ada");
    let page = ada.post("/pages", &json!({ "title": "Only" })).send().data(201)["id"].as_str().unwrap().to_owned();
    let created = ada.post("/pages", &json!({})).send();
    let imported = ada.post("/pages/import", &json!({ "format": "markdown", "content": "text" })).send();
    let copied = ada.post(&format!("/pages/{page}/duplicate"), &json!({})).send();
    for answer in [created, imported, copied] {
        let refusal = answer.refuses(409, "CONFLICT");
        assert_eq!(*refusal.detail(), json!({ "issue": "limit_reached", "limit": 1 }));
    }
    ada.delete(&format!("/pages/{page}")).send().is(200);
    ada.post("/pages", &json!({})).send().refuses(409, "CONFLICT");
    let confirmation = json!({ "confirm": page });
    ada.request("DELETE", &format!("/pages/{page}?permanent=true")).json(&confirmation).send().is(202);
    assert_eq!(ada.post("/pages", &json!({})).send().status, 201);
}
