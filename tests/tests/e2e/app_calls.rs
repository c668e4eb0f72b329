//! Calls of apps: what their tokens reach, and for how long.

use crate::{
    comments::{begin, on_page, path},
    pages::office,
    records::Table,
    search,
};
use octavo_tests::{Answer, Engine, Person, Request, Server, both_engines, poll, shape};
use serde_json::{Value, json};
use std::collections::BTreeSet;

both_engines! {
    an_app_names_its_workspace_in_every_call,
    an_app_stays_in_the_workspaces_it_was_let_into,
    no_scope_opens_what_only_people_do,
    an_app_left_without_a_scope_reaches_nothing,
    an_app_learns_who_it_is,
    the_calls_for_one_grant_count_together,
    an_app_without_a_scope_of_pages_sees_no_page_events,
    an_app_without_a_scope_of_pages_sees_no_root_pages,
    an_app_finds_what_it_has_scopes_for,
    a_revocation_counts_from_the_next_call_on,
    an_app_may_no_more_than_the_account_behind_it,
    an_app_of_an_owner_edits_only_comments_of_its_own,
}

const URI: &str = "https://timesheets.example/back";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A token that an app got for a user.
struct Token<'a> {
    server: &'a Server,
    client: String,
    access: String,
    workspace: String,
}

impl<'a> Token<'a> {
    /// Authorizes a new app of Ada for the given workspaces.
    fn granted(server: &'a Server, ada: &Person, workspaces: &[&str]) -> Self {
        Self::granted_for(server, ada, workspaces, &["pages:read"])
    }

    fn granted_for(server: &'a Server, ada: &Person, workspaces: &[&str], scopes: &[&str]) -> Self {
        let draft = json!({ "name": "Timesheets", "redirectUris": [URI], "scopes": scopes, "public": true });
        let made = ada.post(&format!("/workspaces/{}/oauth/apps", ada.workspace), &draft).send().data(201);
        let client = made["clientId"].as_str().unwrap().to_owned();
        let access = redeemed(ada, &client, workspaces);
        Self { server, client, access, workspace: workspaces[0].to_owned() }
    }

    /// A call that names no workspace.
    fn request(&self, method: &str, path: &str) -> Request {
        self.server.site().request(method, path).bearer(&self.access)
    }

    fn get(&self, path: &str) -> Answer {
        self.request("GET", path).header("X-Service-Workspace", &self.workspace).send()
    }

    fn home(&self) -> String {
        format!("/workspaces/{}", self.workspace)
    }
}

/// Consents to the app and returns the access token.
fn redeemed(ada: &Person, client: &str, workspaces: &[&str]) -> String {
    let consent = json!({
        "response_type": "code",
        "client_id": client,
        "redirect_uri": URI,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "decision": "approve",
        "workspaceIds": workspaces,
    });
    let sent_to = ada.post("/oauth/authorize", &consent).send().data(200)["redirectTo"].clone();
    let (_, query) = sent_to.as_str().unwrap().split_once('?').unwrap();
    let code = query.split('&').find_map(|pair| pair.strip_prefix("code=")).unwrap();
    let form = json!({
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": URI,
        "code_verifier": VERIFIER,
        "client_id": client,
    });
    ada.site.post("/oauth/token", &form).send().is(200).json()["access_token"].as_str().unwrap().to_owned()
}

fn create_workspace(ada: &Person, name: &str) -> String {
    ada.post("/workspaces", &json!({ "name": name })).send().data(201)["id"].as_str().unwrap().to_owned()
}

fn an_app_names_its_workspace_in_every_call(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = Token::granted(&server, &ada, &[&ada.workspace]);
    for path in ["/workspaces", &token.home(), &format!("{}/members", token.home()), "/events"] {
        token.request("GET", path).send().refuses(400, "VALIDATION_ERROR").of("X-Service-Workspace", "required");
        token.get(path).is(200);
    }
    token.request("GET", "/auth/me").send().is(200);
    token.request("GET", "/rate-limit").send().is(200);
}

fn an_app_stays_in_the_workspaces_it_was_let_into(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let (inside, outside) = (create_workspace(&ada, "Inside"), create_workspace(&ada, "Outside"));
    let token = Token::granted(&server, &ada, &[&inside]);
    for workspace in [&outside, &ada.workspace, &bob.workspace, "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "nonsense"] {
        let to = |path: &str| token.request("GET", path).header("X-Service-Workspace", workspace);
        to("/workspaces").send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
        to("/auth/me").send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
        let refusal = token.get(&format!("/workspaces/{workspace}")).refuses(403, "FORBIDDEN");
        assert_eq!(refusal.because("workspace_mismatch").message(), "This app has no access to that workspace.");
    }
    let listed = token.get("/workspaces").body_of(200);
    let ids: Vec<_> = listed["data"].as_array().unwrap().iter().map(|workspace| workspace["id"].clone()).collect();
    assert_eq!(ids, [json!(inside)]);
}

