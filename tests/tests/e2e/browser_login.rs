//! `GET`, `POST /oauth/login` and `POST /oauth/logout`, as a browser without scripts sees them.

use octavo_tests::{Answer, Browser, Engine, Person, Server, both_engines, browser::encoded};
use serde_json::{Value, json};

both_engines! {
    the_page_can_be_used_by_everybody,
    the_page_loads_only_its_own_style,
    signing_in_gives_a_new_cookie_and_leads_on,
    a_secure_origin_has_a_cookie_of_its_own,
    a_wrong_password_is_reported_on_the_page,
    an_unknown_address_is_answered_like_a_wrong_password,
    a_missing_field_is_asked_for,
    redirects_lead_only_to_paths_of_this_origin,
    forms_come_from_pages_of_this_origin_only,
    a_form_counts_for_its_browser_and_what_it_showed,
    only_a_form_is_accepted,
    the_cookie_opens_nothing_but_pages,
    a_browser_is_one_of_the_sessions_of_its_user,
    whatever_ends_sessions_signs_browsers_out,
    signing_in_again_ends_what_was_before,
    signing_out_ends_the_session,
    an_account_that_may_not_act_is_refused_after_its_password,
    pages_are_limited_like_sign_ins,
    pages_are_for_no_other_origin,
    no_secret_of_a_page_is_logged,
}

const LOGIN: &str = "/api/v1/oauth/login";

fn signed_in(server: &Server, person: &Person) -> Browser {
    let mut browser = Browser::at(server.site());
    browser.sign_in(&person.email, &person.password).answer.is(303);
    assert_eq!(browser.signed_in_as().as_deref(), Some(person.email.as_str()));
    browser
}

fn actions(person: &Person) -> Vec<String> {
    let events = person.get("/users/me/security-events").send().data(200);
    let name = |event: &Value| event["action"].as_str().unwrap().to_owned();
    events.as_array().unwrap().iter().map(name).collect()
}

fn the_page_can_be_used_by_everybody(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let page = browser.open(LOGIN);
    page.answer.is(200);
    assert_eq!(page.select("html[lang]").len(), 1);
    assert_eq!(page.one("h1"), "Sign in");
    for (field, kind, completion) in [("email", "email", "username"), ("password", "password", "current-password")] {
        let input = page.select(&format!("input[name={field}]"))[0].value();
        assert_eq!((input.attr("type"), input.attr("autocomplete")), (Some(kind), Some(completion)));
        assert_eq!(page.select(&format!("label[for={}]", input.attr("id").unwrap())).len(), 1, "{field} has a label");
    }
    assert_eq!(page.select("button[type=submit]").len(), 1);
    assert_eq!(
        page.select("script, iframe, object, embed, link:not([rel=icon]), [onclick], [onload], [style]").len(),
        0
    );
}

fn the_page_loads_only_its_own_style(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let page = browser.open(LOGIN);
    let policy = page.answer.named("Content-Security-Policy").to_owned();
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; \
             frame-ancestors 'none'"
        )
    );
    assert_eq!(page.select("style")[0].value().attr("nonce"), Some(nonce));
    assert_ne!(browser.open(LOGIN).answer.named("Content-Security-Policy"), policy, "drawn for every answer");
    assert_eq!(page.answer.named("Content-Type"), "text/html; charset=utf-8");
    assert_eq!(page.answer.named("Cache-Control"), "no-store");
    assert_eq!(page.answer.named("X-Frame-Options"), "DENY");
}

fn signing_in_gives_a_new_cookie_and_leads_on(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let page = browser.open(&format!("{LOGIN}?returnTo={}", encoded("/docs?a=b")));
    let before = browser.cookies["svc_sid"].clone();
    let form = page.form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
    let answer = browser.submit(&form).answer;
    assert_eq!(answer.is(303).named("Location"), "/docs?a=b");
    let cookie = answer.named("Set-Cookie").to_owned();
    let value = browser.cookies["svc_sid"].clone();
    assert_eq!(cookie, format!("svc_sid={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200"));
    assert_ne!(before, value, "what stood in the browser before is worth nothing");
    assert!(value.len() >= 43, "{value}");
    assert_eq!(browser.signed_in_as().as_deref(), Some(ada.email.as_str()));
    browser.cookies.insert("svc_sid".to_owned(), before);
    assert_eq!(browser.signed_in_as(), None);
    assert!(actions(&ada).contains(&"user.login".to_owned()));
}

