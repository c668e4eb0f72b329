//! `/sign-up`, as a browser without scripts sees it.

use octavo_tests::{Browser, Engine, Server, both_engines, browser::encoded};
use serde_json::json;

both_engines! {
    the_page_can_be_used_by_everybody,
    signing_up_makes_an_account_and_signs_the_browser_in,
    signing_up_leads_on_to_where_the_user_came_from,
    a_wrong_entry_is_reported_on_the_page,
    a_known_address_gets_no_second_account,
    a_concealed_registration_looks_the_same_for_known_addresses,
    a_closed_sign_up_is_not_found,
    a_form_counts_for_its_browser_and_what_it_showed,
    signing_up_is_limited_like_registering,
}

const PATH: &str = "/sign-up";
const PASSWORD: &str = "Correct-Horse-9";

fn the_page_can_be_used_by_everybody(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let page = browser.open(PATH);
    page.answer.is(200);
    assert_eq!(page.one("h1"), "Create an account");
    for (field, completion) in [("email", "username"), ("name", "name"), ("password", "new-password")] {
        let input = page.select(&format!("input[name={field}]"))[0].value();
        assert_eq!(input.attr("autocomplete"), Some(completion));
        assert_eq!(page.select(&format!("label[for={}]", input.attr("id").unwrap())).len(), 1, "{field} has a label");
    }
    assert_eq!(
        page.select("script, iframe, object, embed, link:not([rel=icon]), img, [onclick], [onload], [style]").len(),
        0
    );
    assert!(page.answer.named("Content-Security-Policy").starts_with("default-src 'none'; style-src 'nonce-"));
    assert_eq!(page.answer.named("Cache-Control"), "no-store");
    assert_eq!(page.select("a[href='/api/v1/oauth/login']").len(), 1);
}

