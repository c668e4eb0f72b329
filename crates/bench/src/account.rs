//! People who sign up over HTTP, for the load to act as.

use crate::Outcome;
use crate::load::{Request, exchange, write_request};
use crate::server::Server;
use serde_json::{Value, json};

pub(crate) const PROFILE: &str = "/api/v1/users/me";

/// As many as the targets name.
pub(crate) const CLIENTS: usize = 16;

#[derive(Debug)]
pub(crate) struct Account {
    token: String,
}

impl Account {
    pub(crate) fn register(server: &Server, number: usize) -> Outcome<Self> {
        let person = json!({
            "email": format!("client{number}@example.com"),
            "password": "Benchmark-2026",
            "name": format!("Client {number}"),
        });
        let body = person.to_string();
        let request = Request { method: "POST", path: "/api/v1/auth/register", token: None, body: Some(&body) };
        let (status, reply) = exchange(server.address, &request)?;
        let token = serde_json::from_str::<Value>(&reply).ok();
        let token = token.and_then(|reply| reply["data"]["accessToken"].as_str().map(str::to_owned));
        let token = token.filter(|_| status == 201).ok_or_else(|| format!("no account: {status} {reply}"))?;
        Ok(Self { token })
    }

    /// One for each client: counting calls of one person for all of them is not what a server meets.
    pub(crate) fn of_every_client(server: &Server) -> Outcome<Vec<Self>> {
        (0..CLIENTS).map(|number| Self::register(server, number)).collect()
    }

    pub(crate) fn read_profile(&self) -> Vec<u8> {
        write_request(&self.profile_request())
    }

    /// Turns a preference back and forth, so that every call is a change.
    pub(crate) fn change_profile(&self) -> Vec<Vec<u8>> {
        let themes = [r#"{"theme":"dark"}"#, r#"{"theme":"light"}"#];
        let change = |theme| Request { method: "PATCH", path: PROFILE, token: Some(&self.token), body: Some(theme) };
        themes.map(|theme| write_request(&change(theme))).to_vec()
    }

    /// How long the body of the profile is, for a bare route to send as much.
    pub(crate) fn profile_bytes(&self, server: &Server) -> Outcome<usize> {
        match exchange(server.address, &self.profile_request())? {
            (200, body) => Ok(body.len()),
            (status, body) => Err(format!("no profile: {status} {body}").into()),
        }
    }

    fn profile_request(&self) -> Request<'_> {
        Request { method: "GET", path: PROFILE, token: Some(&self.token), body: None }
    }
}
