//! Tokens of apps, and that the two kinds cannot be confused.

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
    serde_json::to_value(rules().app_claims(&app_claims())).unwrap()
}

fn read_as_app(fixture: &Fixture, payload: &Value) -> Result<AccessToken, TokenFlaw> {
    let header = with(fixture.header.clone(), "typ", json!("at+jwt"));
    fixture.tokens.read(&fixture.forge(&header.to_string(), &payload.to_string()), NOW)
}

#[test]
fn a_token_of_an_app_reads_back_as_what_was_signed() {
    for fixture in Fixture::both() {
        let token = fixture.tokens.sign_for_app(&app_claims());
        assert_eq!(fixture.tokens.read(&token, NOW), Ok(AccessToken::App(app_claims())));
        assert_eq!(read_as_app(&fixture, &app_payload()), Ok(AccessToken::App(app_claims())));
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
    for fixture in Fixture::both() {
        assert_eq!(read_as_app(&fixture, &payload()), Err(TokenFlaw::Malformed));
        assert_eq!(fixture.read_payload(&app_payload().to_string()), Err(TokenFlaw::Malformed));
    }
}

#[test]
fn every_claim_of_an_app_is_needed_with_a_value_of_ours() {
    for fixture in Fixture::both() {
        for name in app_payload().as_object().unwrap().keys() {
            assert_eq!(read_as_app(&fixture, &without(app_payload(), name)), Err(TokenFlaw::Malformed), "{name}");
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
            assert_eq!(read_as_app(&fixture, &payload), Err(TokenFlaw::Malformed), "{payload}");
        }
    }
}
