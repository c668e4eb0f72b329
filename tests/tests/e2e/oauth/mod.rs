//! Apps that act for people, from registration to the end of their tokens.

mod endings;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use octavo_tests::{Answer, Engine, Person, Server, Site, at_once, both_engines};
use serde_json::{Value, json};

both_engines! {
    an_app_is_registered_changed_and_removed,
    what_an_app_may_be_is_checked,
    members_manage_no_apps,
    an_app_goes_the_whole_way_with_json,
    an_app_goes_the_whole_way_with_forms,
    faults_of_a_request_name_their_parameter,
    no_browser_is_redirected_to_a_foreign_address,
    a_native_app_may_listen_on_any_port,
    an_answer_in_json_can_be_meant_for_a_form,
    errors_follow_the_encoding,
    a_client_says_who_it_is_in_one_place,
    one_of_twenty_redeems_a_code,
    one_of_twenty_rotates_a_refresh_token,
    a_lost_answer_of_the_token_endpoint_is_given_again,
    pages_of_other_origins_cannot_consent,
}

const URI: &str = "https://timesheets.example/back?keep=1";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// What an app knows about itself.
#[derive(Clone, Debug)]
struct App {
    id: String,
    secret: Option<String>,
    path: String,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

fn apps(person: &Person) -> String {
    format!("/workspaces/{}/oauth/apps", person.workspace)
}

fn draft(public: bool) -> Value {
    let scopes = ["pages:read", "pages:write", "files:read", "everything"];
    json!({ "name": "Timesheets", "redirectUris": [URI], "scopes": scopes, "public": public })
}

#[track_caller]
fn register(person: &Person, public: bool) -> App {
    let made = person.post(&apps(person), &draft(public)).send().data(201);
    let id = text(&made["clientId"]);
    let path = format!("{}/{id}", apps(person));
    App { secret: made.get("clientSecret").map(text), id, path }
}

fn request(app: &App, changes: &Value) -> Value {
    let mut body = json!({
        "response_type": "code",
        "client_id": app.id,
        "redirect_uri": URI,
        "scope": "pages:read pages:write",
        "state": "a b",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "decision": "approve",
    });
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// Consents, and returns the address the browser would be redirected to.
#[track_caller]
fn consent(person: &Person, app: &App, changes: &Value) -> String {
    text(&person.post("/oauth/authorize", &request(app, changes)).send().data(200)["redirectTo"])
}

#[track_caller]
fn code(person: &Person, app: &App) -> String {
    let address = consent(person, app, &json!({}));
    let query = address.split_once('?').unwrap().1;
    query.split('&').find_map(|pair| pair.strip_prefix("code=")).expect("a code").to_owned()
}

fn code_form(app: &App, code: &str) -> Value {
    let mut form = json!({
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": URI,
        "code_verifier": VERIFIER,
        "client_id": app.id,
    });
    if let Some(secret) = &app.secret {
        form["client_secret"] = json!(secret);
    }
    form
}

fn refresh_form(app: &App, token: &str) -> Value {
    let mut form = json!({ "grant_type": "refresh_token", "refresh_token": token, "client_id": app.id });
    if let Some(secret) = &app.secret {
        form["client_secret"] = json!(secret);
    }
    form
}

fn token(site: &Site, form: &Value) -> Answer {
    site.post("/oauth/token", form).send()
}

/// Encodes the fields as a form.
fn as_form(fields: &Value) -> String {
    let escape = |text: &str| {
        text.bytes()
            .map(
                |byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") },
            )
            .collect::<String>()
    };
    let pairs = fields.as_object().unwrap().iter();
    pairs.map(|(name, value)| format!("{name}={}", escape(value.as_str().unwrap()))).collect::<Vec<_>>().join("&")
}

fn post_form(site: &Site, path: &str, fields: &Value) -> octavo_tests::Request {
    site.request("POST", path).body("application/x-www-form-urlencoded", as_form(fields))
}

fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))
}

/// A person, an app they registered, and the tokens it received.
#[track_caller]
fn let_in(server: &Server, public: bool) -> (Person, App, Value) {
    let ada = server.person("Ada");
    let app = register(&ada, public);
    let issued = token(&ada.site, &code_form(&app, &code(&ada, &app))).is(200).json();
    (ada, app, issued)
}

