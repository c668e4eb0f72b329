//! The claims and their times.

use super::*;

#[test]
fn a_token_reads_back_as_what_was_signed() {
    for fixture in Fixture::both() {
        assert_eq!(fixture.tokens.read(&fixture.tokens.sign(&claims()), NOW), Ok(login()));
        assert_eq!(fixture.read_payload(&payload().to_string()), Ok(login()));
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
fn every_claim_is_needed_in_its_own_type() {
    let wrong_types =
        [json!(null), json!(true), json!(1.5), json!("text"), json!({}), json!([1]), json!(["a", "b", "c"])];
    for fixture in Fixture::both() {
        for name in payload().as_object().unwrap().keys() {
            let payload_without = without(payload(), name).to_string();
            assert_eq!(fixture.read_payload(&payload_without), Err(TokenFlaw::Malformed), "{payload_without}");
            for wrong in &wrong_types {
                let payload = with(payload(), name, wrong.clone()).to_string();
                assert_eq!(fixture.read_payload(&payload), Err(TokenFlaw::Malformed), "{payload}");
            }
        }
        for payload in ["", "{}", "[]", "null", "{", &format!("{} x", payload())] {
            assert_eq!(fixture.read_payload(payload), Err(TokenFlaw::Malformed), "{payload}");
        }
    }
}

#[test]
fn claims_with_other_values_than_ours_are_refused() {
    let [fixture, _] = Fixture::both();
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
        assert_eq!(fixture.read_payload(&payload), Err(TokenFlaw::Malformed), "{payload}");
    }
    let iat = format!("{}", payload()).replace("1800000000", "1800000000.0");
    assert_eq!(fixture.read_payload(&iat), Err(TokenFlaw::Malformed), "a whole number is no fraction");
}

#[test]
fn no_claim_stands_twice_and_unknown_ones_are_ignored() {
    for fixture in Fixture::both() {
        let prepended = |text: &str| payload().to_string().replacen('{', &format!("{{{text},"), 1);
        assert_eq!(fixture.read_payload(&prepended(r#""later":{"a":[1]},"more":1"#)), Ok(login()));
        for twice in [r#""roles":["OWNER"]"#, r#""s\u0075b":"usr_""#, r#""x":1,"x":1"#, r#""x":1,"y":2,"\u0078":1"#] {
            assert_eq!(fixture.read_payload(&prepended(twice)), Err(TokenFlaw::Malformed), "{twice}");
        }
    }
}

#[test]
fn a_token_lives_900_seconds_and_the_skew() {
    for fixture in Fixture::both() {
        let token = fixture.tokens.sign(&claims());
        let at = |millis: i64| fixture.tokens.read(&token, Timestamp::from_millis(NOW.millis() + millis));
        assert_eq!(at(929_999), Ok(login()));
        assert_eq!(at(930_000), Err(TokenFlaw::Expired));
        assert_eq!(at(931_000), Err(TokenFlaw::Expired));
        assert_eq!(at(-30_000), Ok(login()));
        assert_eq!(at(-30_001), Err(TokenFlaw::Malformed));
    }
    let exact = HmacTokens::new(TokenRules { clock_skew: Duration::ZERO, ..rules() }, SECRET, &[]).unwrap();
    let token = exact.sign(&claims());
    assert_eq!(exact.read(&token, NOW.plus(Duration::from_millis(899_999))), Ok(login()));
    assert_eq!(exact.read(&token, NOW.plus(Duration::from_mins(15))), Err(TokenFlaw::Expired));
}

#[test]
fn an_expired_token_of_somebody_else_is_malformed_not_expired() {
    let foreign = HmacTokens::new(rules(), OTHER_SECRET, &[]).unwrap();
    let much_later = NOW.plus(Duration::from_secs(5000));
    assert_eq!(hmac_tokens().read(&foreign.sign(&claims()), much_later), Err(TokenFlaw::Malformed));
    assert_eq!(hmac_tokens().read(&hmac_tokens().sign(&claims()), much_later), Err(TokenFlaw::Expired));
}
