//! Proof that a caller has entered the password of a share link.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_core_model::{Secret, Timestamp, share_link::ShareLink};
use octavo_sealing::Keyring;

const PREFIX: &str = "sha_";
const PURPOSE: &str = "share access";
const TIME_BYTES: usize = 8;

/// Makes a proof for a link. It is not stored: it contains its expiry and a code that ties it to the link with its present token and
/// password.
pub(super) fn issue(keyring: &Keyring, link: &ShareLink, until: Timestamp) -> Secret<String> {
    let time = until.millis().to_be_bytes();
    let code = keyring.authenticate(PURPOSE, &digest(link, time));
    Secret::new(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode([time.as_slice(), &code].concat())))
}

/// Whether this proof opens the link now.
pub(super) fn opens(keyring: &Keyring, link: &ShareLink, access: &str, now: Timestamp) -> bool {
    let Some(body) = access.strip_prefix(PREFIX) else { return false };
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(body) else { return false };
    let Some((time, code)) = bytes.split_first_chunk::<TIME_BYTES>() else { return false };
    let until = Timestamp::from_millis(i64::from_be_bytes(*time));
    until > now && keyring.verify(PURPOSE, &digest(link, *time), code)
}

fn digest(link: &ShareLink, time: [u8; TIME_BYTES]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let password = link.password.as_ref().map_or("", |hash| hash.expose().as_str());
    // All parts before the password have a fixed length, so no other combination gives the same input.
    hasher.update(link.id.to_string().as_bytes());
    hasher.update(link.token.hash.as_bytes());
    hasher.update(&time);
    hasher.update(password.as_bytes());
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::{
        TokenHash,
        id::{PageId, ShareLinkId, UserId, WorkspaceId},
        share_link::{LinkToken, ShareLevel, UNLOCKED_FOR, Views},
    };
    use std::time::Duration;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn link() -> ShareLink {
        ShareLink {
            id: ShareLinkId::new(1, [1; 10]),
            workspace: WorkspaceId::new(1, [1; 10]),
            page: PageId::new(1, [1; 10]),
            token: LinkToken { hash: TokenHash::from_bytes([1; 32]), sealed: Vec::new() },
            level: ShareLevel::View,
            include_children: true,
            password: Some(Secret::new("hash".to_owned())),
            expires_at: None,
            allow_duplicate: false,
            allow_indexing: false,
            revoked_at: None,
            views: Views::default(),
            created_by: UserId::new(1, [1; 10]),
            created_at: NOW,
            updated_at: NOW,
        }
    }

    #[test]
    fn access_is_good_for_an_hour_and_for_the_link_as_it_is() {
        let (keyring, link) = (Keyring::new(&[[7; 32]]).unwrap(), link());
        let access = issue(&keyring, &link, NOW.plus(UNLOCKED_FOR));
        let access = access.expose();
        assert!(opens(&keyring, &link, access, NOW));
        assert!(opens(&keyring, &link, access, NOW.plus(UNLOCKED_FOR).minus(Duration::from_millis(1))));
        assert!(!opens(&keyring, &link, access, NOW.plus(UNLOCKED_FOR)));
        let token = LinkToken { hash: TokenHash::from_bytes([2; 32]), sealed: Vec::new() };
        for other in [
            ShareLink { id: ShareLinkId::new(1, [2; 10]), ..link.clone() },
            ShareLink { password: Some(Secret::new("other".to_owned())), ..link.clone() },
            ShareLink { password: None, ..link.clone() },
            ShareLink { token, ..link.clone() },
        ] {
            assert!(!opens(&keyring, &other, access, NOW), "{other:?}");
        }
        assert!(!opens(&Keyring::new(&[[8; 32]]).unwrap(), &link, access, NOW));
    }

    #[test]
    fn forged_access_opens_nothing() {
        let (keyring, link) = (Keyring::new(&[[7; 32]]).unwrap(), link());
        let access = issue(&keyring, &link, NOW.plus(UNLOCKED_FOR)).into_inner();
        let later =
            format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode([i64::MAX.to_be_bytes().as_slice(), &[0; 32]].concat()));
        for wrong in ["", PREFIX, &access[4..], &access[..access.len() - 2], &later, "sha_\u{e9}"] {
            assert!(!opens(&keyring, &link, wrong, NOW), "{wrong}");
        }
    }
}