fn an_app_is_registered_changed_and_removed(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let made = ada.post(&apps(&ada), &draft(false)).send().data(201);
    let secret = text(&made["clientSecret"]);
    assert!(secret.starts_with("ocs_") && secret.len() == 47, "{secret}");
    assert_eq!(made["id"], made["clientId"]);
    assert_eq!(made["scopes"], json!(["pages:read", "pages:write", "files:read"]));
    assert_eq!(
        (&made["public"], &made["redirectUris"], &made["logoUrl"]),
        (&json!(false), &json!([URI]), &Value::Null)
    );
    let path = format!("{}/{}", apps(&ada), text(&made["id"]));
    let public = register(&ada, true);
    assert_eq!(public.secret, None);
    let list = ada.get(&apps(&ada)).send();
    assert!(!list.text().contains(&secret) && !list.text().contains("ecret"), "{}", list.text());
    assert_eq!(list.data(200)[0]["clientId"], public.id);
    let known = server.get(&format!("/oauth/clients/{}", text(&made["id"]))).send().data(200);
    assert_eq!(
        known,
        json!({ "clientId": made["id"], "name": "Timesheets", "logoUrl": null, "public": false, "scopes": made["scopes"] })
    );
    let change = json!({ "name": "Hours", "logoUrl": "https://timesheets.example/logo.png", "scopes": ["pages:read"] });
    let changed = ada.patch(&path, &change).send().data(200);
    assert_eq!((&changed["name"], &changed["scopes"]), (&json!("Hours"), &json!(["pages:read"])));
    assert_eq!(changed.get("clientSecret"), None);
    ada.patch(&path, &json!({ "public": true })).send().refuses(400, "VALIDATION_ERROR").of("public", "immutable");
    let rotated = ada.post(&format!("{path}/secret"), &json!({})).send().data(200);
    assert_ne!(text(&rotated["clientSecret"]), secret);
    ada.post(&format!("{}/secret", public.path), &json!({})).send().refuses(409, "CONFLICT");
    let gone = ada.delete(&path).send().is(200).json();
    assert_eq!(gone, json!({ "deleted": true, "clientId": made["id"] }));
    ada.delete(&path).send().refuses(404, "NOT_FOUND");
    server.get(&format!("/oauth/clients/{}", text(&made["id"]))).send().refuses(404, "NOT_FOUND");
}

fn what_an_app_may_be_is_checked(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for (field, value, place, issue) in [
        ("name", json!(""), "name", "too_short"),
        ("redirectUris", json!([]), "redirectUris", "too_short"),
        ("redirectUris", json!(vec![URI; 11]), "redirectUris", "too_long"),
        ("redirectUris", json!(["https://a.example/#x"]), "redirectUris.0", "invalid_format"),
        ("redirectUris", json!(["https://user@a.example/"]), "redirectUris.0", "invalid_format"),
        ("redirectUris", json!(["https://*.a.example/"]), "redirectUris.0", "invalid_format"),
        ("redirectUris", json!(["javascript:alert(1)"]), "redirectUris.0", "invalid_format"),
        ("redirectUris", json!(["http://127.0.0.1:080/"]), "redirectUris.0", "invalid_format"),
        ("redirectUris", json!([format!("https://a.example/{}", "x".repeat(2000))]), "redirectUris.0", "too_long"),
        ("scopes", json!(["everything"]), "scopes.0", "invalid_value"),
        ("scopes", json!([]), "scopes", "too_short"),
        ("logoUrl", json!("ftp://a.example/logo"), "logoUrl", "invalid_format"),
    ] {
        let mut body = draft(false);
        body[field] = value;
        ada.post(&apps(&ada), &body).send().refuses(400, "VALIDATION_ERROR").of(place, issue);
    }
    let flawed = json!({ "name": "A", "redirectUris": ["https://a.example/*"], "scopes": ["pages:read"] });
    let refused = ada.post(&apps(&ada), &flawed).send().refuses(400, "VALIDATION_ERROR");
    let rules = refused.names("redirectUris.0")["rules"].to_string();
    assert!(rules.contains("wildcard (*)") && rules.contains("fragment (#)"), "{rules}");
    let flawed = json!({ "name": "A", "redirectUris": [URI], "scopes": ["zz", "yy"] });
    let refused = ada.post(&apps(&ada), &flawed).send().refuses(400, "VALIDATION_ERROR");
    assert_eq!(refused.names("scopes.1")["received"], "yy");
    assert_eq!(refused.names("scopes.0")["allowed"][0], "pages:read");
}

