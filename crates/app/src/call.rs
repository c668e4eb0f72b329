//! One call as the use cases see it: who, when, from where, under which key.

use crate::engine::Draft;
use octavo_core_model::{
    Claims, Secret, Timestamp,
    api_key::PresentedKey,
    claims::PresentedApp,
    event::Actor,
    fault::Unknown,
    id::{RequestId, WorkspaceId},
};
use std::net::IpAddr;

#[derive(Clone, Debug)]
pub struct Call {
    pub now: Timestamp,
    /// `None` for commands and background work.
    pub request: Option<RequestId>,
    pub caller: Caller,
    /// What is wrong with the credential that came along, on routes that can do without one.
    pub rejected: Option<Unknown>,
    pub client: Option<Client>,
    /// The workspace the path names, if any.
    pub path_workspace: Option<NamedWorkspace>,
    /// The workspace the header names, if any.
    pub named_workspace: Option<NamedWorkspace>,
    /// The idempotency key that was sent. A malformed one is refused when it is claimed.
    pub key: Option<Draft<CallKey>>,
}

/// Who calls. The claims of a token are hints; authority is read from the store.
#[derive(Clone, Debug)]
pub enum Caller {
    Nobody,
    User(Claims),
    Key(Box<PresentedKey>),
    App(Box<PresentedApp>),
    /// The operator's commands and the deployment's own chores.
    System,
}

/// Where a call comes from.
#[derive(Clone, Debug)]
pub struct Client {
    pub address: IpAddr,
    pub user_agent: String,
}

/// What names a workspace may be no id at all; that is answered like an unknown workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedWorkspace {
    Id(WorkspaceId),
    Malformed,
}

impl NamedWorkspace {
    pub const fn id(self) -> Option<WorkspaceId> {
        match self {
            Self::Id(id) => Some(id),
            Self::Malformed => None,
        }
    }

    /// A malformed name is looked up like one that names nothing, so that both take the same time.
    pub(crate) fn or_nowhere(self) -> WorkspaceId {
        self.id().unwrap_or_else(|| WorkspaceId::new(0, [0; 10]))
    }
}

/// An idempotency key and what it stands for.
#[derive(Clone, Debug)]
pub struct CallKey {
    /// Whose key it is: the same key of somebody else is unrelated.
    pub principal: String,
    pub value: Secret<String>,
    /// Identifies method, path, query, workspace and body.
    pub fingerprint: [u8; 32],
    /// Another call with this key runs on this node.
    pub busy: bool,
}

impl Call {
    /// A call of the deployment itself.
    pub const fn system(now: Timestamp) -> Self {
        Self {
            now,
            request: None,
            caller: Caller::System,
            rejected: None,
            client: None,
            path_workspace: None,
            named_workspace: None,
            key: None,
        }
    }

    /// Makes the call one into this workspace, since its caller left the one it was meant for: what they were answered there is no answer to
    /// it any more.
    pub(crate) fn resolve_into(&mut self, workspace: WorkspaceId) {
        if let Some(Ok(key)) = &mut self.key {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&key.fingerprint).update(workspace.to_string().as_bytes());
            key.fingerprint = hasher.finalize().into();
        }
    }

    pub const fn actor(&self) -> Actor {
        match &self.caller {
            Caller::Nobody => Actor::Anonymous,
            Caller::User(claims) => Actor::User(claims.user),
            Caller::Key(presented) => Actor::ApiKey(presented.key.id),
            Caller::App(app) => app.actor(),
            Caller::System => Actor::System,
        }
    }
}
