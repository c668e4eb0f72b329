//! `/accept-invitation`, as a browser without scripts sees it.

use crate::{
    account_pages::signed_in,
    invitations::{create_workspace, handed, list, proven, try_invite},
};
use octavo_tests::{Browser, Engine, Person, Server, both_engines, browser::Screen, shape};
use serde_json::json;

both_engines! {
    a_newcomer_joins_by_the_mailed_link,
    a_newcomer_joins_by_the_link_of_the_inviter,
    opening_the_page_uses_nothing_up,
    the_page_says_who_invites_and_hides_the_address,
    a_user_joins_with_the_account_of_the_browser,
    a_user_signs_in_first,
    another_account_has_to_sign_out_first,
    the_first_proof_of_a_mailbox_leaves_only_this_browser,
    an_invitation_is_declined_on_the_page,
    a_dead_link_says_why,
    a_wrong_entry_is_reported_on_the_page,
    an_answer_counts_for_its_browser_and_its_link,
    signup_decides_who_may_make_an_account,
    a_full_workspace_takes_nobody,
}

const PATH: &str = "/accept-invitation";
const DECLINE: &str = "/accept-invitation/decline";
const PASSWORD: &str = "Correct-Horse-9";

struct Invited {
    workspace: String,
    id: String,
    /// The token in the letter to the invited address.
    mailed: String,
    /// The path and query of the link that the inviter received.
    link: String,
}

/// Invites an address into a new workspace whose owner has a verified address.
fn invited(server: &Server, owner: &Person, email: &str) -> Invited {
    let workspace = create_workspace(owner, "Acme");
    let sent = try_invite(owner, &workspace, &json!({ "email": email })).data(201);
    let mailed = server.mailbox().token(email, "itn_");
    Invited { workspace, id: shape::id(&sent["id"], "inv_"), mailed, link: at(&handed(&sent)) }
}

/// The page for a token.
fn at(token: &str) -> String {
    format!("{PATH}?token={token}")
}

fn join_as_newcomer(browser: &mut Browser, link: &str) -> Screen {
    let form = browser.open(link).form(PATH).with("name", "Grace").with("password", PASSWORD);
    browser.submit(&form)
}

fn a_newcomer_joins_by_the_mailed_link(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com");
    let mut browser = Browser::at(server.site());
    let page = join_as_newcomer(&mut browser, &at(&invited.mailed));
    page.answer.is(200);
    assert_eq!(page.one("h1"), "You joined Acme");
    assert!(page.text().contains("a member of Acme"), "{}", page.text());
    assert!(!page.text().contains("to verify your address"), "the mailed link has verified it");
    assert_eq!(browser.signed_in_as().as_deref(), Some("grace@example.com"));
    assert_eq!(list(&ada, &invited.workspace, "ACCEPTED").len(), 1);
    let login = json!({ "email": "grace@example.com", "password": PASSWORD });
    let data = server.post("/auth/login", &login).send().data(200);
    assert_eq!(data["user"]["emailVerified"], json!(true));
}

fn a_newcomer_joins_by_the_link_of_the_inviter(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).data(201);
    let url = shape::text(&sent["acceptUrl"]);
    let link = url.strip_prefix(&server.site().public_origin()).unwrap_or_else(|| panic!("{url} leads elsewhere"));
    let mut browser = Browser::at(server.site());
    let page = join_as_newcomer(&mut browser, link);
    assert!(page.answer.is(200).text().contains("to verify your address"), "{}", page.text());
    let proof = server.mailbox().token("grace@example.com", "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": proof })).send().is(200);
}

fn opening_the_page_uses_nothing_up(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com");
    let mut browser = Browser::at(server.site());
    for _ in 0..2 {
        browser.open(&at(&invited.mailed)).answer.is(200);
        browser.request("HEAD", &at(&invited.mailed)).send().is(200);
    }
    assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
    join_as_newcomer(&mut browser, &at(&invited.mailed)).answer.is(200);
}

fn the_page_says_who_invites_and_hides_the_address(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "<script>Acme</script>");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com", "role": "ADMIN" })).data(201);
    let page = Browser::at(server.site()).open(&at(&handed(&sent)));
    let text = page.text();
    for words in ["Ada invited you", "<script>Acme</script>", "as an admin", "g***@example.com"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!page.answer.text().contains("grace@"));
    assert_eq!(page.select("script, iframe, object, embed, link:not([rel=icon]), img, [onclick], [style]").len(), 0);
    assert_eq!(page.select("h1").len(), 1);
    for input in page.select("input:not([type=hidden])") {
        let id = input.value().attr("id").unwrap();
        assert_eq!(page.select(&format!("label[for={id}]")).len(), 1, "{id} has a label");
    }
}