fn members_manage_no_apps(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let app = register(&ada, false);
    let member = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{}/members", ada.workspace), &member).send().is(201);
    for answer in [
        bob.get(&apps(&ada)).send(),
        bob.post(&apps(&ada), &draft(true)).send(),
        bob.patch(&app.path, &json!({})).send(),
        bob.delete(&app.path).send(),
        bob.post(&format!("{}/secret", app.path), &json!({})).send(),
    ] {
        answer.refuses(403, "FORBIDDEN").because("oauth_role_denied");
    }
}

fn an_app_goes_the_whole_way_with_json(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, false);
    let address = consent(&ada, &app, &json!({ "scope": "pages:read" }));
    let escaped_origin = ada.site.public_origin().replace(':', "%3A").replace('/', "%2F");
    assert!(address.starts_with(&format!("{URI}&code=oc_")), "{address}");
    assert!(address.ends_with(&format!("&state=a%20b&iss={escaped_origin}")), "{address}");
    let code = address.split("code=").nth(1).unwrap().split('&').next().unwrap();
    let answer = token(&ada.site, &code_form(&app, code));
    assert_eq!(answer.named("Cache-Control"), "no-store");
    let issued = answer.is(200).json();
    assert_eq!((&issued["token_type"], &issued["expires_in"]), (&json!("Bearer"), &json!(900)));
    assert_eq!(issued["scope"], "pages:read");
    assert!(text(&issued["refresh_token"]).starts_with("rft_"));
    let next = token(&ada.site, &refresh_form(&app, &text(&issued["refresh_token"]))).is(200).json();
    assert_ne!(next["access_token"], issued["access_token"]);
    assert_ne!(next["refresh_token"], issued["refresh_token"]);
    let again = token(&ada.site, &refresh_form(&app, &text(&issued["refresh_token"])));
    again.refuses(400, "INVALID_GRANT");
    token(&ada.site, &refresh_form(&app, &text(&next["refresh_token"]))).refuses(400, "INVALID_GRANT");
    let declined = consent(&ada, &app, &json!({ "decision": "deny" }));
    assert!(declined.starts_with(&format!("{URI}&error=access_denied&state=a%20b&iss=")), "{declined}");
}

fn an_app_goes_the_whole_way_with_forms(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, false);
    let mut form = code_form(&app, &code(&ada, &app));
    let fields = form.as_object_mut().unwrap();
    let secret = text(&fields.remove("client_secret").unwrap());
    fields.remove("client_id");
    let call = post_form(&ada.site, "/oauth/token", &form).header("Authorization", basic(&app.id, &secret));
    let issued = call.send().is(200).json();
    assert_eq!(issued["scope"], "pages:read pages:write");
    let again = call.send();
    assert_eq!(again.is(400).json()["error"], "invalid_grant");
    let dead = post_form(&ada.site, "/oauth/token", &refresh_form(&app, &text(&issued["refresh_token"]))).send();
    assert_eq!(dead.is(400).json()["error"], "invalid_grant", "the second use of the code ended the family");
}

fn faults_of_a_request_name_their_parameter(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, true);
    let refused = |changes: Value| ada.post("/oauth/authorize", &request(&app, &changes)).send();
    refused(json!({ "client_id": "cli_00000000000000000000000000" })).refuses(400, "INVALID_CLIENT").names("client_id");
    refused(json!({ "scope": "databases:read" })).refuses(400, "INVALID_SCOPE").of("scope", "invalid_value");
    let plain = refused(json!({ "code_challenge_method": "plain" })).refuses(400, "VALIDATION_ERROR");
    assert_eq!(plain.names("code_challenge_method")["allowed"], json!(["S256"]));
    for (field, value, issue) in [
        ("response_type", json!("token"), "invalid_value"),
        ("code_challenge", json!("short"), "invalid_format"),
        ("code_challenge_method", json!("plain"), "invalid_value"),
        ("state", json!("s".repeat(1025)), "too_long"),
        ("resource", json!("https://evil.test"), "invalid_value"),
        ("prompt", json!("dance"), "invalid_value"),
        ("decision", json!("perhaps"), "invalid_value"),
        ("workspaceIds", json!([]), "too_short"),
        ("workspaceIds", json!(["wks_00000000000000000000000000"]), "invalid_value"),
    ] {
        refused(json!({ field: value })).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    assert!(ada.get("/oauth/grants").send().data(200).as_array().unwrap().is_empty());
}

