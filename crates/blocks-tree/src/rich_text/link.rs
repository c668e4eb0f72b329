//! The targets that links may have.

/// The longest address, in characters.
const MAX: usize = 2048;

/// Schemes that are safe to open. All others, above all scripts, are refused.
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel"];

/// What [`is_link`] accepts, in words.
pub const LINK: &str = "an address without blanks that starts with http:, https:, mailto: or tel:, or a relative one";

/// Whether an address is allowed as a link target: one with a known scheme, or one relative to the page (a path, a
/// query or a fragment). A scheme-relative address such as `//host/path` looks like a path but leads to another host,
/// so it is refused.
pub fn is_link(url: &str) -> bool {
    let is_clean = !url.is_empty() && url.chars().count() <= MAX && !url.chars().any(is_unsafe);
    is_clean && !is_scheme_relative(url) && has_known_scheme(url)
}

/// Browsers treat a backslash like a slash.
fn is_scheme_relative(url: &str) -> bool {
    let is_slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
    let bytes = url.as_bytes();
    is_slash(bytes.first()) && is_slash(bytes.get(1))
}

/// Browsers drop some of these characters, which can change the scheme that was checked.
fn is_unsafe(letter: char) -> bool {
    letter.is_control() || letter.is_whitespace()
}

fn has_known_scheme(url: &str) -> bool {
    // A colon after one of these characters is part of a path.
    let head = url.split(['/', '?', '#']).next().unwrap_or_default();
    match head.split_once(':') {
        Some((scheme, _)) => SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_relative_paths_are_links() {
        for url in [
            "https://example.com/a?b:c#d",
            "HTTP://EXAMPLE.COM",
            "mailto:a@example.com",
            "tel:+1",
            "/a/b",
            "#x",
            "docs/a.md",
            "./a:b",
        ] {
            assert!(is_link(url), "{url}");
        }
    }

    #[test]
    fn addresses_relative_to_the_scheme_are_none() {
        for url in
            ["//example.com", "//example.com/a", "/\\example.com", "\\\\example.com", "\\/example.com", "//", "///a"]
        {
            assert!(!is_link(url), "{url}");
        }
        assert!(is_link("/a//b") && is_link("a//b") && is_link("?a=//b") && is_link("https://example.com//a"));
    }

    #[test]
    fn scripts_and_data_are_none() {
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "java\nscript:x",
            " javascript:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc",
            "",
        ] {
            assert!(!is_link(url), "{url}");
        }
    }
}
