//! `/`, `/account/apps` and `/account/sessions`, as a browser without scripts sees them.

use crate::consent;
use octavo_tests::{Browser, Engine, Person, Server, both_engines, browser::encoded};
use serde_json::json;

both_engines! {
    the_front_page_leads_on,
    the_pages_can_be_used_by_everybody,
    strangers_are_asked_to_sign_in_first,
    a_session_is_ended_on_the_page,
    all_other_sessions_end_at_once,
    nobody_ends_the_sessions_of_others,
    the_access_of_an_app_is_withdrawn_on_the_page,
    nobody_withdraws_the_apps_of_others,
    buttons_count_for_their_browser_and_origin_only,
    only_the_cookie_opens_the_pages,
}

const APPS: &str = "/account/apps";
const SESSIONS: &str = "/account/sessions";

pub(crate) fn signed_in(server: &Server, person: &Person) -> Browser {
    let mut browser = Browser::at(server.site());
    browser.sign_in(&person.email, &person.password).answer.is(303);
    browser
}

/// Lets an app of a user act for that user, and returns the id of the grant.
fn allow_app(browser: &mut Browser, owner: &Person) -> String {
    let client = consent::register(owner, &owner.workspace, &json!({ "public": true }));
    let page = browser.open(&consent::asked(&client, &[]));
    consent::approve(browser, &page).answer.is(303);
    let grants = owner.get("/oauth/grants").send().data(200);
    grants[0]["id"].as_str().unwrap().to_owned()
}

fn the_front_page_leads_on(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let page = browser.open("/");
    assert_eq!(page.answer.is(200).named("Content-Type"), "text/html; charset=utf-8");
    let links = |screen: &octavo_tests::browser::Screen| {
        let links = screen.select("main a").into_iter();
        links.map(|link| link.value().attr("href").unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(links(&page), ["/api/v1/oauth/login", "/sign-up", "/docs", "/docs/guides"]);
    for link in links(&page) {
        browser.open(&link).answer.is(200);
    }
    browser.sign_in(&ada.email, &ada.password).answer.is(303);
    let page = browser.open("/");
    assert_eq!(links(&page), [SESSIONS, APPS, "/docs"]);
    let out = browser.submit(&page.form("/oauth/logout"));
    assert_eq!(out.answer.is(303).named("Location"), "/");
    assert_eq!(browser.signed_in_as(), None);
}

fn the_pages_can_be_used_by_everybody(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    allow_app(&mut browser, &ada);
    for path in ["/", APPS, SESSIONS] {
        let page = browser.open(path);
        page.answer.is(200);
        assert_eq!(page.select("html[lang]").len(), 1, "{path}");
        assert_eq!(page.select("h1").len(), 1, "{path}");
        assert_eq!(
            page.select("script, iframe, object, embed, link:not([rel=icon]), img, [onclick], [style]").len(),
            0,
            "{path}"
        );
        assert_eq!(page.answer.named("Cache-Control"), "no-store");
        let policy = page.answer.named("Content-Security-Policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'nonce-"), "{policy}");
        assert!(policy.contains("form-action 'self'; base-uri 'none'; frame-ancestors 'none'"), "{policy}");
        for button in page.select("button[aria-describedby]") {
            let id = button.value().attr("aria-describedby").unwrap();
            assert_eq!(page.select(&format!("h2[id={id}]")).len(), 1, "a button says what it is about");
        }
    }
}

fn strangers_are_asked_to_sign_in_first(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for path in [APPS, SESSIONS] {
        let mut browser = Browser::at(server.site());
        let answer = browser.open(path).answer;
        let login = format!("/api/v1/oauth/login?returnTo={}", encoded(path));
        assert_eq!(answer.is(302).named("Location"), login);
        let form = browser.open(&login).form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
        assert_eq!(browser.submit(&form).answer.is(303).named("Location"), path);
        assert!(browser.open(path).text().contains(&ada.email));
        ada.delete("/sessions").send().is(200);
        browser.open(path).answer.is(302);
    }
}

fn a_session_is_ended_on_the_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    let page = browser.open(SESSIONS);
    assert_eq!(page.select(".entries > li").len(), 2);
    assert!(page.all("h2")[0].ends_with("(this browser)"), "{}", page.text());
    assert!(page.text().contains(&server.site().client_address().to_string()), "{}", page.text());
    let form = page.form(&format!("{SESSIONS}/{}", ada.session));
    assert_eq!(browser.submit(&form).answer.is(303).named("Location"), SESSIONS);
    ada.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    let page = browser.open(SESSIONS);
    assert_eq!(page.select(".entries > li").len(), 1);
    assert_eq!(page.all("button"), ["Sign out"], "nothing is left to end");
    browser.submit(&form).answer.is(303);
}

