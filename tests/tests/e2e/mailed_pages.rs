//! The pages to which mails and the command line link, as a browser without scripts sees them.

use octavo_tests::{Browser, Engine, Person, Server, both_engines, browser::Screen};
use serde_json::json;

both_engines! {
    an_address_is_verified_in_a_browser,
    a_strangers_account_is_rejected_in_a_browser,
    a_forgotten_password_is_replaced_in_a_browser,
    an_address_without_an_account_gets_the_same_page,
    a_password_that_is_not_accepted_leaves_the_link_unused,
    a_change_of_address_is_confirmed_and_undone_in_a_browser,
    a_new_address_that_was_taken_meanwhile_is_reported,
    an_account_is_kept_in_a_browser,
    the_command_line_prints_a_link_to_the_page,
    a_link_that_does_not_work_says_why_and_what_to_do,
}

const NEW: &str = "new@example.com";
const PASSWORD: &str = "New-Horse-10";

/// The path and query of the link with a token of this kind in the mails to an address.
#[track_caller]
pub(crate) fn link(server: &Server, address: &str, prefix: &str) -> String {
    let token = server.mailbox().token(address, prefix);
    link_with(server, address, &token)
}

#[track_caller]
fn link_with(server: &Server, address: &str, token: &str) -> String {
    let mail = server.mailbox().mail(address, "the link", |mail| mail.text().contains(token));
    let (text, origin) = (mail.text(), server.site().public_origin());
    let path = text.lines().find_map(|line| line.trim().strip_prefix(&origin).filter(|path| path.ends_with(token)));
    path.unwrap_or_else(|| panic!("no link to {origin} in {text}")).to_owned()
}

/// Fills in and sends the form for a new password.
#[track_caller]
fn choose(browser: &mut Browser, page: &Screen, password: &str, again: &str) -> Screen {
    browser.submit(&page.form("/reset-password").with("password", password).with("passwordAgain", again))
}

fn with_password(person: &Person, password: &str) -> Person {
    Person { password: password.to_owned(), ..person.clone() }
}

fn an_address_is_verified_in_a_browser(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let link = link(&server, &ada.email, "evt_");
    assert!(link.starts_with("/verify-email?token=evt_"), "{link}");
    let mut browser = Browser::at(server.site());
    for _ in 0..2 {
        let page = browser.open(&link);
        page.answer.is(200);
        assert_eq!(page.one("h1"), "Confirm your email address");
    }
    assert_eq!(ada.me()["emailVerification"], "PENDING", "opening the page leaves the link valid");
    let form = browser.open(&link).form("/verify-email");
    let done = browser.submit(&form);
    done.answer.is(200);
    assert_eq!((done.one("h1").as_str(), done.one("strong")), ("Your email address is confirmed", ada.email.clone()));
    assert_eq!(ada.me()["emailVerification"], "VERIFIED");
    for late in [browser.open(&link), browser.submit(&form)] {
        late.answer.is(400);
        assert_eq!(late.one("h1"), "This link was used before");
        assert!(late.text().contains("there is nothing left to do"), "{}", late.text());
    }
}

fn a_strangers_account_is_rejected_in_a_browser(engine: Engine) {
    let server = Server::start(engine);
    let trap = server.person("Ada");
    let link = link(&server, &trap.email, "evt_");
    let mut browser = Browser::at(server.site());
    let page = browser.open(&link);
    assert_eq!(page.select("details form[action='/verify-email/reject']").len(), 1, "not the first thing to press");
    let done = browser.submit(&page.form("/verify-email/reject"));
    done.answer.is(200);
    assert_eq!(done.one("h1"), "The account is closed");
    trap.try_login().refuses(401, "UNAUTHORIZED");
    assert_ne!(server.person("Ada").id, trap.id, "the address is free again");
}

