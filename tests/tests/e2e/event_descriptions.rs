//! Whether events have the form that the published description declares.

use crate::pages::{Office, office};
use octavo_tests::{Engine, both_engines, description::Description, poll::eventually, shape};
use serde_json::{Value, json};
use std::collections::BTreeSet;

both_engines! {
    every_event_matches_its_description,
}

/// Asserts that a schema names every field of a value, unless it allows any.
fn assert_described(description: &Description, value: &Value, schema: &Value, place: &str) {
    let schema = description.resolve(schema);
    match value {
        Value::Object(fields) if schema["additionalProperties"] != true => {
            for (name, field) in fields {
                let described = schema["properties"].get(name);
                let described = described.unwrap_or_else(|| panic!("{place}.{name} is not described: {value}"));
                assert_described(description, field, described, &format!("{place}.{name}"));
            }
        }
        Value::Array(items) => {
            for item in items {
                assert_described(description, item, &schema["items"], &format!("{place}[]"));
            }
        }
        _ => {}
    }
}

fn change_the_workspace(office: &Office) {
    let (owner, workspace) = (&office.owner, format!("/workspaces/{}", office.id));
    office.patch(owner, &workspace, &json!({ "name": "Acme Inc." })).is(200);
    for allowed in [false, true] {
        let body = json!({ "shareLinks": { "allowed": allowed } });
        office.patch(owner, &format!("{workspace}/settings"), &body).is(200);
    }
    let zoe = office.server.person("Zoe");
    let body = json!({ "userId": zoe.id, "role": "MEMBER" });
    office.post(owner, &format!("{workspace}/members"), &body).is(201);
    let membership = format!("{workspace}/members/{}", zoe.id);
    office.patch(owner, &membership, &json!({ "role": "ADMIN" })).is(200);
    office.delete(owner, &membership).is(204);
    let sent = office.post(owner, &format!("{workspace}/invitations"), &json!({ "email": "grace@example.com" }));
    let invitation = shape::text(&sent.data(201)["id"]);
    office.delete(owner, &format!("{workspace}/invitations/{invitation}")).is(204);
}

fn change_a_team(office: &Office) {
    let team = office.team("Design", false);
    let path = format!("/workspaces/{}/teams/{team}", office.id);
    office.patch(&office.owner, &path, &json!({ "name": "Looks" })).is(200);
    office.join(&team, &office.member, "MEMBER");
    let membership = format!("{path}/members/{}", office.member.id);
    office.patch(&office.owner, &membership, &json!({ "role": "ADMIN" })).is(200);
    office.delete(&office.owner, &membership).is(204);
    office.delete(&office.owner, &path).is(202);
}

fn change_a_database(office: &Office) {
    let made = office.post(&office.owner, "/databases", &json!({ "title": "Contacts" })).data(201);
    let path = format!("/databases/{}", shape::text(&made["id"]));
    office.patch(&office.owner, &path, &json!({ "title": "People", "description": "All of them." })).is(200);
    office.post(&office.owner, &format!("{path}/properties"), &json!({ "name": "Age", "type": "number" })).is(201);
    office.post(&office.owner, &format!("{path}/views"), &json!({ "name": "All", "type": "list" })).is(201);
    show_a_database(office, &path);
    change_records(office, &path, shape::text(&made["properties"][0]["id"]).as_str());
}

fn show_a_database(office: &Office, database: &str) {
    let id = database.trim_start_matches("/databases/");
    let chart = json!({ "databaseId": id, "name": "All", "chartType": "number" });
    let chart = office.post(&office.owner, "/charts", &chart).data(201);
    let dashboard = json!({ "pageId": office.below(None, "Overview"), "name": "Overview" });
    let dashboard = office.post(&office.owner, "/dashboards", &dashboard).data(201);
    for (kind, made) in [("charts", chart), ("dashboards", dashboard)] {
        let path = format!("/{kind}/{}", shape::text(&made["id"]));
        office.patch(&office.owner, &path, &json!({ "name": "Everything" })).is(200);
        office.delete(&office.owner, &path).is(204);
    }
}

fn change_records(office: &Office, database: &str, title: &str) {
    let values = |text: &str| json!({ "properties": { title: { "text": text } } });
    let whole = office.post(&office.owner, &format!("{database}/records"), &values("Whole")).data(201);
    let mut part = values("Part");
    part["parentRecordId"] = whole["id"].clone();
    office.post(&office.owner, &format!("{database}/records"), &part).is(201);
    let path = format!("/records/{}", shape::text(&whole["id"]));
    let mut change = values("All");
    change["icon"] = json!("\u{1f680}");
    office.patch(&office.owner, &path, &change).is(200);
    for act in ["archive", "unarchive"] {
        office.post(&office.owner, &format!("{path}/{act}"), &Value::Null).is(200);
    }
    office.call(&office.owner, "DELETE", &path, &json!({ "confirm": whole["id"] })).is(202);
}

