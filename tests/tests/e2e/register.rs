//! `POST /auth/register`: what a new account gets.

use octavo_tests::{Engine, Reason, Server, at_once::at_once, both_engines, jwt, shape};
use serde_json::{Value, json};

both_engines! {
    an_account_comes_with_workspace_session_and_tokens,
    a_new_user_has_the_defaults,
    the_access_token_says_who_where_and_how_long,
    the_tokens_work_at_once,
    an_address_is_kept_in_lower_case,
    a_known_address_is_refused_in_any_case,
    server_owned_fields_are_not_taken_from_the_body,
    slugs_of_one_name_are_numbered,
    a_long_name_is_cut_in_the_name_of_the_workspace,
    a_verification_link_is_mailed_with_the_public_origin,
    of_twenty_at_once_with_one_address_one_wins,
    twenty_at_once_with_one_name_get_different_slugs,
    nobody_registers_where_signup_is_not_open,
}

fn form(email: &str, name: &str) -> Value {
    json!({ "email": email, "password": "Correct-Horse-9", "name": name })
}

fn an_account_comes_with_workspace_session_and_tokens(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let data = server.post("/auth/register", &form("ada@example.com", "Ada Lovelace")).send().data(201);
    shape::has(&data, &["user", "workspace", "accessToken", "refreshToken", "session"]);
    let user = shape::id(&data["user"]["id"], "usr_");
    let workspace = &data["workspace"];
    shape::id(&workspace["id"], "wks_");
    assert_eq!(workspace["name"], "Ada Lovelace's workspace");
    assert_eq!(workspace["slug"], "ada-lovelace-s-workspace");
    assert_eq!(workspace["isPersonal"], true);
    assert_eq!(workspace["ownerId"], user);
    shape::id(&data["session"]["id"], "ses_");
    let days = shape::seconds_ahead(&data["session"]["expiresAt"]) / 3600;
    assert!((29 * 24..=30 * 24).contains(&days), "{data}");
    shape::token(&data["refreshToken"], "rft_");
}

fn a_new_user_has_the_defaults(engine: Engine) {
    let server = Server::start(engine);
    let user = server.post("/auth/register", &form("ada@example.com", "Ada")).send().data(201)["user"].clone();
    assert_eq!(user["email"], "ada@example.com");
    assert_eq!(user["name"], "Ada");
    assert_eq!(user["displayName"], "Ada");
    assert_eq!(user["avatarUrl"], Value::Null);
    assert_eq!(user["emailVerification"], "PENDING");
    assert_eq!(user["emailVerifiedAt"], Value::Null);
    assert_eq!(user["status"], "ACTIVE");
    assert_eq!(user["locale"], "en-US");
    assert_eq!(user["timezone"], "UTC");
    shape::text(&user["theme"]);
    shape::has(&user, &["lastLoginAt"]);
    assert!(shape::seconds_ahead(&user["createdAt"]).abs() < 60, "{user}");
}

fn the_access_token_says_who_where_and_how_long(engine: Engine) {
    let server = Server::start(engine);
    let data = server.post("/auth/register", &form("ada@example.com", "Ada")).send().data(201);
    let claims = jwt::claims(data["accessToken"].as_str().unwrap());
    assert_eq!(claims["sub"], data["user"]["id"]);
    assert_eq!(claims["workspaceId"], data["workspace"]["id"]);
    assert_eq!(claims["sid"], data["session"]["id"]);
    assert_eq!(claims["roles"], json!(["OWNER"]));
    assert_eq!(claims["scopes"], json!(["read", "write"]));
    assert_eq!(claims["amr"], json!(["pwd"]));
    assert_eq!(claims["iss"], server.public_origin());
    assert_eq!(claims["aud"], server.public_origin());
    assert!(!shape::text(&claims["jti"]).is_empty());
    let issued = claims["iat"].as_i64().unwrap();
    assert!((issued - shape::now_seconds()).abs() < 60);
    assert_eq!(claims["exp"], issued + 900);
    assert!((claims["auth_time"].as_i64().unwrap() - issued).abs() <= 1);
    assert_eq!(jwt::header(data["accessToken"].as_str().unwrap())["alg"], "HS256");
}

fn the_tokens_work_at_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    assert_eq!(ada.me()["id"], ada.id);
    ada.refresh_request().send().is(200);
}

fn an_address_is_kept_in_lower_case(engine: Engine) {
    let server = Server::start(engine);
    let data = server.post("/auth/register", &form("Ada.Lovelace@Example.COM", "Ada")).send().data(201);
    assert_eq!(data["user"]["email"], "ada.lovelace@example.com");
}

fn a_known_address_is_refused_in_any_case(engine: Engine) {
    let server = Server::start(engine);
    server.person("Ada");
    for email in ["ada@example.com", "ADA@EXAMPLE.COM"] {
        let refusal = server.post("/auth/register", &form(email, "Eve")).send().refuses(409, "CONFLICT");
        refusal.of("email", "already_exists");
    }
}

