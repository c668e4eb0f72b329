//! Access tokens signed with RS256, which anybody can check with the public key.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_tests::{Deployment, Engine, OwnServer, Person, Reason, Server, both_engines, jwt};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::{Value, json};
use std::fs;

both_engines! {
    the_published_key_verifies_a_token,
    the_public_key_is_no_secret_of_hs256,
    a_key_id_has_to_be_known,
    under_hs256_no_key_of_tokens_is_published,
    the_published_keys_may_be_kept_for_a_while,
}

const PRIVATE: &str = include_str!("keys/private.pem");
const PUBLIC: &str = include_str!("keys/public.pem");

fn server(engine: Engine) -> OwnServer {
    let mut deployment = Deployment::new(engine, Reason::Settings);
    let file = deployment.folder().join("key.pem");
    fs::write(&file, PRIVATE).unwrap();
    deployment.set("OCTAVO_JWT_PRIVATE_KEY_FILE", file.to_str().unwrap());
    deployment.serve()
}

fn keys(server: &Server) -> Vec<Value> {
    let body = server.origin("GET", "/.well-known/jwks.json").send().body_of(200);
    body["keys"].as_array().unwrap().clone()
}

fn bytes(value: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(value.as_str().unwrap()).unwrap()
}

fn the_published_key_verifies_a_token(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let header = jwt::header(&ada.access);
    assert_eq!(header["alg"], "RS256");
    let keys = keys(&server);
    let key = keys.iter().find(|key| key["kid"] == header["kid"]).expect("the key of the token is published");
    assert_eq!((&key["kty"], &key["alg"], &key["use"]), (&json!("RSA"), &json!("RS256"), &json!("sig")));
    for part in ["d", "p", "q", "dp", "dq", "qi"] {
        assert!(key.get(part).is_none(), "{part} is private");
    }
    let public = RsaPublicKeyComponents { n: bytes(&key["n"]), e: bytes(&key["e"]) };
    let (message, signature) = ada.access.rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    public.verify(&RSA_PKCS1_2048_8192_SHA256, message.as_bytes(), &signature).unwrap();
    assert_eq!(ada.me()["id"], ada.id);
    assert_eq!(ada.refreshed().me()["id"], ada.id);
}

#[track_caller]
fn refused(person: &Person, token: &str) {
    let answer = person.site.get("/users/me").bearer(token).send();
    answer.refuses(401, "UNAUTHORIZED").because("token_malformed");
}

fn the_public_key_is_no_secret_of_hs256(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let (header, claims) = (jwt::header(&ada.access), jwt::claims(&ada.access));
    let key = bytes(&keys(&server)[0]["n"]);
    for secret in [PUBLIC.as_bytes(), PUBLIC.trim().as_bytes(), &key] {
        refused(&ada, &jwt::hs256(&claims, secret));
        let named = json!({ "alg": "HS256", "typ": "JWT", "kid": header["kid"] });
        refused(&ada, &jwt::signed(&named, &claims, secret));
    }
}

fn a_key_id_has_to_be_known(engine: Engine) {
    let server = server(engine);
    let ada = server.person("Ada");
    let claims = jwt::claims(&ada.access);
    let signature = ada.access.rsplit('.').next().unwrap();
    for header in [json!({ "alg": "RS256", "typ": "JWT" }), json!({ "alg": "RS256", "typ": "JWT", "kid": "foreign" })] {
        refused(&ada, &format!("{}.{signature}", jwt::message(&header, &claims)));
    }
}

fn under_hs256_no_key_of_tokens_is_published(engine: Engine) {
    let server = Server::start(engine);
    assert!(keys(&server).iter().all(|key| key["kty"] != "oct" && key["kty"] != "RSA"));
}

fn the_published_keys_may_be_kept_for_a_while(engine: Engine) {
    let server = server(engine);
    let answer = server.origin("GET", "/.well-known/jwks.json").send();
    assert_eq!(answer.is(200).named("Cache-Control"), "public, max-age=300");
}