fn a_user_joins_with_the_account_of_the_browser(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email);
    let mut browser = signed_in(&server, &grace);
    let page = browser.open(&invited.link);
    assert!(page.answer.is(200).text().contains(&grace.email));
    assert_eq!(page.select("input[name=password]").len(), 0);
    let joined = browser.submit(&page.form(PATH));
    assert!(joined.answer.is(200).header("Set-Cookie").is_none(), "the browser stays signed in");
    assert_eq!(browser.signed_in_as().as_deref(), Some(grace.email.as_str()));
    grace.get(&format!("/workspaces/{}", invited.workspace)).send().is(200);
}

fn a_user_signs_in_first(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), proven(&server, "Grace"));
    let invited = invited(&server, &ada, &grace.email);
    let mut browser = Browser::at(server.site());
    let page = browser.open(&invited.link);
    assert_eq!(page.select("input[name=password]").len(), 0, "the link alone opens no session here");
    let login = page.select("a.button")[0].value().attr("href").unwrap().to_owned();
    let form = browser.open(&login).form("/oauth/login").with("email", &grace.email).with("password", &grace.password);
    let led = browser.submit(&form);
    assert_eq!(led.location(), Some(invited.link.as_str()));
    let page = browser.follow(led);
    let form = page.form(PATH);
    grace.delete("/sessions").send().is(200);
    let asked_again = browser.submit(&form);
    assert!(asked_again.answer.is(303).named("Location").starts_with("/api/v1/oauth/login?returnTo="));
    assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
}

fn another_account_has_to_sign_out_first(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (proven(&server, "Ada"), proven(&server, "Bob"));
    let invited = invited(&server, &ada, "grace@example.com");
    let mut browser = signed_in(&server, &bob);
    let page = browser.open(&invited.link);
    assert!(page.text().contains("which is not the invited address"), "{}", page.text());
    let accepting = page.select("form").into_iter().filter(|form| form.value().attr("action") == Some(PATH));
    assert_eq!(accepting.count(), 0);
    let out = browser.submit(&page.form("/oauth/logout"));
    assert_eq!(out.location(), Some(invited.link.as_str()));
    join_as_newcomer(&mut browser, &invited.link).answer.is(200);
    bob.get(&format!("/workspaces/{}", invited.workspace)).send().refuses(403, "FORBIDDEN");
}

fn the_first_proof_of_a_mailbox_leaves_only_this_browser(engine: Engine) {
    let server = Server::start(engine);
    let (ada, grace) = (proven(&server, "Ada"), server.person("Grace"));
    let invited = invited(&server, &ada, &grace.email);
    let mut browser = signed_in(&server, &grace);
    let form = browser.open(&at(&invited.mailed)).form(PATH);
    let page = browser.submit(&form);
    assert_eq!(page.answer.is(200).all("Set-Cookie").count(), 1);
    assert_eq!(page.select("a[href='/forgot-password']").len(), 1);
    assert_eq!(browser.signed_in_as().as_deref(), Some(grace.email.as_str()));
    grace.refresh_request().send().refuses(403, "FORBIDDEN").because("session_revoked");
    grace.try_login().is(401);
}

fn an_invitation_is_declined_on_the_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com");
    let mut browser = Browser::at(server.site());
    let page = browser.open(&invited.link);
    let done = browser.submit(&page.form(DECLINE));
    assert_eq!(done.answer.is(200).text().matches("You declined the invitation").count(), 2, "title and heading");
    assert_eq!(list(&ada, &invited.workspace, "DECLINED").len(), 1);
    let late = page.form(PATH).with("name", "Grace").with("password", PASSWORD);
    let late = browser.submit(&late);
    assert!(late.answer.is(400).text().contains("it was declined"), "{}", late.text());
}

fn a_dead_link_says_why(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let mut browser = Browser::at(server.site());
    let mut open = |link: &str| {
        let page = browser.open(link);
        page.answer.is(400);
        assert_eq!(page.one("h1"), "This invitation cannot be used");
        assert_eq!(page.select("form").len(), 0);
        page.one("[role=alert]")
    };
    assert_eq!(open(PATH), "This link is incomplete.");
    assert_eq!(open(&at("nonsense")), "This link is not known here.");
    let stray = "itn_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80";
    assert_eq!(open(&at(stray)), "This link is not known here.");
    let accepted = invited(&server, &ada, "one@example.com");
    let body = json!({ "token": accepted.mailed, "password": PASSWORD, "name": "One" });
    server.post("/invitations/accept", &body).send().is(200);
    for link in [&accepted.link, &at(&accepted.mailed)] {
        assert_eq!(open(link), "This invitation was used already: it was accepted.");
    }
    let revoked = invited(&server, &ada, "two@example.com");
    let path = format!("/workspaces/{}/invitations/{}", revoked.workspace, revoked.id);
    ada.delete(&path).send().is(204);
    assert_eq!(open(&revoked.link), "This invitation was withdrawn.");
    let replaced = invited(&server, &ada, "three@example.com");
    let path = format!("/workspaces/{}/invitations/{}/resend", replaced.workspace, replaced.id);
    ada.post(&path, &json!({})).send().is(200);
    assert_eq!(open(&replaced.link), "This link was replaced by a newer one.");
}

