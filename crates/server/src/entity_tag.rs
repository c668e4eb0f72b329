//! Entity tags, which identify the state of an answer (RFC 9110).

/// The tag of a versioned thing. It includes a digest of the whole answer, because the answer can change without the
/// version, for example when the caller makes a page a favorite.
pub(crate) fn of_version(version: i64, body: &[u8]) -> String {
    format!("\"{version}-{}\"", digest(body))
}

/// The tag of an answer without a version.
pub(crate) fn of_content(body: &[u8]) -> String {
    format!("\"{}\"", digest(body))
}

fn digest(body: &[u8]) -> String {
    blake3::hash(body).to_hex()[..DIGEST_LENGTH].to_owned()
}

/// Long enough that two states of one thing practically never have the same digest.
const DIGEST_LENGTH: usize = 16;

/// Whether a list of tags contains this one. Weak tags count as well, because the answer changes nothing.
pub(crate) fn names(tags: &str, etag: &str) -> bool {
    let mut tags = tags.split(',').map(str::trim);
    tags.any(|tag| tag == "*" || strong(tag) == etag)
}

/// The version in a tag: `5` in `"5"` and in `"5-60303ae22b998861"`. Weak tags, which
/// proxies make of strong ones, name the same version.
pub(crate) fn version(tag: &str) -> Option<&str> {
    let opaque = strong(tag).strip_prefix('"')?.strip_suffix('"')?;
    match opaque.split_once('-') {
        None => Some(opaque),
        Some((version, digest)) if !digest.is_empty() && digest.bytes().all(|sign| sign.is_ascii_hexdigit()) => {
            Some(version)
        }
        Some(_) => None,
    }
}

fn strong(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_changes_with_the_version_and_with_whatever_else_is_shown() {
        let tag = of_version(7, b"{}");
        assert_eq!(tag, of_version(7, b"{}"));
        assert!(tag.starts_with("\"7-") && tag.ends_with('"') && tag.len() == 20, "{tag}");
        assert_ne!(tag, of_version(8, b"{}"));
        assert_ne!(tag, of_version(7, b"[]"));
    }

    #[test]
    fn a_list_names_a_tag_weak_or_strong() {
        let tag = "\"7-ab\"";
        for list in [tag, "*", "W/\"7-ab\"", "\"6-ab\", W/\"7-ab\"", "\"x\" ,\"7-ab\""] {
            assert!(names(list, tag), "{list}");
        }
        for list in ["", "\"7\"", "7-ab", "\"7-ac\"", "w/\"7-ab\""] {
            assert!(!names(list, tag), "{list}");
        }
    }

    #[test]
    fn a_tag_tells_its_version() {
        for (tag, expected) in [
            ("\"5\"", Some("5")),
            ("\"5-60303ae22b998861\"", Some("5")),
            ("W/\"5-60303ae22b998861\"", Some("5")),
            ("W/\"5\"", Some("5")),
            ("\"5-\"", None),
            ("\"5-x y\"", None),
            ("\"5", None),
            ("5", None),
            ("", None),
        ] {
            assert_eq!(version(tag), expected, "{tag}");
        }
    }
}
