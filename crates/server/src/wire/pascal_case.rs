//! Names of several words in the description.

/// A name of several words as one: `Heading1` for `heading_1`, `PageCreated` for `page.created`.
pub(crate) fn pascal_case(name: &str) -> String {
    let mut joined = String::new();
    for word in name.split(['.', '_']) {
        let mut letters = word.chars();
        joined.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        joined.push_str(letters.as_str());
    }
    joined
}
