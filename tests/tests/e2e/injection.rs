//! Text that has a meaning for a database, a mail server, a log or an HTML page, but none for Octavo.

use octavo_tests::{Engine, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_name_comes_back_as_it_was,
    a_mail_is_not_led_astray_by_a_name,
    a_mail_shows_a_name_as_text,
    odd_text_in_addresses_and_queries_does_no_harm,
    a_program_name_is_kept_as_text,
}

const ODD: [&str; 9] = [
    "Robert'); DROP TABLE users;--",
    "100%",
    "under_score",
    "back\\slash",
    "\"quoted\"",
    "$1 ${x} {{x}} %s %n",
    "<script>alert(1)</script>",
    "=1+1",
    "../../etc/passwd",
];

fn a_name_comes_back_as_it_was(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for name in ODD {
        let user = ada.patch("/users/me", &json!({ "name": name, "displayName": name })).send().data(200);
        assert_eq!((&user["name"], &user["displayName"]), (&json!(name), &json!(name)));
        assert_eq!(ada.me(), user);
    }
    for (n, name) in ODD.iter().enumerate() {
        let form = json!({ "email": format!("p{n}@example.com"), "password": "Correct-Horse-9", "name": name });
        let data = server.post("/auth/register", &form).send().data(201);
        assert_eq!(data["workspace"]["name"], format!("{name}'s workspace"));
        assert!(!shape::text(&data["workspace"]["slug"]).is_empty());
    }
}

fn a_mail_is_not_led_astray_by_a_name(engine: Engine) {
    let server = Server::start(engine);
    for (n, name) in
        ["Ada, bob@example.com", "Ada <bob@example.com>", "\"Ada\" <x@y.org>,", "Bcc: bob@example.com", "Ünïcödé 🦀"]
            .iter()
            .enumerate()
    {
        let email = format!("p{n}@example.com");
        let form = json!({ "email": email, "password": "Correct-Horse-9", "name": name });
        server.post("/auth/register", &form).send().is(201);
        server.mailbox().token(&email, "evt_");
    }
    for mail in server.mailbox().mails() {
        assert_eq!(mail.headers("To").len(), 1, "{}", mail.raw);
        assert_eq!((mail.headers("Cc").len(), mail.headers("Bcc").len()), (0, 0), "{}", mail.raw);
        let to = mail.headers("To")[0].clone();
        let bare = to.rsplit('<').next().unwrap().trim_end_matches('>');
        assert!(bare.starts_with('p') && bare.ends_with("@example.com") && bare.len() == 14, "{to}");
    }
}

fn a_mail_shows_a_name_as_text(engine: Engine) {
    let server = Server::start(engine);
    let name = "<img src=x onerror=alert(1)> http://evil.test/";
    let form = json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": name });
    server.post("/auth/register", &form).send().is(201);
    let mail = server.mailbox().mail("ada@example.com", "the link", |mail| mail.token("evt_").is_some());
    let text = mail.text();
    let html = text.split("text/html").nth(1).expect("there is an HTML part");
    assert!(!html.contains("<img src=x"), "{html}");
    assert!(!text.contains("href=\"http://evil.test"), "{text}");
}

fn odd_text_in_addresses_and_queries_does_no_harm(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for odd in ODD {
        let escaped = odd.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
        ada.delete(&format!("/sessions/{escaped}")).send().refuses(404, "NOT_FOUND");
        for parameter in ["cursor", "limit", "status"] {
            let answer = ada.get(&format!("/sessions?{parameter}={escaped}")).send();
            answer.refuses(400, "VALIDATION_ERROR").names(parameter);
        }
        let login = json!({ "email": odd, "password": odd });
        let answer = server.post("/auth/login", &login).send();
        assert!([400, 401].contains(&answer.status), "{}", answer.text());
        let reset = json!({ "token": odd, "password": "New-Horse-10" });
        server.post("/auth/password-reset/confirm", &reset).send().refuses(400, "VALIDATION_ERROR");
    }
    assert_eq!(ada.me()["id"], ada.id);
}

fn a_program_name_is_kept_as_text(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for odd in ODD {
        let session = ada.login_request().header("User-Agent", odd).send().data(200)["session"].clone();
        assert_eq!(session["userAgent"], Value::from(odd));
    }
    // Octavo may change a header that is not UTF-8, but must neither refuse it nor fail.
    ada.login_request().header("User-Agent", b"caf\xe9").send().is(200);
}
