//! `X-Service-Workspace`: the workspace a call names.

use octavo_tests::{Engine, Server, both_engines};
use serde_json::json;

both_engines! {
    a_workspace_of_ones_own_is_taken,
    any_other_workspace_is_refused_known_or_not,
    it_is_judged_before_the_body,
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

fn it_is_judged_before_the_body(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let request = ada.patch("/users/me", &json!({ "name": 7 })).header(HEADER, &bob.workspace);
    request.send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
}

fn a_public_route_does_not_mind(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.login_request().header(HEADER, "nonsense").send().is(200);
}