fn signing_up_makes_an_account_and_signs_the_browser_in(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let form = browser.open(PATH).form(PATH).with("email", " Ada@example.com ").with("name", "Ada <b>");
    let before = browser.cookies["svc_sid"].clone();
    let page = browser.submit(&form.with("password", PASSWORD));
    page.answer.is(200);
    assert_eq!(page.one("h1"), "Welcome, Ada <b>");
    assert_ne!(browser.cookies["svc_sid"], before, "what stood in the browser before is worth nothing");
    assert_eq!(browser.signed_in_as().as_deref(), Some("ada@example.com"));
    let token = server.mailbox().token("ada@example.com", "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
    let login = json!({ "email": "ada@example.com", "password": PASSWORD });
    let data = server.post("/auth/login", &login).send().data(200);
    assert_eq!(data["user"]["emailVerified"], json!(true));
}

fn signing_up_leads_on_to_where_the_user_came_from(engine: Engine) {
    let server = Server::start(engine);
    for (target, expected) in [("/docs?a=b", Some("/docs?a=b")), ("https://evil.test/", None), ("//evil.test", None)] {
        let mut browser = Browser::at(server.site());
        let page = browser.open(&format!("{PATH}?returnTo={}", encoded(target)));
        assert!(!page.answer.text().contains("evil"), "{target}");
        let email = format!("person{}@example.com", target.len());
        let form = page.form(PATH).with("email", &email).with("name", "Ada").with("password", PASSWORD);
        let screen = browser.submit(&form);
        assert_eq!(screen.location(), expected, "{target}");
        assert_eq!(browser.signed_in_as(), Some(email));
    }
}

fn a_wrong_entry_is_reported_on_the_page(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let good = browser.open(PATH).form(PATH).with("email", "ada@example.com").with("name", "Ada");
    let good = good.with("password", PASSWORD);
    for (field, value, message) in [
        ("email", "ada", "Enter an email address"),
        ("name", " ", "Enter your name."),
        ("password", "short", "at least 8 characters"),
        ("password", "all-small-letters", "an upper-case letter"),
    ] {
        let page = browser.submit(&good.with(field, value));
        page.answer.is(400);
        assert!(page.one("[role=alert]").contains(message), "{}", page.text());
        assert!(page.one("title").starts_with("Error: "));
        let wrong = page.select(&format!("input[name={field}]"))[0].value();
        assert_eq!(wrong.attr("aria-invalid"), Some("true"));
        assert!(wrong.attr("aria-describedby").unwrap().starts_with("error"));
        assert_eq!(page.select("input[aria-invalid]").len(), 1);
        assert_eq!(page.select("input[name=password]")[0].value().attr("value"), None);
        let kept = page.form(PATH);
        assert_eq!(kept.value("name"), Some(if field == "name" { value } else { "Ada" }), "nobody types it twice");
    }
    assert_eq!(browser.signed_in_as(), None);
    browser.submit(&good).answer.is(200);
}

fn a_known_address_gets_no_second_account(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let form = browser.open(PATH).form(PATH).with("email", &ada.email).with("name", "Ada");
    let page = browser.submit(&form.with("password", "Another-Horse-9"));
    page.answer.is(409);
    assert!(page.one("[role=alert]").contains("has an account already"));
    assert_eq!(browser.signed_in_as(), None);
    ada.try_login().is(200);
}

fn a_concealed_registration_looks_the_same_for_known_addresses(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_REGISTER_CONCEAL", "true")]);
    let mut seen = Vec::new();
    for _ in 0..2 {
        let mut browser = Browser::at(server.site());
        let form = browser.open(PATH).form(PATH).with("email", "ada@example.com").with("name", "Ada");
        let page = browser.submit(&form.with("password", PASSWORD));
        assert!(page.answer.is(200).header("Set-Cookie").is_none());
        assert_eq!(browser.signed_in_as(), None);
        seen.push(page.text());
    }
    assert_eq!(seen[0], seen[1]);
    server.mailbox().mail("ada@example.com", "a notice without a token", |mail| mail.token("evt_").is_none());
}

fn a_closed_sign_up_is_not_found(engine: Engine) {
    let open = Server::start(engine);
    let mut browser = Browser::at(open.site());
    let form = browser.open(PATH).form(PATH).with("email", "ada@example.com").with("name", "Ada");
    for signup in ["invite", "closed"] {
        let server = Server::with(engine, &[("OCTAVO_SIGNUP", signup)]);
        let mut browser = Browser::at(server.site());
        let page = browser.open(PATH);
        page.answer.is(404);
        assert_eq!(page.one("h1"), "You cannot create an account here");
        assert_eq!(page.select("form").len(), 0);
        browser.submit(&form.with("password", PASSWORD)).answer.is(404);
        assert!(browser.open("/").select("a[href='/sign-up']").is_empty());
        let login = json!({ "email": "ada@example.com", "password": PASSWORD });
        server.post("/auth/login", &login).send().is(401);
    }
}

fn a_form_counts_for_its_browser_and_what_it_showed(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let form = browser.open(&format!("{PATH}?returnTo=/docs")).form(PATH).with("email", "ada@example.com");
    let form = form.with("name", "Ada").with("password", PASSWORD);
    let mut other = Browser::at(server.site());
    other.open(PATH).answer.is(200);
    for (mut sender, form) in [
        (browser.clone(), form.without("csrf_token")),
        (browser.clone(), form.with("returnTo", "/health")),
        (other, form.clone()),
    ] {
        assert!(sender.submit(&form).answer.is(403).header("Set-Cookie").is_none(), "{form:?}");
    }
    browser.form_request(&form).header("Origin", "https://evil.test").send().is(403);
    let login = json!({ "email": "ada@example.com", "password": PASSWORD });
    server.post("/auth/login", &login).send().is(401);
    browser.submit(&form).answer.is(303);
}

fn signing_up_is_limited_like_registering(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_REGISTER", "1")]);
    server.person("Ada");
    let mut browser = Browser::at(server.site());
    let form = browser.open(PATH).form(PATH).with("email", "bob@example.com").with("name", "Bob");
    let refused = browser.submit(&form.with("password", PASSWORD)).answer;
    assert_eq!(refused.is(429).named("X-RateLimit-Bucket"), "register");
}
