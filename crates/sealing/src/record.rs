//! A sealed record: `version | key id | wrapping nonce | wrapped record key | ciphertext`.
//!
//! Every record has a key of its own, which is encrypted with the deployment's key. Rotation encrypts that key again
//! and leaves the ciphertext unchanged.

use crate::{
    RANDOM_BYTES, RESEAL_RANDOM_BYTES,
    deployment_key::{DeploymentKey, KEY_ID_BYTES},
};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

const VERSION: u8 = 1;
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = RESEAL_RANDOM_BYTES;
const TAG_BYTES: usize = 16;
const WRAPPED_BYTES: usize = KEY_BYTES + TAG_BYTES;
const HEAD_BYTES: usize = 1 + KEY_ID_BYTES + NONCE_BYTES + WRAPPED_BYTES;

const RECORD: &str = "octavo 2026-11 sealing: record";
const RECORD_FOR_CLIENT: &str = "octavo 2026-11 sealing: record for a client";

/// Why sealed bytes cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsealable {
    /// These bytes were never sealed, or are incomplete.
    #[error("not a sealed record")]
    Malformed,
    /// They were sealed with a secret that the keyring does not have.
    #[error("sealed under a secret that is not listed")]
    UnknownSecret,
    /// The bytes were changed, belong to another record or need another client key.
    #[error("altered, of another record or for another client")]
    Refused,
}

struct Parts<'a> {
    key_id: [u8; KEY_ID_BYTES],
    nonce: [u8; NONCE_BYTES],
    wrapped: &'a [u8],
    ciphertext: &'a [u8],
}

fn parse(sealed: &[u8]) -> Option<Parts<'_>> {
    let (head, ciphertext) = sealed.split_at_checked(HEAD_BYTES)?;
    let (version, head) = head.split_first()?;
    let (key_id, head) = head.split_first_chunk()?;
    let (nonce, wrapped) = head.split_first_chunk()?;
    (*version == VERSION && ciphertext.len() >= TAG_BYTES).then_some(Parts {
        key_id: *key_id,
        nonce: *nonce,
        wrapped,
        ciphertext,
    })
}

pub(crate) fn seal(
    key: &DeploymentKey,
    client_key: Option<&[u8]>,
    associated: &[u8],
    plaintext: &[u8],
    random: [u8; RANDOM_BYTES],
) -> Vec<u8> {
    let mut record_key = [0; KEY_BYTES];
    let mut nonce = [0; NONCE_BYTES];
    let (for_key, for_nonce) = random.split_at(KEY_BYTES);
    record_key.copy_from_slice(for_key);
    nonce.copy_from_slice(for_nonce);

    let mut sealed = wrap(key, associated, &record_key, nonce);
    // The record key is new and encrypts only once, so a constant nonce is as good as a random one.
    sealed.extend(encrypt(&content_key(&record_key, client_key), &[0; NONCE_BYTES], associated, plaintext));
    sealed
}

pub(crate) fn open<'a>(
    keys: impl Iterator<Item = &'a DeploymentKey>,
    client_key: Option<&[u8]>,
    associated: &[u8],
    sealed: &[u8],
) -> Result<Vec<u8>, Unsealable> {
    let parts = parse(sealed).ok_or(Unsealable::Malformed)?;
    let record_key = unwrap(keys, associated, &parts)?;
    decrypt(&content_key(&record_key, client_key), &[0; NONCE_BYTES], associated, parts.ciphertext)
}

pub(crate) fn reseal<'a>(
    current: &DeploymentKey,
    keys: impl Iterator<Item = &'a DeploymentKey>,
    associated: &[u8],
    sealed: &[u8],
    nonce: [u8; NONCE_BYTES],
) -> Result<Option<Vec<u8>>, Unsealable> {
    let parts = parse(sealed).ok_or(Unsealable::Malformed)?;
    if parts.key_id == current.id {
        return Ok(None);
    }
    let record_key = unwrap(keys, associated, &parts)?;
    let mut resealed = wrap(current, associated, &record_key, nonce);
    resealed.extend_from_slice(parts.ciphertext);
    Ok(Some(resealed))
}

/// Everything before the ciphertext.
fn wrap(key: &DeploymentKey, associated: &[u8], record_key: &[u8; KEY_BYTES], nonce: [u8; NONCE_BYTES]) -> Vec<u8> {
    let mut head = vec![VERSION];
    head.extend(key.id);
    head.extend(nonce);
    head.extend(encrypt(&key.wrapping, &nonce, associated, record_key));
    head
}

fn unwrap<'a>(
    mut keys: impl Iterator<Item = &'a DeploymentKey>,
    associated: &[u8],
    parts: &Parts<'_>,
) -> Result<[u8; KEY_BYTES], Unsealable> {
    let key = keys.find(|key| key.id == parts.key_id).ok_or(Unsealable::UnknownSecret)?;
    let record_key = decrypt(&key.wrapping, &parts.nonce, associated, parts.wrapped)?;
    record_key.try_into().map_err(|_| Unsealable::Malformed)
}

/// The key of the content: the record's own key, combined with the client's if there is one.
fn content_key(record_key: &[u8; KEY_BYTES], client_key: Option<&[u8]>) -> [u8; KEY_BYTES] {
    match client_key {
        None => blake3::derive_key(RECORD, record_key),
        Some(client_key) => blake3::derive_key(RECORD_FOR_CLIENT, &[record_key, client_key].concat()),
    }
}

#[expect(clippy::expect_used, reason = "the cipher refuses only plaintexts beyond 256 GiB, which no record reaches")]
fn encrypt(key: &[u8; KEY_BYTES], nonce: &[u8; NONCE_BYTES], associated: &[u8], plaintext: &[u8]) -> Vec<u8> {
    XChaCha20Poly1305::new(key.into())
        .encrypt(&XNonce::from(*nonce), Payload { msg: plaintext, aad: associated })
        .expect("a plaintext within the cipher's limit")
}

fn decrypt(
    key: &[u8; KEY_BYTES],
    nonce: &[u8; NONCE_BYTES],
    associated: &[u8],
    ciphertext: &[u8],
) -> Result<Vec<u8>, Unsealable> {
    XChaCha20Poly1305::new(key.into())
        .decrypt(&XNonce::from(*nonce), Payload { msg: ciphertext, aad: associated })
        .map_err(|_| Unsealable::Refused)
}
