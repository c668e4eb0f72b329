//! The address of a share link, as a browser without scripts sees it.

use crate::{
    pages::office,
    share_links::{link, token},
};
use octavo_tests::{Browser, Engine, both_engines, browser::Screen, poll, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_is_read_in_a_browser,
    user_text_is_shown_as_text,
    every_type_of_block_is_shown,
    links_to_a_page_describe_it,
    a_page_to_read_is_compressed_and_a_form_is_not,
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
    let body = json!({ "title": "Roadmap", "icon": "\u{1F680}", "coverUrl": "https://cover.test/a.png" });
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
    assert_eq!(screen.select("script, iframe, object, embed, [onclick], [onload], [style]").len(), 0);
    let policy = screen.answer.named("Content-Security-Policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'nonce-") && !policy.contains("script"), "{policy}");
    let attribute = |screen: &Screen, selector: &str, name: &str| {
        screen.select(selector).iter().map(|element| element.value().attr(name).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(attribute(&screen, "img", "src"), ["https://cover.test/a.png"], "the cover and nothing else");
    assert_eq!(attribute(&screen, "img", "referrerpolicy"), ["no-referrer"]);
    assert!(policy.contains("; img-src 'self' https://cover.test; "), "{policy}");
    assert_eq!(attribute(&screen, "link", "href"), ["/favicon.svg"]);
    let icon = browser.request("GET", "/favicon.svg").send();
    assert_eq!((icon.status, icon.named("Content-Type")), (200, "image/svg+xml"));
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

/// A page with every type of block. Its blocks name a page.
fn specimen(named: &str) -> Value {
    let blocks = include_str!("../../../crates/blocks-tree/fixtures/specimen.json").replace("SHOWN_PAGE", named);
    serde_json::from_str(&blocks).unwrap()
}

fn every_type_of_block_is_shown(engine: Engine) {
    let office = office(engine);
    let shared = office.below(None, "Shared");
    let sibling = office.below(Some(&shared), "Sibling");
    let hidden = office.below(None, "Hidden");
    let page =
        office.page(&office.owner, &json!({ "title": "Harbour", "parentId": shared, "blocks": specimen(&sibling) }));
    let source = office.line(&page, None, "said once");
    office.block(&page, &json!({ "type": "synced_block", "content": { "sourceBlockId": source } }));
    office.block(&page, &json!({ "type": "child_page", "content": { "pageId": hidden } }));
    let child = office.below(Some(&page), "Child");
    office.block(&page, &json!({ "type": "child_page", "content": { "pageId": child } }));
    let token = token(&link(&office, &office.owner, &shared, &json!({})));
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(&path(&token, &page));
    screen.answer.is(200);
    assert_eq!(screen.one("h1"), "Harbour", "headings of blocks are below the title");
    for selector in [
        "h2.heading-1",
        "h3.heading-2",
        "h4.heading-3",
        "p.center.ink-green",
        "blockquote > footer",
        ".callout.bg-yellow",
        "ul > li > ul > li",
        "ol > li",
        ".tasks input[checked]",
        "details:not([open]) > summary",
        "figure > .absent + figcaption",
        "figure > .card.video + figcaption",
        ".card.audio",
        "figure > .file + figcaption",
        ".card.bookmark a[rel]",
        ".card.embed",
        ".code[data-language=Rust] > pre .k",
        "p math",
        ".equation > math[display=block] mfrac msqrt",
        ".columns > .column",
        "hr",
        ".spacer",
        ".scroll[tabindex] > table th",
        ".pointer.database",
        ".pointer.chart",
        ".pointer.form",
    ] {
        assert!(!screen.select(selector).is_empty(), "{selector} in {}", screen.answer.text());
    }
    assert_eq!(screen.answer.text().matches("said once").count(), 2, "an instance shows its source");
    assert_eq!(screen.all(".pointer.page"), ["Sibling", "Page", "Child"], "a page that is not shared has no title");
    let links = screen.select(".pointer.page a, a.mention");
    let targets: Vec<_> = links.iter().filter_map(|link| link.value().attr("href")).collect();
    assert_eq!(targets, [path(&token, &sibling), path(&token, &sibling), path(&token, &child)]);
    assert!(screen.select(".pages a").is_empty(), "a child that has a block is not listed again");
    assert_eq!(browser.open(targets[0]).one("h1"), "Sibling");
}

fn links_to_a_page_describe_it(engine: Engine) {
    let office = office(engine);
    let text = "Boats ".repeat(100);
    let body = json!({
        "title": "Harbour \"north\"",
        "coverUrl": "https://cover.test/a.png",
        "blocks": [{ "type": "heading_1", "content": "Hello" }, { "type": "paragraph", "content": text }],
    });
    let page = office.page(&office.owner, &body);
    let open = |settings: &Value| {
        let token = token(&link(&office, &office.owner, &page, settings));
        Browser::at(office.server.site()).open(&format!("/share/{token}"))
    };
    let screen = open(&json!({}));
    let content = |name: &str| {
        let found = screen.select(&format!("meta[property='{name}'], meta[name='{name}']"));
        found.first().and_then(|meta| meta.value().attr("content")).unwrap_or_default().to_owned()
    };
    assert_eq!(content("og:title"), "Harbour \"north\"");
    assert_eq!((content("og:type").as_str(), content("og:image").as_str()), ("article", "https://cover.test/a.png"));
    assert!(content("og:url").starts_with(&format!("{}/share/shl_", office.server.site().public_origin())));
    let description = content("og:description");
    assert!(description.starts_with("Hello Boats Boats") && description.ends_with('\u{2026}'), "{description}");
    assert!(description.chars().count() <= 201 && description == content("description"), "{description}");
    let secret = open(&json!({ "password": "open sesame" }));
    assert_eq!((secret.select("meta[property]").len(), secret.select("img").len()), (0, 0));
}

fn a_page_to_read_is_compressed_and_a_form_is_not(engine: Engine) {
    let office = office(engine);
    let lines: Vec<_> = (0..50).map(|line| json!({ "type": "paragraph", "content": format!("Line {line}") })).collect();
    let page = office.page(&office.owner, &json!({ "title": "Lines", "blocks": lines }));
    for (settings, encoding) in [(json!({}), Some("gzip")), (json!({ "password": "open sesame" }), None)] {
        let token = token(&link(&office, &office.owner, &page, &settings));
        let request = Browser::at(office.server.site()).request("GET", &format!("/share/{token}"));
        let answer = request.header("Accept-Encoding", "gzip").send();
        assert_eq!(answer.is(200).header("Content-Encoding"), encoding);
    }
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
    assert_eq!(over.one("h1"), "This link no longer works");
}

fn a_page_is_for_engines_only_where_allowed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    let made = link(&office, &office.owner, &page, &json!({ "allowIndexing": true }));
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(&format!("/share/{}", token(&made)));
    assert_eq!((screen.answer.header("X-Robots-Tag"), screen.select("meta[name=robots]").len()), (None, 0));
}