fn no_scope_opens_what_only_people_do(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = Token::granted(&server, &ada, &[&ada.workspace]);
    let home = token.home();
    for path in ["/jobs".to_owned(), format!("{home}/invitations")] {
        token.get(&path).refuses(403, "FORBIDDEN").because("oauth_scope");
    }
    let personal = ["/users/me", "/sessions", "/audit"].map(str::to_owned);
    for path in personal.into_iter().chain([format!("{home}/api-keys"), format!("{home}/audit")]) {
        token.get(&path).refuses(403, "FORBIDDEN").because("requires_user_credentials");
    }
    let patch = token.request("PATCH", &home).header("X-Service-Workspace", &token.workspace);
    patch.json(&json!({ "name": "Mine" })).send().refuses(403, "FORBIDDEN").because("oauth_scope");
}

fn an_app_left_without_a_scope_reaches_nothing(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = Token::granted(&server, &ada, &[&ada.workspace]);
    let app = format!("/workspaces/{}/oauth/apps/{}", ada.workspace, token.client);
    ada.patch(&app, &json!({ "scopes": ["files:read"] })).send().is(200);
    for path in [token.home(), format!("{}/members", token.home()), "/workspaces".to_owned()] {
        token.get(&path).refuses(403, "FORBIDDEN").because("oauth_scope");
    }
}

fn an_app_learns_who_it_is(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let other = create_workspace(&ada, "Other");
    let token = Token::granted(&server, &ada, &[&ada.workspace]);
    let me = token.request("GET", "/auth/me").send().data(200);
    assert_eq!(me["actor"], json!({ "type": "OAUTH_APP", "id": token.client }));
    assert_eq!(me["client"], json!({ "clientId": token.client, "name": "Timesheets" }));
    assert_eq!((&me["scopes"], &me["session"]), (&json!(["pages:read"]), &Value::Null));
    assert_eq!((&me["workspaceId"], &me["role"]), (&Value::Null, &Value::Null));
    assert_eq!(me["user"]["id"], json!(ada.id));
    let text = me["workspaces"].to_string();
    assert!(text.contains(&ada.workspace) && !text.contains(&other), "{text}");
    let named = token.get("/auth/me").data(200);
    assert_eq!((&named["workspaceId"], &named["role"]), (&json!(ada.workspace), &json!("OWNER")));
}

fn the_calls_for_one_grant_count_together(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = Token::granted(&server, &ada, &[&ada.workspace]);
    let second = redeemed(&ada, &token.client, &[&ada.workspace]);
    let left_for = |access: &str| {
        let buckets = server.get("/rate-limit").bearer(access).send().data(200);
        let generic = buckets.as_array().unwrap().iter().find(|bucket| bucket["bucket"] == "generic").cloned();
        generic.unwrap()["remaining"].as_u64().unwrap()
    };
    let before = left_for(&token.access);
    token.get("/workspaces").is(200);
    server.get("/workspaces").bearer(&second).header("X-Service-Workspace", &token.workspace).send().is(200);
    assert_eq!((left_for(&token.access), left_for(&second)), (before - 2, before - 2));
    let another = Token::granted(&server, &ada, &[&ada.workspace]);
    assert_eq!(left_for(&another.access), before, "another app counts by itself");
}