fn no_browser_is_redirected_to_a_foreign_address(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, true);
    for uri in [
        "https://timesheets.example/back",
        "https://timesheets.example/back?keep=1&more=2",
        "https://timesheets.example/back?keep=1#x",
        "https://timesheets.example/back?keep=1/",
        "https://TIMESHEETS.example/back?keep=1",
        "https://timesheets.example/%2e/back?keep=1",
        "https://timesheets.example.evil.test/back?keep=1",
        "https://evil.test/",
    ] {
        for decision in ["approve", "deny"] {
            let changes = json!({ "redirect_uri": uri, "decision": decision });
            let answer = ada.post("/oauth/authorize", &request(&app, &changes)).send();
            answer.refuses(400, "VALIDATION_ERROR").of("redirect_uri", "invalid_value");
            assert_eq!(answer.header("Location"), None);
        }
    }
}

fn a_native_app_may_listen_on_any_port(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut native = draft(true);
    native["redirectUris"] = json!(["http://127.0.0.1:7777/back", "http://localhost:7777/back"]);
    let made = ada.post(&apps(&ada), &native).send().data(201);
    let id = text(&made["clientId"]);
    let app = App { secret: None, path: format!("{}/{id}", apps(&ada)), id };
    let listening = "http://127.0.0.1:51004/back";
    let code = || {
        let address = consent(&ada, &app, &json!({ "redirect_uri": listening }));
        let query = address.strip_prefix(listening).unwrap_or_else(|| panic!("{address}")).trim_start_matches('?');
        query.split('&').find_map(|pair| pair.strip_prefix("code=")).expect("a code").to_owned()
    };
    let redeem = |redirect_uri: &str| {
        let mut form = code_form(&app, &code());
        form["redirect_uri"] = json!(redirect_uri);
        token(&ada.site, &form)
    };
    redeem(listening).is(200);
    redeem("http://127.0.0.1:7777/back").refuses(400, "INVALID_GRANT");
    for foreign in ["http://localhost:51004/back", "http://127.0.0.1:51004/", "https://127.0.0.1:51004/back"] {
        let answer = ada.post("/oauth/authorize", &request(&app, &json!({ "redirect_uri": foreign }))).send();
        answer.refuses(400, "VALIDATION_ERROR").of("redirect_uri", "invalid_value");
    }
    let late = code();
    ada.patch(&app.path, &json!({ "redirectUris": [URI] })).send().is(200);
    let mut form = code_form(&app, &late);
    form["redirect_uri"] = json!(listening);
    token(&ada.site, &form).refuses(400, "INVALID_GRANT");
}

fn an_answer_in_json_can_be_meant_for_a_form(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, false);
    let answer = |mode: &str| ada.post("/oauth/authorize", &request(&app, &json!({ "response_mode": mode }))).send();
    let posted = answer("form_post").data(200);
    assert_eq!(posted["redirectTo"], URI);
    assert!(text(&posted["formFields"]["code"]).starts_with("oc_"), "{posted}");
    assert_eq!(posted["formFields"]["state"], "a b");
    let redirected = answer("query").data(200);
    assert!(text(&redirected["redirectTo"]).contains("code=oc_") && redirected.get("formFields").is_none());
    answer("fragment").refuses(400, "VALIDATION_ERROR").of("response_mode", "invalid_value");
}

fn errors_follow_the_encoding(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, false);
    let with = |changes: Value| {
        let mut form = code_form(&app, "oc_nothing");
        for (name, value) in changes.as_object().unwrap() {
            form[name] = value.clone();
        }
        form
    };
    for (form, json_code, form_error, parameter) in [
        (with(json!({})), "INVALID_GRANT", "invalid_grant", "code"),
        (with(json!({ "client_secret": "ocs_wrong" })), "INVALID_CLIENT", "invalid_client", "client_secret"),
        (with(json!({ "client_id": "nonsense" })), "INVALID_CLIENT", "invalid_client", "client_id"),
        (with(json!({ "grant_type": "password" })), "VALIDATION_ERROR", "unsupported_grant_type", "grant_type"),
        (json!({ "client_id": app.id }), "VALIDATION_ERROR", "invalid_request", "grant_type"),
        (json!({ "grant_type": "authorization_code" }), "VALIDATION_ERROR", "invalid_request", "code"),
    ] {
        token(&ada.site, &form).refuses(400, json_code).names(parameter);
        let answer = post_form(&ada.site, "/oauth/token", &form).send();
        let body = answer.is(400).json();
        assert_eq!(body["error"], form_error, "{form}");
        assert!(text(&body["error_description"]).contains(&format!("({parameter}: ")), "{body}");
        assert_eq!(body["requestId"], answer.named("X-Request-Id"));
        assert_eq!(answer.header("WWW-Authenticate"), None);
        assert_eq!(answer.named("Cache-Control"), "no-store");
    }
    let fields = json!({ "grant_type": "authorization_code", "code": "oc_x", "redirect_uri": URI });
    let call = post_form(&ada.site, "/oauth/token", &fields).header("Authorization", basic(&app.id, "ocs_wrong"));
    let answer = call.send();
    assert_eq!(answer.is(401).json()["error"], "invalid_client");
    assert!(answer.named("WWW-Authenticate").starts_with("Basic"));
    let twice = ada.site.request("POST", "/oauth/token").body(
        "application/x-www-form-urlencoded",
        "grant_type=refresh_token&grant_type=refresh_token&refresh_token=rft_x",
    );
    let twice = twice.send().is(400).json();
    assert_eq!(twice["error"], "invalid_request");
    assert!(text(&twice["error_description"]).contains("grant_type"), "{twice}");
    ada.site.request("POST", "/oauth/token").body("text/plain", "grant_type=x").send().is(415);
}