fn a_secure_origin_has_a_cookie_of_its_own(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "https://octavo.example.org")]);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site()).under("https://octavo.example.org");
    let answer = browser.sign_in(&ada.email, &ada.password).answer;
    let value = &browser.cookies["__Host-svc_sid"];
    let expected = format!("__Host-svc_sid={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200");
    assert_eq!(answer.is(303).named("Set-Cookie"), expected);
    assert!(browser.signed_in_as().is_some());
    let value = browser.cookies.remove("__Host-svc_sid").unwrap();
    browser.cookies.insert("svc_sid".to_owned(), value);
    assert_eq!(browser.signed_in_as(), None, "the name that anybody may set counts for nothing");
}

fn a_wrong_password_is_reported_on_the_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let page = browser.sign_in(&ada.email, "Wrong-Horse-9");
    page.answer.is(401);
    assert_eq!(page.one("[role=alert]"), "The email address or the password is wrong.");
    assert!(page.one("title").starts_with("Error: "));
    let email = page.select("input[name=email]")[0].value();
    assert_eq!(email.attr("value"), Some(ada.email.as_str()), "nobody types it twice");
    assert_eq!((email.attr("aria-invalid"), email.attr("aria-describedby")), (Some("true"), Some("error")));
    assert_eq!(page.select("input[name=password]")[0].value().attr("value"), None);
    assert_eq!(browser.signed_in_as(), None);
    assert!(actions(&ada).contains(&"user.login_failed".to_owned()));
    let form = page.form("/oauth/login").with("password", &ada.password);
    browser.submit(&form).answer.is(303);
    let marked = browser.sign_in("\"><script>alert(1)</script>@example.com", "x");
    marked.answer.is(400);
    assert_eq!(marked.select("script").len(), 0);
    let email = marked.select("input[name=email]")[0].value();
    assert_eq!(email.attr("value"), Some("\"><script>alert(1)</script>@example.com"));
}

fn an_unknown_address_is_answered_like_a_wrong_password(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    browser.open(LOGIN);
    let plain = |answer: &Answer, email: &str| {
        let policy = answer.named("Content-Security-Policy").to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
        answer.text().replace(nonce, "").replace(email, "")
    };
    let known = browser.sign_in(&ada.email, "Wrong-Horse-9").answer;
    let unknown = browser.sign_in("nobody@example.com", "Wrong-Horse-9").answer;
    assert_eq!(known.status, unknown.is(401).status);
    assert_eq!(plain(&known, &ada.email), plain(&unknown, "nobody@example.com"));
}

fn a_missing_field_is_asked_for(engine: Engine) {
    let server = Server::start(engine);
    let mut browser = Browser::at(server.site());
    let no_email = browser.sign_in("", "x");
    no_email.answer.is(400);
    assert!(no_email.one("[role=alert]").contains("email address"));
    let no_password = browser.sign_in("ada@example.com", "");
    no_password.answer.is(400);
    assert_eq!(no_password.one("[role=alert]"), "Enter your password.");
    let twice = browser.open(LOGIN).form("/oauth/login").with("email", "a@example.com").and("email", "b@example.com");
    browser.submit(&twice).answer.is(400);
}

fn redirects_lead_only_to_paths_of_this_origin(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for foreign in [
        "https://evil.test/",
        "//evil.test/",
        "/\\evil.test/",
        "\\\\evil.test",
        "/\t/evil.test",
        "javascript:alert(1)",
        "evil.test",
        &format!("{}/docs", server.public_origin()),
    ] {
        let mut browser = Browser::at(server.site());
        let page = browser.open(&format!("{LOGIN}?returnTo={}", encoded(foreign)));
        assert!(!page.answer.is(200).text().contains("evil"), "{foreign}");
        let form = page.form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
        for form in [form.clone(), form.with("returnTo", foreign)] {
            let answer = browser.clone().submit(&form).answer;
            assert_eq!(answer.is(303).named("Location"), LOGIN, "{foreign}");
        }
    }
    let mut browser = Browser::at(server.site());
    browser.open(&format!("{LOGIN}?returnTo=/a&returnTo=/b")).answer.is(400);
}

fn forms_come_from_pages_of_this_origin_only(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let form = browser.open(LOGIN).form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
    let own = server.public_origin();
    let inside = format!("{own}/api/v1/oauth/login");
    let send = |headers: &[(&str, &str)]| {
        let request = browser.form_request(&form);
        headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
    };
    for foreign in [
        &[][..],
        &[("Origin", "https://evil.test")],
        &[("Origin", "null")],
        &[("Origin", "null"), ("Referer", &inside)],
        &[("Origin", &own.replace("http:", "https:"))],
        &[("Referer", "https://evil.test/")],
        &[("Referer", &format!("{own}.evil.test/"))],
        &[("Origin", &own), ("Sec-Fetch-Site", "cross-site")],
        &[("Origin", &own), ("Sec-Fetch-Site", "same-site")],
        &[("Origin", &own), ("Sec-Fetch-Site", "none")],
    ] {
        let answer = send(foreign);
        assert!(answer.is(403).header("Set-Cookie").is_none(), "{foreign:?}");
    }
    assert!(!actions(&ada).contains(&"user.login".to_owned()), "nothing happened");
    for fitting in [
        &[("Origin", own.as_str())][..],
        &[("Referer", &inside)],
        &[("Origin", &own), ("Sec-Fetch-Site", "same-origin")],
    ] {
        send(fitting).is(303);
    }
}

