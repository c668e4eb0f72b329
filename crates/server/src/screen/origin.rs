//! Checking where a form was sent from, where a browser comes from, and which page loads another.

use crate::refusal::Refusal;
use actix_web::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERER};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Refuses to show a page inside a page of another site, for example as a picture. Links of other sites lead here as
/// usual, and programs send none of these headers.
pub(crate) fn check_embedding(headers: &HeaderMap) -> Result<(), Refusal> {
    let is_foreign = |site: &HeaderValue| !matches!(site.as_bytes(), b"same-origin" | b"none");
    let is_part = |destination: &HeaderValue| destination.as_bytes() != b"document";
    if headers.get_all(SEC_FETCH_SITE).any(is_foreign) && headers.get_all(SEC_FETCH_DEST).any(is_part) {
        return Err(Refusal::ForeignEmbedding);
    }
    Ok(())
}

/// Refuses forms that were not sent by a page of this service. Browsers name the origin of every form they send, and
/// a page cannot forge it.
pub(crate) fn check_sender(headers: &HeaderMap, own: &str) -> Result<(), Refusal> {
    let is_own = match (headers.get(ORIGIN), headers.get(REFERER)) {
        (Some(origin), _) => origin.as_bytes() == own.as_bytes(),
        (None, Some(referer)) => is_below(referer, own),
        (None, None) => false,
    };
    let mut sites = headers.get_all(SEC_FETCH_SITE);
    let fits = is_own && sites.all(|site| site.as_bytes() == b"same-origin");
    let is_single = headers.get_all(ORIGIN).nth(1).is_none() && headers.get_all(REFERER).nth(1).is_none();
    match (fits && is_single, is_own) {
        (true, _) => Ok(()),
        (false, false) if is_from_its_host(headers) => Err(Refusal::FormOfOtherAddress(own.to_owned())),
        (false, _) => Err(Refusal::ForeignForm),
    }
}

/// Whether a form was sent by a page with the address that the request itself was sent to: by one of this service, but
/// not at its public address.
fn is_from_its_host(headers: &HeaderMap) -> bool {
    let sender = headers.get(ORIGIN).or_else(|| headers.get(REFERER));
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).filter(|host| !host.is_empty());
    let (Some(sender), Some(host)) = (sender, host) else { return false };
    ["http", "https"].iter().any(|scheme| is_below(sender, &format!("{scheme}://{host}")))
}

/// Whether a browser says that it comes from a page of this service, by a link, by a form, or by the redirect that
/// answered one. Browsers that do not say so are not known to.
pub(super) fn comes_from_own_page(headers: &HeaderMap) -> bool {
    let says = |name: HeaderName, value: &[u8]| headers.get(name).is_some_and(|sent| sent.as_bytes() == value);
    says(SEC_FETCH_SITE, b"same-origin") && says(SEC_FETCH_MODE, b"navigate")
}

/// Whether an address belongs to the origin.
fn is_below(address: &HeaderValue, origin: &str) -> bool {
    let rest = address.as_bytes().strip_prefix(origin.as_bytes());
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'/' | b'?' | b'#')))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    const OWN: &str = "https://octavo.test";

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers
    }

    fn passes(lines: &[(&'static str, &'static str)]) -> bool {
        check_sender(&headers(lines), OWN).is_ok()
    }

    #[test]
    fn only_a_browser_that_says_so_comes_from_a_page_of_this_service() {
        let comes = |lines: &[_]| comes_from_own_page(&headers(lines));
        assert!(comes(&[("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "navigate")]));
        for other in [
            &[][..],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-mode", "navigate")],
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
            &[("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")],
        ] {
            assert!(!comes(other), "{other:?}");
        }
    }

    #[test]
    fn other_sites_link_to_pages_but_contain_none() {
        let shows = |lines: &[(&'static str, &'static str)]| check_embedding(&headers(lines)).is_ok();
        assert!(shows(&[]));
        assert!(shows(&[("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "document")]));
        assert!(shows(&[("sec-fetch-site", "same-origin"), ("sec-fetch-dest", "empty")]));
        assert!(shows(&[("sec-fetch-site", "none"), ("sec-fetch-dest", "empty")]));
        for destination in ["image", "script", "iframe", "empty"] {
            for site in ["cross-site", "same-site"] {
                assert!(!shows(&[("sec-fetch-site", site), ("sec-fetch-dest", destination)]), "{site} {destination}");
            }
        }
    }

    #[test]
    fn a_form_of_another_address_of_this_service_is_told_apart() {
        let refusal = |lines: &[(&'static str, &'static str)]| check_sender(&headers(lines), OWN).unwrap_err();
        let elsewhere = Refusal::FormOfOtherAddress(OWN.to_owned());
        let local = ("host", "localhost:8080");
        assert_eq!(refusal(&[local, ("origin", "http://localhost:8080")]), elsewhere);
        assert_eq!(refusal(&[local, ("referer", "http://localhost:8080/sign-up")]), elsewhere);
        for foreign in [
            &[local, ("origin", "https://evil.test")][..],
            &[local, ("origin", "http://localhost:8081")],
            &[local, ("origin", "null")],
            &[("host", "octavo.test"), ("origin", OWN), ("sec-fetch-site", "cross-site")],
            &[local],
        ] {
            assert_eq!(refusal(foreign), Refusal::ForeignForm, "{foreign:?}");
        }
    }

    #[test]
    fn only_pages_of_this_origin_send_forms() {
        assert!(passes(&[("origin", OWN)]));
        assert!(passes(&[("origin", OWN), ("sec-fetch-site", "same-origin")]));
        assert!(passes(&[("referer", "https://octavo.test/api/v1/oauth/login")]));
        assert!(passes(&[("referer", OWN)]));
        for foreign in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "http://octavo.test")],
            &[("origin", "https://octavo.test:444")],
            &[("origin", "https://octavo.test.evil.test")],
            &[("origin", "https://evil.test"), ("referer", "https://octavo.test/")],
            &[("origin", OWN), ("origin", "https://evil.test")],
            &[("referer", "https://octavo.test.evil.test/")],
            &[("referer", "https://octavo.test@evil.test/")],
            &[("referer", "https://evil.test/https://octavo.test/")],
            &[("origin", OWN), ("sec-fetch-site", "same-site")],
            &[("origin", OWN), ("sec-fetch-site", "cross-site")],
            &[("origin", OWN), ("sec-fetch-site", "none")],
        ] {
            assert!(!passes(foreign), "{foreign:?}");
        }
    }
}
