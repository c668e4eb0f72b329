//! Each rule of reading access tokens, under both algorithms.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use super::*;
use octavo_core_model::{
    Claims, Role,
    id::{SessionId, TokenId, UserId, WorkspaceId},
    session::Proof,
};
use octavo_ports::access_tokens::{AccessTokens, TokenFlaw};
use proptest::prelude::*;
use ring::{hmac as ring_hmac, rand::SystemRandom, rsa::KeyPair, signature::RSA_PKCS1_SHA256};
use rustls_pki_types::{PrivatePkcs8KeyDer, pem::PemObject};
use serde_json::{Value, json};

const FIRST: &[u8] = include_bytes!("tests/keys/first.pem");
const FIRST_PKCS1: &[u8] = include_bytes!("tests/keys/first.pkcs1.pem");
const FIRST_PUBLIC: &[u8] = include_bytes!("tests/keys/first.public.pem");
const SECOND: &[u8] = include_bytes!("tests/keys/second.pem");
const SHORT: &[u8] = include_bytes!("tests/keys/short.pem");
const ELLIPTIC: &[u8] = include_bytes!("tests/keys/elliptic.pem");

const SECRET: &[u8] = b"a shared secret of thirty-two bytes";
const OTHER_SECRET: &[u8] = b"another secret of thirty-two bytes";
const ORIGIN: &str = "https://octavo.example";
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const SKEW: Duration = Duration::from_secs(30);

fn rules() -> TokenRules {
    TokenRules { origin: ORIGIN.to_owned(), clock_skew: SKEW }
}

fn hmac_tokens() -> HmacTokens {
    HmacTokens::new(rules(), SECRET, &[]).unwrap()
}

fn rsa_tokens() -> RsaTokens {
    RsaTokens::new(rules(), FIRST, &[]).unwrap()
}

fn claims() -> Claims {
    Claims {
        user: UserId::new(1, [1; 10]),
        workspace: WorkspaceId::new(2, [2; 10]),
        role: Role::Owner,
        session: SessionId::new(3, [3; 10]),
        id: TokenId::new(4, [4; 10]),
        proofs: vec![Proof::Password, Proof::OneTimeCode, Proof::MultiFactor],
        authenticated_at: Timestamp::from_millis(1_799_999_000_000),
        issued_at: NOW,
    }
}

fn payload() -> Value {
    serde_json::from_slice(&rules().payload(&claims())).unwrap()
}

fn hmac_sign(secret: &[u8], message: &[u8]) -> Vec<u8> {
    ring_hmac::sign(&ring_hmac::Key::new(ring_hmac::HMAC_SHA256, secret), message).as_ref().to_vec()
}

fn rsa_sign(pem: &[u8], message: &[u8]) -> Vec<u8> {
    let key = KeyPair::from_pkcs8(PrivatePkcs8KeyDer::from_pem_slice(pem).unwrap().secret_pkcs8_der()).unwrap();
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
    signature
}

/// A deployment and a forger who holds its key.
struct Bench {
    tokens: Box<dyn AccessTokens>,
    header: Value,
    sign: fn(&[u8]) -> Vec<u8>,
}

impl Bench {
    fn both() -> [Self; 2] {
        let kid = &AccessTokens::public_keys(&rsa_tokens(), NOW)[0]["kid"];
        [
            Self {
                tokens: Box::new(hmac_tokens()),
                header: json!({ "alg": "HS256", "typ": "JWT" }),
                sign: |message| hmac_sign(SECRET, message),
            },
            Self {
                tokens: Box::new(rsa_tokens()),
                header: json!({ "alg": "RS256", "typ": "JWT", "kid": kid }),
                sign: |message| rsa_sign(FIRST, message),
            },
        ]
    }

    fn forge(&self, header: &str, payload: &str) -> String {
        compact::write(&compact::encode(header), payload.as_bytes(), self.sign)
    }

    fn read_payload(&self, payload: &str) -> Result<Claims, TokenFlaw> {
        self.tokens.read(&self.forge(&self.header.to_string(), payload), NOW)
    }

    fn read_header(&self, header: &str) -> Result<Claims, TokenFlaw> {
        self.tokens.read(&self.forge(header, &payload().to_string()), NOW)
    }
}

fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name).unwrap();
    object
}

#[test]
fn a_token_reads_back_as_what_was_signed() {
    for bench in Bench::both() {
        assert_eq!(bench.tokens.read(&bench.tokens.sign(&claims()), NOW), Ok(claims()));
        assert_eq!(bench.read_payload(&payload().to_string()), Ok(claims()));
    }
}

#[test]
fn the_claims_have_their_published_names() {
    assert_eq!(
        payload(),
        json!({
            "sub": claims().user,
            "workspaceId": claims().workspace,
            "roles": ["OWNER"],
            "scopes": ["read", "write"],
            "jti": claims().id,
            "iat": 1_800_000_000,
            "exp": 1_800_000_900,
            "iss": ORIGIN,
            "aud": ORIGIN,
            "sid": claims().session,
            "amr": ["pwd", "otp", "mfa"],
            "auth_time": 1_799_999_000,
        })
    );
}

