//! The representation of a grant.

use crate::wire::reply;
use octavo_core_model::{
    AppScope, Timestamp,
    id::{ClientId, GrantId, UserId, WorkspaceId},
    oauth::{Grant, GrantedApp},
    text::{Name, WebAddress},
};

reply! {
    /// The app of a grant.
    pub(crate) GrantedClientReply {
        /// The id by which the app identifies itself.
        client_id "clientId": required ClientId,
        /// Its name.
        name "name": required Name = "Timesheets",
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// Whether it has no secret.
        public "public": required bool = false,
    }
}

reply! {
    /// A user's grant to an app.
    pub(crate) GrantReply {
        /// The id of the grant.
        id "id": required GrantId,
        /// The app.
        client "client": required GrantedClientReply,
        /// The user who granted it; shown to the workspaces it reaches.
        user_id "userId": optional UserId,
        /// The scopes of the app.
        scopes "scopes": required Vec<AppScope>,
        /// The workspaces that it may access; a workspace sees only itself.
        workspace_ids "workspaceIds": required Vec<WorkspaceId>,
        /// When it was first granted.
        created_at "createdAt": required Timestamp,
        /// When the app last got tokens for it.
        last_used_at "lastUsedAt": nullable Timestamp,
        /// When it ends, unless the user consents again.
        expires_at "expiresAt": required Timestamp,
    }
}

impl GrantReply {
    /// A grant as one of its workspaces sees it.
    pub(crate) fn seen_from(workspace: WorkspaceId, grant: Grant) -> Self {
        let user_id = Some(grant.user);
        Self { user_id, workspace_ids: vec![workspace], ..grant.into() }
    }
}

impl From<GrantedApp> for GrantedClientReply {
    fn from(app: GrantedApp) -> Self {
        Self { client_id: app.id, name: app.name, logo_url: app.logo_url, public: app.public }
    }
}

impl From<Grant> for GrantReply {
    fn from(grant: Grant) -> Self {
        Self {
            id: grant.id,
            client: grant.app.into(),
            user_id: None,
            scopes: grant.scopes.into_iter().collect(),
            workspace_ids: grant.workspaces,
            created_at: grant.created_at,
            last_used_at: grant.last_used_at,
            expires_at: grant.expires_at,
        }
    }
}
