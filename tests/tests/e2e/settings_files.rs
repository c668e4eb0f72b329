//! Settings that name files, and the files a server creates for itself.

use octavo_tests::{Deployment, Engine, Person, Reason, both_engines, jwt};
use std::{fs, os::unix::fs::PermissionsExt, path::Path};

both_engines! {
    a_secret_can_come_from_a_file,
    one_line_end_is_cut_and_no_more,
    a_toml_file_can_hold_every_kind_of_value,
    generated_secrets_are_kept_and_private,
    given_secrets_are_not_written_down,
}

const SECRET: &str = "a-secret-of-at-least-32-bytes-for-tests";

fn a_secret_can_come_from_a_file(engine: Engine) {
    let mut deployment = Deployment::new(engine, Reason::Settings);
    let file = deployment.folder().join("secret");
    fs::write(&file, format!("{SECRET}\n")).unwrap();
    deployment.set("OCTAVO_JWT_SECRET_FILE", file.to_str().unwrap());
    let server = deployment.serve();
    let ada = server.person("Ada");
    let token = jwt::hs256(&jwt::claims(&ada.access), SECRET.as_bytes());
    server.get("/users/me").bearer(&token).send().is(200);
}

fn one_line_end_is_cut_and_no_more(engine: Engine) {
    for (text, secret) in
        [(format!("{SECRET}\r\n"), SECRET.to_owned()), (format!("{SECRET}\n\n"), format!("{SECRET}\n"))]
    {
        let mut deployment = Deployment::new(engine, Reason::Settings);
        let file = deployment.folder().join("secret");
        fs::write(&file, text).unwrap();
        deployment.set("OCTAVO_JWT_SECRET_FILE", file.to_str().unwrap());
        let server = deployment.serve();
        let ada = server.person("Ada");
        let token = jwt::hs256(&jwt::claims(&ada.access), secret.as_bytes());
        server.get("/users/me").bearer(&token).send().is(200);
    }
}

fn a_toml_file_can_hold_every_kind_of_value(engine: Engine) {
    let deployment = Deployment::new(engine, Reason::Settings);
    let file = deployment.folder().join("octavo.toml");
    let text = "register_conceal = true\nsession_absolute_days = 2\ncors_origins = [\"https://a.example.org\", \"https://b.example.org\"]\n\
                query_timeout = \"7s\"\nmail_from = \"Octavo <toml@example.com>\"\n";
    fs::write(&file, text).unwrap();
    let server = deployment.with(&[("OCTAVO_CONFIG", file.to_str().unwrap())]).serve();
    let origin = server.get("/health").header("Origin", "https://b.example.org").send();
    assert_eq!(origin.header("Access-Control-Allow-Origin"), Some("https://b.example.org"));
    let form = serde_json::json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": "Ada" });
    server.post("/auth/register", &form).send().is(202);
    let mail = server.mailbox().mail("ada@example.com", "the link", |mail| mail.token("evt_").is_some());
    assert!(mail.headers("From")[0].contains("toml@example.com"), "{}", mail.raw);
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() { left.push(entry.path()) } else { found.push(entry.path()) }
        }
    }
    found
}

fn generated_secrets_are_kept_and_private(engine: Engine) {
    let server = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_PUBLIC_URL", "http://octavo.test")]).serve();
    let ada = server.person("Ada");
    server.mailbox().token(&ada.email, "evt_");
    let for_others = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
    let data = server.deployment().data_folder();
    let search = data.join("search");
    assert_eq!(for_others(&search), 0, "nobody else gets to the files of the search index");
    for file in files(&data).into_iter().filter(|file| !file.starts_with(&search)) {
        assert_eq!(for_others(&file), 0, "{}", file.display());
    }
    let server = server.kill().serve();
    let ada = Person { site: *server.site(), ..ada };
    assert_eq!(ada.me()["id"], ada.id, "the token of the earlier run still counts");
}

fn given_secrets_are_not_written_down(engine: Engine) {
    let key = "a-key-of-at-least-32-bytes-to-encrypt-with";
    let server = Deployment::new(engine, Reason::Settings)
        .with(&[("OCTAVO_JWT_SECRET", SECRET), ("OCTAVO_SECRET_KEY", key)])
        .serve();
    server.person("Ada");
    for file in files(&server.deployment().data_folder()) {
        let bytes = fs::read(&file).unwrap_or_default();
        for secret in [SECRET, key] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} in {}", file.display());
        }
    }
}
