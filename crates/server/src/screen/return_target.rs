//! Where to redirect the browser after signing in.

/// Longer than any address that this service accepts.
const MAX: usize = 8 * 1024;

/// A path of this origin, with its query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReturnTarget(String);

impl ReturnTarget {
    /// Accepts a path of this origin and refuses anything else, so that nobody can use this service to send users to
    /// another site.
    ///
    /// Browsers read `\` as `/` and skip tabs and line ends, and `//host` is another host, so none of these is
    /// allowed.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_path = text.starts_with('/') && !text.starts_with("//");
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        (is_path && is_plain && text.len() <= MAX).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_of_this_origin_is_a_target() {
        for path in ["/", "/docs", "/api/v1/oauth/authorize?client_id=cli_1&state=a%20b%2F", "/a//b", "/%5Cevil.test"] {
            assert_eq!(ReturnTarget::parse(path).map(ReturnTarget::into_string).as_deref(), Some(path));
        }
        for other in [
            "",
            "docs",
            "https://evil.test/",
            "HTTPS://evil.test/",
            "//evil.test/",
            "///evil.test/",
            "/\\evil.test/",
            "\\/evil.test/",
            "/\t/evil.test/",
            "/\n/evil.test/",
            " /docs",
            "/docs\r\nLocation: https://evil.test/",
            "javascript:alert(1)",
            "data:text/html,x",
            "/\u{2215}evil.test",
        ] {
            assert_eq!(ReturnTarget::parse(other), None, "{other:?}");
        }
        assert_eq!(ReturnTarget::parse(&format!("/{}", "a".repeat(MAX))), None);
    }
}
