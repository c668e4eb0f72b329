//! Libraries for OAuth, as developers of apps use them, complete the code flow with the real binary.

use crate::programs::Programs;
use octavo_tests::{Browser, Engine, Person, Reason, Server, both_engines};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
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

fn authlib(programs: &Programs) -> Command {
    let mut command = programs.python("authlib");
    command.arg("client.py").env("AUTHLIB_INSECURE_TRANSPORT", "1");
    command
}

fn openid_client(programs: &Programs) -> Command {
    let mut command = programs.node("openid-client");
    command.arg("client.mjs");
    command
}

fn goes_through(engine: Engine, client: fn(&Programs) -> Command, method: &str) {
    let Some(programs) = Programs::fetched() else { return };
    let mut command = client(&programs);
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
