//! The text of an API key: a prefix, random characters, and a checksum that reveals mistyped and foreign texts
//! without a look-up.

use crate::{secret::Secret, token::TokenHash};
use sha2::{Digest, Sha256};

const PREFIX: &str = "svc_live_";
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 190 bits.
const RANDOM: usize = 32;
/// Six digits hold 32 bits.
const CHECKSUM: usize = 6;
/// How many characters may be shown.
const SHOWN: usize = 13;

/// A key in clear text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyText(Secret<String>);

/// The text is not a key, or a part of it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedKey;

impl KeyText {
    /// Creates a key from random bits. There are so many more bits than needed that all characters are equally
    /// likely.
    pub fn new(random: [u8; 32]) -> Self {
        let mut text = String::with_capacity(PREFIX.len() + RANDOM + CHECKSUM);
        text.push_str(PREFIX);
        text.extend(digits::<RANDOM>(random));
        text.extend(digits::<CHECKSUM>(crc32(text.as_bytes()).to_be_bytes()));
        Self(Secret::new(text))
    }

    /// Whether a credential is meant to be a key, even if it is malformed.
    pub fn is_meant_by(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// Reads a key and checks its checksum.
    pub fn parse(text: &str) -> Result<Self, MalformedKey> {
        let body = text.strip_prefix(PREFIX).ok_or(MalformedKey)?;
        if body.len() != RANDOM + CHECKSUM || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(MalformedKey);
        }
        let (rest, checksum) = text.split_at(text.len() - CHECKSUM);
        if digits::<CHECKSUM>(crc32(rest.as_bytes()).to_be_bytes()).eq(checksum.chars()) {
            Ok(Self(Secret::new(text.to_owned())))
        } else {
            Err(MalformedKey)
        }
    }

    /// The first characters, by which people recognise their keys.
    pub fn prefix(&self) -> String {
        self.0.expose().chars().take(SHOWN).collect()
    }

    /// The hash that the store finds the key by.
    pub fn hash(&self) -> TokenHash {
        TokenHash::from_bytes(Sha256::digest(self.0.expose().as_bytes()).into())
    }

    /// The text, to be given to its owner once.
    pub fn into_secret(self) -> Secret<String> {
        self.0
    }
}

/// The last `COUNT` digits of a number in base 62. The number is given as bytes.
fn digits<const COUNT: usize>(mut number: impl AsMut<[u8]>) -> impl Iterator<Item = char> {
    let mut digits = ['0'; COUNT];
    for digit in digits.iter_mut().rev() {
        let remainder = number.as_mut().iter_mut().fold(0, |carried: u16, byte| {
            let dividend = carried << 8 | u16::from(*byte);
            // The remainder is below 62, so the quotient fits into a byte.
            *byte = u8::try_from(dividend / 62).unwrap_or_default();
            dividend % 62
        });
        *digit = char::from(DIGITS[usize::from(remainder)]);
    }
    digits.into_iter()
}

/// CRC-32, as in Ethernet, zip and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn text(random: [u8; 32]) -> String {
        KeyText::new(random).into_secret().into_inner()
    }

    #[test]
    fn a_key_has_the_published_form() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(text([0; 32]), format!("svc_live_{}{}", "0".repeat(32), "3uclD9"));
        let key = KeyText::new([255; 32]);
        assert_eq!(key.prefix().len(), 13);
        assert!(!format!("{key:?}").contains(&key.prefix()[9..]), "printing a key shows nothing of it");
    }

    #[test]
    fn what_is_cut_lengthened_or_of_another_kind_is_malformed() {
        let good = text([9; 32]);
        let (cut, long) = (&good[..good.len() - 1], format!("{good}0"));
        let spaced = good.replace("svc_live_", "svc_live_ ");
        for wrong in ["", "svc_live_", cut, &long, &spaced, &good[9..], "svc_live_\u{e9}", &good.to_uppercase()] {
            assert_eq!(KeyText::parse(wrong), Err(MalformedKey), "{wrong}");
        }
        assert!(KeyText::is_meant_by(cut) && !KeyText::is_meant_by("eyJhbGciOi"));
    }

    proptest! {
        #[test]
        fn every_key_reads_back(random: [u8; 32]) {
            let key = KeyText::new(random);
            let text = key.clone().into_secret().into_inner();
            prop_assert_eq!(text.len(), 47);
            prop_assert!(text.starts_with(&key.prefix()));
            prop_assert_eq!(KeyText::parse(&text), Ok(key));
        }

        #[test]
        fn one_wrong_character_is_noticed(random: [u8; 32], place in 9usize..47, other in 0usize..62) {
            let mut bytes = text(random).into_bytes();
            prop_assume!(bytes[place] != DIGITS[other]);
            bytes[place] = DIGITS[other];
            prop_assert_eq!(KeyText::parse(&String::from_utf8(bytes).unwrap()), Err(MalformedKey));
        }

        #[test]
        fn different_bits_make_different_keys(one: [u8; 32], other: [u8; 32]) {
            prop_assume!(one != other);
            prop_assert_ne!(KeyText::new(one).hash(), KeyText::new(other).hash());
        }
    }
}