fn an_app_without_a_scope_of_pages_sees_no_page_events(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let page = ada.post("/pages", &json!({ "title": "Plan" })).send().data(201)["id"].as_str().unwrap().to_owned();
    ada.post(&format!("/pages/{page}/share-links"), &json!({ "level": "VIEW" })).send().is(201);
    let reader = Token::granted(&server, &ada, &[&ada.workspace]);
    let kinds = |token: &Token<'_>| -> Vec<String> {
        let body = token.get("/events").body_of(200);
        body["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    };
    let of_pages = |kind: &String| ["page.", "share_link."].iter().any(|area| kind.starts_with(area));
    poll::eventually("the event of the page", || kinds(&reader).iter().any(of_pages).then_some(()));
    for scopes in [&["files:read"][..], &["files:write"], &["databases:read", "files:write"]] {
        let token = Token::granted_for(&server, &ada, &[&ada.workspace], scopes);
        let seen = kinds(&token);
        assert!(seen.iter().any(|kind| kind == "user.registered"), "{scopes:?} {seen:?}");
        assert!(!seen.iter().any(of_pages), "{scopes:?} {seen:?}");
    }
    let both = Token::granted_for(&server, &ada, &[&ada.workspace], &["pages:read", "files:write"]);
    assert!(kinds(&both).iter().any(of_pages));
}

fn an_app_without_a_scope_of_pages_sees_no_root_pages(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let made = ada.post(&format!("/workspaces/{acme}/teams"), &json!({ "name": "Design" })).send().data(201);
    let team = made["id"].as_str().unwrap();
    let page = json!({ "title": "Plan", "teamId": team });
    ada.post("/pages", &page).header("X-Service-Workspace", &acme).send().is(201);
    let path = format!("/workspaces/{acme}/teams/{team}");
    for (scope, count) in [("pages:read", 1), ("files:write", 0), ("databases:read", 0)] {
        let token = Token::granted_for(&server, &ada, &[&acme], &[scope]);
        let shown = token.get(&path).data(200);
        assert_eq!(shown["rootPages"].as_array().unwrap().len(), count, "{scope}");
    }
}

fn an_app_finds_what_it_has_scopes_for(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Wombat");
    let thread = begin(&office, &office.owner, &json!({ "pageId": page, "body": "wombat" }));
    let table = Table::create(&office, &json!({ "title": "Wombat table" }));
    let record = table.put(&office, "Wombat record");
    // The blocks on the page of a record are content of pages.
    office.line(&shape::text(&record["pageId"]), None, "burrow of the wombat");
    search::eventually(&office, &office.owner, "burrow", "", &[record["id"].as_str().unwrap()]);
    let by = |scopes| Token::granted_for(&office.server, &office.owner, &[&office.id], scopes);
    assert_eq!(search::ids(&by(&["databases:read"]).get("/search?q=burrow")), [""; 0]);
    let both = by(&["pages:read", "databases:read"]).get("/search?q=burrow");
    assert_eq!(search::ids(&both), [record["id"].as_str().unwrap()]);
    let of_pages = [page, shape::text(&thread["id"])];
    let of_databases = [table.id.clone(), shape::text(&record["id"])];
    let all = [of_pages.clone(), of_databases.clone()].concat();
    search::eventually_all(&office, &office.owner, "wombat", "", &all.iter().map(String::as_str).collect::<Vec<_>>());
    for (scopes, expected) in [
        (&["pages:read"][..], &of_pages[..]),
        (&["databases:write"][..], &of_databases[..]),
        (&["pages:read", "databases:read"][..], &all[..]),
        (&["files:read"][..], &[][..]),
    ] {
        let token = Token::granted_for(&office.server, &office.owner, &[&office.id], scopes);
        let answer = token.get("/search?q=wombat");
        let found: BTreeSet<_> = search::ids(&answer).into_iter().collect();
        assert_eq!(found, expected.iter().cloned().collect(), "{scopes:?}");
        assert_eq!(answer.body_of(200)["total"]["value"], expected.len(), "{scopes:?}");
    }
}

fn a_revocation_counts_from_the_next_call_on(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (kept, lost) = (create_workspace(&ada, "Kept"), create_workspace(&ada, "Lost"));
    let token = Token::granted(&server, &ada, &[&lost, &kept]);
    token.get("/workspaces").is(200);
    let grant = ada.get("/oauth/grants").send().data(200)[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/oauth/grants/{grant}");
    ada.patch(&path, &json!({ "workspaceIds": [kept] })).send().is(200);
    token.get("/workspaces").refuses(403, "FORBIDDEN").because("workspace_mismatch");
    let inside = || token.request("GET", "/workspaces").header("X-Service-Workspace", &kept).send();
    inside().is(200);
    ada.delete(&path).send().is(204);
    inside().refuses(401, "UNAUTHORIZED").because("token_malformed");
}

fn an_app_may_no_more_than_the_account_behind_it(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let token = Token::granted(&server, &ada, &[&ada.workspace]);
    token.get("/workspaces").is(200);
    server.run(&["user", "suspend", &ada.email]).exits(0);
    token.get("/workspaces").refuses(403, "FORBIDDEN").because("account_suspended");
    server.run(&["user", "reinstate", &ada.email]).exits(0);
    token.get("/workspaces").refuses(401, "UNAUTHORIZED").because("token_malformed");
}

fn an_app_of_an_owner_edits_only_comments_of_its_own(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    office.grant(&page, &[("user", &office.member.id, "COMMENT")]);
    let scopes = ["pages:read", "pages:write"];
    let token = Token::granted_for(&office.server, &office.owner, &[&office.id], &scopes);
    let send = |method: &str, path: &str, body: &Value| {
        let request = token.request(method, path).header("X-Service-Workspace", &token.workspace);
        request.body("application/json", body.to_string()).send()
    };
    let of_member = begin(&office, &office.member, &on_page(&page));
    let edit = json!({ "body": "Edited" });
    send("PATCH", &path(&of_member), &edit).refuses(403, "FORBIDDEN").because("not_author");
    let own = send("POST", "/comments", &on_page(&page)).data(201);
    assert_eq!(send("PATCH", &path(&own), &edit).data(200)["body"], "Edited");
    let as_owner = office.patch(&office.owner, &path(&of_member), &edit).data(200);
    assert_eq!(as_owner["body"], "Edited", "without an app, owners may edit what others wrote");
}
