//! Listening addresses, web origins and the address of Redis.

use super::{Flaw, Kind, has_blank_or_control};
use octavo_core_model::Secret;
use std::{fmt, net::SocketAddr};
use url::Url;

/// An IP address and a port.
pub(in crate::settings) struct SocketKind;

impl Kind for SocketKind {
    type Value = SocketAddr;

    fn wants(&self) -> String {
        "an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080".to_owned()
    }

    fn parse(&self, text: &str) -> Result<SocketAddr, Flaw> {
        text.parse().map_err(|_| Flaw::Malformed)
    }
}

/// A web origin as browsers write it: scheme, host in lower case, and the port unless it is the default of the
/// scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// The origin of a listener. A wildcard address names no host, so loopback is used.
    pub fn of_listener(address: SocketAddr) -> Self {
        let host = if address.ip().is_unspecified() { "localhost".to_owned() } else { host_of(address) };
        Self(match address.port() {
            80 => format!("http://{host}"),
            port => format!("http://{host}:{port}"),
        })
    }
}

fn host_of(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An http or https origin without a path.
pub(in crate::settings) struct OriginKind;

impl OriginKind {
    /// The URL parser repairs many errors; texts that need repair are refused before they reach it.
    fn is_plain(text: &str) -> bool {
        let rest = ["http://", "https://"].iter().find_map(|scheme| {
            text.get(..scheme.len()).filter(|head| head.eq_ignore_ascii_case(scheme)).map(|head| &text[head.len()..])
        });
        rest.is_some_and(|rest| {
            !has_blank_or_control(text) && !rest.starts_with('/') && !rest.contains(['\\', '@', '*', '?', '#'])
        })
    }
}

impl Kind for OriginKind {
    type Value = Origin;

    fn wants(&self) -> String {
        "an http or https origin without a path, such as https://octavo.example.com".to_owned()
    }

    fn parse(&self, text: &str) -> Result<Origin, Flaw> {
        if !Self::is_plain(text) {
            return Err(Flaw::Malformed);
        }
        // `ValidateUrl` only reports whether this succeeds; here the parts are needed too.
        let url = Url::parse(text).map_err(|_| Flaw::Malformed)?;
        if url.path() == "/" && url.port() != Some(0) {
            Ok(Origin(url.origin().ascii_serialization()))
        } else {
            Err(Flaw::Malformed)
        }
    }
}

/// The address of a Redis server.
pub(in crate::settings) struct RedisKind;

impl Kind for RedisKind {
    type Value = Secret<String>;

    fn wants(&self) -> String {
        "redis://[user:password@]host[:port][/number], or rediss:// for TLS".to_owned()
    }

    fn parse(&self, text: &str) -> Result<Secret<String>, Flaw> {
        let url = Url::parse(text).map_err(|_| Flaw::Malformed)?;
        let number = url.path().trim_start_matches('/');
        let fits = matches!(url.scheme(), "redis" | "rediss")
            && url.host_str().is_some_and(|host| !host.is_empty())
            && (number.is_empty() || number.parse::<u16>().is_ok())
            && !has_blank_or_control(text);
        if fits { Ok(Secret::new(text.to_owned())) } else { Err(Flaw::Malformed) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (text, origin) in [
            ("https://octavo.example.com", "https://octavo.example.com"),
            ("HTTPS://Octavo.Example.com:443/", "https://octavo.example.com"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://[::1]:80", "http://[::1]"),
            ("https://b\u{fc}cher.example", "https://xn--bcher-kva.example"),
        ] {
            assert_eq!(OriginKind.parse(text).unwrap().as_str(), origin);
        }
    }

    #[test]
    fn anything_but_an_origin_is_refused() {
        for wrong in [
            "",
            "octavo.example.com",
            "ftp://octavo.example.com",
            "ws://octavo.example.com",
            "https://",
            "http:octavo.example.com",
            "http:///octavo.example.com",
            "https://user:pass@octavo.example.com",
            "https://octavo.example.com/app",
            "https://octavo.example.com?x=1",
            "https://octavo.example.com#x",
            "https://*.example.com",
            "https://octavo.example.com ",
            "https://octavo\\example.com",
            "https://octavo.example.com:0",
            "https://octavo.example.com:99999",
            "null",
            "\u{fc}\u{fc}\u{fc}\u{fc}://x",
        ] {
            assert_eq!(OriginKind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }

    #[test]
    fn a_listener_has_an_origin() {
        for (address, origin) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("0.0.0.0:8080", "http://localhost:8080"),
            ("[::]:80", "http://localhost"),
            ("[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(Origin::of_listener(address.parse().unwrap()).as_str(), origin);
        }
    }

    #[test]
    fn redis_is_named_by_scheme_and_host() {
        for right in ["redis://localhost", "redis://:p@h:6379/3", "rediss://u:p@h"] {
            assert!(RedisKind.parse(right).is_ok(), "{right}");
        }
        for wrong in ["localhost:6379", "http://h", "redis://", "redis://h/x", "redis://h h", ""] {
            assert_eq!(RedisKind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }
}
