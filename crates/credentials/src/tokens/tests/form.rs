//! Algorithm, header and spelling.

use super::*;
use proptest::prelude::*;

#[test]
fn only_the_algorithm_of_the_deployment_counts() {
    let [hmac, rsa] = Fixture::both();
    for alg in ["none", "None", "HS384", "HS512", "RS256", "hs256", "PS256", "ES256", ""] {
        let header = with(hmac.header.clone(), "alg", json!(alg));
        assert_eq!(hmac.read_header(&header.to_string()), Err(TokenFlaw::Malformed), "{alg}");
    }
    for alg in ["none", "HS256", "RS384", "RS512", "PS256", "rs256", ""] {
        let header = with(rsa.header.clone(), "alg", json!(alg));
        assert_eq!(rsa.read_header(&header.to_string()), Err(TokenFlaw::Malformed), "{alg}");
    }
    assert_eq!(hmac.tokens.read(&rsa.tokens.sign(&claims()), NOW), Err(TokenFlaw::Malformed));
    assert_eq!(rsa.tokens.read(&hmac.tokens.sign(&claims()), NOW), Err(TokenFlaw::Malformed));
}

#[test]
fn the_public_key_is_no_shared_secret() {
    let [_, rsa] = Fixture::both();
    for alg in ["HS256", "RS256"] {
        let header = with(rsa.header.clone(), "alg", json!(alg)).to_string();
        let token = jws::write(&jws::encode(header), payload().to_string().as_bytes(), |message| {
            hmac_sign(FIRST_PUBLIC, message)
        });
        assert_eq!(rsa.tokens.read(&token, NOW), Err(TokenFlaw::Malformed));
    }
}

#[test]
fn a_token_without_a_signature_is_refused() {
    for fixture in Fixture::both() {
        let token = fixture.tokens.sign(&claims());
        let (signed, _) = token.rsplit_once('.').unwrap();
        let none = jws::encode(r#"{"alg":"none"}"#);
        let (_, body) = signed.split_once('.').unwrap();
        for token in [signed.to_owned(), format!("{signed}."), format!("{none}.{body}."), format!("{none}.{body}")] {
            assert_eq!(fixture.tokens.read(&token, NOW), Err(TokenFlaw::Malformed), "{token}");
        }
    }
}

#[test]
fn a_header_brings_no_key_and_no_demands() {
    for fixture in Fixture::both() {
        for (name, value) in [
            ("jwk", json!({ "kty": "oct", "k": "AAAA" })),
            ("jku", json!("https://evil.test/keys")),
            ("x5u", json!("https://evil.test/chain")),
            ("x5c", json!(["AAAA"])),
            ("crit", json!(["exp"])),
            ("zip", json!("DEF")),
            ("typ", json!("at+jwt")),
            ("typ", json!("application/at+jwt")),
            ("typ", json!(1)),
            ("alg", json!(null)),
        ] {
            let header = with(fixture.header.clone(), name, value).to_string();
            assert_eq!(fixture.read_header(&header), Err(TokenFlaw::Malformed), "{header}");
        }
        let twice = fixture.header.to_string().replacen('{', r#"{"alg":"none","#, 1);
        for header in [&twice, "", "[]", "{}", "null", r#""HS256""#] {
            assert_eq!(fixture.read_header(header), Err(TokenFlaw::Malformed), "{header}");
        }
        assert_eq!(fixture.read_header(&without(fixture.header.clone(), "typ").to_string()), Ok(login()));
    }
}

#[test]
fn under_rs256_the_key_must_be_named_and_known() {
    let [_, rsa] = Fixture::both();
    assert_eq!(rsa.read_header(&without(rsa.header.clone(), "kid").to_string()), Err(TokenFlaw::Malformed));
    let foreign = RsaTokens::new(rules(), SECOND, &[]).unwrap();
    for kid in [json!("1"), json!(null), json!(""), AccessTokens::public_keys(&foreign, NOW)[0]["kid"].clone()] {
        let header = with(rsa.header.clone(), "kid", kid).to_string();
        assert_eq!(rsa.read_header(&header), Err(TokenFlaw::Malformed), "{header}");
    }
    assert_eq!(rsa.tokens.read(&foreign.sign(&claims()), NOW), Err(TokenFlaw::Malformed));
}

#[test]
fn a_token_has_one_spelling() {
    for fixture in Fixture::both() {
        let token = fixture.tokens.sign(&claims());
        let [header, body, signature] = token.split('.').collect::<Vec<_>>().try_into().unwrap();
        // The last character of a signature has unused bits, which a lenient parser would ignore.
        let stray = |text: &str| {
            let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            let last = alphabet.find(&text[text.len() - 1..]).unwrap();
            format!("{}{}", &text[..text.len() - 1], &alphabet[last + 1..last + 2])
        };
        for other in [
            format!("{header}.{body}.{signature}="),
            format!("{header}.{body}.{}", stray(signature)),
            format!("{header}=.{body}.{signature}"),
            format!("{header}.{body}.{signature}.{signature}"),
            format!("{header}.{body}.{signature}."),
            format!(".{token}"),
            format!(" {token}"),
            format!("{token}\n"),
            format!("{header}..{signature}"),
            format!("{header}.{signature}"),
            String::new(),
            "..".to_owned(),
            "....".to_owned(),
        ] {
            assert_eq!(fixture.tokens.read(&other, NOW), Err(TokenFlaw::Malformed), "{other}");
        }
        let standard: String = token
            .chars()
            .map(|c| {
                if c == '-' {
                    '+'
                } else if c == '_' {
                    '/'
                } else {
                    c
                }
            })
            .collect();
        assert!(standard == token || fixture.tokens.read(&standard, NOW) == Err(TokenFlaw::Malformed));
    }
}

#[test]
fn a_token_beyond_8_kib_is_refused_unread() {
    let [fixture, _] = Fixture::both();
    let padded = |length: usize| with(payload(), "later", json!("x".repeat(length))).to_string();
    assert_eq!(fixture.read_payload(&padded(5000)), Ok(login()));
    assert_eq!(fixture.read_payload(&padded(6000)), Err(TokenFlaw::Malformed));
}

proptest! {
    #[test]
    fn any_text_is_refused_without_a_panic(text: String, parts in prop::collection::vec("[A-Za-z0-9_-]{0,40}", 0..5)) {
        for fixture in Fixture::both() {
            prop_assert_eq!(fixture.tokens.read(&text, NOW), Err(TokenFlaw::Malformed));
            prop_assert_eq!(fixture.tokens.read(&parts.join("."), NOW), Err(TokenFlaw::Malformed));
        }
    }

    #[test]
    fn one_changed_character_breaks_a_token(at: prop::sample::Index, to in "[A-Za-z0-9_.-]") {
        for fixture in Fixture::both() {
            let token = fixture.tokens.sign(&claims());
            let at = at.index(token.len());
            let changed = format!("{}{to}{}", &token[..at], &token[at + 1..]);
            prop_assert!(changed == token || fixture.tokens.read(&changed, NOW) == Err(TokenFlaw::Malformed));
        }
    }

    #[test]
    fn signed_noise_is_malformed(noise: Vec<u8>) {
        let token = jws::write(&jws::encode(r#"{"alg":"HS256"}"#), &noise, |message| hmac_sign(SECRET, message));
        prop_assert_eq!(hmac_tokens().read(&token, NOW), Err(TokenFlaw::Malformed));
    }
}