fn a_wrong_entry_is_reported_on_the_page(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com");
    let mut browser = Browser::at(server.site());
    let good = browser.open(&invited.link).form(PATH).with("name", "Grace").with("password", PASSWORD);
    for (field, value, message) in
        [("name", "", "Enter your name."), ("password", "weak", "at least 8 characters"), ("password", "", "longer")]
    {
        let page = browser.submit(&good.with(field, value));
        page.answer.is(400);
        assert!(page.one("[role=alert]").contains(message), "{}", page.text());
        assert_eq!(page.select(&format!("input[name={field}][aria-invalid=true]")).len(), 1);
        assert_eq!(page.select("input[name=password]")[0].value().attr("value"), None);
    }
    assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
    browser.submit(&good).answer.is(200);
    let again = browser.submit(&good);
    assert_ne!(again.answer.status, 200, "a link is used once");
}

fn an_answer_counts_for_its_browser_and_its_link(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let (one, two) = (invited(&server, &ada, "one@example.com"), invited(&server, &ada, "two@example.com"));
    let mut browser = Browser::at(server.site());
    let page = browser.open(&one.link);
    let accept = page.form(PATH).with("name", "Grace").with("password", PASSWORD);
    let decline = page.form(DECLINE);
    let mut other = Browser::at(server.site());
    other.open(&one.link).answer.is(200);
    let own = server.public_origin();
    for form in [accept, decline] {
        other.submit(&form).answer.is(403);
        browser.submit(&form.with("token", &two.mailed)).answer.is(403);
        browser.submit(&form.without("token")).answer.is(403);
        browser.submit(&form.without("csrf_token")).answer.is(403);
        browser.form_request(&form).send().is(403);
        browser.form_request(&form).header("Origin", "https://evil.test").send().is(403);
        browser.form_request(&form).header("Origin", &own).header("Sec-Fetch-Site", "same-site").send().is(403);
    }
    for invited in [one, two] {
        assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
    }
}

fn signup_decides_who_may_make_an_account(engine: Engine) {
    for (signup, may_join) in [("invite", true), ("closed", false)] {
        let server = Server::with(engine, &[("OCTAVO_SIGNUP", signup)]);
        let create = ["user", "create", "ada@example.com", "--name", "Ada", "--password-stdin"];
        server.run_with_input(&create, PASSWORD).exits(0);
        let login = json!({ "email": "ada@example.com", "password": PASSWORD });
        let access = shape::text(&server.post("/auth/login", &login).send().data(200)["accessToken"]);
        let post = |path: &str, body| server.post(path, &body).bearer(&access).send().data(201);
        let workspace = shape::text(&post("/workspaces", json!({ "name": "Acme" }))["id"]);
        let path = format!("/workspaces/{workspace}/invitations");
        let link = at(&handed(&post(&path, json!({ "email": "grace@example.com" }))));
        let mut browser = Browser::at(server.site());
        let page = browser.open(&link);
        page.answer.is(200);
        if may_join {
            join_as_newcomer(&mut browser, &link).answer.is(200);
        } else {
            assert_eq!(page.select("input[name=password]").len(), 0);
            assert!(page.text().contains("only the operator creates accounts"), "{}", page.text());
            browser.submit(&page.form(DECLINE)).answer.is(200);
        }
    }
}

fn a_full_workspace_takes_nobody(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LIMIT_MEMBERS", "1")]);
    let ada = proven(&server, "Ada");
    let invited = invited(&server, &ada, "grace@example.com");
    let mut browser = Browser::at(server.site());
    let page = join_as_newcomer(&mut browser, &invited.link);
    page.answer.is(403);
    assert!(page.one("[role=alert]").contains("as many members as it may have"), "{}", page.text());
    assert_eq!(page.form(PATH).value("name"), Some("Grace"), "nobody types it twice");
    assert_eq!(browser.signed_in_as(), None);
    assert_eq!(list(&ada, &invited.workspace, "PENDING").len(), 1);
}
