//! Comma-separated lists.

use super::{Flaw, Kind, Origin, OriginKind, Shape};
use ipnet::IpNet;
use std::net::IpAddr;

/// The parts of a list; an empty text is an empty list.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(move |_| !text.trim().is_empty())
}

/// Networks in CIDR form; a bare address is a network with one address.
pub(in crate::settings) struct NetworksKind;

impl Kind for NetworksKind {
    type Value = Vec<IpNet>;
    const NATIVE: Shape = Shape::List;

    fn wants(&self) -> String {
        "a comma-separated list of networks, such as 10.0.0.0/8,fd00::/8".to_owned()
    }

    fn parse(&self, text: &str) -> Result<Vec<IpNet>, Flaw> {
        let network = |item: &str| item.parse::<IpNet>().ok().or_else(|| item.parse::<IpAddr>().ok().map(IpNet::from));
        items(text).map(|item| network(item).map(|net| net.trunc()).ok_or(Flaw::Malformed)).collect()
    }
}

/// The origins whose pages may call the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorsOrigins {
    Any,
    Listed(Vec<Origin>),
}

/// Origins, or `*` alone.
pub(in crate::settings) struct CorsKind;

impl Kind for CorsKind {
    type Value = CorsOrigins;
    const NATIVE: Shape = Shape::List;

    fn wants(&self) -> String {
        "a comma-separated list of http or https origins, or * alone".to_owned()
    }

    fn parse(&self, text: &str) -> Result<CorsOrigins, Flaw> {
        if text.trim() == "*" {
            return Ok(CorsOrigins::Any);
        }
        items(text).map(|item| OriginKind.parse(item)).collect::<Result<_, _>>().map(CorsOrigins::Listed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn networks_are_cut_to_their_prefix() {
        let networks = NetworksKind.parse("10.1.2.3/8, fd00::/8,192.0.2.7").unwrap();
        let written: Vec<_> = networks.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["10.0.0.0/8", "fd00::/8", "192.0.2.7/32"]);
        assert_eq!(NetworksKind.parse(""), Ok(Vec::new()));
        for wrong in ["10.0.0.0/33", "10.0.0.0/8,", "localhost", "10.0.0.0/8;10.0.0.0/8", "10/8"] {
            assert_eq!(NetworksKind.parse(wrong), Err(Flaw::Malformed), "{wrong}");
        }
    }

    #[test]
    fn cors_is_a_list_or_everybody() {
        assert_eq!(CorsKind.parse("*"), Ok(CorsOrigins::Any));
        assert_eq!(CorsKind.parse(""), Ok(CorsOrigins::Listed(Vec::new())));
        let CorsOrigins::Listed(origins) = CorsKind.parse("https://a.example, http://localhost:3000").unwrap() else {
            unreachable!("a list")
        };
        assert_eq!(origins.len(), 2);
        for wrong in ["*,https://a.example", "a.example", "https://a.example,,https://b.example"] {
            assert_eq!(CorsKind.parse(wrong), Err(Flaw::Malformed), "{wrong}");
        }
    }
}
