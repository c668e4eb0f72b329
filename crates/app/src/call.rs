//! One call as the use cases see it: the caller, the time, the client and the idempotency key.

use crate::{content_memory::HeldContent, outcome::Draft};
use octavo_core_model::{
    Claims, Secret, Timestamp,
    api_key::PresentedKey,
    claims::PresentedApp,
    event::Actor,
    fault::Unknown,
    id::{ApiKeyId, RequestId, UserId, WorkspaceId},
};
use octavo_ports::compute::WorkOwner;
use std::net::IpAddr;

#[derive(Clone, Debug)]
pub struct Call {
    pub now: Timestamp,
    /// `None` for commands and background work.
    pub request: Option<RequestId>,
    pub caller: Caller,
    /// Why the credential was rejected, on routes that also work without one.
    pub rejected: Option<Unknown>,
    pub client: Option<Client>,
    /// The workspace in the path, if any.
    pub path_workspace: Option<NamedWorkspace>,
    /// The workspace in the header, if any.
    pub named_workspace: Option<NamedWorkspace>,
    /// The idempotency key of the call. A malformed one is refused when it is claimed.
    pub key: Option<Draft<CallKey>>,
    /// The page content that the call has in memory.
    pub content: HeldContent,
}

/// The caller. The claims of a token are hints; authority is read from the store.
#[derive(Clone, Debug)]
pub enum Caller {
    Nobody,
    User(Claims),
    Key(Box<PresentedKey>),
    App(Box<PresentedApp>),
    /// A job, in the name of whoever started it.
    Job(JobStarter),
    /// The operator's commands and the deployment's own chores.
    System,
}

/// Who started a job of a workspace. What they may do is read anew for each unit of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobStarter {
    pub workspace: WorkspaceId,
    /// For an API key, the user who created it.
    pub user: UserId,
    pub key: Option<ApiKeyId>,
}

impl JobStarter {
    pub const fn actor(self) -> Actor {
        match self.key {
            Some(key) => Actor::ApiKey(key),
            None => Actor::User(self.user),
        }
    }
}

/// The client that sent a call.
#[derive(Clone, Debug)]
pub struct Client {
    pub address: IpAddr,
    pub user_agent: String,
}

/// A workspace as a call names it. A name that is not even an id is answered like an unknown workspace.
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

    /// A malformed name is looked up too, under an id that does not exist, so that both take the same time.
    pub(crate) fn id_or_unknown(self) -> WorkspaceId {
        self.id().unwrap_or_else(|| WorkspaceId::new(0, [0; 10]))
    }
}

/// An idempotency key and the request that it stands for.
#[derive(Clone, Debug)]
pub struct CallKey {
    /// The owner of the key: the same key sent by another caller is unrelated.
    pub principal: String,
    pub value: Secret<String>,
    /// A hash over method, path, query, workspace and body.
    pub fingerprint: [u8; 32],
    /// Another call with this key is running on this node.
    pub busy: bool,
}

impl Call {
    /// A call that the deployment itself makes.
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
            content: HeldContent::uncounted(),
        }
    }

    /// A call that a job makes for whoever started it.
    pub fn of_job(starter: JobStarter, now: Timestamp) -> Self {
        Self { caller: Caller::Job(starter), ..Self::system(now) }
    }

    /// Redirects the call to this workspace because its caller has left the one that their token names. An answer
    /// kept for the old workspace does not count in the new one, so the fingerprint of the key changes.
    pub(crate) fn resolve_into(&mut self, workspace: WorkspaceId) {
        if let Some(Ok(key)) = &mut self.key {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&key.fingerprint).update(workspace.to_string().as_bytes());
            key.fingerprint = hasher.finalize().into();
        }
    }

    /// The owner whose share of the compute pool, of the content memory, of the reads and of the writes this call uses.
    pub const fn work_owner(&self) -> WorkOwner {
        match &self.caller {
            Caller::Nobody => match &self.client {
                Some(client) => WorkOwner::network_of(client.address),
                None => WorkOwner::Anonymous,
            },
            Caller::User(claims) => WorkOwner::User(claims.user),
            Caller::Key(presented) => WorkOwner::User(presented.key.created_by),
            Caller::App(app) => WorkOwner::User(app.claims.user),
            Caller::Job(starter) => WorkOwner::User(starter.user),
            Caller::System => WorkOwner::Server,
        }
    }

    pub const fn actor(&self) -> Actor {
        match &self.caller {
            Caller::Nobody => Actor::Anonymous,
            Caller::User(claims) => Actor::User(claims.user),
            Caller::Key(presented) => Actor::ApiKey(presented.key.id),
            Caller::App(app) => app.actor(),
            Caller::Job(starter) => starter.actor(),
            Caller::System => Actor::System,
        }
    }
}
