//! The description and its page over HTTP.

use super::*;

#[test]
fn the_description_is_served_at_both_places_in_both_formats() {
    let server = Server::start();
    let formats = [
        ("yaml", "application/yaml", crate::openapi_yaml(crate::AREAS)),
        ("json", "application/json", crate::openapi_json(crate::AREAS)),
    ];
    for (ending, media, text) in formats {
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
            assert_eq!(again.header("vary"), Some("Origin, Accept-Encoding"));
        }
    }
    let tags = ["yaml", "json"].map(|ending| server.get(&format!("/docs/openapi.{ending}")));
    assert_ne!(tags[0].header("etag"), tags[1].header("etag"), "each format has its own tag");
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
        assert_ne!(Some(policy), again.header("content-security-policy"), "every answer has a nonce of its own");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "img-src 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !page.body.contains("<style"), "{}", page.body);
        for attribute in ["src=\"", "href=\""] {
            let elsewhere = page.body.split(attribute).skip(1).find(|address| address.starts_with("http"));
            assert_eq!(elsewhere, None, "{base}");
        }
        let files = files_of(&page.body);
        assert!(files.len() > 10, "{files:?}");
        for file in files {
            let asset = server.get(&format!("{base}/{file}"));
            assert_eq!(asset.status, 200, "{file}");
            assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"), "{file}");
        }
    }
    assert_eq!(server.get("/docs/assets/0000000000000000/start.js").refusal(), "NOT_FOUND");
}

/// The files that the head of the reference names.
fn files_of(page: &str) -> Vec<&str> {
    page.split('"').filter(|text| text.starts_with("docs/assets/")).collect()
}

/// They are stored with brotli, which browsers accept only over TLS and from their own machine.
#[test]
fn scripts_of_the_viewer_are_the_same_for_clients_with_and_without_brotli() {
    let server = Server::start();
    let page = server.get("/docs");
    let script = files_of(&page.body).into_iter().find(|file| file.contains("/chunks/")).unwrap().to_owned();
    let sent = |codings: &str| server.send(&request(&format!("GET /{script}")).header("Accept-Encoding", codings));
    let plain = server.get(&format!("/{script}"));
    assert_eq!((plain.status, plain.header("content-encoding")), (200, None));
    assert_eq!(plain.header("content-type"), Some("text/javascript; charset=utf-8"));

    let stored = sent("gzip, deflate, br, zstd");
    assert_eq!(stored.header("content-encoding"), Some("br"), "it is sent as it is stored");
    let mut decoded = Vec::new();
    brotli::BrotliDecompress(&mut &*stored.raw, &mut decoded).unwrap();
    assert_eq!(decoded, plain.raw);

    let zipped = sent("gzip, deflate");
    assert_eq!(zipped.header("content-encoding"), Some("gzip"));
    let mut unzipped = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*zipped.raw), &mut unzipped).unwrap();
    assert_eq!(unzipped, plain.raw);
    for answer in [&plain, &stored, &zipped] {
        assert!(answer.header("vary").unwrap().contains("Accept-Encoding"), "{answer:?}");
    }
}

/// What people read before the viewer has started, and where no scripts run.
#[test]
fn the_page_can_be_read_without_the_viewer() {
    let server = Server::start();
    let page = server.get("/docs").body;
    for part in ["<h2>Answers</h2>", "<code>POST /api/v1/pages</code>", "href=\"/docs/guides/errors\""] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("/docs/assets/{"), "routes that are not published are not listed");
}

#[test]
fn guides_and_reference_link_to_each_other_and_every_link_leads_somewhere() {
    let server = Server::start();
    let mut open = vec!["/".to_owned()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let page = server.get(&path);
        assert_eq!(page.status, 200, "{path}");
        if !path.starts_with("/docs") && path != "/" {
            continue;
        }
        let links = page.body.split("<a ").skip(1).filter_map(|link| link.split("href=\"").nth(1)?.split('"').next());
        for link in links.filter(|link| !link.starts_with('#')) {
            let (folder, _) = path.rsplit_once('/').unwrap();
            let link = link.split('#').next().unwrap_or_default();
            open.push(if link.starts_with('/') { link.to_owned() } else { format!("{folder}/{link}") });
        }
    }
    for path in ["/docs", "/docs/guides", "/docs/guides/getting-started", "/docs/guides/events", "/docs/openapi.yaml"] {
        assert!(seen.contains(path), "nothing leads to {path}: {seen:?}");
    }
    let guide = server.get("/docs/guides/errors").body;
    assert!(
        guide.contains("href=\"/docs\"") && guide.matches("href=\"/docs/guides/idempotency\"").count() == 2,
        "{guide}"
    );
    assert_eq!(server.get("/docs/guides/nothing").status, 404);
}
