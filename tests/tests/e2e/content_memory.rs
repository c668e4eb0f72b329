//! Answers with large pages count until they are sent.

use crate::metrics::{lines, measured, scrape};
use octavo_tests::{Browser, Engine, Site, both_engines, poll::eventually};
use serde_json::json;

both_engines! {
    an_answer_that_nobody_reads_counts_until_its_connection_ends,
    a_small_page_counts_if_its_html_is_large,
}

fn held(metrics: &Site) -> u64 {
    let text = scrape(metrics);
    let line = lines(&text, "octavo_content_memory_bytes ", &[]).pop().unwrap().to_owned();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn an_answer_that_nobody_reads_counts_until_its_connection_ends(engine: Engine) {
    let (server, metrics) = measured(engine, &[("OCTAVO_CONTENT_MEMORY_BYTES", "1048576")]);
    let [ada, bob] = ["Ada", "Bob"].map(|name| server.person(name));
    // Far more than the buffers of a connection take.
    let content = ("[a](https://example.com/) ".repeat(50) + "\n\n").repeat(1900);
    let page = ada.post("/pages/import", &json!({ "format": "markdown", "content": content })).send().data(201);
    let blocks = format!("/pages/{}/blocks?limit=100", page["pageId"].as_str().unwrap());
    let whole = format!("/pages/{}?include=blocks", page["pageId"].as_str().unwrap());
    let held = || held(&metrics);
    ada.get(&whole).send().is(200);
    eventually("nothing in memory", || (held() == 0).then_some(()));

    let mut unread = server.site().wire();
    unread.send(ada.get(&whole).bytes()).unwrap();
    eventually("a page in memory", || (held() > 0).then_some(()));
    let refused = ada.get(&blocks).send();
    refused.refuses(503, "SERVICE_UNAVAILABLE");
    bob.get("/users/me").send().is(200);
    let small = bob.post("/pages", &json!({ "markdown": "short" })).send().data(201);
    bob.get(&format!("/pages/{}?include=blocks", small["id"].as_str().unwrap())).send().is(200);
    assert!(held() > 0, "nobody has read the answer yet");
    drop(unread);
    eventually("nothing in memory", || (held() == 0).then_some(()));
    ada.get(&blocks).send().is(200);
}

fn a_small_page_counts_if_its_html_is_large(engine: Engine) {
    let (server, metrics) = measured(engine, &[("OCTAVO_CONTENT_MEMORY_BYTES", "1048576")]);
    let ada = server.person("Ada");
    let code = format!("```javascript\n{}\n```", "1 ".repeat(45_000));
    let page = ada.post("/pages", &json!({ "markdown": code })).send().data(201);
    let link = ada.post(&format!("/pages/{}/share-links", page["id"].as_str().unwrap()), &json!({})).send().data(201);
    let browser = Browser::at(server.site());
    let path = format!("/share/{}", link["url"].as_str().unwrap().rsplit('/').next().unwrap());
    let mut unread = server.site().wire();
    // The buffers of the connection take the first of these answers.
    unread.send(browser.request("GET", &path).bytes().repeat(10)).unwrap();
    let is_refused = || browser.request("GET", &path).send().status == 503;
    eventually("the refusal of another reader in the same network", || is_refused().then_some(()));
    assert!(held(&metrics) > 1 << 20);
    drop(unread);
    eventually("nothing in memory", || (held(&metrics) == 0).then_some(()));
    browser.request("GET", &path).send().is(200);
}
