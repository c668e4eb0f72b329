//! Tokens of apps, and that the kinds do not mix.

use super::*;
use octavo_core_model::{
    AppScope,
    claims::AppClaims,
    id::{ClientId, FamilyId, GrantId},
};

fn app_claims() -> AppClaims {
    AppClaims {
        user: claims().user,
        client: ClientId::new(5, [5; 10]),
        grant: GrantId::new(6, [6; 10]),
        family: FamilyId::new(7, [7; 10]),
        scopes: vec![AppScope::PagesRead, AppScope::FilesWrite],
        id: claims().id,
        proofs: claims().proofs,
        authenticated_at: claims().authenticated_at,
        issued_at: NOW,
    }
}

fn app_payload() -> Value {
    serde_json::from_slice(&rules().app_payload(&app_claims())).unwrap()
}

fn read_as_app(bench: &Bench, payload: &Value) -> Result<AccessToken, TokenFlaw> {
    let header = with(bench.header.clone(), "typ", json!("at+jwt"));
    bench.tokens.read(&bench.forge(&header.to_string(), &payload.to_string()), NOW)
}

#[test]
fn a_token_of_an_app_reads_back_as_what_was_signed() {
    for bench in Bench::both() {
        let token = bench.tokens.sign_for_app(&app_claims());
        assert_eq!(bench.tokens.read(&token, NOW), Ok(AccessToken::App(app_claims())));
        assert_eq!(read_as_app(&bench, &app_payload()), Ok(AccessToken::App(app_claims())));
    }
}

#[test]
fn the_claims_of_an_app_have_their_published_names() {
    assert_eq!(
        app_payload(),
        json!({
            "sub": app_claims().user,
            "client_id": app_claims().client,
            "scope": "pages:read files:write",
            "type": "oauth",
            "grant": app_claims().grant,
            "family": app_claims().family,
            "jti": app_claims().id,
            "iat": 1_800_000_000,
            "exp": 1_800_000_900,
            "iss": ORIGIN,
            "aud": ORIGIN,
            "amr": ["pwd", "otp", "mfa"],
            "auth_time": 1_799_999_000,
        })
    );
}

#[test]
fn no_token_is_taken_for_one_of_the_other_kind() {
    for bench in Bench::both() {
        assert_eq!(read_as_app(&bench, &payload()), Err(TokenFlaw::Malformed));
        assert_eq!(bench.read_payload(&app_payload().to_string()), Err(TokenFlaw::Malformed));
    }
}

#[test]
fn every_claim_of_an_app_is_needed_with_a_value_of_ours() {
    for bench in Bench::both() {
        for name in app_payload().as_object().unwrap().keys() {
            assert_eq!(read_as_app(&bench, &without(app_payload(), name)), Err(TokenFlaw::Malformed), "{name}");
        }
        for (name, value) in [
            ("iss", json!("https://other.example")),
            ("aud", json!("https://other.example")),
            ("type", json!("login")),
            ("scope", json!("")),
            ("scope", json!("pages:admin")),
            ("scope", json!(["pages:read"])),
            ("client_id", json!(claims().user)),
            ("exp", json!(1_800_000_901)),
        ] {
            let payload = with(app_payload(), name, value);
            assert_eq!(read_as_app(&bench, &payload), Err(TokenFlaw::Malformed), "{payload}");
        }
    }
}
