//! The guarantees of the keyring, on random records.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use crate::{Keyring, KeyringFlaw, RANDOM_BYTES, Unsealable};
use proptest::prelude::*;

const OLD: [u8; 32] = [1; 32];
const NEW: [u8; 32] = [2; 32];

fn keyring(secrets: &[[u8; 32]]) -> Keyring {
    Keyring::new(secrets).unwrap()
}

fn random() -> impl Strategy<Value = [u8; RANDOM_BYTES]> {
    prop::collection::vec(any::<u8>(), RANDOM_BYTES).prop_map(|bytes| bytes.try_into().unwrap())
}

proptest! {
    #[test]
    fn a_record_opens_with_its_own_name_only(plain: Vec<u8>, name: Vec<u8>, other: Vec<u8>, random in random()) {
        let keyring = keyring(&[OLD]);
        let sealed = keyring.seal(&name, &plain, random);
        prop_assert_eq!(keyring.open(&name, &sealed), Ok(plain));
        if other != name {
            prop_assert_eq!(keyring.open(&other, &sealed), Err(Unsealable::Refused));
        }
    }

    #[test]
    fn a_record_for_a_client_needs_that_clients_key(
        plain: Vec<u8>, client: Vec<u8>, other: Vec<u8>, random in random(),
    ) {
        let keyring = keyring(&[OLD]);
        let sealed = keyring.seal_for(&client, b"reply", &plain, random);
        prop_assert_eq!(keyring.open_for(&client, b"reply", &sealed), Ok(plain));
        prop_assert_eq!(keyring.open(b"reply", &sealed), Err(Unsealable::Refused));
        if other != client {
            prop_assert_eq!(keyring.open_for(&other, b"reply", &sealed), Err(Unsealable::Refused));
        }
    }

    #[test]
    fn one_changed_bit_closes_a_record(
        plain: Vec<u8>, at: prop::sample::Index, bit in 0u8..8, random in random(),
    ) {
        let keyring = keyring(&[OLD]);
        let mut sealed = keyring.seal(b"name", &plain, random);
        let at = at.index(sealed.len());
        sealed[at] ^= 1 << bit;
        prop_assert!(keyring.open(b"name", &sealed).is_err());
    }

    #[test]
    fn cut_or_foreign_bytes_never_panic(plain: Vec<u8>, keep: prop::sample::Index, noise: Vec<u8>, random in random()) {
        let keyring = keyring(&[OLD, NEW]);
        let sealed = keyring.seal(b"name", &plain, random);
        let cut = &sealed[..keep.index(sealed.len())];
        prop_assert!(keyring.open(b"name", cut).is_err());
        prop_assert!(keyring.open(b"name", &noise).is_err());
        prop_assert!(keyring.reseal(b"name", &noise, [0; 24]).is_err());
    }

    #[test]
    fn rotation_moves_records_under_the_new_secret(plain: Vec<u8>, client: Vec<u8>, random in random(), nonce: [u8; 24]) {
        let (before, during, after) = (keyring(&[OLD]), keyring(&[NEW, OLD]), keyring(&[NEW]));
        let own = before.seal(b"own", &plain, random);
        let reply = before.seal_for(&client, b"reply", &plain, random);
        prop_assert_eq!(during.open(b"own", &own), Ok(plain.clone()));
        prop_assert_eq!(after.open(b"own", &own), Err(Unsealable::UnknownSecret));
        prop_assert_eq!(during.reseal(b"other", &own, nonce), Err(Unsealable::Refused));

        let own = during.reseal(b"own", &own, nonce).unwrap().unwrap();
        let reply = during.reseal(b"reply", &reply, nonce).unwrap().unwrap();
        prop_assert_eq!(after.open(b"own", &own), Ok(plain.clone()));
        prop_assert_eq!(after.open_for(&client, b"reply", &reply), Ok(plain));
        prop_assert_eq!(before.open(b"own", &own), Err(Unsealable::UnknownSecret));
        prop_assert_eq!(during.reseal(b"own", &own, nonce), Ok(None));
    }

    #[test]
    fn a_code_stands_for_its_bytes_and_purpose_only(bytes: Vec<u8>, other: Vec<u8>, at in 0usize..32, bit in 0u8..8) {
        let keyring = keyring(&[OLD]);
        let mut code = keyring.authenticate("cursor", &bytes);
        prop_assert!(keyring.verify("cursor", &bytes, &code));
        prop_assert!(!keyring.verify("url", &bytes, &code));
        prop_assert_eq!(keyring.verify("cursor", &other, &code), other == bytes);
        prop_assert!(!keyring.verify("cursor", &bytes, &code[..31]));
        code[at] ^= 1 << bit;
        prop_assert!(!keyring.verify("cursor", &bytes, &code));
    }
}

#[test]
fn codes_of_a_listed_older_secret_still_count() {
    let code = keyring(&[OLD]).authenticate("cursor", b"page 2");
    assert!(keyring(&[NEW, OLD]).verify("cursor", b"page 2", &code));
    assert!(!keyring(&[NEW]).verify("cursor", b"page 2", &code));
    assert_ne!(keyring(&[NEW, OLD]).authenticate("cursor", b"page 2"), code);
}

#[test]
fn purpose_and_bytes_do_not_run_together() {
    let keyring = keyring(&[OLD]);
    assert_ne!(keyring.authenticate("ab", b"c"), keyring.authenticate("a", b"bc"));
}

#[test]
fn a_sealed_record_shows_nothing_of_its_content() {
    let plain = [0xA5; 64];
    let sealed = keyring(&[OLD]).seal(b"name", &plain, [7; RANDOM_BYTES]);
    assert!(!sealed.windows(4).any(|window| window == &plain[..4]));
    assert!(!sealed.windows(8).any(|window| window == &OLD[..8]));
}

#[test]
fn weak_secrets_make_no_keyring() {
    assert_eq!(Keyring::new::<&str>(&[]).unwrap_err(), KeyringFlaw::NoSecret);
    assert_eq!(Keyring::new(&[vec![1; 32], vec![1; 31]]).unwrap_err(), KeyringFlaw::ShortSecret(1));
}

#[test]
fn printing_a_keyring_shows_no_key() {
    assert_eq!(format!("{:?}", keyring(&[OLD, NEW])), "Keyring { secrets: 2, .. }");
}

#[test]
fn an_address_is_signed_by_any_listed_secret_and_by_no_other() {
    let signature = keyring(&[OLD]).sign_address(b"address");
    assert!(keyring(&[OLD]).is_signed_address(b"address", &signature));
    assert!(keyring(&[NEW, OLD]).is_signed_address(b"address", &signature), "after a rotation");
    assert!(!keyring(&[NEW]).is_signed_address(b"address", &signature));
    assert!(!keyring(&[OLD]).is_signed_address(b"addresses", &signature));
    for at in 0..signature.len() {
        let mut altered = signature;
        altered[at] ^= 1;
        assert!(!keyring(&[OLD]).is_signed_address(b"address", &altered));
    }
    assert!(!keyring(&[OLD]).is_signed_address(b"address", &signature[..16]), "half a signature is none");
    assert_ne!(signature, keyring(&[OLD]).authenticate("address", b"address"));
}
