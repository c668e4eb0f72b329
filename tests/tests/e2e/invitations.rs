//! `/workspaces/{workspaceId}/invitations`: creating, listing, revoking and resending invitations.

use octavo_tests::{Answer, Engine, Person, Server, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    an_invitation_is_shown_with_its_link_once,
    who_may_invite,
    owners_are_invited_by_owners_only,
    an_invitation_by_a_former_owner_makes_no_owner,
    a_former_admin_can_only_revoke_an_invitation,
    an_invitation_by_a_key_counts_while_the_key_does,
    sending_again_needs_somebody_in_person,
    a_member_or_an_open_invitation_is_in_the_way,
    a_list_shows_one_status,
    an_invitation_is_taken_back_for_good,
    an_invalid_invitation_is_refused,
    an_unproven_inviter_sends_no_mail,
    the_mailed_link_and_the_handed_one_differ,
    sending_again_kills_the_earlier_links,
    sending_again_is_limited,
    of_twenty_invitations_at_once_one_stands,
    names_in_the_mail_are_no_links,
}

/// A person with a verified address.
pub(crate) fn proven(server: &Server, name: &str) -> Person {
    let person = server.person(name);
    let token = server.mailbox().token(&person.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
    person
}

/// Creates a workspace.
pub(crate) fn create_workspace(owner: &Person, name: &str) -> String {
    shape::text(&owner.post("/workspaces", &json!({ "name": name })).send().data(201)["id"])
}

pub(crate) fn try_invite(by: &Person, workspace: &str, body: &Value) -> Answer {
    by.post(&format!("/workspaces/{workspace}/invitations"), body).send()
}

/// The token in the link that the inviter receives.
pub(crate) fn handed(invitation: &Value) -> String {
    let link = shape::text(&invitation["acceptUrl"]);
    shape::token(&json!(link.split("token=").nth(1).unwrap()), "itn_")
}

pub(crate) fn list(by: &Person, workspace: &str, status: &str) -> Vec<Value> {
    let query = if status.is_empty() { String::new() } else { format!("?status={status}") };
    let found = by.get(&format!("/workspaces/{workspace}/invitations{query}")).send().data(200);
    found.as_array().unwrap().clone()
}

/// Makes a new person a member by an invitation.
pub(crate) fn joined(server: &Server, owner: &Person, workspace: &str, name: &str, role: &str) -> Person {
    let person = proven(server, name);
    try_invite(owner, workspace, &json!({ "email": person.email, "role": role })).is(201);
    let waiting = person.get("/users/me/invitations").send().data(200);
    let id = shape::id(&waiting[0]["id"], "inv_");
    person.post(&format!("/invitations/{id}/accept"), &json!({})).send().is(200);
    person
}

fn an_invitation_is_shown_with_its_link_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "Grace@Example.com" })).data(201);
    let keys = ["id", "workspaceId", "email", "role", "invitedById", "acceptUrl", "expiresAt", "status", "createdAt"];
    shape::exactly(&sent, &keys);
    shape::id(&sent["id"], "inv_");
    assert_eq!(
        [&sent["workspaceId"], &sent["email"], &sent["role"], &sent["invitedById"], &sent["status"]],
        [&json!(workspace), &json!("grace@example.com"), &json!("MEMBER"), &json!(ada.id), &json!("PENDING")]
    );
    assert!((shape::seconds_ahead(&sent["expiresAt"]) - 7 * 86400).abs() < 600);
    let link = shape::text(&sent["acceptUrl"]);
    assert!(link.starts_with(&format!("{}/", server.site().public_origin())), "{link}");
    handed(&sent);
    let listed = list(&ada, &workspace, "").remove(0);
    assert_eq!(listed["invitedBy"], json!({ "id": ada.id, "name": "Ada", "email": ada.email }));
    assert!(listed.get("acceptUrl").is_none() && !listed.to_string().contains("itn_"), "{listed}");
}

