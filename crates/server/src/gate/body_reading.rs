//! The headers that say how the body of a call was read.

use crate::{answer::put_header, request::BodyReading};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

const UNKNOWN_FIELDS: HeaderName = HeaderName::from_static("x-unknown-fields");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The longest list of fields, so that the headers of the answer stay within what clients accept.
const MAX_LIST: usize = 4096;

/// The characters of a name that are encoded, besides those that are not ASCII: they would end it.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b',').add(b'%');

pub(super) fn add_headers(reading: &BodyReading, headers: &mut HeaderMap) {
    match reading {
        BodyReading::Strict => {
            headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("handling=strict"));
        }
        BodyReading::Lenient { ignored } => {
            let list = list(ignored);
            if !list.is_empty() {
                put_header(headers, UNKNOWN_FIELDS, &list);
            }
        }
    }
}

fn list(paths: &[String]) -> String {
    let mut list = String::new();
    for path in paths {
        let encoded = utf8_percent_encode(path, ENCODED).to_string();
        let separator = if list.is_empty() { "" } else { ", " };
        if list.len() + separator.len() + encoded.len() > MAX_LIST {
            break;
        }
        list.push_str(separator);
        list.push_str(&encoded);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_of(reading: &BodyReading) -> Vec<(String, String)> {
        let mut headers = HeaderMap::new();
        add_headers(reading, &mut headers);
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    fn ignoring(fields: &[&str]) -> BodyReading {
        BodyReading::Lenient { ignored: fields.iter().map(|field| (*field).to_owned()).collect() }
    }

    #[test]
    fn an_answer_names_what_was_ignored_or_that_nothing_is() {
        let named = |list: &str| vec![("x-unknown-fields".to_owned(), list.to_owned())];
        assert_eq!(headers_of(&ignoring(&["markdwn", "grants.0.lvl"])), named("markdwn, grants.0.lvl"));
        assert_eq!(headers_of(&ignoring(&["a,b", "c d", "\u{e9}%\r\n"])), named("a%2Cb, c%20d, %C3%A9%25%0D%0A"));
        assert_eq!(headers_of(&ignoring(&["\"\"", "blocks.0.\"\""])), named("\"\", blocks.0.\"\""));
        assert!(headers_of(&ignoring(&[])).is_empty());
        let strict = vec![("preference-applied".to_owned(), "handling=strict".to_owned())];
        assert_eq!(headers_of(&BodyReading::Strict), strict);
    }

    #[test]
    fn a_list_of_long_names_ends_early() {
        let long = "\u{1f600}".repeat(100);
        assert_eq!(list(&vec![long; 20]).matches(',').count(), 2);
    }
}
