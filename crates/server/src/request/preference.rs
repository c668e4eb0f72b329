//! The `Prefer` header (RFC 7240).

use actix_web::http::header::HeaderMap;

/// The value of a preference, without quotes; `None` if the caller does not express it. The first one counts.
pub(crate) fn preference<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all("prefer").filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).find_map(|preference| value_of(preference, name))
}

/// The value of one preference, if it has this name. Its parameters are ignored.
fn value_of<'a>(preference: &'a str, name: &str) -> Option<&'a str> {
    let (found, value) = preference.split(';').next()?.split_once('=')?;
    found.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    #[test]
    fn a_preference_is_found_among_others() {
        for (lines, expected) in [
            (&["wait=10"][..], Some("10")),
            (&["respond-async, Wait = 5; x=1"], Some("5")),
            (&["handling=strict", "wait=\"7\""], Some("7")),
            (&["wait=1, wait=2"], Some("1")),
            (&["wait"], None),
            (&["waiting=1"], None),
            (&[""], None),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for &line in lines {
                headers.append(HeaderName::from_static("prefer"), HeaderValue::from_static(line));
            }
            assert_eq!(preference(&headers, "wait"), expected, "{lines:?}");
        }
    }
}
