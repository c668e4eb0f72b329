//! Whose pages mails, invitations and the sign-in page link to.

use crate::invitations::{create_workspace, proven, try_invite};
use octavo_tests::{Browser, Engine, Server, one_engine, shape};
use serde_json::json;

one_engine! {
    a_product_with_pages_of_its_own_gets_the_links,
    the_sign_in_page_offers_an_account_where_everybody_may_have_one,
}

fn a_product_with_pages_of_its_own_gets_the_links(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PAGES_URL", "https://product.example")]);
    let ada = proven(&server, "Ada");
    let mail = server.mailbox().mail(&ada.email, "the link", |mail| mail.token("evt_").is_some());
    assert!(mail.text().contains("https://product.example/verify-email?token=evt_"), "{}", mail.raw);
    let workspace = create_workspace(&ada, "Acme");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).data(201);
    let link = shape::text(&sent["acceptUrl"]);
    assert!(link.starts_with("https://product.example/accept-invitation?token=itn_"), "{link}");
    let page = shape::text(&ada.post("/pages", &json!({ "title": "Plan" })).send().data(201)["id"]);
    let shared = ada.post(&format!("/pages/{page}/share-links"), &json!({})).send().data(201);
    let url = shape::text(&shared["url"]);
    assert!(url.starts_with(&server.public_origin()), "the service shows shared pages itself: {url}");
    let printed = server.run(&["user", "reset-password", &ada.email]).exits(0).stdout;
    assert!(printed.starts_with("https://product.example/reset-password?token=pwrt_"), "{printed}");
}

fn the_sign_in_page_offers_an_account_where_everybody_may_have_one(engine: Engine) {
    let links = |server: &Server| {
        let page = Browser::at(server.site()).open("/api/v1/oauth/login");
        let count = |selector| page.select(selector).len();
        (count("a[href='/sign-up']"), count("a[href='/forgot-password']"))
    };
    assert_eq!(links(&Server::start(engine)), (1, 1));
    for closed in ["invite", "closed"] {
        assert_eq!(links(&Server::with(engine, &[("OCTAVO_SIGNUP", closed)])), (0, 1), "{closed}");
    }
}
