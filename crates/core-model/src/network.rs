//! Ranges of IP addresses.

use ipnet::IpNet;
use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// An address and the number of its leading bits that count. The other bits are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpNet);

/// The text is not an address with a prefix length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidNetwork;

impl Network {
    /// Whether an address is in the range. An IPv4-mapped address counts as its IPv4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// An address alone is a range with one address.
impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        // The crate reads `010.0.0.1` as 10.0.0.1, other programs as 8.0.0.1. The standard library rejects it.
        let (address, has_length) = text.split_once('/').map_or((text, false), |(address, _)| (address, true));
        let address: IpAddr = address.parse().map_err(|_| InvalidNetwork)?;
        let network = if has_length { text.parse().map_err(|_| InvalidNetwork)? } else { IpNet::from(address) };
        Ok(Self(network.trunc()))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The first address of the /64 that an IPv6 address is in. Usually one household or one server has a whole /64, so its
/// addresses count as one.
pub const fn prefix_64(address: Ipv6Addr) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    #[test]
    fn a_range_holds_its_addresses_and_no_others() {
        for (range, inside, outside) in [
            ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("10.1.2.3/8", "10.255.0.1", "11.0.0.1"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
            ("192.0.2.0/24", "::ffff:192.0.2.9", "::1"),
        ] {
            assert!(network(range).contains(inside.parse().unwrap()), "{range} {inside}");
            assert!(!network(range).contains(outside.parse().unwrap()), "{range} {outside}");
        }
        assert!(network("0.0.0.0/0").contains("203.0.113.9".parse().unwrap()));
        assert!(!network("0.0.0.0/0").contains("::1".parse().unwrap()));
    }

    #[test]
    fn a_range_is_written_from_its_first_address() {
        assert_eq!(network("10.1.2.3/8").to_string(), "10.0.0.0/8");
        assert_eq!(network("::1").to_string(), "::1/128");
    }

    #[test]
    fn the_addresses_of_a_64_have_one_prefix() {
        for (address, prefix) in [
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2::", "2001:db8:1:2::"),
            ("2001:db8:1:3:ffff:ffff:ffff:ffff", "2001:db8:1:3::"),
            ("::1", "::"),
        ] {
            assert_eq!(prefix_64(address.parse().unwrap()).to_string(), prefix, "{address}");
        }
    }

    #[test]
    fn other_texts_are_no_ranges() {
        for wrong in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0/8",
            "010.0.0.0/8",
            "::/129",
            "example.com",
            "10.0.0.1/8/8",
        ] {
            assert_eq!(wrong.parse::<Network>(), Err(InvalidNetwork), "{wrong}");
        }
    }
}
