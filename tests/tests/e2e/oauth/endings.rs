//! How the tokens and grants of an app end.

use super::*;

both_engines! {
    tokens_are_revoked_and_introspected,
    grants_are_listed_narrowed_and_revoked,
    a_workspace_lists_and_withdraws_grants,
}

fn tokens_are_revoked_and_introspected(engine: Engine) {
    let server = Server::start(engine);
    let (ada, app, issued) = let_in(&server, false);
    let given = |name: &str, secret: Option<&str>| {
        let mut form = json!({ "token": issued[name], "client_id": app.id });
        if let Some(secret) = secret {
            form["client_secret"] = json!(secret);
        }
        form
    };
    let secret = app.secret.as_deref();
    let introspect = |form: &Value| ada.site.post("/oauth/introspect", form).send().is(200).json();
    let active = introspect(&given("access_token", secret));
    assert_eq!((&active["active"], &active["sub"]), (&json!(true), &json!(ada.id)));
    assert_eq!((&active["client_id"], &active["scope"]), (&json!(app.id), &json!("pages:read pages:write")));
    assert_eq!(active["iss"], ada.site.public_origin());
    assert_eq!(introspect(&given("refresh_token", secret))["active"], true);
    let inactive = json!({ "active": false });
    assert_eq!(introspect(&given("access_token", None)), inactive);
    assert_eq!(introspect(&given("access_token", Some("ocs_wrong"))), inactive);
    let login = json!({ "token": ada.access, "client_id": app.id, "client_secret": secret });
    assert_eq!(introspect(&login), inactive, "a token of a sign-in is none of an app's");
    let revoke = |form: &Value| assert_eq!(ada.site.post("/oauth/revoke", form).send().is(200).json(), json!({}));
    revoke(&json!({ "token": "nonsense" }));
    revoke(&login);
    ada.get("/users/me").send().is(200);
    revoke(&given("access_token", None));
    assert_eq!(introspect(&given("access_token", secret))["active"], true);
    revoke(&given("access_token", secret));
    assert_eq!(introspect(&given("access_token", secret)), inactive);
    assert_eq!(introspect(&given("refresh_token", secret))["active"], true);
    revoke(&given("refresh_token", secret));
    assert_eq!(introspect(&given("refresh_token", secret)), inactive);
    token(&ada.site, &refresh_form(&app, &text(&issued["refresh_token"]))).refuses(400, "INVALID_GRANT");
    ada.site.post("/oauth/revoke", &json!({})).send().refuses(400, "VALIDATION_ERROR").of("token", "required");
    let form = post_form(&ada.site, "/oauth/revoke", &json!({ "token_type_hint": "access_token" })).send();
    assert_eq!(form.is(400).json()["error"], "invalid_request");
}

fn grants_are_listed_narrowed_and_revoked(engine: Engine) {
    let server = Server::start(engine);
    let (ada, app, issued) = let_in(&server, true);
    let bob = server.person("Bob");
    let list = ada.get("/oauth/grants").send().data(200);
    let grant = &list[0];
    assert_eq!(grant["client"], json!({ "clientId": app.id, "name": "Timesheets", "logoUrl": null, "public": true }));
    assert_eq!(
        (&grant["scopes"], &grant["workspaceIds"]),
        (&json!(["pages:read", "pages:write"]), &json!([ada.workspace]))
    );
    let one = format!("/oauth/grants/{}", text(&grant["id"]));
    assert_eq!(ada.get(&one).send().data(200), *grant);
    bob.get(&one).send().refuses(404, "NOT_FOUND");
    bob.delete(&one).send().refuses(404, "NOT_FOUND");
    let wider = json!({ "scopes": ["pages:read", "files:read"] });
    ada.patch(&one, &wider).send().refuses(422, "UNPROCESSABLE_ENTITY").of("scopes", "grant_widened");
    let elsewhere = json!({ "workspaceIds": [bob.workspace] });
    ada.patch(&one, &elsewhere).send().refuses(422, "UNPROCESSABLE_ENTITY").of("workspaceIds", "grant_widened");
    ada.patch(&one, &json!({ "scopes": [] })).send().refuses(400, "VALIDATION_ERROR").of("scopes", "too_short");
    assert_eq!(ada.patch(&one, &json!({})).send().data(200)["scopes"], grant["scopes"]);
    let narrowed = ada.patch(&one, &json!({ "scopes": ["pages:read"] })).send().data(200);
    assert_eq!(narrowed["scopes"], json!(["pages:read"]));
    let next = token(&ada.site, &refresh_form(&app, &text(&issued["refresh_token"]))).is(200).json();
    assert_eq!(next["scope"], "pages:read");
    ada.delete(&one).send().is(204);
    ada.delete(&one).send().is(204);
    ada.get(&one).send().refuses(404, "NOT_FOUND");
    token(&ada.site, &refresh_form(&app, &text(&next["refresh_token"]))).refuses(400, "INVALID_GRANT");
    assert!(ada.get("/oauth/grants").send().data(200).as_array().unwrap().is_empty());
}

fn a_workspace_lists_and_withdraws_grants(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let app = register(&ada, true);
    let member = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{}/members", ada.workspace), &member).send().is(201);
    consent(&bob, &app, &json!({ "workspaceIds": [ada.workspace, bob.workspace] }));
    let path = format!("/workspaces/{}/oauth/grants", ada.workspace);
    bob.get(&path).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    let grant = ada.get(&path).send().data(200)[0].clone();
    assert_eq!((&grant["userId"], &grant["workspaceIds"]), (&json!(bob.id), &json!([ada.workspace])));
    let one = format!("{path}/{}", text(&grant["id"]));
    assert_eq!(ada.get(&one).send().data(200), grant);
    bob.get(&one).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    ada.get(&format!("{path}/ogr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX")).send().refuses(404, "NOT_FOUND");
    ada.delete(&one).send().is(204);
    ada.delete(&one).send().refuses(404, "NOT_FOUND");
    ada.get(&one).send().refuses(404, "NOT_FOUND");
    assert_eq!(bob.get("/oauth/grants").send().data(200)[0]["workspaceIds"], json!([bob.workspace]));
}
