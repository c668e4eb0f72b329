//! Users who register over HTTP, to be used by the load.

use crate::load::{Request, exchange, write_request};
use crate::server::Server;
use anyhow::{Context as _, Result, bail, ensure};
use octavo_core_model::id::{UserId, WorkspaceId};
use serde_json::{Value, json};

pub(crate) const PROFILE: &str = "/api/v1/users/me";

/// The number in the targets.
pub(crate) const CLIENTS: usize = 16;

#[derive(Debug)]
pub(crate) struct Account {
    token: String,
    pub(crate) user: UserId,
    pub(crate) workspace: WorkspaceId,
}

impl Account {
    pub(crate) fn register(server: &Server, number: usize) -> Result<Self> {
        let person = json!({
            "email": format!("client{number}@example.com"),
            "password": "Benchmark-2026",
            "name": format!("Client {number}"),
        });
        let body = person.to_string();
        let request =
            Request { method: "POST", path: "/api/v1/auth/register", token: None, workspace: None, body: Some(&body) };
        let (status, reply) = exchange(server.address, &request)?;
        let refused = || format!("no account: {status} {reply}");
        ensure!(status == 201, refused());
        let data = serde_json::from_str::<Value>(&reply)?["data"].take();
        let text = |value: &Value| value.as_str().map(str::to_owned).with_context(refused);
        Ok(Self {
            token: text(&data["accessToken"])?,
            user: text(&data["user"]["id"])?.parse().with_context(refused)?,
            workspace: text(&data["workspace"]["id"])?.parse().with_context(refused)?,
        })
    }

    /// One for each client: counting the calls of all clients for one user is not what a server usually does.
    pub(crate) fn of_every_client(server: &Server) -> Result<Vec<Self>> {
        (0..CLIENTS).map(|number| Self::register(server, number)).collect()
    }

    pub(crate) fn read_profile(&self) -> Vec<u8> {
        write_request(&self.profile_request())
    }

    pub(crate) fn read_workspace(&self) -> Vec<u8> {
        self.read(&format!("/api/v1/workspaces/{}", self.workspace))
    }

    /// A request for the first hundred members of a workspace of the account.
    pub(crate) fn read_members(&self, workspace: WorkspaceId) -> Vec<u8> {
        self.read(&format!("/api/v1/workspaces/{workspace}/members?limit=100"))
    }

    pub(crate) fn read_in(&self, workspace: WorkspaceId, path: &str) -> Vec<u8> {
        let (token, workspace) = (Some(&*self.token), Some(workspace));
        write_request(&Request { method: "GET", path, token, workspace, body: None })
    }

    pub(crate) fn post_in(&self, workspace: WorkspaceId, path: &str, body: &str) -> Vec<u8> {
        let (token, workspace) = (Some(&*self.token), Some(workspace));
        write_request(&Request { method: "POST", path, token, workspace, body: Some(body) })
    }

    pub(crate) fn patch_in(&self, workspace: WorkspaceId, path: &str, body: &str) -> Vec<u8> {
        let (token, workspace) = (Some(&*self.token), Some(workspace));
        write_request(&Request { method: "PATCH", path, token, workspace, body: Some(body) })
    }

    /// The reply to a request in the account's own workspace.
    pub(crate) fn reply(&self, server: &Server, method: &str, path: &str, body: Option<&str>) -> Result<Value> {
        let request = Request { method, path, token: Some(&self.token), workspace: Some(self.workspace), body };
        let (status, reply) = exchange(server.address, &request)?;
        ensure!((200..300).contains(&status), "{method} {path}: {status} {reply}");
        Ok(serde_json::from_str(&reply)?)
    }

    /// The `data` of such a reply.
    pub(crate) fn answer(&self, server: &Server, method: &str, path: &str, body: Option<&str>) -> Result<Value> {
        Ok(self.reply(server, method, path, body)?["data"].take())
    }

    pub(crate) fn delete_in(&self, workspace: WorkspaceId, path: &str, body: &str) -> Vec<u8> {
        let (token, workspace) = (Some(&*self.token), Some(workspace));
        write_request(&Request { method: "DELETE", path, token, workspace, body: Some(body) })
    }

    fn read(&self, path: &str) -> Vec<u8> {
        write_request(&Request { method: "GET", path, token: Some(&self.token), workspace: None, body: None })
    }

    /// Requests that switch a preference back and forth, so that every call is a change.
    pub(crate) fn change_profile(&self) -> Vec<Vec<u8>> {
        let themes = [r#"{"theme":"dark"}"#, r#"{"theme":"light"}"#];
        let change = |theme| Request {
            method: "PATCH",
            path: PROFILE,
            token: Some(&self.token),
            workspace: None,
            body: Some(theme),
        };
        themes.map(|theme| write_request(&change(theme))).to_vec()
    }

    /// The length of the profile's body, so that the bare route can send the same amount.
    pub(crate) fn profile_bytes(&self, server: &Server) -> Result<usize> {
        match exchange(server.address, &self.profile_request())? {
            (200, body) => Ok(body.len()),
            (status, body) => bail!("no profile: {status} {body}"),
        }
    }

    fn profile_request(&self) -> Request<'_> {
        Request { method: "GET", path: PROFILE, token: Some(&self.token), workspace: None, body: None }
    }
}