fn who_may_invite(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let admin = joined(&server, &ada, &workspace, "Adele", "ADMIN");
    let member = joined(&server, &ada, &workspace, "Max", "MEMBER");
    let guest = joined(&server, &ada, &workspace, "Gus", "GUEST");
    let stranger = server.person("Stan");
    let path = format!("/workspaces/{workspace}/invitations");
    let body = |name: &str| json!({ "email": format!("{name}@example.org") });
    try_invite(&admin, &workspace, &body("one")).is(201);
    for (who, reason) in [(&member, "requires_ADMIN"), (&guest, "requires_ADMIN"), (&stranger, "workspace_mismatch")] {
        try_invite(who, &workspace, &body("two")).refuses(403, "FORBIDDEN").because(reason);
        who.get(&path).send().refuses(403, "FORBIDDEN").because(reason);
        who.post(&path, &json!({})).send().refuses(403, "FORBIDDEN").because(reason);
    }
    server.post(&path, &body("two")).send().refuses(401, "UNAUTHORIZED").because("token_missing");
    let unknown = "/workspaces/wks_01ARZ3NDEKTSV4RRFFQ69G5FAV/invitations";
    ada.post(unknown, &body("two")).send().refuses(404, "NOT_FOUND");
    assert_eq!(list(&ada, &workspace, "").len(), 1);
}

fn owners_are_invited_by_owners_only(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let admin = joined(&server, &ada, &workspace, "Adele", "ADMIN");
    let owner = json!({ "email": "olga@example.com", "role": "OWNER" });
    try_invite(&admin, &workspace, &owner).refuses(403, "FORBIDDEN").because("requires_OWNER");
    let sent = try_invite(&ada, &workspace, &owner).data(201);
    let path = format!("/workspaces/{workspace}/invitations/{}", shape::text(&sent["id"]));
    let again = admin.post(&format!("{path}/resend"), &json!({})).send();
    again.refuses(403, "FORBIDDEN").because("requires_OWNER");
    admin.delete(&path).send().is(204);
}

fn set_role(by: &Person, workspace: &str, person: &Person, role: &str) {
    by.patch(&format!("/workspaces/{workspace}/members/{}", person.id), &json!({ "role": role })).send().is(200);
}

fn an_invitation_by_a_former_owner_makes_no_owner(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let olga = joined(&server, &ada, &workspace, "Olga", "OWNER");
    let grace = proven(&server, "Grace");
    let invite = |email: &str, role: &str| {
        let sent = try_invite(&olga, &workspace, &json!({ "email": email, "role": role })).data(201);
        (format!("/workspaces/{workspace}/invitations/{}", shape::text(&sent["id"])), handed(&sent))
    };
    let (path, token) = invite(&grace.email, "OWNER");
    let (_, unregistered) = invite("new@example.com", "OWNER");
    set_role(&ada, &workspace, &olga, "ADMIN");
    let resend = |who: &Person| who.post(&format!("{path}/resend"), &json!({})).send();
    resend(&olga).refuses(403, "FORBIDDEN").because("requires_OWNER");
    let id = path.rsplit('/').next().unwrap();
    let newcomer = json!({ "token": unregistered, "password": "Correct-Horse-9", "name": "New" });
    for refused in [
        server.post("/invitations/accept", &json!({ "token": token, "email": grace.email })),
        grace.post("/invitations/accept", &json!({ "token": token })),
        grace.post(&format!("/invitations/{id}/accept"), &json!({})),
        server.post("/invitations/accept", &newcomer),
    ] {
        refused.send().refuses(409, "CONFLICT").issue("invitation_revoked");
    }
    let preview = server.post("/invitations/preview", &json!({ "token": token })).send();
    preview.refuses(409, "CONFLICT").issue("invitation_revoked");
    let revived = resend(&ada).data(200);
    assert_eq!([&revived["status"], &revived["invitedById"]], [&json!("PENDING"), &json!(ada.id)]);
    grace.post(&format!("/invitations/{id}/accept"), &json!({})).send().is(200);
}

