//! The description and its page over HTTP.

use super::*;

#[test]
fn the_description_is_served_at_both_places_in_both_forms() {
    let server = Server::start();
    let forms = [
        ("yaml", "application/yaml", crate::openapi_yaml(crate::AREAS)),
        ("json", "application/json", crate::openapi_json(crate::AREAS)),
    ];
    for (ending, media, text) in forms {
        for base in ["", "/api/v1"] {
            let answer = server.get(&format!("{base}/docs/openapi.{ending}"));
            assert_eq!((answer.status, answer.header("content-type")), (200, Some(media)));
            assert_eq!(answer.body, text);
        }
    }
}

#[test]
fn the_description_is_not_sent_again_to_those_who_have_it() {
    let server = Server::start();
    for path in ["/docs/openapi.yaml", "/docs/openapi.json"] {
        let first = server.get(path);
        assert_eq!(first.header("cache-control"), Some("no-cache"), "{path}");
        let tag = first.header("etag").unwrap().to_owned();
        for (known, status) in [(tag.clone(), 304), (format!("W/{tag}"), 304), ("\"7\"".to_owned(), 200)] {
            let again = server.send(&request(&format!("GET {path}")).header("If-None-Match", &known));
            assert_eq!((again.status, again.header("etag")), (status, Some(&*tag)), "{path} {known}");
            assert_eq!((again.body.is_empty(), again.header("cache-control")), (status == 304, Some("no-cache")));
        }
    }
    let tags = ["yaml", "json"].map(|ending| server.get(&format!("/docs/openapi.{ending}")));
    assert_ne!(tags[0].header("etag"), tags[1].header("etag"), "each form has its own tag");
}

/// Some generators ignore the server of a single path, and send every call to the base path.
#[test]
fn documents_of_discovery_are_found_under_the_base_path_too() {
    let server = Server::start();
    for name in ["jwks.json", "oauth-authorization-server", "oauth-protected-resource"] {
        let [at_origin, under_base] = ["", "/api/v1"].map(|base| server.get(&format!("{base}/.well-known/{name}")));
        assert_eq!((at_origin.status, at_origin.body), (200, under_base.body), "{name}");
    }
}

/// The page loads everything from its own origin, and its policy allows nothing else.
#[test]
fn the_page_loads_from_its_own_origin_only() {
    let server = Server::start();
    for base in ["", "/api/v1"] {
        let (page, again) = (server.get(&format!("{base}/docs")), server.get(&format!("{base}/docs")));
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let policy = page.header("content-security-policy").unwrap();
        let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
        assert!(nonce.len() >= 20 && page.body.contains(&format!("nonce=\"{nonce}\"")), "{policy}");
        assert_ne!(Some(policy), again.header("content-security-policy"), "a number is drawn for every answer");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "img-src 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(
            !policy.contains("unsafe") && !page.body.contains("http") && !page.body.contains("<style"),
            "{}",
            page.body
        );
        let links = page.body.split('"').filter(|text| text.starts_with("docs/assets/"));
        let mut count = 0;
        for link in links {
            count += 1;
            let asset = server.get(&format!("{base}/{link}"));
            assert_eq!(asset.status, 200, "{link}");
            assert!(!asset.body.contains("url(data:") && !asset.body.contains("url(\"data:"), "{link}");
        }
        assert_eq!(count, 4);
    }
    assert_eq!(server.get("/docs/assets/nothing.js").refusal(), "NOT_FOUND");
}
