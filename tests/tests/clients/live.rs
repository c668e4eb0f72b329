//! The example of the live stream, in two tabs of a browser.

use crate::programs::{Programs, succeeds};
use octavo_tests::{Engine, Server, both_engines, shape};
use serde_json::json;
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    thread,
};

both_engines! {
    two_tabs_show_each_others_comments,
}

fn two_tabs_show_each_others_comments(engine: Engine) {
    let Some(programs) = Programs::fetched() else { return };
    let example = serve_example();
    let server = Server::with(engine, &[("OCTAVO_CORS_ORIGINS", &example)]);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = shape::text(&ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let body = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
    let page = ada.post("/pages", &json!({ "title": "Tides" })).header("X-Service-Workspace", &acme).send().data(201);
    // Only those who follow a page are told of comments on it.
    let follow = bob.request("PUT", &format!("/follows/{}", shape::text(&page["id"]))).json(&json!({}));
    follow.header("X-Service-Workspace", &acme).send().is(200);
    let mut driver = programs.node("live");
    driver.arg("drive.mjs").env("CHROMIUM", Programs::chromium()).env("OCTAVO_URL", server.public_origin());
    driver.env("EXAMPLE_URL", &example).env("PAGE", shape::text(&page["id"])).env("WORKSPACE", acme);
    driver.env("ADA_EMAIL", &ada.email).env("BOB_EMAIL", &bob.email).env("PASSWORD", &ada.password);
    succeeds(&mut driver);
}

/// Serves the folder of the example on a free port until the test ends, and returns its origin.
fn serve_example() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer(connection));
        }
    });
    origin
}

/// Answers one request with a file.
fn answer(mut connection: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(connection.try_clone().ok()?).lines().map_while(Result::ok);
    let first = lines.next()?;
    lines.find(String::is_empty)?;
    let name = first.split_whitespace().nth(1)?.trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples/live");
    let (status, content) = match fs::read(folder.join(Path::new(name).file_name()?)) {
        Ok(content) => ("200 OK", content),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let kind = match name.rsplit('.').next()? {
        "html" => "text/html",
        "css" => "text/css",
        _ => "text/javascript",
    };
    let length = content.len();
    write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    connection.write_all(&content).ok()
}
