//! The compact form `header.payload.signature`, written in one way and parsed strictly.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_ports::access_tokens::TokenFlaw;
use serde::Deserialize;
use std::borrow::Cow;

const MAX_BYTES: usize = 8192;

/// The parts of a token. None of them can be trusted before the signature is checked.
pub(super) struct Parts<'a> {
    /// The signed text, exactly as it was sent.
    pub(super) signed: &'a str,
    header: &'a str,
    payload: &'a str,
    pub(super) signature: Vec<u8>,
}

/// The allowed fields of a header. Any other field is refused, above all those that contain a key (`jwk`, `jku`,
/// `x5u`, `x5c`) or require features that are not supported (`crit`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header<'a> {
    #[serde(borrow)]
    alg: Cow<'a, str>,
    #[serde(borrow)]
    typ: Option<Cow<'a, str>>,
    #[serde(borrow)]
    kid: Option<Cow<'a, str>>,
}

/// The kind of token. It is signed, so that no token is ever mistaken for one of the other kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Login,
    App,
}

impl Kind {
    /// The value of `typ`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Login => "JWT",
            Self::App => "at+jwt",
        }
    }

    fn read(typ: &str) -> Result<Self, TokenFlaw> {
        [Self::Login, Self::App]
            .into_iter()
            .find(|kind| typ.eq_ignore_ascii_case(kind.name()))
            .ok_or(TokenFlaw::Malformed)
    }
}

impl<'a> Parts<'a> {
    pub(super) fn split(token: &'a str) -> Result<Self, TokenFlaw> {
        if token.len() > MAX_BYTES {
            return Err(TokenFlaw::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenFlaw::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenFlaw::Malformed)?;
        Ok(Self { signed, header, payload, signature: decode(signature)? })
    }

    /// The kind of token and the key id from a header, which must name `algorithm`.
    pub(super) fn header(&self, algorithm: &str) -> Result<(Kind, Option<String>), TokenFlaw> {
        let bytes = decode(self.header)?;
        let header: Header<'_> = serde_json::from_slice(&bytes).map_err(|_| TokenFlaw::Malformed)?;
        let kind = header.typ.map_or(Ok(Kind::Login), |typ| Kind::read(&typ))?;
        if header.alg == algorithm { Ok((kind, header.kid.map(Cow::into_owned))) } else { Err(TokenFlaw::Malformed) }
    }

    pub(super) fn payload(&self) -> Result<Vec<u8>, TokenFlaw> {
        decode(self.payload)
    }
}

/// Unpadded base64url without unused bits set, so that a token has only one spelling. Also refuses a surplus dot.
fn decode(part: &str) -> Result<Vec<u8>, TokenFlaw> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenFlaw::Malformed)
}

/// Writes a token. `header` is already encoded; `sign` gets the text to sign.
pub(crate) fn write(header: &str, payload: &[u8], sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let mut token = format!("{header}.{}", encode(payload));
    let signature = sign(token.as_bytes());
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut token);
    token
}

pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
