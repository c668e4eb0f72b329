//! A copy of the database reveals no secret.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use octavo_tests::{Engine, OwnServer, Person, Reason, Server, both_engines};
use serde_json::{Value, json};
use std::{fs, path::Path};

both_engines! {
    no_token_password_or_key_stands_in_the_store,
}

/// Everything that is stored except mails, which contain their tokens on purpose.
fn stored(server: &OwnServer) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut left = vec![server.deployment().data_folder()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if path.file_name() != Some(Path::new("mail").as_os_str()) {
                    left.push(path);
                }
            } else {
                bytes.extend(fs::read(path).unwrap_or_default());
            }
        }
    }
    if let Some(database) = server.deployment().database() {
        bytes.extend(database.contents().into_bytes());
    }
    bytes
}

fn contains(store: &[u8], text: &[u8]) -> bool {
    store.windows(text.len()).any(|window| window == text)
}

/// The forms the text could have in a database: plain, in base64, or in the hex in which PostgreSQL shows bytes.
fn forms(text: &str) -> [Vec<u8>; 3] {
    // In base64 the last one or two bytes share characters with what follows.
    let encoded = STANDARD.encode(&text[..text.len() / 3 * 3]);
    let hex = text.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    [text.as_bytes().to_vec(), encoded.into_bytes(), hex.into_bytes()]
}

/// The secrets that an app receives: its client secret, a code, tokens.
fn secrets_of_app(person: &Person) -> [String; 4] {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let uri = "https://app.example/back";
    let draft = json!({ "name": "App", "redirectUris": [uri], "scopes": ["pages:read"] });
    let app =
        person.post(&format!("/workspaces/{}/oauth/apps", person.workspace), &draft).key("an-app").send().data(201);
    let consent =
        json!({ "response_type": "code", "client_id": app["clientId"], "redirect_uri": uri, "decision": "approve" });
    let address = text(&person.post("/oauth/authorize", &consent).key("a-consent").send().data(200)["redirectTo"]);
    let code = address.split("code=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let exchange = json!({
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": uri,
        "client_id": app["clientId"],
        "client_secret": app["clientSecret"],
    });
    let tokens = person.site.post("/oauth/token", &exchange).key("an-exchange").send().is(200).json();
    [text(&app["clientSecret"]), code, text(&tokens["access_token"]), text(&tokens["refresh_token"])]
}

fn no_token_password_or_key_stands_in_the_store(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    let next = ada.with_tokens_of(&ada.refresh_request().key("a-key-that-is-a-secret-too").send().data(200));
    let form = json!({ "email": "bob@example.com", "password": "Marker-Horse-10", "name": "Bob" });
    let bob = server.post("/auth/register", &form).key("another-key-that-is-secret").send().data(201);
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let reset = server.mailbox().token(&ada.email, "pwrt_");
    let verification = server.mailbox().token(&ada.email, "evt_");
    let path = format!("/workspaces/{}/invitations", ada.workspace);
    let invitation =
        ada.post(&path, &json!({ "email": "grace@example.com" })).key("a-key-of-an-invitation").send().data(201);
    let link = invitation["acceptUrl"].as_str().unwrap().to_owned();
    let handed = link.split("token=").nth(1).unwrap().to_owned();
    let of_app = secrets_of_app(&ada);
    let keys = format!("/workspaces/{}/api-keys", ada.workspace);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let made = ada.post(&keys, &json!({ "name": "Importer", "scopes": ["READ"] })).key("a-key-of-an-api-key").send();
    let made = made.data(201);
    let rotate = ada.post(&format!("{keys}/{}/rotate", text(&made["id"])), &json!({})).key("a-key-of-a-rotation");
    let api_keys = [text(&made["key"]), text(&rotate.send().data(200)["key"])];
    for key in &api_keys {
        server.get("/auth/me").bearer(key).send().is(200);
    }
    let store = stored(&server);
    assert!(contains(&store, ada.id.as_bytes()) || contains(&store, ada.email.as_bytes()), "this is the store");
    let of_bob = [&bob["accessToken"], &bob["refreshToken"]].map(|token| token.as_str().unwrap().to_owned());
    let secrets = [
        &ada.password,
        &ada.access,
        &ada.refresh,
        &next.access,
        &next.refresh,
        &reset,
        &verification,
        &handed,
        &of_bob[0],
        &of_bob[1],
        &api_keys[0],
        &api_keys[1],
    ];
    let fixed = ["Marker-Horse-10", "a-key-that-is-a-secret-too", "another-key-that-is-secret", "a-key-of-an-api-key"];
    for secret in secrets.into_iter().chain(&of_app).map(String::as_str).chain(fixed) {
        for form in forms(secret) {
            assert!(!contains(&store, &form), "{secret} is stored as {}", String::from_utf8_lossy(&form));
        }
    }
}
