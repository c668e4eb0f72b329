//! Searching: what is found, for whom, and in which order.

mod matching;
mod order;
mod parts;
mod rights;
mod shown;

use crate::pages::Office;
use octavo_tests::{Answer, Person, poll, shape};
use serde_json::Value;

/// The query of a search, percent-encoded.
pub(crate) fn encoded(query: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    query.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A search with these words, and further parameters that begin with `&`.
pub(crate) fn find(office: &Office, by: &Person, words: &str, more: &str) -> Answer {
    office.get(by, &format!("/search?q={}{more}", encoded(words)))
}

/// The ids that a search finds, in their order.
pub(crate) fn ids(answer: &Answer) -> Vec<String> {
    answer.body_of(200)["data"].as_array().unwrap().iter().map(|found| shape::text(&found["id"])).collect()
}

pub(crate) fn found(office: &Office, by: &Person, words: &str) -> Vec<String> {
    ids(&find(office, by, words, ""))
}

/// Waits until a search finds as many results as there must be, which takes at most a second after the last change.
#[track_caller]
pub(crate) fn eventually(office: &Office, by: &Person, words: &str, more: &str, expected: &[&str]) {
    let mut last = Vec::new();
    let seen = poll::within(poll::DEADLINE, || {
        last = ids(&find(office, by, words, more));
        (last == expected).then_some(())
    });
    assert!(seen.is_some(), "{words}{more} finds {last:?} and not {expected:?}");
}

/// The same in any order.
#[track_caller]
pub(crate) fn eventually_all(office: &Office, by: &Person, words: &str, more: &str, expected: &[&str]) {
    let mut expected: Vec<_> = expected.to_vec();
    expected.sort_unstable();
    let mut last = Vec::new();
    let seen = poll::within(poll::DEADLINE, || {
        last = ids(&find(office, by, words, more));
        last.sort_unstable();
        (last == expected).then_some(())
    });
    assert!(seen.is_some(), "{words}{more} finds {last:?} and not {expected:?}");
}

/// The result with this id.
pub(crate) fn result(office: &Office, by: &Person, words: &str, id: &str) -> Value {
    let body = find(office, by, words, "").body_of(200);
    let all = body["data"].as_array().unwrap();
    all.iter().find(|found| found["id"] == id).unwrap_or_else(|| panic!("{id} is not among {all:?}")).clone()
}
