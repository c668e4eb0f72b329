//! Keys: their rotation, their publication, and which are refused.

use super::*;

#[test]
fn a_retired_key_verifies_until_its_time() {
    let until = NOW.plus(Duration::from_mins(15));
    let retired = |key: &[u8]| [RetiredKey { key: key.to_vec(), verifies_until: until }];
    let hmac = HmacTokens::new(rules(), OTHER_SECRET, &retired(SECRET)).unwrap();
    let rsa = RsaTokens::new(rules(), SECOND, &retired(FIRST)).unwrap();
    let cases: [(&dyn AccessTokens, String); 2] =
        [(&hmac, hmac_tokens().sign(&claims())), (&rsa, rsa_tokens().sign(&claims()))];
    for (tokens, old) in cases {
        assert_eq!(tokens.read(&old, Timestamp::from_millis(until.millis() - 1)), Ok(login()));
        assert_eq!(tokens.read(&old, until), Err(TokenFlaw::Malformed));
        let new = tokens.sign(&Claims { issued_at: until, ..claims() });
        assert!(tokens.read(&new, until).is_ok());
    }
    assert_eq!(AccessTokens::public_keys(&rsa, NOW).len(), 2);
    assert_eq!(
        AccessTokens::public_keys(&rsa, until),
        AccessTokens::public_keys(&RsaTokens::new(rules(), SECOND, &[]).unwrap(), NOW)
    );
}

#[test]
fn the_public_key_is_published_under_its_thumbprint() {
    assert_eq!(hmac_tokens().public_keys(NOW), Vec::<Value>::new());
    let [key] = AccessTokens::public_keys(&rsa_tokens(), NOW).try_into().unwrap();
    let fields: Vec<&str> = key.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields.len(), 6, "{fields:?} holds nothing private");
    assert_eq!(
        (&key["kty"], &key["alg"], &key["use"], &key["e"]),
        (&json!("RSA"), &json!("RS256"), &json!("sig"), &json!("AQAB"))
    );
    // Made with openssl and coreutils from the modulus of the same key.
    assert_eq!(key["kid"], json!(include_str!("first.thumbprint").trim_end()));
}

#[test]
fn both_encodings_of_a_key_are_the_same_key() {
    let pkcs1 = RsaTokens::new(rules(), FIRST_PKCS1, &[]).unwrap();
    assert_eq!(pkcs1.sign(&claims()), rsa_tokens().sign(&claims()));
}

#[test]
fn weak_and_wrong_keys_are_refused_with_their_reason() {
    assert_eq!(HmacTokens::new(rules(), &SECRET[..31], &[]).unwrap_err(), KeyFlaw::ShortSecret);
    for (pem, flaw) in [
        (SHORT, KeyFlaw::SmallRsa),
        (ELLIPTIC, KeyFlaw::NotRsa),
        (FIRST_PUBLIC, KeyFlaw::NoPrivateKey),
        (b"", KeyFlaw::NoPrivateKey),
        (b"no key", KeyFlaw::NoPrivateKey),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", KeyFlaw::NotRsa),
    ] {
        assert_eq!(RsaTokens::new(rules(), pem, &[]).unwrap_err(), flaw);
    }
}

#[test]
fn printing_tokens_shows_no_key() {
    let hmac = format!("{:?}", hmac_tokens());
    assert!(hmac.contains(ORIGIN) && !hmac.contains("shared secret"));
    assert!(!format!("{:?}", rsa_tokens()).contains("Private"));
}
