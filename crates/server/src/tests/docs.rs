//! The description and its page over HTTP.

use super::*;

#[test]
fn the_description_is_served_at_both_places() {
    let server = Server::start();
    for base in ["", "/api/v1"] {
        let answer = server.get(&format!("{base}/docs/openapi.yaml"));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/yaml")));
        assert_eq!(answer.body, crate::openapi_yaml(crate::AREAS));
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