fn discuss(office: &Office) {
    let owner = &office.owner;
    let page = office.below(None, "Discussed");
    let mentions = json!([{ "type": "user", "id": office.member.id }, { "type": "page", "id": page }]);
    let body = json!({ "pageId": page, "body": "Why?", "mentions": mentions });
    let thread = office.post(owner, "/comments", &body).data(201);
    let path = format!("/comments/{}", shape::text(&thread["id"]));
    office.patch(owner, &path, &json!({ "body": "How?" })).is(200);
    let reply = office.post(&office.member, &format!("{path}/replies"), &json!({ "body": "So." })).data(201);
    let reaction = json!({ "emoji": "\u{1f44d}", "replyId": reply["id"] });
    office.post(owner, &format!("{path}/reactions"), &reaction).is(200);
    let reply = shape::text(&reply["id"]);
    office.delete(owner, &format!("{path}/reactions?emoji=%F0%9F%91%8D&replyId={reply}")).is(204);
    for act in ["resolve", "reopen"] {
        office.post(owner, &format!("{path}/{act}"), &Value::Null).is(200);
    }
    office.delete(owner, &format!("{path}/replies/{reply}")).is(204);
    office.delete(owner, &path).is(204);
}

fn change_pages(office: &Office) {
    let owner = &office.owner;
    let (top, page) = (office.below(None, "Top"), office.below(None, "Page"));
    let path = format!("/pages/{page}");
    office.patch(owner, &path, &json!({ "title": "Plan" })).is(200);
    office.post(owner, &format!("{path}/move"), &json!({ "parentId": top })).is(200);
    office.post(owner, &format!("{path}/duplicate"), &json!({})).is(201);
    let body = json!({ "format": "markdown", "content": "# Report\n\nAll is well." });
    office.post(owner, "/pages/import", &body).is(201);
    let version = office.post(owner, &format!("{path}/versions"), &json!({ "label": "First" })).data(201);
    let edits = json!({ "edits": [{ "op": "append", "markdown": "One more line." }] });
    office.patch(owner, &format!("{path}/markdown"), &edits).is(200);
    let restore = format!("{path}/versions/{}/restore", shape::text(&version["id"]));
    office.post(owner, &restore, &Value::Null).is(200);
    let reader = json!({ "principalType": "user", "principalId": office.member.id, "level": "VIEW" });
    let access = json!({ "inherit": false, "grants": [reader] });
    office.call(owner, "PUT", &format!("{path}/permissions"), &access).is(200);
    let link = office.post(owner, &format!("{path}/share-links"), &json!({})).data(201);
    let link = format!("/share-links/{}", shape::text(&link["id"]));
    office.patch(owner, &link, &json!({ "level": "COMMENT" })).is(200);
    office.delete(owner, &link).is(204);
    for (answer, body) in [("deny", Value::Null), ("approve", json!({}))] {
        office.post(&office.member, &format!("{path}/access-requests"), &json!({ "level": "EDIT" })).is(202);
        let waiting = office.get(owner, "/access-requests").body_of(200)["data"][0].clone();
        let request = format!("/access-requests/{}/{answer}", shape::text(&waiting["id"]));
        office.post(owner, &request, &body).is(200);
    }
    office.delete(owner, &path).is(200);
    office.post(owner, &format!("{path}/restore"), &json!({})).is(200);
    office.delete(owner, &path).is(200);
    office.call(owner, "DELETE", &format!("{path}?permanent=true"), &json!({ "confirm": page })).is(202);
}

fn every_event_matches_its_description(engine: Engine) {
    let office = office(engine);
    change_the_workspace(&office);
    change_a_team(&office);
    change_a_database(&office);
    discuss(&office);
    change_pages(&office);
    let all = eventually("the last event", || {
        let all = office.get(&office.owner, "/events?limit=500").body_of(200)["data"].as_array().unwrap().clone();
        all.iter().any(|event| event["type"] == "page.deleted").then_some(all)
    });
    let text = office.server.origin("GET", "/docs/openapi.yaml").send().is(200).text();
    let description = Description::parse(&text);
    let webhooks = description.document["webhooks"].as_object().unwrap();
    let mut seen = BTreeSet::new();
    for event in &all {
        let kind = event["type"].as_str().unwrap();
        let content = &webhooks[kind]["post"]["requestBody"]["content"]["application/json"];
        let (data, schema) = (&event["data"], &content["schema"]["properties"]["data"]);
        assert_eq!(description.flaws(schema, data, kind, 0), [""; 0]);
        assert_described(&description, data, schema, kind);
        let example = &content["example"];
        for place in ["pageId", "databaseId", "teamId", "version"] {
            assert!(
                event[place].is_null() || !example[place].is_null() || kind == "permission.changed",
                "{place} of {kind}"
            );
        }
        if kind != "permission.changed" {
            assert_eq!(event["resource"]["type"], example["resource"]["type"], "{kind}");
        }
        seen.insert(kind.to_owned());
    }
    let described = webhooks.keys().cloned().collect::<BTreeSet<_>>();
    let not_seen: Vec<_> = described.difference(&seen).map(String::as_str).collect();
    // Events of accounts and jobs, and those that need a third person or the deletion of the workspace.
    let elsewhere = [
        "job.failed",
        "job.succeeded",
        "share_link.joined",
        "user.profile_updated",
        "user.registered",
        "workspace.deleted",
        "workspace.invitation_accepted",
    ];
    assert_eq!(not_seen, elsewhere);
}
