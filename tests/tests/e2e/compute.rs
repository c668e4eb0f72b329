//! Long documents do not block other calls.

use crate::metrics::{lines, measured, scrape};
use octavo_tests::{Engine, both_engines, poll::eventually};
use serde_json::json;
use std::thread;

both_engines! {
    other_calls_are_answered_while_long_documents_are_read,
}

/// As many paragraphs as a page may have.
fn long_document() -> String {
    "A paragraph with **bold** words.\n\n".repeat(20_000)
}

fn other_calls_are_answered_while_long_documents_are_read(engine: Engine) {
    let settings =
        [("OCTAVO_COMPUTE_THREADS", "1"), ("OCTAVO_COMPUTE_TIMEOUT", "10m"), ("OCTAVO_RATE_LIMIT_PAGE_TRANSFER", "0")];
    let (server, metrics) = measured(engine, &settings);
    let [ada, bob] = ["Ada", "Bob"].map(|name| server.person(name));
    let long = |state: &str| {
        let text = scrape(&metrics);
        let of_long = lines(&text, "octavo_compute_jobs", &["kind=\"long\"", &format!("state=\"{state}\"")]);
        of_long.first().and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).unwrap_or_default()
    };
    let body = json!({ "format": "markdown", "content": long_document() });
    thread::scope(|scope| {
        let imports: Vec<_> = (0..3).map(|_| scope.spawn(|| ada.post("/pages/import", &body).send())).collect();
        eventually("documents that wait", || (long("waiting") >= 2).then_some(()));
        bob.get("/users/me").send().is(200);
        let page = bob.post("/pages", &json!({ "markdown": "# Plan\n\nshort" })).send().data(201);
        let id = page["id"].as_str().unwrap();
        let text = bob.get(&format!("/pages/{id}/markdown")).send().data(200);
        assert_eq!(text["markdown"], "short\n");
        // A caller that may not put pages there does not wait for the document.
        let hidden = json!({ "format": "markdown", "content": long_document(), "parentId": id });
        ada.post("/pages/import", &hidden).send().refuses(404, "NOT_FOUND");
        assert!(long("waiting") > 0, "all of that was answered before the documents were read");
        for import in imports {
            import.join().unwrap().is(201);
        }
    });
    eventually("nothing under way", || (long("waiting") + long("running") == 0).then_some(()));
}
