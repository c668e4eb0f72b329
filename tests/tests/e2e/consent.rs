//! `GET /oauth/authorize`, `GET`, `POST /oauth/consent`: an app asks a user in their browser.

use octavo_tests::{
    Browser, Engine, Person, Request, Server, both_engines,
    browser::{Form, Screen, encoded},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

both_engines! {
    consent_requires_signing_in_first,
    the_page_says_who_asks_for_what,
    the_home_of_the_app_is_preselected_for_its_members,
    denying_is_reported_to_the_app,
    one_workspace_at_least_has_to_be_chosen,
    no_browser_is_redirected_to_a_foreign_address,
    every_other_fault_is_reported_to_the_app,
    prompts_are_kept,
    a_confidential_app_is_not_asked_about_twice,
    an_answer_can_be_posted_to_the_app,
    a_browser_leaves_by_a_page_that_its_forms_do_not_bind,
    a_consent_counts_for_what_was_shown,
    a_consent_counts_for_its_browser_and_session,
    names_are_text,
    the_pages_for_consent_are_limited,
}

const AUTHORIZE: &str = "/api/v1/oauth/authorize";
const CONSENT: &str = "/api/v1/oauth/consent";
const BACK: &str = "https://planner.example/back?keep=1";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(crate) fn register(owner: &Person, workspace: &str, fields: &Value) -> String {
    let mut body = json!({
        "name": "Planner",
        "redirectUris": [BACK],
        "scopes": ["pages:read", "pages:write", "files:read"],
    });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let app = owner.post(&format!("/workspaces/{workspace}/oauth/apps"), &body).send().data(201);
    app["clientId"].as_str().unwrap().to_owned()
}

fn query(client: &str, changes: &[(&str, &str)]) -> String {
    let mut pairs = vec![
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", BACK),
        ("scope", "pages:read"),
        ("state", "a b&c=<\u{e9}>"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    for (name, value) in changes {
        pairs.retain(|(known, _)| known != name);
        pairs.push((name, value));
    }
    let written = pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    written.collect::<Vec<_>>().join("&")
}

pub(crate) fn asked(client: &str, changes: &[(&str, &str)]) -> String {
    format!("{AUTHORIZE}?{}", query(client, changes))
}

fn signed_in(server: &Server, person: &Person) -> Browser {
    let mut browser = Browser::at(server.site());
    browser.sign_in(&person.email, &person.password).answer.is(303);
    browser
}

/// The parameters that an app gets with the browser.
fn returned(screen: &Screen) -> BTreeMap<String, String> {
    let address = screen.location().unwrap_or_else(|| panic!("{:?}", screen.answer));
    let query = address.strip_prefix("https://planner.example/back?").unwrap_or_else(|| panic!("{address}"));
    query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
        } else {
            byte
        });
    }
    String::from_utf8(bytes).unwrap()
}

pub(crate) fn approve(browser: &mut Browser, page: &Screen) -> Screen {
    browser.submit(&page.form("/oauth/consent").with("decision", "approve"))
}

fn consent_requires_signing_in_first(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({ "public": true }));
    let mut browser = Browser::at(server.site());
    let page = browser.visit(&asked(&client, &[]));
    assert_eq!(page.answer.is(200).named("Content-Security-Policy").matches("https://planner.example;").count(), 1);
    let form = page.form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
    let led = browser.submit(&form);
    let page = browser.follow(led);
    let policy = page.answer.is(200).named("Content-Security-Policy").to_owned();
    assert!(policy.contains("form-action 'self' https://planner.example; base-uri 'none'"), "{policy}");
    let allowed = approve(&mut browser, &page);
    allowed.answer.is(303);
    let parameters = returned(&allowed);
    assert!(parameters["code"].starts_with("oc_"), "{parameters:?}");
    assert_eq!(parameters["state"], "a b&c=<\u{e9}>");
    assert_eq!(parameters["iss"], server.public_origin());
    assert_eq!(parameters["keep"], "1");
    let grants = ada.get("/oauth/grants").send().data(200);
    assert_eq!(grants[0]["client"]["clientId"], client, "{grants}");
    assert_eq!(grants[0]["workspaceIds"], json!([ada.workspace]));
}