fn a_form_counts_for_its_browser_and_what_it_showed(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let page = browser.open(&format!("{LOGIN}?returnTo=/docs"));
    let form = page.form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
    let mut other = Browser::at(server.site());
    let of_other = other.open(&format!("{LOGIN}?returnTo=/docs")).form("/oauth/login");
    let foreign = of_other.value("csrf_token").unwrap();
    let mut bare = browser.clone();
    bare.cookies.clear();
    for (mut sender, form) in [
        (browser.clone(), form.without("csrf_token")),
        (browser.clone(), form.with("csrf_token", "")),
        (browser.clone(), form.with("csrf_token", "nonsense")),
        (browser.clone(), form.with("csrf_token", foreign)),
        (browser.clone(), form.with("returnTo", "/health")),
        (browser.clone(), form.without("returnTo")),
        (other.clone(), form.clone()),
        (bare, form.clone()),
    ] {
        let screen = sender.submit(&form);
        assert!(screen.answer.is(403).header("Set-Cookie").is_none(), "{form:?}");
    }
    assert!(!actions(&ada).contains(&"user.login".to_owned()), "nothing happened");
    browser.submit(&form).answer.is(303);
    browser.submit(&form).answer.is(403);
}

fn only_a_form_is_accepted(engine: Engine) {
    let server = Server::start(engine);
    let browser = Browser::at(server.site());
    let own = server.public_origin();
    let post = |media: &str, body: &str| browser.request("POST", LOGIN).header("Origin", &own).body(media, body).send();
    for media in ["application/json", "text/plain", "multipart/form-data; boundary=x"] {
        post(media, "{}").is(415);
    }
    let form = "application/x-www-form-urlencoded";
    post(form, &format!("email={}", "a".repeat(16 * 1024))).is(413);
    post(form, "email=%ff").is(400);
    post(form, "email=%00").is(400);
    browser.request("POST", LOGIN).header("Origin", &own).untyped_body("email=a").send().is(415);
    browser.request("GET", "/api/v1/oauth/logout").send().is(405);
    let json = server.request("POST", "/auth/login").body(form, "email=a").send();
    json.refuses(415, "UNSUPPORTED_MEDIA_TYPE");
}

fn the_cookie_opens_nothing_but_pages(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let browser = signed_in(&server, &ada);
    for path in ["/auth/me", "/users/me", "/workspaces", "/sessions"] {
        browser.request("GET", &format!("/api/v1{path}")).send().refuses(401, "UNAUTHORIZED").because("token_missing");
    }
    let body = json!({ "name": "Stolen" });
    let create = browser.request("POST", "/api/v1/workspaces").json(&body).send();
    create.refuses(401, "UNAUTHORIZED").because("token_missing");
    let value = &browser.cookies["svc_sid"];
    server.get("/users/me").bearer(value).send().refuses(401, "UNAUTHORIZED").because("token_malformed");
    server.post("/auth/refresh", &json!({ "refreshToken": value })).send().refuses(401, "UNAUTHORIZED");
}

fn a_browser_is_one_of_the_sessions_of_its_user(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    let sessions = ada.get("/sessions").send().data(200);
    let found = sessions.as_array().unwrap();
    assert_eq!(found.len(), 2, "{sessions}");
    assert_eq!((&found[0]["kind"], &found[0]["amr"]), (&json!("LOGIN"), &json!(["pwd"])));
    let hours = octavo_tests::shape::seconds_ahead(&found[0]["expiresAt"]) / 60;
    assert!((11 * 60..=12 * 60).contains(&hours), "{sessions}");
    ada.delete(&format!("/sessions/{}", found[0]["id"].as_str().unwrap())).send().is(204);
    assert_eq!(browser.signed_in_as(), None);
}