fn all_other_sessions_end_at_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let second = ada.login();
    let mut browser = signed_in(&server, &ada);
    let form = browser.open(SESSIONS).form(SESSIONS);
    browser.submit(&form).answer.is(303);
    for session in [&ada, &second] {
        session.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    }
    assert_eq!(browser.open(SESSIONS).select(".entries > li").len(), 1);
}

fn nobody_ends_the_sessions_of_others(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let (mut browser, mut foreign) = (signed_in(&server, &ada), signed_in(&server, &bob));
    let page = browser.open(SESSIONS);
    assert!(!page.answer.text().contains(&bob.session));
    let own = page.form(&format!("{SESSIONS}/{}", ada.session));
    let of_bob = foreign.open(SESSIONS).form(&format!("{SESSIONS}/{}", bob.session));
    let mut aimed = own.clone();
    aimed.action.clone_from(&of_bob.action);
    browser.submit(&aimed).answer.is(403);
    browser.submit(&of_bob).answer.is(403);
    aimed.action = format!("{SESSIONS}/nonsense");
    browser.submit(&aimed).answer.is(404);
    bob.refreshed();
    assert_eq!(foreign.open(SESSIONS).select(".entries > li").len(), 2);
}

fn the_access_of_an_app_is_withdrawn_on_the_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    assert!(browser.open(APPS).text().contains("No app has access"));
    let grant = allow_app(&mut browser, &ada);
    let page = browser.open(APPS);
    assert_eq!(page.all("h2"), ["Planner"]);
    for words in ["See pages and what is on them", "Ada's workspace", "Never"] {
        assert!(page.text().contains(words), "{words} in {}", page.text());
    }
    let form = page.form(&format!("{APPS}/{grant}"));
    assert_eq!(browser.submit(&form).answer.is(303).named("Location"), APPS);
    assert!(browser.open(APPS).text().contains("No app has access"));
    assert_eq!(ada.get("/oauth/grants").send().data(200), json!([]));
    browser.submit(&form).answer.is(303);
}

fn nobody_withdraws_the_apps_of_others(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let (mut browser, mut foreign) = (signed_in(&server, &ada), signed_in(&server, &bob));
    let grant = allow_app(&mut browser, &ada);
    assert!(!foreign.open(APPS).answer.text().contains(&grant));
    let form = browser.open(APPS).form(&format!("{APPS}/{grant}"));
    foreign.submit(&form).answer.is(403);
    let other = allow_app(&mut foreign, &bob);
    let mut aimed = foreign.open(APPS).form(&format!("{APPS}/{other}"));
    aimed.action.clone_from(&form.action);
    foreign.submit(&aimed).answer.is(403);
    assert_eq!(ada.get("/oauth/grants").send().data(200)[0]["id"], json!(grant));
}

fn buttons_count_for_their_browser_and_origin_only(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    let grant = allow_app(&mut browser, &ada);
    let own = server.public_origin();
    let session = browser.open(SESSIONS);
    let forms = [
        session.form(&format!("{SESSIONS}/{}", ada.session)),
        session.form(SESSIONS),
        browser.open(APPS).form(&format!("{APPS}/{grant}")),
    ];
    let mut bare = browser.clone();
    bare.cookies.clear();
    let mut second = signed_in(&server, &ada);
    for form in &forms {
        browser.form_request(form).send().is(403);
        browser.form_request(form).header("Origin", "https://evil.test").send().is(403);
        browser.form_request(form).header("Origin", &own).header("Sec-Fetch-Site", "cross-site").send().is(403);
        browser.submit(&form.without("csrf_token")).answer.is(403);
        bare.submit(form).answer.is(403);
        second.submit(form).answer.is(403);
        browser.request("POST", &form.action).header("Origin", &own).json(&json!({})).send().is(415);
    }
    ada.refreshed();
    assert_eq!(ada.get("/oauth/grants").send().data(200)[0]["id"], json!(grant));
}

fn only_the_cookie_opens_the_pages(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for path in [APPS, SESSIONS] {
        server.origin("GET", path).bearer(&ada.access).send().is(302);
        let target = format!("{path}?access_token={}", ada.access);
        server.origin("GET", &target).send().is(302);
    }
}
