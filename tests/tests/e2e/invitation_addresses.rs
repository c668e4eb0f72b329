//! Which email address an account needs to accept an invitation.

use crate::invitations::{create_workspace, handed, proven, try_invite};
use octavo_tests::{Engine, Person, Server, both_engines, shape};
use serde_json::json;

both_engines! {
    signed_in_callers_name_no_other_address,
    an_address_without_account_is_refused,
}

/// Invites the address into a new workspace and returns the token.
fn invited(server: &Server, email: &str) -> String {
    let ada = proven(server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    handed(&try_invite(&ada, &workspace, &json!({ "email": email })).data(201))
}

fn signed_in_callers_name_no_other_address(engine: Engine) {
    let server = Server::start(engine);
    let (grace, bob) = (proven(&server, "Grace"), proven(&server, "Bob"));
    let token = invited(&server, &grace.email);
    let by =
        |who: &Person, email: &str| who.post("/invitations/accept", &json!({ "token": token, "email": email })).send();
    by(&grace, &bob.email).refuses(403, "FORBIDDEN").because("email_mismatch");
    by(&bob, &grace.email).refuses(403, "FORBIDDEN").because("email_mismatch");
    by(&bob, &bob.email).refuses(403, "FORBIDDEN").because("email_mismatch");
    let data = by(&grace, &grace.email.to_uppercase()).data(200);
    // The session is signed in by a credential: an invitation link alone would not allow listing sessions.
    server.get("/sessions").bearer(&shape::text(&data["accessToken"])).send().is(200);
}

fn an_address_without_account_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let token = invited(&server, "grace@example.com");
    let body = json!({ "token": token, "email": "grace@example.com" });
    let refused = server.post("/invitations/accept", &body).send().refuses(400, "VALIDATION_ERROR");
    let expected = json!({ "field": "email", "issue": "invalid_value", "received": "grace@example.com" });
    assert_eq!(refused.detail(), &expected);
}
