//! What protects the pages to which mails link: headers, senders of forms, rate limits, logs.

use crate::mailed_pages::link;
use octavo_tests::{Browser, Engine, Server, both_engines};
use serde_json::json;

both_engines! {
    forms_come_from_their_page_and_browser_only,
    requests_for_resets_count_like_those_of_the_api,
    a_page_loads_nothing_and_can_be_used_by_everybody,
    no_token_of_a_link_is_logged,
}

const PASSWORD: &str = "New-Horse-10";

fn forms_come_from_their_page_and_browser_only(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let mut browser = Browser::at(server.site());
    let form = browser.open(&link(&server, &ada.email, "evt_")).form("/verify-email");
    let of_bob = server.mailbox().token(&bob.email, "evt_");
    let own = server.public_origin();
    for headers in [
        &[][..],
        &[("Origin", "https://evil.test")],
        &[("Origin", "null")],
        &[("Origin", own.as_str()), ("Sec-Fetch-Site", "cross-site")],
    ] {
        let request = browser.form_request(&form);
        headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send().is(403);
    }
    let mut elsewhere = form.clone();
    "/verify-email/reject".clone_into(&mut elsewhere.action);
    let mut bare = browser.clone();
    bare.cookies.clear();
    for (mut sender, form) in [
        (browser.clone(), form.without("csrf_token")),
        (browser.clone(), form.with("csrf_token", "nonsense")),
        (browser.clone(), form.with("token", &of_bob)),
        (browser.clone(), elsewhere),
        (bare, form.clone()),
        (Browser::at(server.site()), form.clone()),
    ] {
        sender.submit(&form).answer.is(403);
    }
    for person in [&ada, &bob] {
        assert_eq!(person.me()["emailVerification"], "PENDING", "nothing happened");
    }
    browser.submit(&form).answer.is(200);
    assert_eq!(
        (&ada.me()["emailVerification"], &bob.me()["emailVerification"]),
        (&json!("VERIFIED"), &json!("PENDING"))
    );
}

fn requests_for_resets_count_like_those_of_the_api(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_PASSWORD_RESET", "2")]);
    let mut browser = Browser::at(server.site());
    let form = browser.open("/forgot-password").form("/forgot-password").with("email", "ada@example.com");
    server.post("/auth/password-reset/request", &json!({ "email": "ada@example.com" })).send().is(202);
    browser.submit(&form).answer.is(200);
    let refused = browser.submit(&form.with("email", "ADA@example.com")).answer;
    assert_eq!(refused.is(429).named("X-RateLimit-Bucket"), "password_reset");
    assert!(refused.named("Content-Type").starts_with("text/html"));
    browser.submit(&form.with("email", "bob@example.com")).answer.is(200);

    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_CREDENTIALS", "1")]);
    let mut browser = Browser::at(server.site());
    let form = browser.open("/forgot-password").form("/forgot-password").with("email", "ada@example.com");
    browser.submit(&form).answer.is(200);
    assert_eq!(browser.submit(&form).answer.is(429).named("X-RateLimit-Bucket"), "credentials");

    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_SCREENS", "2")]);
    for status in [400, 400, 429] {
        Browser::at(server.site()).open("/verify-email?token=evt_guess").answer.is(status);
    }
}

fn a_page_loads_nothing_and_can_be_used_by_everybody(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    for target in [
        "/forgot-password".to_owned(),
        "/verify-email?token=evt_guess".to_owned(),
        link(&server, &ada.email, "evt_"),
        link(&server, &ada.email, "pwrt_"),
    ] {
        let page = browser.open(&target);
        assert_eq!(page.select("html[lang], meta[name=viewport]").len(), 2, "{target}");
        assert_eq!(page.all("h1").len(), 1, "{target}");
        assert_eq!(
            page.select("script, iframe, object, embed, link:not([rel=icon]), img, [onclick], [onload], [style]").len(),
            0
        );
        for input in page.select("input:not([type=hidden])") {
            let id = input.value().attr("id").unwrap();
            assert_eq!(page.select(&format!("label[for={id}]")).len(), 1, "{target} has no label for {id}");
            for described in input.value().attr("aria-describedby").unwrap_or_default().split_whitespace() {
                assert_eq!(page.select(&format!("#{described}")).len(), 1, "{target} lacks {described}");
            }
        }
        let policy = page.answer.named("Content-Security-Policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'nonce-"), "{policy}");
        assert!(policy.ends_with("form-action 'self'; base-uri 'none'; frame-ancestors 'none'"), "{policy}");
        for (name, value) in
            [("Cache-Control", "no-store"), ("X-Robots-Tag", "noindex"), ("Content-Type", "text/html; charset=utf-8")]
        {
            assert_eq!(page.answer.named(name), value, "{target}");
        }
    }
}

fn no_token_of_a_link_is_logged(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LOG", "debug")]);
    let ada = server.person("Ada");
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let link = link(&server, &ada.email, "pwrt_");
    let mut browser = Browser::at(server.site());
    let page = browser.open(&link);
    let form = page.form("/reset-password").with("password", PASSWORD).with("passwordAgain", PASSWORD);
    let done = browser.submit(&form).answer;
    let id = done.is(200).named("X-Request-Id").to_owned();
    let logged = server.log().entry("the line of the call", |entry| entry["requestId"] == id);
    assert_eq!(logged["route"], "/reset-password");
    let log = server.log().text();
    for secret in [form.value("token").unwrap(), form.value("csrf_token").unwrap(), PASSWORD] {
        assert!(!log.contains(secret), "{secret}");
    }
}