fn whatever_ends_sessions_signs_browsers_out(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let mut first = signed_in(&server, &ada);
    ada.delete("/sessions").send().is(200);
    assert_eq!(first.signed_in_as(), None);

    let mut second = signed_in(&server, &ada);
    let change = json!({ "currentPassword": ada.password, "newPassword": "Another-Horse-9" });
    ada.post("/users/me/password", &change).send().is(200);
    assert_eq!(second.signed_in_as(), None);

    let mut third = signed_in(&server, &bob);
    server.run(&["user", "suspend", &bob.email]).exits(0);
    assert_eq!(third.signed_in_as(), None);
    server.run(&["user", "reinstate", &bob.email]).exits(0);
    assert_eq!(third.signed_in_as(), None, "what ended stays ended");

    let mut fourth = signed_in(&server, &bob);
    let again = bob.login();
    again.delete("/users/me").header("X-Confirm", format!("DELETE {}", bob.id)).send().is(202);
    assert_eq!(fourth.signed_in_as(), None);
}

fn signing_in_again_ends_what_was_before(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    let mut before = browser.clone();
    browser.sign_in(&ada.email, &ada.password).answer.is(303);
    assert_eq!(before.signed_in_as(), None);
    assert_eq!(browser.signed_in_as().as_deref(), Some(ada.email.as_str()));
}

fn signing_out_ends_the_session(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    let mut kept = browser.clone();
    let form = browser.open(LOGIN).form("/oauth/logout");
    let own = server.public_origin();
    browser.form_request(&form).send().is(403);
    browser.form_request(&form).header("Origin", "https://evil.test").send().is(403);
    browser.form_request(&form.without("csrf_token")).header("Origin", &own).send().is(403);
    assert!(browser.signed_in_as().is_some());
    let answer = browser.submit(&form).answer;
    assert_eq!(answer.is(303).named("Location"), LOGIN);
    assert_eq!(answer.named("Set-Cookie"), "svc_sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    assert_eq!(kept.signed_in_as(), None, "a copy of the cookie is worth nothing either");
    assert_eq!(actions(&ada).iter().filter(|action| *action == "user.logout").count(), 1);
    kept.submit(&form).answer.is(303);
    assert_eq!(actions(&ada).iter().filter(|action| *action == "user.logout").count(), 1, "only what went on can end");
}

fn an_account_that_may_not_act_is_refused_after_its_password(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    server.run(&["user", "suspend", &ada.email]).exits(0);
    let mut browser = Browser::at(server.site());
    let wrong = browser.sign_in(&ada.email, "Wrong-Horse-9");
    wrong.answer.is(401);
    assert_eq!(wrong.one("[role=alert]"), "The email address or the password is wrong.");
    let right = browser.sign_in(&ada.email, &ada.password);
    right.answer.is(403);
    assert_eq!(right.one("[role=alert]"), "This account is suspended.");
    assert_eq!(browser.signed_in_as(), None);
}

fn pages_are_limited_like_sign_ins(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_SCREENS", "4")]);
    for _ in 0..4 {
        server.request("GET", "/oauth/login").send().is(200);
    }
    let refused = server.request("GET", "/oauth/login").send();
    assert_eq!(refused.is(429).named("X-RateLimit-Bucket"), "screens");
    assert!(refused.named("Content-Type").starts_with("text/html"));

    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_LOGIN", "2")]);
    let ada = server.person("Ada");
    ada.try_login().is(200);
    let mut browser = Browser::at(server.site());
    browser.sign_in(&ada.email, "Wrong-Horse-9").answer.is(401);
    let refused = browser.sign_in(&ada.email.to_uppercase(), &ada.password).answer;
    assert_eq!(refused.is(429).named("X-RateLimit-Bucket"), "login");
    ada.try_login().refuses(429, "RATE_LIMITED");
}

fn pages_are_for_no_other_origin(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_CORS_ORIGINS", "*")]);
    for (method, path) in
        [("GET", "/oauth/login"), ("OPTIONS", "/oauth/login"), ("DELETE", "/oauth/login"), ("POST", "/oauth/login")]
    {
        let answer = server.request(method, path).header("Origin", "https://app.example.org").send();
        let granted = answer.headers.iter().find(|(name, _)| name.to_lowercase().starts_with("access-control"));
        assert_eq!(granted, None, "{method} {path}");
    }
}

fn no_secret_of_a_page_is_logged(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LOG", "debug")]);
    let ada = server.person("Ada");
    let mut browser = signed_in(&server, &ada);
    let query = "returnTo=/docs%3Fcode%3Dmarker-code%26state%3Dmarker-state%26token%3Dmarker-token&state=marker-state";
    let page = browser.open(&format!("{LOGIN}?{query}"));
    let token = page.form("/oauth/login").value("csrf_token").unwrap().to_owned();
    let id = page.answer.named("X-Request-Id").to_owned();
    let line = server.log().entry("the line of the call", |entry| entry["requestId"] == id);
    assert_eq!(line["route"], "/oauth/login");
    let log = server.log().text();
    for secret in ["marker-", &token, &browser.cookies["svc_sid"], &ada.password] {
        assert!(!log.contains(secret), "{secret}");
    }
}
