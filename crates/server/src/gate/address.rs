//! The network address of a client.

use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName};
use ipnet::IpNet;
use octavo_core_model::network::prefix_64;
use std::{
    borrow::Cow,
    net::{IpAddr, SocketAddr},
};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's address: the peer's, unless the peer is a trusted proxy. In that case the forwarding header is read
/// from the right, trusted hops are skipped, and the first other address is the client's. If a hop cannot be parsed,
/// the peer's address is used.
pub(super) fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let peer = peer.to_canonical();
    let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
    if trusted.is_empty() || !is_trusted(&peer) {
        return peer;
    }
    let Some(hops) = hops(headers) else { return peer };
    for hop in hops.iter().rev() {
        match hop {
            Some(address) if is_trusted(address) => {}
            Some(address) => return *address,
            None => return peer,
        }
    }
    peer
}

/// The hops in the order in which they were added, with `None` for one that is not an address. `None` altogether if
/// there are no hops.
fn hops(headers: &HeaderMap) -> Option<Vec<Option<IpAddr>>> {
    if headers.contains_key(X_FORWARDED_FOR) {
        return Some(split(headers, &X_FORWARDED_FOR).map(|hop| address(&hop)).collect());
    }
    headers.contains_key(FORWARDED).then(|| split(headers, &FORWARDED).map(|hop| forwarded_for(&hop)).collect())
}

/// The items of a list header, which may be spread over several lines.
fn split<'a>(headers: &'a HeaderMap, name: &'a HeaderName) -> impl Iterator<Item = Cow<'a, str>> {
    headers.get_all(name).flat_map(|line| {
        let line = line.to_str().unwrap_or("unreadable");
        line.split(',').map(|item| Cow::Borrowed(item.trim()))
    })
}

/// The `for` parameter of one element of `Forwarded`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let (_, value) = element
        .split(';')
        .filter_map(|pair| pair.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    address(value.trim().trim_matches('"'))
}

/// Parses an address with an optional port; IPv6 may be in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text).parse::<IpAddr>();
    let address = bare().or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip())).ok()?;
    Some(address.to_canonical())
}

/// The address or network whose calls are counted together: an IPv4 address, or the /64 of an IPv6 address.
pub(super) fn counted(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{}/64", prefix_64(address)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn check(peer: &str, lines: &[(&'static str, &'static str)], expected: &str) {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let found = client_address(peer.parse().unwrap(), &headers, &trusted);
        assert_eq!(found.to_string(), expected, "{peer} {lines:?}");
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        check("198.51.100.1", &[("x-forwarded-for", "203.0.113.9")], "198.51.100.1");
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.9")], "203.0.113.9");
        check("::ffff:10.0.0.1", &[("x-forwarded-for", "203.0.113.9")], "203.0.113.9");
        check("::ffff:198.51.100.1", &[], "198.51.100.1");
        check("10.0.0.1", &[("x-real-ip", "203.0.113.9")], "10.0.0.1");
    }

    #[test]
    fn the_rightmost_address_that_no_proxy_of_ours_has_is_the_client() {
        check("10.0.0.1", &[("x-forwarded-for", "192.0.2.66, 203.0.113.9, 10.1.1.1")], "203.0.113.9");
        check("10.0.0.1", &[("x-forwarded-for", "192.0.2.66"), ("x-forwarded-for", "203.0.113.9")], "203.0.113.9");
        check("10.0.0.1", &[("x-forwarded-for", "10.1.1.1, 10.2.2.2")], "10.0.0.1");
        check("fd00::1", &[("x-forwarded-for", "[2001:db8::7]:4711")], "2001:db8::7");
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.9:80")], "203.0.113.9");
        check("10.0.0.1", &[("x-forwarded-for", "::ffff:203.0.113.9")], "203.0.113.9");
    }

    #[test]
    fn a_hop_that_cannot_be_read_ends_the_walk_at_the_peer() {
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.9, unknown")], "10.0.0.1");
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.9,")], "10.0.0.1");
        check("10.0.0.1", &[("x-forwarded-for", "203.0.113.9, 1.2.3")], "10.0.0.1");
        check("10.0.0.1", &[("x-forwarded-for", "junk, 203.0.113.9")], "203.0.113.9");
    }

    #[test]
    fn the_standard_header_is_read_like_the_common_one() {
        check("10.0.0.1", &[("forwarded", "for=192.0.2.1;proto=https, For=\"[2001:db8::7]:1\"")], "2001:db8::7");
        check("10.0.0.1", &[("forwarded", "for=_hidden")], "10.0.0.1");
        check("10.0.0.1", &[("forwarded", "proto=https")], "10.0.0.1");
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let counted = |text: &str| counted(text.parse().unwrap());
        assert_eq!(counted("203.0.113.9"), "203.0.113.9");
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), counted("2001:db8:1:2::1"));
        assert_ne!(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
    }
}
