//! Passwords of share links.

use crate::{
    secret::Secret,
    text::{TextFlaw, has_at_least, has_at_most},
};
use std::time::Duration;

/// How long entering the password opens a link.
pub const UNLOCKED_FOR: Duration = Duration::from_hours(1);

/// The password of a link: 4 to 128 characters, at most 512 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharePassword(Secret<String>);

impl SharePassword {
    /// How many characters a password has at least.
    pub const MIN: usize = 4;
    /// How many characters a password has at most.
    pub const MAX: usize = 128;
    const MAX_BYTES: usize = 512;

    /// Reads a password that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_least(text, Self::MIN) {
            return Err(TextFlaw::TooShort);
        }
        if !has_at_most(text, Self::MAX) || text.len() > Self::MAX_BYTES {
            return Err(TextFlaw::TooLong);
        }
        Ok(Self(Secret::new(text.to_owned())))
    }

    /// The password itself, for hashing.
    pub fn into_secret(self) -> Secret<String> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_4_to_128_characters() {
        for (text, expected) in [
            ("abc".to_owned(), Some(TextFlaw::TooShort)),
            ("abcd".to_owned(), None),
            ("\u{e9}".repeat(128), None),
            ("a".repeat(129), Some(TextFlaw::TooLong)),
            ("\u{1F600}".repeat(128), None),
        ] {
            assert_eq!(SharePassword::parse(&text).err(), expected, "{text}");
        }
    }
}
