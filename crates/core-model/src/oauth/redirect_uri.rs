//! The redirect addresses of apps.

use crate::text::{TextFlaw, has_at_most};
use std::fmt;
use validator::ValidateUrl;

/// An absolute http or https address without fragment, user info or wildcard, stored and compared as it was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RedirectUri(String);

impl RedirectUri {
    /// How many characters it has at most.
    pub const MAX: usize = 2000;

    /// What [`parse`](Self::parse) accepts, in words.
    pub const RULES: &'static [&'static str] = &[
        "an absolute address that starts with http:// or https://",
        "without a fragment (#), a wildcard (*), a user name or a password",
        "a port, if there is one, from 1 to 65535 without leading zeros",
        "ASCII only; other characters are percent-encoded",
    ];

    /// Reads an address that codes may be sent to, with http or https.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if text.is_empty() {
            return Err(TextFlaw::Empty);
        }
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        let lower = text.to_ascii_lowercase();
        let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).ok_or(TextFlaw::Format)?;
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        // The crate would repair many faults here, but two spellings of an address must count as two addresses.
        let is_exact = is_authority(authority) && rest.bytes().all(is_allowed) && escapes_are_whole(rest);
        if is_exact && text.validate_url() { Ok(Self(text.to_owned())) } else { Err(TextFlaw::Format) }
    }

    /// Accepts a value from the store, which was parsed before.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The address as it was registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scheme, the host and the port, if there is one: the origin to which browsers are redirected.
    pub fn origin(&self) -> &str {
        let host = self.0.find("://").map_or(0, |at| at + 3);
        let end = self.0[host..].find(['/', '?']).map_or(self.0.len(), |at| host + at);
        &self.0[..end]
    }

    /// The host, with the port if there is one.
    pub fn host(&self) -> &str {
        let origin = self.origin();
        origin.split_once("://").map_or(origin, |(_, host)| host)
    }

    /// Whether both addresses lead to the same path of the user's own machine, by the same literal and with any port.
    pub(super) fn is_same_loopback_path(&self, other: &Self) -> bool {
        self.loopback_path().is_some_and(|own| other.loopback_path() == Some(own))
    }

    /// The host of a loopback address, and everything after its port. `localhost` is a name, which may lead elsewhere.
    fn loopback_path(&self) -> Option<(&str, &str)> {
        let rest = self.0.strip_prefix("http://")?;
        ["127.0.0.1", "[::1]"].into_iter().find_map(|host| {
            let behind = rest.strip_prefix(host)?;
            let (port, path) = behind.split_at(behind.find(['/', '?']).unwrap_or(behind.len()));
            (port.is_empty() || port.starts_with(':')).then_some((host, path))
        })
    }

    /// The address with parameters added to its query.
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut address = self.0.clone();
        for (name, value) in parameters {
            let is_first = !address.contains('?');
            if is_first || !address.ends_with(['?', '&']) {
                address.push(if is_first { '?' } else { '&' });
            }
            address.push_str(name);
            address.push('=');
            escape(value, &mut address);
        }
        address
    }
}

/// Letters, digits and the punctuation of addresses, except `*`, which would be a wildcard, and `#`, which would
/// start a fragment.
fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()+,;=%".contains(&byte)
}

fn escapes_are_whole(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|digit| digit.is_ascii_hexdigit()))
}

/// A host name or address with an optional port; no user info.
fn is_authority(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[') {
        Some(literal) => {
            let Some((address, behind)) = literal.split_once(']') else { return false };
            if address.parse::<std::net::Ipv6Addr>().is_err() {
                return false;
            }
            match behind.strip_prefix(':') {
                Some(port) => return is_port(port),
                None => return behind.is_empty(),
            }
        }
        None => authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))),
    };
    let is_name = !host.is_empty()
        && !host.starts_with(['.', '-'])
        && !host.contains("..")
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
    is_name && port.is_none_or(is_port)
}

/// A port from 1 to 65535, without leading zeros: those would be a second spelling of an address.
fn is_port(text: &str) -> bool {
    let is_canonical = !text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit());
    is_canonical && text.parse::<u16>().is_ok()
}

/// Writes a value for a query: allowed characters as they are, others percent-encoded.
fn escape(value: &str, into: &mut String) {
    use fmt::Write;
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            into.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(into, "%{byte:02X}");
        }
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for RedirectUri {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_absolute_web_addresses_that_mean_one_place_are_taken() {
        for good in [
            "https://planner.example/back",
            "http://127.0.0.1:7777/back?keep=1",
            "http://localhost",
            "https://[::1]:8443/",
            "HTTPS://Planner.Example/Back",
            "https://planner.example/a%2Fb;c=(1)",
        ] {
            assert_eq!(RedirectUri::parse(good).map(|uri| uri.to_string()), Ok(good.to_owned()));
        }
        for wrong in [
            "planner.example/back",
            "/back",
            "//planner.example",
            "ftp://planner.example/",
            "javascript:alert(1)",
            "https://",
            "https:///back",
            "https://planner.example/back#",
            "https://planner.example/#frag",
            "https://user@planner.example/",
            "https://user:secret@planner.example/",
            "https://*.planner.example/",
            "https://planner.example/*",
            "https://planner.example/a b",
            "https://planner.example\\@evil.test/",
            "https://planner.example/\r\nSet-Cookie: a=b",
            "https://planner.example:0/",
            "https://planner.example:70000/",
            "http://127.0.0.1:0000080/back",
            "http://[::1]:080/back",
            "https://planner.example:/",
            "https://[::1/",
            "https://[::1]x/",
            "https://pl\u{e4}nner.example/",
            "https://planner.example/%zz",
            "https://planner.example/%a",
        ] {
            assert_eq!(RedirectUri::parse(wrong), Err(TextFlaw::Format), "{wrong}");
        }
        assert_eq!(RedirectUri::parse(""), Err(TextFlaw::Empty));
        let long = format!("https://planner.example/{}", "a".repeat(RedirectUri::MAX));
        assert_eq!(RedirectUri::parse(&long), Err(TextFlaw::TooLong));
    }

    #[test]
    fn parameters_join_the_query_there_is() {
        let with = |uri: &str| RedirectUri::parse(uri).unwrap().with(&[("code", "a b&c"), ("state", "\u{e9}=")]);
        assert_eq!(with("https://a.example/x"), "https://a.example/x?code=a%20b%26c&state=%C3%A9%3D");
        assert_eq!(with("https://a.example/x?y=1"), "https://a.example/x?y=1&code=a%20b%26c&state=%C3%A9%3D");
        assert_eq!(with("https://a.example/x?"), "https://a.example/x?code=a%20b%26c&state=%C3%A9%3D");
    }

    #[test]
    fn the_origin_ends_where_the_path_begins() {
        let uri = RedirectUri::parse("https://a.example:8443?x=/y").unwrap();
        assert_eq!((uri.origin(), uri.host()), ("https://a.example:8443", "a.example:8443"));
    }

    proptest! {
        #[test]
        fn nothing_that_is_taken_can_end_a_header(text: String) {
            if let Ok(uri) = RedirectUri::parse(&format!("https://a.example/{text}")) {
                prop_assert!(uri.as_str().bytes().all(|byte| byte.is_ascii_graphic()));
            }
        }
    }
}
