//! Keys of the deployment: raw bytes that are never shown.

use super::{Flaw, Kind};
use octavo_core_model::Secret;

/// The bytes of a key.
pub type DeploymentKey = Secret<Vec<u8>>;

const SHORTEST: usize = 32;

fn key(bytes: &[u8]) -> Result<DeploymentKey, Flaw> {
    if bytes.len() < SHORTEST { Err(Flaw::Malformed) } else { Ok(Secret::new(bytes.to_vec())) }
}

/// The key of HS256: all bytes as they were written.
pub(in crate::settings) struct JwtSecretKind;

impl Kind for JwtSecretKind {
    type Value = DeploymentKey;

    fn wants(&self) -> String {
        format!("at least {SHORTEST} bytes")
    }

    fn parse(&self, text: &str) -> Result<DeploymentKey, Flaw> {
        key(text.as_bytes())
    }

    fn parse_bytes(&self, bytes: &[u8]) -> Result<DeploymentKey, Flaw> {
        key(bytes)
    }
}

/// The present key, followed by those that it replaced, separated by commas.
pub(in crate::settings) struct SecretKeysKind;

impl Kind for SecretKeysKind {
    type Value = Vec<DeploymentKey>;

    fn wants(&self) -> String {
        format!("at least {SHORTEST} bytes; older keys of that length may follow after commas")
    }

    fn parse(&self, text: &str) -> Result<Vec<DeploymentKey>, Flaw> {
        self.parse_bytes(text.as_bytes())
    }

    fn parse_bytes(&self, bytes: &[u8]) -> Result<Vec<DeploymentKey>, Flaw> {
        bytes.split(|byte| *byte == b',').map(key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_bytes_and_not_short() {
        assert_eq!(JwtSecretKind.parse_bytes(&[0xff; 32]), Ok(Secret::new(vec![0xff; 32])));
        assert_eq!(JwtSecretKind.parse_bytes(&[0xff; 31]), Err(Flaw::Malformed));
    }

    #[test]
    fn each_key_of_a_list_has_the_length() {
        let (new, old) = ("n".repeat(32), "o".repeat(40));
        let keys = SecretKeysKind.parse(&format!("{new},{old}"));
        assert_eq!(keys, Ok(vec![Secret::new(new.clone().into_bytes()), Secret::new(old.into_bytes())]));
        assert_eq!(SecretKeysKind.parse(&format!("{new},short")), Err(Flaw::Malformed));
        assert_eq!(SecretKeysKind.parse(&format!("{new},")), Err(Flaw::Malformed));
    }
}