fn a_forgotten_password_is_replaced_in_a_browser(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let sign_in = browser.open("/api/v1/oauth/login");
    let forgotten = sign_in.select("a[href='/forgot-password']");
    assert_eq!(forgotten.len(), 1);
    let page = browser.open("/forgot-password");
    page.answer.is(200);
    let sent = browser.submit(&page.form("/forgot-password").with("email", &format!(" {} ", ada.email.to_uppercase())));
    sent.answer.is(200);
    assert_eq!(sent.one("h1"), "Look into your mailbox");
    let link = link(&server, &ada.email, "pwrt_");
    let page = browser.open(&link);
    page.answer.is(200);
    assert_eq!(page.one("h1"), "Choose a new password");
    ada.try_login().is(200);
    let done = choose(&mut browser, &page, PASSWORD, PASSWORD);
    done.answer.is(200);
    assert_eq!(done.one("h1"), "Your new password is set");
    ada.try_login().refuses(401, "UNAUTHORIZED");
    assert_ne!(ada.refresh_request().send().status, 200, "every session ends");
    let renewed = with_password(&ada, PASSWORD).login();
    assert_eq!(renewed.me()["emailVerification"], "VERIFIED", "the mail proved the address");
    let late = browser.open(&link);
    late.answer.is(400);
    assert_eq!(late.one("h1"), "This link was used before");
    assert_eq!(late.select("a[href='/forgot-password']").len(), 1, "where to get another link");
    browser.sign_in(&ada.email, PASSWORD).answer.is(303);
}

fn an_address_without_an_account_gets_the_same_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let form = browser.open("/forgot-password").form("/forgot-password");
    let mut ask = |email: &str| {
        let answer = browser.submit(&form.with("email", email)).answer;
        let policy = answer.is(200).named("Content-Security-Policy").to_owned();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
        answer.text().replace(&nonce, "").replace(email, "")
    };
    let unknown = ask("nobody@example.com");
    assert_eq!(unknown, ask(&ada.email));
    // Letters are sent in order: an earlier one would have arrived by now.
    server.mailbox().token(&ada.email, "pwrt_");
    assert_eq!(server.mailbox().mails_to("nobody@example.com").len(), 0);
    for wrong in ["", "nobody", "\"><script>alert(1)</script>"] {
        let page = browser.submit(&form.with("email", wrong));
        page.answer.is(400);
        assert_eq!(page.one("[role=alert]"), "Enter an email address, like name@example.com.");
        assert_eq!(page.select("script").len(), 0);
        assert_eq!(page.select("input[name=email]")[0].value().attr("value"), Some(wrong));
    }
}

fn a_password_that_is_not_accepted_leaves_the_link_unused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let link = link(&server, &ada.email, "pwrt_");
    let mut browser = Browser::at(server.site());
    let mut page = browser.open(&link);
    for (password, again, reason) in [
        ("", "", "Choose a longer password"),
        ("Short-1", "Short-1", "at least 8 characters"),
        ("no-upper-case-1", "no-upper-case-1", "upper-case"),
        (PASSWORD, "Other-Horse-11", "differ"),
        (PASSWORD, "", "differ"),
    ] {
        page = choose(&mut browser, &page, password, again);
        page.answer.is(400);
        assert!(page.one("[role=alert]").contains(reason), "{reason}: {}", page.text());
        assert!(page.one("title").starts_with("Error: "));
        assert_eq!(page.select("input[aria-invalid=true]").len(), 1, "{reason}");
        assert!(!page.answer.text().contains(&format!("value=\"{password}\"")) || password.is_empty());
    }
    ada.try_login().is(200);
    choose(&mut browser, &page, PASSWORD, PASSWORD).answer.is(200);
    with_password(&ada, PASSWORD).try_login().is(200);
}

fn a_change_of_address_is_confirmed_and_undone_in_a_browser(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.post("/users/me/email-change", &json!({ "email": NEW })).send().is(202);
    let mut browser = Browser::at(server.site());
    let there = browser.open(&link(&server, NEW, "ect_"));
    there.answer.is(200);
    assert_eq!((there.one("h1").as_str(), &ada.me()["email"]), ("Use this email address?", &json!(ada.email)));
    let moved = browser.submit(&there.form("/confirm-email-change"));
    moved.answer.is(200);
    assert_eq!((moved.one("strong").as_str(), &ada.me()["email"]), (NEW, &json!(NEW)));

    let back = browser.open(&link(&server, &ada.email, "ecr_"));
    back.answer.is(200);
    assert_eq!((back.one("h1").as_str(), &ada.me()["email"]), ("Take your account back?", &json!(NEW)));
    let reverted = browser.submit(&back.form("/revert-email-change"));
    reverted.answer.is(200);
    assert_eq!(reverted.one("h1"), "Your account is yours again");
    assert_ne!(ada.refresh_request().send().status, 200, "everybody is signed out");
    ada.try_login().refuses(401, "UNAUTHORIZED");

    // The page leads on to a new password.
    assert_eq!(reverted.select("a[href='/forgot-password']").len(), 1);
    let form = browser.open("/forgot-password").form("/forgot-password").with("email", &ada.email);
    browser.submit(&form).answer.is(200);
    let page = browser.open(&link(&server, &ada.email, "pwrt_"));
    choose(&mut browser, &page, PASSWORD, PASSWORD).answer.is(200);
    assert_eq!(with_password(&ada, PASSWORD).login().me()["email"], ada.email);
}

