//! Where links may lead.

/// Longest address, in characters.
const MAX: usize = 2048;

/// Schemes that a click may safely open. Everything else, scripts above all, is refused.
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel"];

/// Whether a link may lead there: an address of a known scheme, or one relative to where it is shown.
pub fn is_link(url: &str) -> bool {
    !url.is_empty() && url.chars().count() <= MAX && !url.chars().any(is_unsafe) && has_known_scheme(url)
}

/// Browsers drop some of these and then read another scheme than the one that was checked.
fn is_unsafe(letter: char) -> bool {
    letter.is_control() || letter.is_whitespace()
}

fn has_known_scheme(url: &str) -> bool {
    // A colon behind one of these is part of a path.
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
