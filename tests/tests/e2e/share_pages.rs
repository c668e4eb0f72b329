//! The address of a share link, as a browser without scripts sees it.

use crate::{
    pages::office,
    share_links::{link, token},
};
use octavo_tests::{Browser, Engine, both_engines, poll, shape};
use serde_json::json;

both_engines! {
    a_page_is_read_in_a_browser,
    user_text_is_shown_as_text,
    a_password_is_asked_for_and_remembered_for_its_link,
    the_form_counts_for_its_browser_and_link_only,
    pages_that_a_link_does_not_show_are_not_found,
    a_page_is_for_engines_only_where_allowed,
}

fn path(token: &str, page: &str) -> String {
    format!("/share/{token}/{page}")
}

fn a_page_is_read_in_a_browser(engine: Engine) {
    let office = office(engine);
    let body = json!({ "title": "Roadmap", "icon": "\u{1F680}", "coverUrl": "https://evil.test/cover.png" });
    let page = office.page(&office.owner, &body);
    let child = office.below(Some(&page), "Child");
    office.below(Some(&child), "Deep");
    office.page(&office.owner, &json!({ "title": "Hidden", "parentId": page, "inherit": false }));
    let made = link(&office, &office.owner, &page, &json!({}));
    let token = token(&made);
    let url = shape::text(&made["url"]);
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(url.strip_prefix(&office.server.site().public_origin()).unwrap());
    screen.answer.is(200);
    assert!(screen.one("h1").contains("Roadmap") && screen.one("h1").contains('\u{1F680}'));
    assert_eq!(screen.all(".pages a"), ["Child"], "nothing behind a cut");
    assert_eq!(screen.select("html[lang], meta[name=viewport]").len(), 2);
    assert_eq!(screen.select("script, iframe, object, embed, link, img, [onclick], [onload], [style]").len(), 0);
    let policy = screen.answer.named("Content-Security-Policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'nonce-") && !policy.contains("script"), "{policy}");
    assert_eq!((screen.answer.named("Cache-Control"), screen.answer.named("X-Robots-Tag")), ("no-store", "noindex"));
    let below = browser.open(screen.select(".pages a")[0].value().attr("href").unwrap());
    assert_eq!((below.one("h1").as_str(), below.all(".pages a")), ("Child", vec!["Deep".to_owned()]));
    let breadcrumbs = below.select(".breadcrumbs a");
    assert_eq!(breadcrumbs[0].value().attr("href"), Some(format!("/share/{token}").as_str()));
    // Another call to the shared server may be storing this view right now.
    poll::eventually("one view", || {
        let listed = office.get(&office.owner, &format!("/pages/{page}/share-links")).body_of(200);
        (listed["data"][0]["viewCount"] == 1).then_some(())
    });
}

fn user_text_is_shown_as_text(engine: Engine) {
    let office = office(engine);
    let markup = "<script>alert(1)</script><b onclick=x>&amp;\"'";
    let page = office.page(&office.owner, &json!({ "title": markup }));
    office.below(Some(&page), markup);
    let made = link(&office, &office.owner, &page, &json!({}));
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(&format!("/share/{}", token(&made)));
    assert_eq!((screen.one("h1").as_str(), screen.all(".pages a")), (markup, vec![markup.to_owned()]));
    assert_eq!(screen.select("script, b").len(), 0);
}

fn a_password_is_asked_for_and_remembered_for_its_link(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let child = office.below(Some(&page), "Child");
    let made = link(&office, &office.owner, &page, &json!({ "password": "open sesame" }));
    let token = token(&made);
    let mut browser = Browser::at(office.server.site());
    let asked = browser.open(&path(&token, &child));
    asked.answer.is(200);
    assert!(!asked.text().contains("Plan") && !asked.text().contains("Child"));
    assert_eq!(asked.select("input[type=password]").len(), 1);
    let form = asked.form(&format!("/share/{token}"));
    let wrong = browser.submit(&form.with("password", "nonsense"));
    wrong.answer.is(401);
    assert_eq!(wrong.select("[role=alert]").len(), 1);
    let opened = browser.submit(&wrong.form(&format!("/share/{token}")).with("password", "open sesame"));
    assert_eq!((opened.answer.status, opened.location()), (303, Some(path(&token, &child).as_str())));
    let cookie = opened.answer.all("Set-Cookie").find(|cookie| cookie.starts_with("svc_share=")).unwrap().to_owned();
    for part in
        [format!("; Path=/share/{token};"), "HttpOnly".to_owned(), "SameSite=Lax".to_owned(), "Max-Age=3600".to_owned()]
    {
        assert!(cookie.contains(&part), "{cookie}");
    }
    assert_eq!(browser.open(&path(&token, &child)).one("h1"), "Child");
    // The cookie opens only the HTML pages.
    let by_cookie = browser.request("GET", &format!("/api/v1/public/shares/{token}")).send();
    by_cookie.refuses(401, "UNAUTHORIZED").because("share_password_required");
    let single = format!("/share-links/{}", shape::text(&made["id"]));
    office.patch(&office.owner, &single, &json!({ "password": "another one" })).is(200);
    assert_eq!(browser.open(&path(&token, &child)).select("input[type=password]").len(), 1);
}

fn the_form_counts_for_its_browser_and_link_only(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let make = || token(&link(&office, &office.owner, &page, &json!({ "password": "open sesame" })));
    let (first, second) = (make(), make());
    let mut browser = Browser::at(office.server.site());
    let form =
        browser.open(&format!("/share/{first}")).form(&format!("/share/{first}")).with("password", "open sesame");
    let mut elsewhere = form.clone();
    elsewhere.action = format!("/share/{second}");
    browser.submit(&elsewhere).answer.is(403);
    Browser::at(office.server.site()).submit(&form).answer.is(403);
    browser.form_request(&form).header("Origin", "https://evil.test").send().is(403);
    browser.submit(&form).answer.is(303);
}

fn pages_that_a_link_does_not_show_are_not_found(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let cut = office.page(&office.owner, &json!({ "title": "Cut", "parentId": page, "inherit": false }));
    let made = link(&office, &office.owner, &page, &json!({}));
    let token = token(&made);
    let mut browser = Browser::at(office.server.site());
    for address in [
        path(&token, &cut),
        path(&token, "nonsense"),
        "/share/shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80".to_owned(),
        "/share/nonsense".to_owned(),
    ] {
        let screen = browser.open(&address);
        assert_eq!((screen.answer.status, screen.one("h1").as_str()), (404, "There is nothing here"), "{address}");
    }
    let single = format!("/share-links/{}", shape::text(&made["id"]));
    let end = shape::timestamp(shape::now_millis() + 1500);
    office.patch(&office.owner, &single, &json!({ "expiresAt": end })).is(200);
    let over = octavo_tests::poll::eventually("the end of the link", || {
        Some(browser.open(&format!("/share/{token}"))).filter(|screen| screen.answer.status == 410)
    });
    assert_eq!(over.one("h1"), "This is over");
}

fn a_page_is_for_engines_only_where_allowed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({ "allowIndexing": true }));
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(&format!("/share/{}", token(&made)));
    assert_eq!((screen.answer.header("X-Robots-Tag"), screen.select("meta[name=robots]").len()), (None, 0));
}
