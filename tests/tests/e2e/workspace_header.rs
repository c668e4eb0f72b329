//! `X-Service-Workspace`: the workspace that a call names.

use octavo_tests::{Engine, Server, both_engines};
use serde_json::json;

both_engines! {
    a_workspace_of_ones_own_is_taken,
    any_other_workspace_is_refused_known_or_not,
    the_header_is_checked_before_the_body,
    a_deleted_workspace_is_reported_to_its_members,
    a_public_route_does_not_mind,
}

const HEADER: &str = "X-Service-Workspace";

fn a_workspace_of_ones_own_is_taken(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.get("/auth/me").header(HEADER, &ada.workspace).send().data(200);
    assert_eq!(data["workspaceId"], ada.workspace);
}

fn any_other_workspace_is_refused_known_or_not(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let foreign = ada.get("/users/me").header(HEADER, &bob.workspace).send();
    foreign.refuses(403, "FORBIDDEN").because("workspace_mismatch");
    for unknown in ["wks_00000000000000000000000000", "nonsense", "usr_00000000000000000000000000"] {
        foreign.is_like(&ada.get("/users/me").header(HEADER, unknown).send());
    }
}

fn the_header_is_checked_before_the_body(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let request = ada.patch("/users/me", &json!({ "name": 7 })).header(HEADER, &bob.workspace);
    request.send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
}

fn a_deleted_workspace_is_reported_to_its_members(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"].as_str().unwrap().to_owned();
    let early = ada.patch("/users/me", &json!({ "name": "Augusta" })).header(HEADER, &acme).key("once");
    early.send().is(200);
    ada.delete(&format!("/workspaces/{acme}")).header("X-Confirm", format!("DELETE {acme}")).send().is(202);
    let calls = |who: &octavo_tests::Person| {
        [
            who.get("/auth/me"),
            who.get("/users/me"),
            who.get("/sessions"),
            who.get("/workspaces"),
            who.get("/rate-limit"),
            who.get("/users/me/invitations"),
            who.get("/events"),
            who.patch("/users/me", &json!({ "name": "Ada" })),
            who.post("/workspaces", &json!({ "name": "Other" })),
            who.delete("/sessions"),
        ]
        .map(|request| request.header(HEADER, &acme).send())
    };
    for answer in calls(&ada) {
        answer.refuses(410, "GONE").because("workspace_deleting");
    }
    for answer in calls(&eve) {
        answer.refuses(403, "FORBIDDEN").because("workspace_mismatch");
    }
    assert_eq!(early.send().is(200).header("Idempotency-Replayed"), Some("true"));
}

fn a_public_route_does_not_mind(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.login_request().header(HEADER, "nonsense").send().is(200);
}
