//! Opaque tokens: a prefix for the kind and 256 random bits. Only their SHA-256 is stored, except for share links,
//! whose tokens are also stored encrypted.

use crate::secret::Secret;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use std::fmt;

/// The purpose of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Getting the next access token of a session.
    Refresh,
    /// Proving the mailbox of an account.
    EmailVerification,
    /// Choosing a new password.
    PasswordReset,
    /// Proving the mailbox that an account moves to.
    EmailChange,
    /// Moving an account back to its old address.
    EmailRevert,
    /// Restoring an account that was deleted.
    AccountRestore,
    /// Joining a workspace.
    Invitation,
    /// The cookie of a browser session.
    Browser,
    /// Exchanged by an app for other tokens.
    AuthorizationCode,
    /// Authenticates an app.
    ClientSecret,
    /// The last part of the address of a share link.
    ShareLink,
    /// Opens one stream of events.
    StreamTicket,
}

impl TokenKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[
        Self::Refresh,
        Self::EmailVerification,
        Self::PasswordReset,
        Self::EmailChange,
        Self::EmailRevert,
        Self::AccountRestore,
        Self::Invitation,
        Self::Browser,
        Self::AuthorizationCode,
        Self::ClientSecret,
        Self::ShareLink,
        Self::StreamTicket,
    ];

    /// What every token of this kind starts with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Refresh => "rft_",
            Self::EmailVerification => "evt_",
            Self::PasswordReset => "pwrt_",
            Self::EmailChange => "ect_",
            Self::EmailRevert => "ecr_",
            Self::AccountRestore => "urt_",
            Self::Invitation => "itn_",
            Self::Browser => "bst_",
            Self::AuthorizationCode => "oc_",
            Self::ClientSecret => "ocs_",
            Self::ShareLink => "shl_",
            Self::StreamTicket => "stk_",
        }
    }
}

/// A token in clear text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    kind: TokenKind,
    text: Secret<String>,
}

/// The text is not a token of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedToken;

impl Token {
    /// Creates a token from 256 random bits.
    pub fn new(kind: TokenKind, random: [u8; 32]) -> Self {
        let text = format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(random));
        Self { kind, text: Secret::new(text) }
    }

    /// Reads a token of this kind.
    pub fn parse(kind: TokenKind, text: &str) -> Result<Self, MalformedToken> {
        let body = text.strip_prefix(kind.prefix()).ok_or(MalformedToken)?;
        let bits = URL_SAFE_NO_PAD.decode(body).map_err(|_| MalformedToken)?;
        if bits.len() != 32 {
            return Err(MalformedToken);
        }
        Ok(Self { kind, text: Secret::new(text.to_owned()) })
    }

    /// Its purpose.
    pub const fn kind(&self) -> TokenKind {
        self.kind
    }

    /// The text, to be given to its owner once.
    pub fn reveal(&self) -> &str {
        self.text.expose()
    }

    /// The hash that the store finds it by.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.text.expose().as_bytes()).into())
    }
}

/// The hash of a token, which the store knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Takes the bytes that the store kept.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the store.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Lower-case hex, its form as a key.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex()[..8])
    }
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Parses the output of [`hex`].
pub fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_only_as_its_own_kind() {
        let token = Token::new(TokenKind::Refresh, [7; 32]);
        assert_eq!(Token::parse(TokenKind::Refresh, token.reveal()), Ok(token.clone()));
        for kind in TokenKind::ALL.iter().filter(|kind| **kind != TokenKind::Refresh) {
            assert_eq!(Token::parse(*kind, token.reveal()), Err(MalformedToken));
        }
    }

    #[test]
    fn a_cut_or_foreign_text_is_malformed() {
        let text = Token::new(TokenKind::PasswordReset, [1; 32]).reveal().to_owned();
        for wrong in ["", "pwrt_", &text[..text.len() - 1], &format!("{text}A"), "pwrt_####"] {
            assert_eq!(Token::parse(TokenKind::PasswordReset, wrong), Err(MalformedToken), "{wrong}");
        }
    }

    #[test]
    fn printing_a_token_shows_nothing_of_it() {
        let token = Token::new(TokenKind::Refresh, [9; 32]);
        assert!(!format!("{token:?}").contains(&token.reveal()[4..12]));
    }
}
