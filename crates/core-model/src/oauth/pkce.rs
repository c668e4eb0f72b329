//! Proof that the app that redeems a code is the one that requested it (RFC 7636, method S256).

use base64::{
    Engine,
    alphabet::URL_SAFE,
    engine::{GeneralPurpose, GeneralPurposeConfig, general_purpose::NO_PAD},
};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The last of 43 characters has two unused bits, which may have any value.
const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, GeneralPurposeConfig::with_decode_allow_trailing_bits(NO_PAD, true));

/// The challenge that an app sends with its request: the SHA-256 of the verifier, which only the app knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge([u8; 32]);

/// The text is not a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl Challenge {
    /// Parses 43 characters of base64url.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let bytes = LENIENT.decode(text).map_err(|_| Malformed)?;
        bytes.try_into().map(Self).map_err(|_| Malformed)
    }

    /// Takes the bytes that the store kept.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the store.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether the challenge was made from this verifier. Never true for a verifier that is too short, too long or
    /// has other characters.
    pub fn is_met_by(&self, verifier: &str) -> bool {
        let fits = (43..=128).contains(&verifier.len())
            && verifier.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
        let digest: [u8; 32] = Sha256::digest(verifier.as_bytes()).into();
        bool::from(digest.ct_eq(&self.0)) && fits
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    // The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn only_the_right_verifier_meets_the_challenge() {
        let challenge = Challenge::parse(CHALLENGE).unwrap();
        assert!(challenge.is_met_by(VERIFIER));
        for wrong in ["", CHALLENGE, &VERIFIER[..42], &format!("{VERIFIER}=")] {
            assert!(!challenge.is_met_by(wrong), "{wrong}");
        }
        let short = Challenge(Sha256::digest(b"short").into());
        assert!(!short.is_met_by("short"));
    }

    #[test]
    fn a_challenge_is_43_characters_of_base64url() {
        for wrong in
            ["", &CHALLENGE[..42], &format!("{CHALLENGE}A"), &format!("{CHALLENGE}="), &CHALLENGE.replace('-', "+")]
        {
            assert_eq!(Challenge::parse(wrong), Err(Malformed), "{wrong}");
        }
        assert!(Challenge::parse(&"a".repeat(43)).is_ok(), "spare bits of the last character do not matter");
    }
}