fn a_new_address_that_was_taken_meanwhile_is_reported(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    for person in [&ada, &bob] {
        person.post("/users/me/email-change", &json!({ "email": NEW })).send().is(202);
    }
    let mut browser = Browser::at(server.site());
    let tokens = server.mailbox().tokens(NEW, "ect_", 2);
    let pages: Vec<_> = tokens.iter().map(|token| browser.open(&link_with(&server, NEW, token))).collect();
    browser.submit(&pages[0].form("/confirm-email-change")).answer.is(200);
    let late = browser.submit(&pages[1].form("/confirm-email-change"));
    late.answer.is(409);
    assert_eq!(late.one("h1"), "This address has an account already");
}

fn an_account_is_kept_in_a_browser(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    ada.delete("/users/me").header("X-Confirm", format!("DELETE {}", ada.id)).send().is(202);
    let link = link(&server, &ada.email, "urt_");
    let mut browser = Browser::at(server.site());
    let page = browser.open(&link);
    page.answer.is(200);
    assert_eq!(page.one("h1"), "Keep your account?");
    ada.try_login().refuses(403, "FORBIDDEN");
    let done = browser.submit(&page.form("/restore-account"));
    done.answer.is(200);
    assert_eq!(done.one("h1"), "Your account stays");
    ada.try_login().is(200);
    browser.open(&link).answer.is(400);
}

fn the_command_line_prints_a_link_to_the_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let text = server.run(&["user", "reset-password", &ada.email]).exits(0).stdout;
    let at = text.find("/reset-password?token=pwrt_").unwrap_or_else(|| panic!("no link in {text}"));
    let mut browser = Browser::at(server.site());
    let page = browser.open(text[at..].trim());
    page.answer.is(200);
    choose(&mut browser, &page, PASSWORD, PASSWORD).answer.is(200);
    with_password(&ada, PASSWORD).try_login().is(200);
}

fn a_link_that_does_not_work_says_why_and_what_to_do(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let mut browser = Browser::at(server.site());
    let verification = server.mailbox().token(&ada.email, "evt_");
    for (path, prefix) in [
        ("/verify-email", "evt_"),
        ("/reset-password", "pwrt_"),
        ("/confirm-email-change", "ect_"),
        ("/revert-email-change", "ecr_"),
        ("/restore-account", "urt_"),
    ] {
        let never_issued = format!("{path}?token={prefix}{}", "A".repeat(43));
        let of_another_kind = format!("{path}?token={}", verification.replace("evt_", "rft_"));
        for target in
            [path, &format!("{path}?token="), &format!("{path}?token={prefix}"), &never_issued, &of_another_kind]
        {
            let page = browser.open(target);
            page.answer.is(400);
            assert_eq!(page.one("h1"), "This link is not valid", "{target}");
            assert_eq!(page.select("[role=alert]").len(), 1, "{target}");
            assert_eq!(page.select("form").len(), 0, "{target}");
            assert!(!page.select("main > p").is_empty(), "{target} says what to do");
        }
        browser.open(&format!("{path}?token=a&token=b")).answer.is(400);
    }
    for _ in 0..2 {
        server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    }
    let tokens = server.mailbox().tokens(&ada.email, "pwrt_", 2);
    let body = json!({ "token": tokens[0], "password": PASSWORD });
    server.post("/auth/password-reset/confirm", &body).send().is(200);
    for (token, title) in tokens.iter().zip(["This link was used before", "This link is no longer valid"]) {
        let page = browser.open(&link_with(&server, &ada.email, token));
        page.answer.is(400);
        assert_eq!(page.one("h1"), title);
        assert_eq!(page.select("a[href='/forgot-password']").len(), 1);
    }
}
