//! The origin of a sign-in, coarse enough that the same device is recognised again.

use crate::call::Client;
use octavo_core_model::network::prefix_64;
use octavo_ports::origins::Origin;
use std::net::IpAddr;

/// The network of a client and the family of its program.
pub(crate) fn of(client: &Client) -> Origin {
    Origin { network: network(client.address), program: program(&client.user_agent) }
}

/// The /24 of an IPv4 address, the /64 of an IPv6 address.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(v6) => format!("{}/64", prefix_64(v6)),
    }
}

/// The name of the program without its version: a brand for browsers, otherwise the first word.
fn program(user_agent: &str) -> String {
    // The order matters: each browser also names those that it claims to be compatible with.
    const BRANDS: [(&str, &str); 6] = [
        ("Edg/", "edge"),
        ("OPR/", "opera"),
        ("Firefox/", "firefox"),
        ("CriOS/", "chrome"),
        ("Chrome/", "chrome"),
        ("Safari/", "safari"),
    ];
    if let Some((_, brand)) = BRANDS.iter().find(|(mark, _)| user_agent.contains(mark)) {
        return (*brand).to_owned();
    }
    let word = user_agent.split(['/', ' ']).next().unwrap_or_default();
    word.chars().take(64).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_cut() {
        let of = |text: &str| text.parse().map(network);
        assert_eq!(of("203.0.113.77"), Ok("203.0.113.0/24".to_owned()));
        assert_eq!(of("::ffff:203.0.113.77"), Ok("203.0.113.0/24".to_owned()));
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), Ok("2001:db8:1:2::/64".to_owned()));
    }

    #[test]
    fn programs_are_distinguished_without_their_versions() {
        let chrome = |version| {
            format!("Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version} Safari/537.36")
        };
        assert_eq!(program(&chrome("120.0")), program(&chrome("121.0")));
        assert_eq!(program("Mozilla/5.0 (X11; rv:120.0) Gecko/20100101 Firefox/120.0"), "firefox");
        assert_eq!(program("curl/8.1.2"), "curl");
        assert_eq!(program(""), "");
    }
}
