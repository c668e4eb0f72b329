//! The interactive page of the API description: everything it loads is part of the binary.

use crate::{answer::Document, screen::draw_nonce};
use actix_web::web::Bytes;
use octavo_core_model::Fault;
use std::borrow::Cow;

/// Name, type and content of each file that the page loads.
static ASSETS: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Starts the page. It is a separate file because the page's policy allows no inline script.
const START: &str = include_str!("start.js");

const HTML: &str = "text/html; charset=utf-8";

/// The page. Its style sheet is allowed by a nonce that is new in every answer.
pub(crate) fn page() -> Result<Document, Fault> {
    let nonce = draw_nonce()?;
    let policy = format!(
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'nonce-{nonce}'; img-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let body = include_str!("page.html").replace("{nonce}", &nonce);
    Ok(Document { media: HTML, body: Bytes::from(body), policy: policy.into(), etag: None })
}

/// A file that the page loads.
pub(crate) fn asset(name: &str) -> Option<Document> {
    let (media, bytes) = match name {
        "start.js" => ("text/javascript; charset=utf-8", START.as_bytes()),
        _ => ASSETS.iter().find(|(known, ..)| *known == name).map(|(_, media, bytes)| (*media, *bytes))?,
    };
    let policy = Cow::Borrowed("default-src 'none'");
    Some(Document { media, body: Bytes::from_static(bytes), policy, etag: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_sheet_finds_its_icons() {
        let style =
            asset("swagger-ui.css").map(|style| String::from_utf8_lossy(&style.body).into_owned()).unwrap_or_default();
        let icons: Vec<_> = style.split("url(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(icons.len() > 5, "{icons:?}");
        for icon in icons {
            let drawn = asset(icon).is_some_and(|icon| {
                let starts: [&[u8]; 3] = [b"<svg xmlns=\"http://www.w3.org/2000/svg\"", b"\x89PNG", b"\xff\xd8\xff"];
                starts.iter().any(|start| icon.body.starts_with(start))
            });
            assert!(drawn, "{icon}");
        }
    }
}
