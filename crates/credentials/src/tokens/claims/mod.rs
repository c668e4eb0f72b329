//! The claims as JSON, and the checks of a signed payload.

mod app;
mod login;

use super::{TokenRules, compact::Kind};
use octavo_core_model::{Timestamp, claims::ACCESS_TOKEN_LIFE, session::Proof};
use octavo_ports::access_tokens::{AccessToken, TokenFlaw};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Visitor},
};
use std::{borrow::Cow, fmt};

/// Claims that this release does not know. A later release may add some, so they are ignored; but no name may occur
/// twice.
struct OtherClaims;

impl<'de> Deserialize<'de> for OtherClaims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = OtherClaims;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("claims")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OtherClaims, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                    names.push(name);
                }
                names.sort_unstable();
                if names.array_windows().any(|[one, next]| one == next) {
                    return Err(A::Error::custom("a duplicate claim"));
                }
                Ok(OtherClaims)
            }
        }
        deserializer.deserialize_map(Names)
    }
}

/// The claims of every token about where and when it is valid.
struct Validity<'a> {
    iss: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

impl TokenRules {
    /// Checks a payload whose signature is valid.
    pub(super) fn read(&self, kind: Kind, payload: &[u8], now: Timestamp) -> Result<AccessToken, TokenFlaw> {
        match kind {
            Kind::Login => self.check_login_claims(payload, now).map(AccessToken::Login),
            Kind::App => self.check_app_claims(payload, now).map(AccessToken::App),
        }
    }

    /// The time at which the token was issued, if the token is valid here and at `now`.
    fn admit(&self, validity: &Validity<'_>, now: Timestamp) -> Result<Timestamp, TokenFlaw> {
        let issued_at = from_seconds(validity.iat)?;
        let expires_at = from_seconds(validity.exp)?;
        let meant_for_us = validity.iss == self.origin && validity.aud == self.origin;
        let from_the_future = issued_at > now.plus(self.clock_skew);
        if !meant_for_us || from_the_future || expires_at != issued_at.plus(ACCESS_TOKEN_LIFE) {
            return Err(TokenFlaw::Malformed);
        }
        if now >= expires_at.plus(self.clock_skew) { Err(TokenFlaw::Expired) } else { Ok(issued_at) }
    }
}

fn from_seconds(seconds: i64) -> Result<Timestamp, TokenFlaw> {
    seconds.checked_mul(1000).map(Timestamp::from_millis).ok_or(TokenFlaw::Malformed)
}

fn proofs(names: &[Cow<'_, str>]) -> Result<Vec<Proof>, TokenFlaw> {
    names.iter().map(|name| name.parse().map_err(|_| TokenFlaw::Malformed)).collect()
}
