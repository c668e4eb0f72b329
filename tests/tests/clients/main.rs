//! Third-party programs, as developers of apps use them, complete the code flow with the real binary.
//!
//! They are not part of the workspace: `cargo xtask test --clients` downloads them and tells the tests where they
//! are. Without that, nothing runs here.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed unwrap is a failed test")]

use octavo_tests::{Browser, Engine, Person, Reason, Server, both_engines};
use serde_json::{Value, json};
use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
};

both_engines! {
    authlib_with_a_secret_in_the_header,
    authlib_with_a_secret_in_the_body,
    authlib_without_a_secret,
    openid_client_with_a_secret_in_the_header,
    openid_client_with_a_secret_in_the_body,
    openid_client_without_a_secret,
}

/// The redirect address; nobody listens there.
const BACK: &str = "http://127.0.0.1:9/back";
const SCOPE: &str = "pages:read databases:write";

fn authlib_with_a_secret_in_the_header(engine: Engine) {
    goes_through(engine, authlib, "client_secret_basic");
}

fn authlib_with_a_secret_in_the_body(engine: Engine) {
    goes_through(engine, authlib, "client_secret_post");
}

fn authlib_without_a_secret(engine: Engine) {
    goes_through(engine, authlib, "none");
}

fn openid_client_with_a_secret_in_the_header(engine: Engine) {
    goes_through(engine, openid_client, "client_secret_basic");
}

fn openid_client_with_a_secret_in_the_body(engine: Engine) {
    goes_through(engine, openid_client, "client_secret_post");
}

fn openid_client_without_a_secret(engine: Engine) {
    goes_through(engine, openid_client, "none");
}

/// A folder from `cargo xtask test --clients`; `None` if these tests were not requested.
fn fetched(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|folder| !folder.is_empty())
}

fn authlib() -> Option<Command> {
    let venv = fetched("OCTAVO_TEST_CLIENTS_PYTHON")?;
    let mut command = Command::new(Path::new(&venv).join("bin/python"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/authlib/client.py");
    command.arg(script).env("AUTHLIB_INSECURE_TRANSPORT", "1");
    Some(command)
}

fn openid_client() -> Option<Command> {
    let folder = fetched("OCTAVO_TEST_CLIENTS_NODE")?;
    let mut command = Command::new("node");
    command.arg(Path::new(&folder).join("client.mjs"));
    Some(command)
}

fn goes_through(engine: Engine, client: fn() -> Option<Command>, method: &str) {
    let Some(mut command) = client() else { return };
    let server = Server::own(engine, Reason::Programs);
    let ada = server.person("Ada");
    let app = register(&ada, method == "none");
    command
        .env("ISSUER", server.public_origin())
        .env("BASE", format!("{}/api/v1", server.public_origin()))
        .env("CLIENT_ID", app["clientId"].as_str().unwrap())
        .env("CLIENT_SECRET", app["clientSecret"].as_str().unwrap_or_default())
        .env("AUTH_METHOD", method)
        .env("REDIRECT_URI", BACK)
        .env("SCOPE", SCOPE);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the client can be started");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let opened = lines.next().unwrap_or_else(|| panic!("{:?}", child.wait())).unwrap();
    let address = opened.strip_prefix("OPEN ").unwrap_or_else(|| panic!("{opened}"));
    let back = consent(&server, &ada, address);
    writeln!(child.stdin.take().unwrap(), "{back}").unwrap();
    let done = lines.next().map(Result::unwrap);
    assert_eq!((done.as_deref(), ended(child)), (Some("DONE"), true));
}

fn ended(mut child: Child) -> bool {
    child.wait().unwrap().success()
}

fn register(ada: &Person, public: bool) -> Value {
    let body = json!({
        "name": "Planner",
        "redirectUris": [BACK],
        "scopes": ["pages:read", "pages:write", "databases:write"],
        "public": public,
    });
    ada.post(&format!("/workspaces/{}/oauth/apps", ada.workspace), &body).send().data(201)
}

/// Signs in and consents in a browser. Returns the redirect address.
fn consent(server: &Server, ada: &Person, address: &str) -> String {
    let mut browser = Browser::at(server.site());
    let path = address.strip_prefix(&server.public_origin()).unwrap_or_else(|| panic!("{address}"));
    let page = browser.visit(path);
    let login = page.form("/oauth/login").with("email", &ada.email).with("password", &ada.password);
    let led = browser.submit(&login);
    let page = browser.follow(led);
    let allowed = browser.submit(&page.form("/oauth/consent").with("decision", "approve"));
    allowed.location().unwrap_or_else(|| panic!("{}", allowed.answer.text())).to_owned()
}