fn a_former_admin_can_only_revoke_an_invitation(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let adele = joined(&server, &ada, &workspace, "Adele", "ADMIN");
    let invite = |email: &str| {
        let sent = try_invite(&adele, &workspace, &json!({ "email": email, "role": "MEMBER" })).data(201);
        format!("/workspaces/{workspace}/invitations/{}", shape::text(&sent["id"]))
    };
    let (own, other) =
        (invite("one@example.com"), try_invite(&ada, &workspace, &json!({ "email": "two@example.com" })));
    let other = format!("/workspaces/{workspace}/invitations/{}", shape::text(&other.data(201)["id"]));
    set_role(&ada, &workspace, &adele, "MEMBER");
    let resend = |path: &str| adele.post(&format!("{path}/resend"), &json!({})).send();
    resend(&own).refuses(403, "FORBIDDEN").because("requires_ADMIN");
    resend(&other).refuses(403, "FORBIDDEN").because("requires_ADMIN");
    adele.delete(&own).send().is(204);
    adele.delete(&own).send().is(204);
    adele.delete(&other).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
}

fn an_invitation_by_a_key_counts_while_the_key_does(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let adele = joined(&server, &ada, &workspace, "Adele", "ADMIN");
    let body = json!({ "name": "Importer", "scopes": ["ADMIN"] });
    let key = adele.post(&format!("/workspaces/{workspace}/api-keys"), &body).send().data(201);
    let text = shape::text(&key["key"]);
    set_role(&ada, &workspace, &adele, "MEMBER");
    let invite = |email: &str| {
        let body = json!({ "email": email, "role": "ADMIN" });
        handed(&server.post(&format!("/workspaces/{workspace}/invitations"), &body).bearer(&text).send().data(201))
    };
    let (early, late) = (invite("early@example.com"), invite("late@example.com"));
    let accept = |token: &str| {
        let body = json!({ "token": token, "password": "Correct-Horse-9", "name": "New" });
        server.post("/invitations/accept", &body).send()
    };
    accept(&early).is(200);
    let path = format!("/workspaces/{workspace}/api-keys/{}", shape::text(&key["id"]));
    ada.delete(&path).send().is(204);
    accept(&late).refuses(409, "CONFLICT").issue("invitation_revoked");
}

fn sending_again_needs_somebody_in_person(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).data(201);
    let body = json!({ "name": "Importer", "scopes": ["ADMIN"] });
    let key = ada.post(&format!("/workspaces/{workspace}/api-keys"), &body).send().data(201);
    let path = format!("/workspaces/{workspace}/invitations/{}", shape::text(&sent["id"]));
    let key = shape::text(&key["key"]);
    let refused = server.post(&format!("{path}/resend"), &json!({})).bearer(&key).send();
    refused.refuses(403, "FORBIDDEN").because("requires_user_credentials");
    server.delete(&path).bearer(&key).send().is(204);
}

fn a_member_or_an_open_invitation_is_in_the_way(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let max = joined(&server, &ada, &workspace, "Max", "MEMBER");
    let known = |email: &str, role: &str| {
        let body = json!({ "email": email, "role": role });
        try_invite(&ada, &workspace, &body).refuses(409, "CONFLICT").of("email", "already_exists");
    };
    known(&max.email, "GUEST");
    known(&ada.email, "MEMBER");
    let body = json!({ "email": "grace@example.com", "role": "MEMBER" });
    let first = try_invite(&ada, &workspace, &body).data(201);
    known("GRACE@example.com", "MEMBER");
    try_invite(&ada, &workspace, &json!({ "email": "grace@example.com", "role": "GUEST" })).is(201);
    let elsewhere = create_workspace(&ada, "Other");
    try_invite(&ada, &elsewhere, &body).is(201);
    ada.delete(&format!("/workspaces/{workspace}/invitations/{}", shape::text(&first["id"]))).send().is(204);
    try_invite(&ada, &workspace, &body).is(201);
}