fn server_owned_fields_are_not_taken_from_the_body(engine: Engine) {
    let server = Server::start(engine);
    let mut body = form("ada@example.com", "Ada");
    let owned = json!({
        "id": "usr_00000000000000000000000000", "status": "SUSPENDED", "emailVerification": "VERIFIED",
        "emailVerifiedAt": "2020-01-01T00:00:00.000Z", "createdAt": "2020-01-01T00:00:00.000Z", "role": "GUEST",
        "ownerId": "usr_00000000000000000000000000", "workspaceId": "wks_00000000000000000000000000",
        "isPersonal": false, "locale": "de-DE", "displayName": "Somebody",
    });
    body.as_object_mut().unwrap().extend(owned.as_object().unwrap().clone());
    let data = server.post("/auth/register", &body).send().data(201);
    let user = &data["user"];
    assert_ne!(user["id"], owned["id"]);
    assert_eq!(user["status"], "ACTIVE");
    assert_eq!(user["emailVerification"], "PENDING");
    assert!(shape::seconds_ahead(&user["createdAt"]).abs() < 60);
    assert_eq!(user["displayName"], "Ada");
    assert_eq!(data["workspace"]["isPersonal"], true);
    assert_eq!(data["workspace"]["ownerId"], user["id"]);
}

fn slug_of(server: &Server, email: &str, name: &str) -> String {
    shape::text(&server.post("/auth/register", &form(email, name)).send().data(201)["workspace"]["slug"])
}

fn slugs_of_one_name_are_numbered(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let slugs = ["a", "b", "c"].map(|who| slug_of(&server, &format!("{who}@example.com"), "Grace  Hopper!"));
    assert_eq!(slugs, ["grace-hopper-s-workspace", "grace-hopper-s-workspace-2", "grace-hopper-s-workspace-3"]);
    let long = ["d", "e"].map(|who| slug_of(&server, &format!("{who}@example.com"), &"n".repeat(60)));
    assert_eq!(long, ["n".repeat(50), format!("{}-2", "n".repeat(48))]);
}

fn a_long_name_is_cut_in_the_name_of_the_workspace(engine: Engine) {
    let server = Server::start(engine);
    let name = "ä".repeat(100);
    let data = server.post("/auth/register", &form("ada@example.com", &name)).send().data(201);
    assert_eq!(data["user"]["name"], name);
    let workspace = shape::text(&data["workspace"]["name"]);
    assert_eq!(workspace, format!("{}'s workspace", "ä".repeat(88)));
    let slug = shape::text(&data["workspace"]["slug"]);
    assert!((1..=50).contains(&slug.len()), "{slug}");
    assert!(slug.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-'), "{slug}");
}

fn a_verification_link_is_mailed_with_the_public_origin(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "https://octavo.example.org")]);
    let request = server.post("/auth/register", &form("ada@example.com", "Ada"));
    let poisoned = request
        .header("Host", "evil.test")
        .header("X-Forwarded-Host", "evil.test")
        .header("X-Forwarded-Proto", "http")
        .header("Forwarded", "host=evil.test;proto=http");
    poisoned.send().is(201);
    let mail = server.mailbox().mail("ada@example.com", "the link", |mail| mail.token("evt_").is_some());
    assert!(mail.text().contains("https://octavo.example.org/"), "{}", mail.raw);
    assert!(!mail.text().contains("evil.test"), "{}", mail.raw);
    assert_eq!(mail.headers("From").len(), 1);
}

fn of_twenty_at_once_with_one_address_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let request = server.post("/auth/register", &form("ada@example.com", "Ada"));
    let mut statuses = at_once(20, |_| request.send().status);
    statuses.sort_unstable();
    // The password hasher may refuse some when too many wait; the account must not be created twice.
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [201, 409, 503].contains(status)), "{statuses:?}");
    let login = json!({ "email": "ada@example.com", "password": "Correct-Horse-9" });
    let data = server.post("/auth/login", &login).send().data(200);
    let me = server.get("/users/me").bearer(data["accessToken"].as_str().unwrap()).send().data(200);
    assert_eq!(me["workspaces"].as_array().unwrap().len(), 1);
}

fn twenty_at_once_with_one_name_get_different_slugs(engine: Engine) {
    let server = Server::start(engine);
    let mut slugs = at_once(20, |who| slug_of(&server, &format!("p{who}@example.com"), "Ada"));
    slugs.sort_unstable();
    slugs.dedup();
    assert_eq!(slugs.len(), 20, "{slugs:?}");
}

fn nobody_registers_where_signup_is_not_open(engine: Engine) {
    for signup in ["invite", "closed"] {
        let server = Server::with(engine, &[("OCTAVO_SIGNUP", signup)]);
        let answer = server.post("/auth/register", &form("ada@example.com", "Ada")).send();
        answer.refuses(403, "FORBIDDEN").because("signup_closed");
        let login = json!({ "email": "ada@example.com", "password": "Correct-Horse-9" });
        server.post("/auth/login", &login).send().refuses(401, "UNAUTHORIZED");
    }
}
