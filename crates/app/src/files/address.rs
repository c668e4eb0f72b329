//! Signed addresses that give access to bytes for a limited time.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_core_model::{Timestamp, id::JobId, job::JobOwner};
use octavo_sealing::Keyring;

const SIGNATURE_BYTES: usize = 32;

/// The bytes that an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The result of a job.
    Job(JobOwner, JobId),
}

/// Whether a browser saves the bytes or shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    Attachment,
    Inline,
}

impl Disposition {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attachment => "attachment",
            Self::Inline => "inline",
        }
    }
}

/// The content of a signed address. Its holder can read it, so nothing in it is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedAddress {
    pub target: Target,
    pub disposition: Disposition,
    pub expires_at: Timestamp,
    /// Distinguishes addresses that were signed for the same bytes in the same millisecond.
    pub nonce: [u8; 8],
}

impl SignedAddress {
    /// The token: the signature and the text that it signs.
    pub fn token(&self, keyring: &Keyring) -> String {
        let covered = self.text();
        let signature = keyring.sign_address(covered.as_bytes());
        URL_SAFE_NO_PAD.encode([&signature[..], covered.as_bytes()].concat())
    }

    /// Reads a token. Returns `None` unless this deployment signed it and nobody has changed it.
    pub fn read(keyring: &Keyring, token: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (signature, covered) = bytes.split_at_checked(SIGNATURE_BYTES)?;
        if !keyring.is_signed_address(covered, signature) {
            return None;
        }
        Self::parse(std::str::from_utf8(covered).ok()?)
    }

    /// The text starts with the verb, so that an address for writing with the same key could never be used for
    /// reading.
    fn text(&self) -> String {
        let Target::Job(owner, id) = self.target;
        let (disposition, until, nonce) =
            (self.disposition.name(), self.expires_at.millis(), u64::from_be_bytes(self.nonce));
        format!("GET job {owner} {id} {disposition} {until} {nonce:016x}")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut next = || words.next();
        if (next()?, next()?) != ("GET", "job") {
            return None;
        }
        let target = Target::Job(next()?.parse().ok()?, next()?.parse().ok()?);
        let disposition = match next()? {
            "attachment" => Disposition::Attachment,
            "inline" => Disposition::Inline,
            _ => return None,
        };
        let expires_at = Timestamp::from_millis(next()?.parse().ok()?);
        let nonce = u64::from_str_radix(next()?, 16).ok()?.to_be_bytes();
        Some(Self { target, disposition, expires_at, nonce })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::id::WorkspaceId;

    fn address() -> SignedAddress {
        let owner = JobOwner::Workspace(WorkspaceId::new(1, [1; 10]));
        SignedAddress {
            target: Target::Job(owner, JobId::new(2, [2; 10])),
            disposition: Disposition::Attachment,
            expires_at: Timestamp::from_millis(1_790_000_000_000),
            nonce: [7; 8],
        }
    }

    #[test]
    fn an_address_reads_back() {
        let keyring = Keyring::new(&[[7; 32]]).unwrap();
        for disposition in [Disposition::Attachment, Disposition::Inline] {
            let address = SignedAddress { disposition, ..address() };
            assert_eq!(SignedAddress::read(&keyring, &address.token(&keyring)), Some(address));
        }
    }

    #[test]
    fn one_altered_character_spoils_an_address() {
        let keyring = Keyring::new(&[[7; 32]]).unwrap();
        let token = address().token(&keyring);
        for at in 0..token.len() {
            for other in *b"AB-_z9" {
                let mut altered = token.clone().into_bytes();
                if std::mem::replace(&mut altered[at], other) != other {
                    let altered = String::from_utf8(altered).unwrap();
                    assert_eq!(SignedAddress::read(&keyring, &altered), None, "{altered}");
                }
            }
        }
        for wrong in ["", "A", &token[1..], &token[..token.len() - 1], &format!("{token}A")] {
            assert_eq!(SignedAddress::read(&keyring, wrong), None);
        }
    }

    #[test]
    fn signed_nonsense_is_no_address() {
        let keyring = Keyring::new(&[[7; 32]]).unwrap();
        let text = address().text();
        for wrong in [text.replacen("GET", "PUT", 1), text.replacen("job", "file", 1), "GET job".to_owned()] {
            let signature = keyring.sign_address(wrong.as_bytes());
            let token = URL_SAFE_NO_PAD.encode([&signature[..], wrong.as_bytes()].concat());
            assert_eq!(SignedAddress::read(&keyring, &token), None, "{wrong}");
        }
    }
}