fn a_client_says_who_it_is_in_one_place(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (app, other) = (register(&ada, false), register(&ada, true));
    let secret = app.secret.clone().unwrap();
    let form = code_form(&app, &code(&ada, &app));
    let both = ada.site.post("/oauth/token", &form).header("Authorization", basic(&app.id, &secret));
    both.send().refuses(400, "VALIDATION_ERROR").names("client_secret");
    let mut foreign = form.clone();
    foreign["client_id"] = json!(other.id);
    foreign.as_object_mut().unwrap().remove("client_secret");
    token(&ada.site, &foreign).refuses(400, "INVALID_CLIENT");
    let mut nameless = form.clone();
    nameless.as_object_mut().unwrap().remove("client_id");
    token(&ada.site, &nameless).refuses(400, "INVALID_CLIENT");
    token(&ada.site, &form).is(200);
    let mut public = code_form(&other, &code(&ada, &other));
    public.as_object_mut().unwrap().remove("client_id");
    token(&ada.site, &public).is(200);
}

fn one_of_twenty_redeems_a_code(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, true);
    let form = code_form(&app, &code(&ada, &app));
    let answers = at_once::at_once(20, |_| token(&ada.site, &form));
    let good: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(good.len(), 1);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.refuses(400, "INVALID_GRANT");
    }
    let refresh = refresh_form(&app, &text(&good[0].json()["refresh_token"]));
    token(&ada.site, &refresh).refuses(400, "INVALID_GRANT");
}

fn one_of_twenty_rotates_a_refresh_token(engine: Engine) {
    let server = Server::start(engine);
    let (ada, app, issued) = let_in(&server, true);
    let form = refresh_form(&app, &text(&issued["refresh_token"]));
    let answers = at_once::at_once(20, |_| token(&ada.site, &form));
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let next = answers.iter().find(|answer| answer.status == 200).unwrap().json();
    token(&ada.site, &refresh_form(&app, &text(&next["refresh_token"]))).refuses(400, "INVALID_GRANT");
}

fn a_lost_answer_of_the_token_endpoint_is_given_again(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let app = register(&ada, true);
    let form = code_form(&app, &code(&ada, &app));
    let answers = at_once::at_once(5, |_| ada.site.post("/oauth/token", &form).key("k").send());
    let first = answers[0].is(200).json();
    for answer in &answers {
        assert_eq!(answer.is(200).json(), first);
    }
    let refresh = refresh_form(&app, &text(&first["refresh_token"]));
    let rotate = || ada.site.post("/oauth/token", &refresh).key("k").send();
    let second = rotate().is(200).json();
    assert_eq!(rotate().is(200).json(), second);
    token(&ada.site, &refresh_form(&app, &text(&second["refresh_token"]))).is(200);
    rotate().refuses(400, "INVALID_GRANT");
}

fn pages_of_other_origins_cannot_consent(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_CORS_ORIGINS", "https://app.example")]);
    let ada = server.person("Ada");
    let app = register(&ada, true);
    let call = ada.post("/oauth/authorize", &request(&app, &json!({}))).header("Origin", "https://app.example");
    assert_eq!(call.send().is(200).header("Access-Control-Allow-Origin"), None);
    let form = code_form(&app, "oc_x");
    let exchange = ada.site.post("/oauth/token", &form).header("Origin", "https://app.example").send();
    assert!(exchange.header("Access-Control-Allow-Origin").is_some(), "apps in browsers get their tokens themselves");
}
