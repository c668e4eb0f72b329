//! Calls as values: the caller, the client and the idempotency key.

use super::{Device, World};
use octavo_app::{
    Call, Caller, Client,
    call::{CallKey, NamedWorkspace},
};
use octavo_core_model::{Secret, id::RequestId, id::WorkspaceId};
use octavo_ports::compute::WorkOwner;
use std::net::{IpAddr, Ipv4Addr};

impl World {
    /// A call without a credential.
    pub(crate) fn nobody(&self) -> Call {
        let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
        Call {
            now: self.now,
            request: Some(RequestId::new(self.now.millis(), [1; 10])),
            caller: Caller::Nobody,
            rejected: None,
            client: Some(Client { address, user_agent: "Firefox/120.0".to_owned() }),
            path_workspace: None,
            named_workspace: None,
            key: None,
            content: self.memory.of_call(WorkOwner::network_of(address)),
        }
    }

    /// A call with a device's access token.
    pub(crate) fn by(&self, device: &Device) -> Call {
        Call { caller: Caller::User(device.claims.clone()), ..self.nobody() }
    }
}

pub(crate) trait Calling {
    fn from(self, address: &str) -> Self;
    fn with_program(self, user_agent: &str) -> Self;
    /// With a workspace in its path.
    fn at(self, workspace: WorkspaceId) -> Self;
    /// With a workspace in its header.
    fn naming(self, workspace: WorkspaceId) -> Self;
    /// Under an idempotency key; the same body makes the same call.
    fn keyed(self, key: &str, body: &str) -> Self;
    /// As [`Calling::keyed`], for a token in the body.
    fn keyed_by(self, principal: &str, key: &str, body: &str) -> Self;
}

impl Calling for Call {
    fn from(mut self, address: &str) -> Self {
        self.client.as_mut().unwrap().address = address.parse().unwrap();
        self
    }

    fn with_program(mut self, user_agent: &str) -> Self {
        user_agent.clone_into(&mut self.client.as_mut().unwrap().user_agent);
        self
    }

    fn at(self, workspace: WorkspaceId) -> Self {
        Self { path_workspace: Some(NamedWorkspace::Id(workspace)), ..self }
    }

    fn naming(self, workspace: WorkspaceId) -> Self {
        Self { named_workspace: Some(NamedWorkspace::Id(workspace)), ..self }
    }

    fn keyed(self, key: &str, body: &str) -> Self {
        let principal = match &self.caller {
            Caller::User(claims) => claims.user.to_string(),
            Caller::Key(presented) => presented.key.id.to_string(),
            Caller::App(app) => app.claims.grant.to_string(),
            Caller::Nobody | Caller::Job(_) | Caller::System => "address:192.0.2.1".to_owned(),
        };
        self.keyed_by(&principal, key, body)
    }

    fn keyed_by(self, principal: &str, key: &str, body: &str) -> Self {
        let (value, fingerprint) = (Secret::new(key.to_owned()), blake3::hash(body.as_bytes()).into());
        Self { key: Some(Ok(CallKey { principal: principal.to_owned(), value, fingerprint, busy: false })), ..self }
    }
}