fn a_list_shows_one_status(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent: Vec<_> = ["a", "b", "c"]
        .iter()
        .map(|name| try_invite(&ada, &workspace, &json!({ "email": format!("{name}@example.com") })).data(201))
        .collect();
    let path = format!("/workspaces/{workspace}/invitations");
    ada.delete(&format!("{path}/{}", shape::text(&sent[1]["id"]))).send().is(204);
    let emails = |status: &str| -> Vec<String> {
        list(&ada, &workspace, status).iter().map(|invitation| shape::text(&invitation["email"])).collect()
    };
    let mut pending = emails("");
    pending.sort();
    assert_eq!(pending, ["a@example.com", "c@example.com"]);
    assert_eq!(emails("REVOKED"), ["b@example.com"]);
    assert_eq!([emails("ACCEPTED").len(), emails("EXPIRED").len(), emails("DECLINED").len()], [0; 3]);
    let first = ada.get(&format!("{path}?limit=1")).send().body_of(200);
    let cursor = shape::text(&first["nextCursor"]);
    let second = ada.get(&format!("{path}?limit=1&cursor={cursor}")).send().body_of(200);
    assert_eq!(second["nextCursor"], Value::Null);
    assert_ne!(first["data"][0]["id"], second["data"][0]["id"]);
    ada.get(&format!("{path}?status=open")).send().refuses(400, "VALIDATION_ERROR").of("status", "invalid_value");
}

fn an_invitation_is_taken_back_for_good(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let member = joined(&server, &ada, &workspace, "Max", "MEMBER");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).data(201);
    let path = format!("/workspaces/{workspace}/invitations/{}", shape::text(&sent["id"]));
    member.delete(&path).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    member.post(&format!("{path}/resend"), &json!({})).send().refuses(403, "FORBIDDEN").because("requires_ADMIN");
    ada.delete(&path).send().is(204);
    ada.delete(&path).send().is(204);
    let again = ada.post(&format!("{path}/resend"), &json!({})).send();
    again.refuses(409, "CONFLICT").issue("invitation_revoked");
    let preview = server.post("/invitations/preview", &json!({ "token": handed(&sent) })).send();
    preview.refuses(409, "CONFLICT").issue("invitation_revoked");
    let other = create_workspace(&ada, "Other");
    for unknown in [
        format!("/workspaces/{other}/invitations/{}", shape::text(&sent["id"])),
        format!("/workspaces/{workspace}/invitations/inv_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        format!("/workspaces/{workspace}/invitations/nonsense"),
    ] {
        ada.delete(&unknown).send().refuses(404, "NOT_FOUND");
    }
}

fn an_invalid_invitation_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let workspace = create_workspace(&ada, "Acme");
    let email = "grace@example.com";
    for (body, field, issue) in [
        (json!({}), "email", "required"),
        (json!({ "email": "grace" }), "email", "invalid_format"),
        (json!({ "email": email, "role": "KING" }), "role", "invalid_value"),
        (json!({ "email": email, "expiresInDays": 0 }), "expiresInDays", "too_small"),
        (json!({ "email": email, "expiresInDays": 31 }), "expiresInDays", "too_large"),
        (json!({ "email": email, "expiresInDays": 1.5 }), "expiresInDays", "invalid_type"),
    ] {
        try_invite(&ada, &workspace, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let sent = try_invite(&ada, &workspace, &json!({ "email": email, "expiresInDays": 30 })).data(201);
    assert!((shape::seconds_ahead(&sent["expiresAt"]) - 30 * 86400).abs() < 600);
}

fn an_unproven_inviter_sends_no_mail(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), proven(&server, "Bob"));
    let sent = try_invite(&ada, &ada.workspace, &json!({ "email": "grace@example.com" })).data(201);
    try_invite(&bob, &bob.workspace, &json!({ "email": "grace@example.com" })).is(201);
    // Letters are sent in order: one for Ada would have arrived by now.
    let mail = server.mailbox().mail("grace@example.com", "the invitation", |mail| mail.token("itn_").is_some());
    assert!(mail.text().contains("Bob"), "{}", mail.raw);
    assert_eq!(server.mailbox().mails_to("grace@example.com").len(), 1);
    server.post("/invitations/preview", &json!({ "token": handed(&sent) })).send().is(200);
}

