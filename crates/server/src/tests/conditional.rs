//! Conditional reads.

use super::{server::Person, *};
use serde_json::json;

struct World {
    server: Server,
    ada: Person,
    page: String,
}

impl World {
    fn new() -> Self {
        let server = Server::start();
        let ada = server.person("ada");
        let body = json!({ "title": "Plan", "blocks": [{ "type": "paragraph", "content": "Ship it" }] });
        let made = server.send(&request("POST /api/v1/pages").bearer(&ada.token).json(&body));
        let page = made.json()["data"]["id"].as_str().unwrap().to_owned();
        Self { server, ada, page }
    }

    fn get(&self, path: &str, known: Option<&str>) -> Answer {
        let read = request(&format!("GET {path}")).bearer(&self.ada.token);
        self.server.send(&match known {
            Some(tag) => read.header("If-None-Match", tag),
            None => read,
        })
    }

    fn page(&self) -> String {
        format!("/api/v1/pages/{}", self.page)
    }

    fn rename(&self, title: &str, if_match: &str) -> Answer {
        let change = request(&format!("PATCH {}", self.page())).bearer(&self.ada.token).header("If-Match", if_match);
        self.server.send(&change.json(&json!({ "title": title })))
    }
}

#[test]
fn what_did_not_change_is_not_sent_again() {
    let world = World::new();
    let page = world.page();
    let blocks = world.get(&format!("{page}?include=blocks"), None).json();
    let block = format!("/api/v1/blocks/{}", blocks["data"]["blocks"][0]["id"].as_str().unwrap());
    for path in [
        page.clone(),
        format!("{page}?include=blocks"),
        format!("{page}/permissions"),
        format!("{page}/markdown"),
        block,
    ] {
        let first = world.get(&path, None);
        let tag = first.header("etag").unwrap().to_owned();
        let data = &first.json()["data"];
        assert!(tag.starts_with(&format!("\"{}-", data["version"])), "{tag} {data}");
        assert_eq!(first.header("cache-control"), Some("private, no-cache"), "{path}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let again = world.get(&path, Some(&known));
            assert_eq!((again.status, again.body.as_str()), (304, ""), "{path} {known}");
            assert_eq!(again.header("etag"), Some(&*tag), "{path}");
            assert_eq!(again.header("cache-control"), Some("private, no-cache"), "{path}");
            assert!(again.header("vary").is_some() && again.header("content-type").is_none(), "{again:?}");
        }
        for unknown in [format!("\"{}\"", data["version"]), "\"x\"".to_owned()] {
            assert_eq!(world.get(&path, Some(&unknown)).status, 200, "{path} {unknown}");
        }
        let head = request(&format!("HEAD {path}")).bearer(&world.ada.token).header("If-None-Match", &*tag);
        assert_eq!(world.server.send(&head).status, 304, "{path}");
    }
}

#[test]
fn a_tag_changes_with_whatever_is_shown() {
    let world = World::new();
    let tag = |path: &str| world.get(path, None).header("etag").unwrap().to_owned();
    let first = tag(&world.page());
    assert_ne!(tag(&format!("{}?include=blocks", world.page())), first);
    let favorite = request(&format!("PUT /api/v1/favorites/{}", world.page)).bearer(&world.ada.token);
    assert!(world.server.send(&favorite).status < 300);
    let kept = tag(&world.page());
    assert_eq!(kept.split('-').next(), first.split('-').next(), "the page is the same");
    assert_ne!(kept, first, "but it is kept at hand now");
    assert_eq!(world.get(&world.page(), Some(&first)).status, 200);
}

#[test]
fn a_change_rests_on_the_version_in_a_tag_and_on_nothing_else_of_it() {
    let world = World::new();
    let tag = world.get(&world.page(), None).header("etag").unwrap().to_owned();
    assert_eq!(world.rename("Plan A", &tag).status, 200);
    let stale = world.rename("Plan B", &tag);
    assert_eq!((stale.status, stale.refusal().as_str()), (409, "CONFLICT version version_mismatch"));
    let version = stale.json()["error"]["details"][0]["expected"].to_string();
    assert_eq!(world.rename("Plan B", &format!("W/\"{version}-0123456789abcdef\"")).status, 200);
    assert_eq!(world.rename("Plan C", &format!("\"{}-0123\"", version.parse::<u64>().unwrap() + 1)).status, 200);
    let malformed = world.rename("Plan D", "\"7-\"");
    assert_eq!(malformed.refusal(), "VALIDATION_ERROR If-Match invalid_format");
    let pattern = malformed.json()["error"]["details"][0]["pattern"].clone();
    assert_eq!(pattern, r#"^([0-9]+|(W/)?"[0-9]+(-[0-9a-fA-F]+)?"|\*)$"#);
}

#[test]
fn a_tag_holds_however_the_answer_is_sent() {
    let world = World::new();
    let text = "Ship it. ".repeat(300);
    let body =
        json!({ "pageId": world.page, "ops": [{ "op": "upsert", "block": { "type": "paragraph", "content": text } }] });
    assert_eq!(world.server.send(&request("POST /api/v1/blocks").bearer(&world.ada.token).json(&body)).status, 201);
    let path = format!("{}/markdown", world.page());
    let read = || request(&format!("GET {path}")).bearer(&world.ada.token).header("Accept-Encoding", "gzip");
    let zipped = world.server.send(&read());
    assert_eq!((zipped.status, zipped.header("content-encoding")), (200, Some("gzip")));
    let tag = zipped.header("etag").unwrap();
    assert_eq!(world.get(&path, None).header("etag"), Some(tag));
    let again = world.server.send(&read().header("If-None-Match", tag));
    assert_eq!((again.status, again.header("content-encoding"), again.body.as_str()), (304, None, ""));
}

#[test]
fn a_change_is_never_answered_by_304() {
    let world = World::new();
    let change = request(&format!("PATCH {}", world.page())).bearer(&world.ada.token).header("If-None-Match", "*");
    let answer = world.server.send(&change.json(&json!({ "title": "Plan A" })));
    assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-store")));
}
