//! Who may read and edit pages as Markdown, and which bodies are accepted.

use super::{markdown::edit, paragraph};
use crate::pages::office;
use octavo_tests::{Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    readers_read_and_editors_edit,
    keys_read_and_write_by_their_scopes,
    a_page_that_is_stale_locked_or_thrown_away_is_left_alone,
    invalid_bodies_are_refused,
    a_retry_edits_once,
}

fn append(text: &str) -> Value {
    json!({ "edits": [{ "op": "append", "markdown": text }] })
}

fn readers_read_and_editors_edit(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a")]);
    let path = format!("/pages/{page}/markdown");
    office.get(&office.guest, &path).refuses(404, "NOT_FOUND");
    office.patch(&office.guest, &path, &append("b")).refuses(404, "NOT_FOUND");
    for level in ["VIEW", "COMMENT"] {
        office.grant(&page, &[("user", &office.guest.id, level)]);
        assert_eq!(office.get(&office.guest, &path).data(200)["markdown"], "a\n");
        office.patch(&office.guest, &path, &append("b")).refuses(403, "FORBIDDEN").because("requires_EDIT");
        // A caller that may not edit learns nothing about the flaws of the body.
        office.patch(&office.guest, &path, &json!({})).refuses(403, "FORBIDDEN").because("requires_EDIT");
    }
    office.grant(&page, &[("user", &office.guest.id, "EDIT")]);
    office.patch(&office.guest, &path, &append("b")).is(200);
    let stranger = office.server.person("Zoe");
    let foreign = stranger.get(&path).send();
    foreign.refuses(404, "NOT_FOUND");
    foreign.is_like(&stranger.get("/pages/pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3/markdown").send());
    assert_eq!(office.get(&office.owner, &path).data(200)["markdown"], "a\n\nb\n");
}

fn keys_read_and_write_by_their_scopes(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a")]);
    let path = format!("/pages/{page}/markdown");
    let [read, write] = ["READ", "WRITE"].map(|scope| office.key(scope));
    assert_eq!(office.server.get(&path).bearer(&read).send().data(200)["markdown"], "a\n");
    let by = |key: &str| office.server.request("PATCH", &path).json(&append("b")).bearer(key).send();
    by(&read).refuses(403, "FORBIDDEN").because("api_key_scope_write");
    assert_eq!(by(&write).data(200)["version"], 2);
    assert_eq!(office.blocks(&office.member, &page)[1]["createdBy"], json!(office.owner.id));
}

fn a_page_that_is_stale_locked_or_thrown_away_is_left_alone(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a")]);
    let (path, single) = (format!("/pages/{page}/markdown"), format!("/pages/{page}"));
    let send = |version: Value, header: Option<&str>| {
        let mut body = append("b");
        body["version"] = version;
        if body["version"].is_null() {
            body.as_object_mut().unwrap().remove("version");
        }
        let request = office.member.patch(&path, &body).header("X-Service-Workspace", &office.id);
        header.into_iter().fold(request, |request, value| request.header("If-Match", value)).send()
    };
    assert_eq!(send(json!(1), None).data(200)["version"], 2);
    assert_eq!(send(Value::Null, Some("\"2\"")).data(200)["version"], 3);
    for stale in [send(json!(2), None), send(Value::Null, Some("2"))] {
        let expected = json!({ "field": "version", "issue": "version_mismatch", "expected": 3, "received": 2 });
        assert_eq!(stale.refuses(409, "CONFLICT").detail(), &expected);
    }
    // An outdated version is reported before edits that find nothing.
    let lost = json!({ "edits": [{ "op": "find_replace", "find": "z", "markdown": "" }], "version": 1 });
    office.patch(&office.member, &path, &lost).refuses(409, "CONFLICT").of("version", "version_mismatch");
    office.patch(&office.other, &single, &json!({ "isLocked": true })).is(200);
    let locked = office.patch(&office.member, &path, &append("c")).refuses(409, "CONFLICT");
    assert_eq!(locked.detail(), &json!({ "issue": "page_locked", "lockedBy": office.other.id }));
    office.get(&office.member, &path).is(200);
    office.patch(&office.other, &single, &json!({ "isLocked": false })).is(200);
    office.delete(&office.member, &single).is(200);
    office.patch(&office.member, &path, &append("c")).refuses(409, "CONFLICT").issue("page_trashed");
    assert_eq!(office.get(&office.member, &path).data(200)["markdown"], "a\n\nb\n\nb\n", "for those who edit");
    office.post(&office.owner, &format!("{single}/restore"), &json!({})).is(200);
    office.patch(&office.member, &path, &append("c")).is(200);
}

fn invalid_bodies_are_refused(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a")]);
    let good = json!({ "op": "append", "markdown": "b" });
    for (edits, field, issue) in [
        (json!("x"), "edits", "invalid_type"),
        (json!([]), "edits", "too_short"),
        (json!(vec![good.clone(); 51]), "edits", "too_long"),
        (json!([good, 1]), "edits.1", "invalid_type"),
        (json!([good, { "op": "append" }]), "edits.1.markdown", "required"),
        (json!([{ "markdown": "b" }]), "edits.0.op", "required"),
        (json!([{ "op": "nonsense", "markdown": "b" }]), "edits.0.op", "invalid_value"),
        (json!([{ "op": "nonsense" }]), "edits.0.op", "invalid_value"),
        (json!([{}]), "edits.0.op", "required"),
        (json!([{ "op": "append", "markdown": 1 }]), "edits.0.markdown", "invalid_type"),
        (json!([{ "op": "find_replace", "markdown": "b" }]), "edits.0.find", "required"),
        (json!([{ "op": "find_replace", "find": "", "markdown": "b" }]), "edits.0.find", "too_short"),
        (json!([{ "op": "find_replace", "find": "a", "markdown": "b", "all": 1 }]), "edits.0.all", "invalid_type"),
        (json!([{ "op": "insert_after", "markdown": "b" }]), "edits.0.blockId", "required"),
        (json!([{ "op": "insert_after", "blockId": "x", "markdown": "b" }]), "edits.0.blockId", "invalid_id"),
        (
            json!([{ "op": "insert_after", "blockId": super::block(1), "find": "a", "markdown": "b" }]),
            "edits.0.find",
            "invalid_value",
        ),
    ] {
        edit(&office, &page, &edits).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    office
        .patch(&office.member, &format!("/pages/{page}/markdown"), &json!({}))
        .refuses(400, "VALIDATION_ERROR")
        .of("edits", "required");
    edit(&office, &page, &json!(vec![good; 50])).is(200);
    assert_eq!(office.blocks(&office.member, &page).as_array().unwrap().len(), 51);
}

fn a_retry_edits_once(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a")]);
    let path = format!("/pages/{page}/markdown");
    let send = || office.member.patch(&path, &append("b")).header("X-Service-Workspace", &office.id).key("once").send();
    let first = send();
    first.is(200);
    let again = send();
    assert_eq!((again.header("Idempotency-Replayed"), again.text()), (Some("true"), first.text()));
    assert_eq!(super::texts(&office.blocks(&office.member, &page)), ["a", "b"]);
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    send().refuses(404, "NOT_FOUND");
}