fn the_page_says_who_asks_for_what(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    let page = browser.open(&asked(&client, &[("scope", "pages:read files:read")]));
    page.answer.is(200);
    let text = page.text();
    for word in ["Planner", "planner.example", "Ada's workspace", "365 days", &ada.email] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert_eq!(page.all("li"), ["See pages and what is on them", "See and download files"]);
    assert!(!text.contains("pages:read"), "words, not scopes");
    assert_eq!(page.select("script, img, [onclick], [style], iframe").len(), 0);
    assert_eq!(page.select("fieldset legend").len(), 1);
    assert_eq!(page.select("label input[type=checkbox][name=workspaceIds]").len(), 1);
    let buttons: Vec<_> =
        page.select("button[name=decision]").iter().map(|b| b.value().attr("value").unwrap().to_owned()).collect();
    assert_eq!(buttons, ["deny", "approve"]);
    assert_eq!(page.answer.named("Cache-Control"), "no-store");
    let same = browser.open(&format!("{CONSENT}?{}", query(&client, &[])));
    assert_eq!(same.answer.is(200).named("Content-Type"), "text/html; charset=utf-8");
    same.form("/oauth/consent");
}

fn the_home_of_the_app_is_preselected_for_its_members(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201);
    let acme = acme["id"].as_str().unwrap();
    let client = register(&ada, acme, &json!({}));
    let chosen = |person: &Person| {
        let page = signed_in(&server, person).open(&asked(&client, &[]));
        page.select("input[name=workspaceIds][checked]")
            .iter()
            .map(|b| b.value().attr("value").unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(chosen(&ada), [acme]);
    assert_eq!(chosen(&bob), [bob.workspace.as_str()]);
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(&asked(&client, &[])).form("/oauth/consent");
    let both = form.and("workspaceIds", &ada.workspace).with("decision", "approve");
    browser.submit(&both).answer.is(303);
    let mut granted: Vec<_> = [acme, &ada.workspace].map(str::to_owned).to_vec();
    granted.sort_unstable();
    assert_eq!(ada.get("/oauth/grants").send().data(200)[0]["workspaceIds"], json!(granted));
    let foreign = form.with("workspaceIds", &bob.workspace).with("decision", "approve");
    browser.submit(&foreign).answer.is(400);
}

fn an_answer_can_be_posted_to_the_app(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    let posting = [("response_mode", "form_post")];
    let form = browser.open(&asked(&client, &posting)).form("/oauth/consent");
    let page = browser.submit(&form.with("decision", "approve"));
    let policy = page.answer.is(200).named("Content-Security-Policy").to_owned();
    assert!(policy.contains("form-action 'self' https://planner.example https: http:;"), "{policy}");
    let form = page.form(BACK);
    assert!(form.value("code").is_some_and(|code| code.starts_with("oc_")), "{form:?}");
    assert_eq!((form.value("state"), form.value("error")), (Some("a b&c=<\u{e9}>"), None));
    assert_eq!(form.value("iss"), Some(server.public_origin().as_str()));
    assert_eq!(page.select("script").len(), 0);
    let refused = browser.open(&asked(&client, &[("response_mode", "form_post"), ("scope", "everything")]));
    assert_eq!(refused.answer.is(200).header("Location"), None);
    assert_eq!(refused.form(BACK).value("error"), Some("invalid_scope"));
    let unknown = browser.open(&asked(&client, &[("response_mode", "fragment")]));
    unknown.answer.is(302);
    assert_eq!(returned(&unknown)["error"], "invalid_request");
}

fn a_browser_leaves_by_a_page_that_its_forms_do_not_bind(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let loopback = "http://[::1]:7777/back";
    let client = register(&ada, &ada.workspace, &json!({ "redirectUris": [loopback] }));
    let asked = asked(&client, &[("redirect_uri", loopback)]);
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(&asked).form("/oauth/consent").with("decision", "approve");
    let says =
        |request: Request, site: &str| request.header("Sec-Fetch-Site", site).header("Sec-Fetch-Mode", "navigate");
    let sent = browser.form_request(&form).header("Origin", server.public_origin());
    let page = says(sent, "same-origin").send();
    let page = browser.keep(page);
    assert_eq!(page.answer.is(200).header("Location"), None);
    let refresh = page.select("head meta[http-equiv=refresh]")[0].value().attr("content").unwrap().to_owned();
    let address = refresh.strip_prefix("0; url=").unwrap();
    assert!(address.starts_with(&format!("{loopback}?code=oc_")), "{address}");
    assert_eq!(page.select("main a")[0].value().attr("href"), Some(address));
    // The redirect that follows the sign-in form is part of its chain, the one that follows the app's link is not.
    let again = |site| says(browser.request("GET", &asked), site).send();
    assert_eq!(again("same-origin").is(200).header("Location"), None);
    assert!(again("cross-site").is(302).named("Location").starts_with(loopback));
}

fn denying_is_reported_to_the_app(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(&asked(&client, &[])).form("/oauth/consent").with("decision", "deny");
    let denied = returned(&browser.submit(&form));
    assert_eq!((denied["error"].as_str(), denied["iss"].as_str()), ("access_denied", server.public_origin().as_str()));
    assert_eq!(denied["state"], "a b&c=<\u{e9}>");
    assert_eq!(ada.get("/oauth/grants").send().data(200), json!([]));
}

fn one_workspace_at_least_has_to_be_chosen(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(&asked(&client, &[])).form("/oauth/consent").without("workspaceIds");
    let page = browser.submit(&form.with("decision", "approve"));
    page.answer.is(400);
    assert!(page.one("[role=alert]").contains("workspace"));
    approve(&mut browser, &page).answer.is(303);
    browser.submit(&form.with("decision", "maybe")).answer.is(400);
}

fn no_browser_is_redirected_to_a_foreign_address(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    for uri in [
        "https://planner.example/back",
        "https://planner.example/back?keep=1&x=2",
        "https://planner.example/back?keep=1#x",
        "https://planner.example/Back?keep=1",
        "https://PLANNER.example/back?keep=1",
        "https://planner.example/b%61ck?keep=1",
        "https://planner.example/%2e/back?keep=1",
        "https://planner.example.evil.test/back?keep=1",
        "https://evil.test/",
        "",
    ] {
        for path in [AUTHORIZE, CONSENT] {
            let page = browser.open(&format!("{path}?{}", query(&client, &[("redirect_uri", uri)])));
            assert_eq!(
                (page.answer.is(400).header("Location"), page.one("h1").as_str()),
                (None, "This link cannot be followed")
            );
        }
    }
    for unknown in ["cli_00000000000000000000000000", "nonsense", ""] {
        let page = browser.open(&asked(unknown, &[]));
        assert_eq!(page.answer.is(400).header("Location"), None);
    }
    let twice = format!("{}&redirect_uri={}", asked(&client, &[]), encoded("https://evil.test/"));
    assert_eq!(browser.open(&twice).answer.is(400).header("Location"), None);
    assert_eq!(browser.open(AUTHORIZE).answer.is(400).header("Location"), None);
}

fn every_other_fault_is_reported_to_the_app(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({ "public": true }));
    let mut browser = Browser::at(server.site());
    for (name, value, error) in [
        ("response_type", "token", "unsupported_response_type"),
        ("response_type", "", "invalid_request"),
        ("scope", "databases:read", "invalid_scope"),
        ("scope", "everything", "invalid_scope"),
        ("code_challenge", "short", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("resource", "https://elsewhere.example", "invalid_target"),
        ("prompt", "sing", "invalid_request"),
        ("prompt", "none", "login_required"),
    ] {
        let screen = browser.open(&asked(&client, &[(name, value)]));
        screen.answer.is(302);
        let parameters = returned(&screen);
        assert_eq!(
            (parameters["error"].as_str(), parameters["iss"].as_str()),
            (error, server.public_origin().as_str()),
            "{name}={value}"
        );
        assert_eq!(parameters["state"], "a b&c=<\u{e9}>");
        assert!(parameters["error_description"].contains(name), "{parameters:?}");
    }
    let repeated = browser.open(&format!("{}&scope=files%3Aread", asked(&client, &[])));
    assert_eq!(returned(&repeated)["error"], "invalid_request");
}

fn prompts_are_kept(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    let before = browser.cookies["svc_sid"].clone();
    assert_eq!(returned(&browser.open(&asked(&client, &[("prompt", "none")])))["error"], "consent_required");
    let page = browser.visit(&asked(&client, &[("prompt", "login")]));
    let form = page.form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
    let led = browser.submit(&form);
    assert_ne!(browser.cookies["svc_sid"], before);
    let page = browser.follow(led);
    approve(&mut browser, &page).answer.is(303);
    assert!(returned(&browser.open(&asked(&client, &[("prompt", "none")]))).contains_key("code"));
    browser.open(&asked(&client, &[("prompt", "consent")])).form("/oauth/consent");
}

fn a_confidential_app_is_not_asked_about_twice(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let confidential = register(&ada, &ada.workspace, &json!({}));
    let public = register(&ada, &ada.workspace, &json!({ "name": "Page", "public": true }));
    let mut browser = signed_in(&server, &ada);
    for client in [&confidential, &public] {
        let page = browser.open(&asked(client, &[]));
        approve(&mut browser, &page).answer.is(303);
    }
    let again = browser.open(&asked(&confidential, &[]));
    again.answer.is(302);
    assert!(returned(&again)["code"].starts_with("oc_"));
    browser.open(&asked(&confidential, &[("scope", "pages:read pages:write")])).form("/oauth/consent");
    browser.open(&asked(&public, &[])).form("/oauth/consent");
    assert_eq!(returned(&browser.open(&asked(&public, &[("prompt", "none")])))["error"], "consent_required");
}

fn a_consent_counts_for_what_was_shown(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let client = register(&ada, &ada.workspace, &json!({}));
    let other = register(&ada, &ada.workspace, &json!({ "name": "Other" }));
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(&asked(&client, &[])).form("/oauth/consent").with("decision", "approve");
    let changed = [
        form.with("scope", "pages:read pages:write"),
        form.without("scope"),
        form.with("state", "other"),
        form.without("state"),
        form.with("client_id", &other),
        form.with("code_challenge", &CHALLENGE.replace('E', "F")),
        form.without("code_challenge").without("code_challenge_method"),
        form.with("resource", &server.public_origin()),
        form.without("csrf_token"),
        form.with("csrf_token", "nonsense"),
    ];
    for form in &changed {
        assert_eq!(browser.submit(form).answer.is(403).header("Location"), None, "{form:?}");
    }
    let elsewhere = browser.submit(&form.with("redirect_uri", "https://evil.test/"));
    assert_eq!(elsewhere.answer.is(400).header("Location"), None);
    let app = format!("/workspaces/{}/oauth/apps/{client}", ada.workspace);
    ada.patch(&app, &json!({ "name": "Harmless" })).send().is(200);
    browser.submit(&form).answer.is(403);
    assert_eq!(ada.get("/oauth/grants").send().data(200), json!([]), "nothing was granted");
    let page = browser.open(&asked(&client, &[]));
    approve(&mut browser, &page).answer.is(303);
}

fn a_consent_counts_for_its_browser_and_session(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let client = register(&ada, &ada.workspace, &json!({}));
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(&asked(&client, &[])).form("/oauth/consent").with("decision", "approve");
    let mut other = signed_in(&server, &eve);
    let of_eve = other.open(&asked(&client, &[])).form("/oauth/consent").with("decision", "approve");
    let taken = form.with("csrf_token", of_eve.value("csrf_token").unwrap());
    browser.submit(&taken).answer.is(403);
    other.submit(&form).answer.is(403);
    browser.form_request(&form).send().is(403);
    browser.form_request(&form).header("Origin", "https://evil.test").send().is(403);
    let mut bare = Browser::at(server.site());
    bare.submit(&form).answer.is(403);
    assert_eq!(ada.get("/oauth/grants").send().data(200), json!([]), "nothing was granted");
    let out: Form = browser.open(&asked(&client, &[])).form("/oauth/logout");
    let mut gone = browser.clone();
    let led = browser.submit(&out);
    assert!(led.location().unwrap().starts_with(AUTHORIZE), "whoever else signs in comes back to the request");
    let late = gone.submit(&form);
    assert!(late.answer.is(303).named("Location").starts_with("/api/v1/oauth/login?"), "{:?}", late.answer);
    browser.follow(led).form("/oauth/login");
}

fn names_are_text(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let name = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;";
    let client = register(&ada, &ada.workspace, &json!({ "name": name, "logoUrl": "https://evil.test/logo.png" }));
    let workspace = "</label><b>Acme</b>";
    ada.patch(&format!("/workspaces/{}", ada.workspace), &json!({ "name": workspace })).send().is(200);
    let mut browser = signed_in(&server, &ada);
    let page = browser.open(&asked(&client, &[("state", "\"><script>alert(3)</script>")]));
    page.answer.is(200);
    assert_eq!(page.select("script, img, b").len(), 0);
    assert!(page.one("h1").contains(name) && page.text().contains(workspace));
    assert!(!page.answer.text().contains("evil.test"), "logos of elsewhere are never fetched");
    assert_eq!(page.form("/oauth/consent").value("state"), Some("\"><script>alert(3)</script>"));
    let parameters = returned(&approve(&mut browser, &page));
    assert_eq!(parameters["state"], "\"><script>alert(3)</script>");
}

fn the_pages_for_consent_are_limited(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_SCREENS", "2")]);
    for _ in 0..2 {
        server.bare("GET", AUTHORIZE).send().is(400);
    }
    let refused = server.bare("GET", AUTHORIZE).send();
    assert_eq!(refused.is(429).named("X-RateLimit-Bucket"), "screens");
    assert!(refused.named("Content-Type").starts_with("text/html"));
}
