//! What isolates a test from the others on a shared server: a mail domain and a client address of its own.
//!
//! Tests write `ada@example.com`. Addresses are unique in a deployment, so on a shared server the domain is replaced
//! in every request, and put back in every answer and mail. The harness does it, so that no test can forget it. The
//! replacement has the same length, so that the lengths of messages do not change.

use std::{collections::hash_map::RandomState, hash::BuildHasher, net::Ipv4Addr};

/// The part of `example.com` that is replaced.
const WRITTEN: [u8; 7] = *b"example";
const END: &[u8] = b".com";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant {
    domain: [u8; 7],
    client: Ipv4Addr,
}

impl Tenant {
    /// For a server with a single user: replaces nothing.
    pub const ALONE: Self = Self { domain: WRITTEN, client: Ipv4Addr::LOCALHOST };

    /// A new tenant of a shared server.
    pub fn new() -> Self {
        let mut random = RandomState::new().hash_one("a test");
        let mut below = |limit: u64| {
            let digit = random % limit;
            random /= limit;
            u8::try_from(digit).unwrap_or_default()
        };
        let client = match (below(254), below(254), below(254)) {
            // On Linux all of 127.0.0.0/8 is local; on other systems most of it does not exist.
            (a, b, c) if cfg!(target_os = "linux") => Ipv4Addr::new(127, a + 1, b + 1, c + 1),
            _ => Ipv4Addr::LOCALHOST,
        };
        Self { domain: std::array::from_fn(|_| b'a' + below(26)), client }
    }

    /// The address of its calls.
    pub fn client_address(&self) -> Ipv4Addr {
        self.client
    }

    /// Converts what the test wrote to what the server gets.
    pub(crate) fn to_server(self, bytes: Vec<u8>) -> Vec<u8> {
        replace(bytes, WRITTEN, self.domain)
    }

    /// Converts what the server wrote to what the test reads.
    pub(crate) fn to_test(self, bytes: Vec<u8>) -> Vec<u8> {
        replace(bytes, self.domain, WRITTEN)
    }

    pub(crate) fn text_to_server(self, text: &str) -> String {
        String::from_utf8_lossy(&self.to_server(text.as_bytes().to_vec())).into_owned()
    }

    pub(crate) fn text_to_test(self, text: String) -> String {
        String::from_utf8_lossy(&self.to_test(text.into_bytes())).into_owned()
    }

    /// Whether a text of the server contains an address of this test.
    pub(crate) fn is_named_in(self, text: &str) -> bool {
        let domain = String::from_utf8_lossy(&self.domain).into_owned();
        text.to_ascii_lowercase().contains(&format!("@{domain}.com"))
    }
}

impl Default for Tenant {
    fn default() -> Self {
        Self::new()
    }
}

/// Replaces the domain of every address, plain or percent-encoded; letters keep their case.
fn replace(mut bytes: Vec<u8>, old: [u8; 7], new: [u8; 7]) -> Vec<u8> {
    if old == new {
        return bytes;
    }
    let length = old.len() + END.len();
    for start in 1..bytes.len().saturating_sub(length - 1) {
        let is_behind_at = bytes[start - 1] == b'@' || bytes[..start].ends_with(b"%40");
        if is_behind_at && is_domain(&bytes[start..start + length], old) {
            for (letter, new) in bytes[start..].iter_mut().zip(new) {
                *letter = if letter.is_ascii_uppercase() { new.to_ascii_uppercase() } else { new };
            }
        }
    }
    bytes
}

fn is_domain(bytes: &[u8], name: [u8; 7]) -> bool {
    let (first, end) = bytes.split_at(name.len());
    first.eq_ignore_ascii_case(&name) && end.eq_ignore_ascii_case(END)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: Tenant = Tenant { domain: *b"abcdefg", client: Ipv4Addr::LOCALHOST };

    #[test]
    fn domains_are_replaced_there_and_back() {
        for (written, sent) in [
            ("ada@example.com", "ada@abcdefg.com"),
            ("x=Ada@Example.Com&y=BOB%40EXAMPLE.COM", "x=Ada@Abcdefg.Com&y=BOB%40ABCDEFG.COM"),
            ("http://example.com ada@example.org @example.co", "http://example.com ada@example.org @example.co"),
            ("", ""),
        ] {
            assert_eq!(OTHER.text_to_server(written), sent);
            assert_eq!(OTHER.text_to_test(sent.to_owned()), written);
            assert_eq!(Tenant::ALONE.text_to_server(written), written);
        }
        assert!(OTHER.is_named_in("To: <ada@Abcdefg.com>") && !OTHER.is_named_in("To: <ada@example.com>"));
    }

    #[test]
    fn tests_get_domains_and_addresses_of_their_own() {
        let (one, other) = (Tenant::new(), Tenant::new());
        assert!(one != other && one.domain != other.domain);
        assert!(one.client_address().is_loopback());
    }
}