fn the_mailed_link_and_the_handed_one_differ(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "https://octavo.example.org")]);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com", "role": "ADMIN" })).data(201);
    assert!(shape::text(&sent["acceptUrl"]).starts_with("https://octavo.example.org/"));
    let mail = server.mailbox().mail("grace@example.com", "the invitation", |mail| mail.token("itn_").is_some());
    let mailed = mail.token("itn_").unwrap();
    assert_ne!(mailed, handed(&sent));
    assert!(mail.text().contains("https://octavo.example.org/"), "{}", mail.raw);
    for token in [mailed, handed(&sent)] {
        let shown = server.post("/invitations/preview", &json!({ "token": token })).send().data(200);
        let expected = json!({
            "workspace": { "name": "Acme", "iconUrl": null },
            "inviter": { "name": "Ada" },
            "emailMasked": "g***@example.com",
            "role": "ADMIN",
            "expiresAt": sent["expiresAt"],
            "accountExists": false,
        });
        assert_eq!(shown, expected);
    }
}

fn sending_again_kills_the_earlier_links(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent = try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).data(201);
    let mailed = server.mailbox().token("grace@example.com", "itn_");
    let path = format!("/workspaces/{workspace}/invitations/{}/resend", shape::text(&sent["id"]));
    let again = ada.post(&path, &json!({})).send().data(200);
    assert_eq!([&again["id"], &again["expiresAt"]], [&sent["id"], &sent["expiresAt"]]);
    let tokens = server.mailbox().tokens("grace@example.com", "itn_", 2);
    let preview = |token: &str| server.post("/invitations/preview", &json!({ "token": token })).send();
    for dead in [&mailed, &handed(&sent)] {
        preview(dead).refuses(409, "CONFLICT").issue("token_revoked");
        let body = json!({ "token": dead, "password": "Correct-Horse-9", "name": "Grace" });
        server.post("/invitations/accept", &body).send().refuses(409, "CONFLICT");
        server.post("/invitations/decline", &json!({ "token": dead })).send().refuses(409, "CONFLICT");
    }
    let fresh = tokens.iter().find(|token| **token != mailed).unwrap();
    for alive in [fresh, &handed(&again)] {
        preview(alive).is(200);
    }
}

fn sending_again_is_limited(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_INVITATION", "2")]);
    let ada = server.person("Ada");
    let workspace = create_workspace(&ada, "Acme");
    let sent = |name: &str| try_invite(&ada, &workspace, &json!({ "email": format!("{name}@example.com") }));
    let first = sent("a").data(201);
    let second = sent("b").data(201);
    let refused = sent("c");
    refused.refuses(429, "RATE_LIMITED");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "invitation");
    try_invite(&ada, &create_workspace(&ada, "Other"), &json!({ "email": "c@example.com" })).is(201);
    let resend = |invitation: &Value| {
        ada.post(&format!("/workspaces/{workspace}/invitations/{}/resend", shape::text(&invitation["id"])), &json!({}))
            .send()
    };
    for _ in 0..3 {
        resend(&first).is(200);
    }
    let refused = resend(&first);
    refused.refuses(429, "RATE_LIMITED");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "invitation_resend");
    resend(&second).is(200);
}

fn of_twenty_invitations_at_once_one_stands(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let workspace = create_workspace(&ada, "Acme");
    let answers = at_once(20, |_| try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).status);
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [201, 409, 503].contains(status)), "{answers:?}");
    assert_eq!(list(&ada, &workspace, "").len(), 1);
}

fn names_in_the_mail_are_no_links(engine: Engine) {
    let server = Server::start(engine);
    let ada = proven(&server, "www.evil.test");
    let workspace = create_workspace(&ada, "https://evil.test/<b>x</b>");
    try_invite(&ada, &workspace, &json!({ "email": "grace@example.com" })).is(201);
    let mail = server.mailbox().mail("grace@example.com", "the invitation", |mail| mail.token("itn_").is_some());
    assert!(!mail.text().contains("evil.test") && !mail.text().contains("<b>"), "{}", mail.raw);
}