#[test]
fn only_the_algorithm_of_the_deployment_counts() {
    let [hmac, rsa] = Bench::both();
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
    let [_, rsa] = Bench::both();
    for alg in ["HS256", "RS256"] {
        let header = with(rsa.header.clone(), "alg", json!(alg)).to_string();
        let token = compact::write(&compact::encode(header), payload().to_string().as_bytes(), |message| {
            hmac_sign(FIRST_PUBLIC, message)
        });
        assert_eq!(rsa.tokens.read(&token, NOW), Err(TokenFlaw::Malformed));
    }
}

#[test]
fn a_token_without_a_signature_is_refused() {
    for bench in Bench::both() {
        let token = bench.tokens.sign(&claims());
        let (signed, _) = token.rsplit_once('.').unwrap();
        let none = compact::encode(r#"{"alg":"none"}"#);
        let (_, body) = signed.split_once('.').unwrap();
        for token in [signed.to_owned(), format!("{signed}."), format!("{none}.{body}."), format!("{none}.{body}")] {
            assert_eq!(bench.tokens.read(&token, NOW), Err(TokenFlaw::Malformed), "{token}");
        }
    }
}

#[test]
fn a_header_brings_no_key_and_no_demands() {
    for bench in Bench::both() {
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
            let header = with(bench.header.clone(), name, value).to_string();
            assert_eq!(bench.read_header(&header), Err(TokenFlaw::Malformed), "{header}");
        }
        let twice = bench.header.to_string().replacen('{', r#"{"alg":"none","#, 1);
        for header in [&twice, "", "[]", "{}", "null", r#""HS256""#] {
            assert_eq!(bench.read_header(header), Err(TokenFlaw::Malformed), "{header}");
        }
        assert_eq!(bench.read_header(&without(bench.header.clone(), "typ").to_string()), Ok(claims()));
    }
}

#[test]
fn under_rs256_the_key_must_be_named_and_known() {
    let [_, rsa] = Bench::both();
    assert_eq!(rsa.read_header(&without(rsa.header.clone(), "kid").to_string()), Err(TokenFlaw::Malformed));
    let foreign = RsaTokens::new(rules(), SECOND, &[]).unwrap();
    for kid in [json!("1"), json!(null), json!(""), AccessTokens::public_keys(&foreign, NOW)[0]["kid"].clone()] {
        let header = with(rsa.header.clone(), "kid", kid).to_string();
        assert_eq!(rsa.read_header(&header), Err(TokenFlaw::Malformed), "{header}");
    }
    assert_eq!(rsa.tokens.read(&foreign.sign(&claims()), NOW), Err(TokenFlaw::Malformed));
}

#[test]
fn every_claim_is_needed_in_its_own_type() {
    let wrong_types =
        [json!(null), json!(true), json!(1.5), json!("text"), json!({}), json!([1]), json!(["a", "b", "c"])];
    for bench in Bench::both() {
        for name in payload().as_object().unwrap().keys() {
            let payload_without = without(payload(), name).to_string();
            assert_eq!(bench.read_payload(&payload_without), Err(TokenFlaw::Malformed), "{payload_without}");
            for wrong in &wrong_types {
                let payload = with(payload(), name, wrong.clone()).to_string();
                assert_eq!(bench.read_payload(&payload), Err(TokenFlaw::Malformed), "{payload}");
            }
        }
        for payload in ["", "{}", "[]", "null", "{", &format!("{} x", payload())] {
            assert_eq!(bench.read_payload(payload), Err(TokenFlaw::Malformed), "{payload}");
        }
    }
}

#[test]
fn claims_with_other_values_than_ours_are_refused() {
    let [bench, _] = Bench::both();
    for (name, value) in [
        ("iss", json!("https://other.example")),
        ("iss", json!(format!("{ORIGIN}/"))),
        ("aud", json!("https://other.example")),
        ("aud", json!([ORIGIN])),
        ("sub", json!(claims().workspace)),
        ("sid", json!(claims().user)),
        ("roles", json!(["owner"])),
        ("roles", json!(["OWNER", "ADMIN"])),
        ("roles", json!([])),
        ("scopes", json!(["read"])),
        ("scopes", json!(["read", "admin"])),
        ("amr", json!(["guess"])),
        ("exp", json!(1_800_000_901)),
        ("exp", json!(i64::MAX)),
        ("iat", json!(i64::MIN)),
        ("auth_time", json!(i64::MAX)),
    ] {
        let payload = with(payload(), name, value).to_string();
        assert_eq!(bench.read_payload(&payload), Err(TokenFlaw::Malformed), "{payload}");
    }
    let iat = format!("{}", payload()).replace("1800000000", "1800000000.0");
    assert_eq!(bench.read_payload(&iat), Err(TokenFlaw::Malformed), "a whole number is no fraction");
}

#[test]
fn no_claim_stands_twice_and_unknown_ones_are_ignored() {
    for bench in Bench::both() {
        let prepended = |text: &str| payload().to_string().replacen('{', &format!("{{{text},"), 1);
        assert_eq!(bench.read_payload(&prepended(r#""later":{"a":[1]},"more":1"#)), Ok(claims()));
        for twice in [r#""roles":["OWNER"]"#, r#""s\u0075b":"usr_""#, r#""x":1,"x":1"#, r#""x":1,"y":2,"\u0078":1"#] {
            assert_eq!(bench.read_payload(&prepended(twice)), Err(TokenFlaw::Malformed), "{twice}");
        }
    }
}

#[test]
fn a_token_lives_900_seconds_and_the_skew() {
    for bench in Bench::both() {
        let token = bench.tokens.sign(&claims());
        let at = |millis: i64| bench.tokens.read(&token, Timestamp::from_millis(NOW.millis() + millis));
        assert_eq!(at(929_999), Ok(claims()));
        assert_eq!(at(930_000), Err(TokenFlaw::Expired));
        assert_eq!(at(931_000), Err(TokenFlaw::Expired));
        assert_eq!(at(-30_000), Ok(claims()));
        assert_eq!(at(-30_001), Err(TokenFlaw::Malformed));
    }
    let exact = HmacTokens::new(TokenRules { clock_skew: Duration::ZERO, ..rules() }, SECRET, &[]).unwrap();
    let token = exact.sign(&claims());
    assert_eq!(exact.read(&token, NOW.plus(Duration::from_millis(899_999))), Ok(claims()));
    assert_eq!(exact.read(&token, NOW.plus(Duration::from_mins(15))), Err(TokenFlaw::Expired));
}

#[test]
fn an_expired_token_of_somebody_else_is_malformed_not_expired() {
    let foreign = HmacTokens::new(rules(), OTHER_SECRET, &[]).unwrap();
    let much_later = NOW.plus(Duration::from_secs(5000));
    assert_eq!(hmac_tokens().read(&foreign.sign(&claims()), much_later), Err(TokenFlaw::Malformed));
    assert_eq!(hmac_tokens().read(&hmac_tokens().sign(&claims()), much_later), Err(TokenFlaw::Expired));
}

#[test]
fn a_token_has_one_spelling() {
    for bench in Bench::both() {
        let token = bench.tokens.sign(&claims());
        let [header, body, signature] = token.split('.').collect::<Vec<_>>().try_into().unwrap();
        // The last character of a signature carries unused bits, which a lax reader would overlook.
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
            assert_eq!(bench.tokens.read(&other, NOW), Err(TokenFlaw::Malformed), "{other}");
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
        assert!(standard == token || bench.tokens.read(&standard, NOW) == Err(TokenFlaw::Malformed));
    }
}

#[test]
fn a_token_beyond_8_kib_is_refused_unread() {
    let [bench, _] = Bench::both();
    let padded = |length: usize| with(payload(), "later", json!("x".repeat(length))).to_string();
    assert_eq!(bench.read_payload(&padded(5000)), Ok(claims()));
    assert_eq!(bench.read_payload(&padded(6000)), Err(TokenFlaw::Malformed));
}

#[test]
fn a_retired_key_verifies_until_its_time() {
    let until = NOW.plus(Duration::from_mins(15));
    let retired = |key: &[u8]| [RetiredKey { key: key.to_vec(), verifies_until: until }];
    let hmac = HmacTokens::new(rules(), OTHER_SECRET, &retired(SECRET)).unwrap();
    let rsa = RsaTokens::new(rules(), SECOND, &retired(FIRST)).unwrap();
    let cases: [(&dyn AccessTokens, String); 2] =
        [(&hmac, hmac_tokens().sign(&claims())), (&rsa, rsa_tokens().sign(&claims()))];
    for (tokens, old) in cases {
        assert_eq!(tokens.read(&old, Timestamp::from_millis(until.millis() - 1)), Ok(claims()));
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
    assert_eq!(key["kid"], json!(include_str!("tests/keys/first.thumbprint").trim_end()));
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

proptest! {
    #[test]
    fn any_text_is_refused_without_a_panic(text: String, parts in prop::collection::vec("[A-Za-z0-9_-]{0,40}", 0..5)) {
        for bench in Bench::both() {
            prop_assert_eq!(bench.tokens.read(&text, NOW), Err(TokenFlaw::Malformed));
            prop_assert_eq!(bench.tokens.read(&parts.join("."), NOW), Err(TokenFlaw::Malformed));
        }
    }

    #[test]
    fn one_changed_character_breaks_a_token(at: prop::sample::Index, to in "[A-Za-z0-9_.-]") {
        for bench in Bench::both() {
            let token = bench.tokens.sign(&claims());
            let at = at.index(token.len());
            let changed = format!("{}{to}{}", &token[..at], &token[at + 1..]);
            prop_assert!(changed == token || bench.tokens.read(&changed, NOW) == Err(TokenFlaw::Malformed));
        }
    }

    #[test]
    fn signed_noise_is_malformed(noise: Vec<u8>) {
        let token = compact::write(&compact::encode(r#"{"alg":"HS256"}"#), &noise, |message| hmac_sign(SECRET, message));
        prop_assert_eq!(hmac_tokens().read(&token, NOW), Err(TokenFlaw::Malformed));
    }
}
