//! Apps that act for people: their registration, what people grant them, codes and tokens.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{ClientId, FamilyId, GrantId, TokenId, UserId, WorkspaceId},
    oauth::{App, AppAccess, AppSecret, AuthorizationCode, Family, FamilyToken, Grant, Narrowing, Scopes},
};

#[async_trait]
pub trait OauthReads: Send {
    /// The app with this id, whichever workspace registered it.
    async fn find_app(&mut self, id: ClientId) -> StoreResult<Option<App>>;

    /// Apps of a workspace, newest first, those before the given id.
    async fn list_apps(
        &mut self,
        workspace: WorkspaceId,
        before: Option<ClientId>,
        limit: u32,
    ) -> StoreResult<Vec<App>>;

    /// The secrets of an app, also a replaced one whose grace is over.
    async fn list_app_secrets(&mut self, app: &App) -> StoreResult<Vec<AppSecret>>;

    /// A grant, also one that is over.
    async fn find_grant(&mut self, user: UserId, id: GrantId) -> StoreResult<Option<Grant>>;

    /// The grant of a user for an app that was not revoked; its time may be over.
    async fn find_grant_for(&mut self, user: UserId, app: ClientId) -> StoreResult<Option<Grant>>;

    /// The live grants of a user, newest first, those before the given id.
    async fn list_grants(
        &mut self,
        user: UserId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>>;

    /// The live grants of members that reach a workspace, newest first, those before the given id.
    async fn list_grants_into(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>>;

    /// Whose grant this is, if it was not revoked and reaches the workspace.
    async fn find_granter(&mut self, workspace: WorkspaceId, id: GrantId) -> StoreResult<Option<UserId>>;

    /// The grant, family and token behind an app's access token; `None` when the user has no such grant or family.
    async fn find_app_access(
        &mut self,
        user: UserId,
        grant: GrantId,
        family: FamilyId,
        token: TokenId,
        now: Timestamp,
    ) -> StoreResult<Option<AppAccess>>;

    /// The user who consented to a code, also after it was redeemed.
    async fn find_code_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    /// For whom an app holds a refresh token, also one that was rotated.
    async fn find_family_token_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    async fn find_family_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<FamilyToken>>;

    async fn find_family(&mut self, user: UserId, id: FamilyId) -> StoreResult<Option<Family>>;
}

/// Apps change under the lock of their workspace, and with [`Oauth::lock_app`] where grants depend on them. What belongs to a user changes
/// under the lock of the user, which is taken after that of the app. What an app's change takes from many users is taken row by row without
/// their locks: each of those statements only narrows, so none can undo another's work.
#[async_trait]
pub trait Oauth: OauthReads {
    /// Writes a new app, with its secret if it is to have one.
    async fn insert_app(&mut self, app: &App, secret: Option<&TokenHash>) -> StoreResult<()>;

    /// Finds an app and locks it until the unit ends: it stays as it is while a grant is made for it.
    async fn lock_app(&mut self, id: ClientId) -> StoreResult<Option<App>>;

    /// Saves what may change of an app, also where grants repeat it.
    async fn save_app(&mut self, app: &App) -> StoreResult<()>;

    /// Ends the open codes that depend on what an app lost, and removes lost scopes from its grants and families.
    async fn narrow_app(&mut self, app: ClientId, lost: &Narrowing) -> StoreResult<()>;

    /// Removes an app with its codes and revokes its grants and families, which it returns.
    async fn remove_app(&mut self, app: &App, now: Timestamp) -> StoreResult<RemovedApp>;

    /// Gives an app another secret. The one it had ends at the given time; others, and that one too where its end is not in the future,
    /// are removed.
    async fn rotate_app_secret(
        &mut self,
        app: &App,
        secret: &TokenHash,
        ends_at: Timestamp,
        now: Timestamp,
    ) -> StoreResult<()>;

    async fn insert_grant(&mut self, grant: &Grant) -> StoreResult<()>;

    /// Saves what a grant reaches and until when. Under the locks of its app and its user.
    async fn save_grant(&mut self, grant: &Grant) -> StoreResult<()>;

    /// Reduces a grant to these scopes and workspaces.
    async fn narrow_grant(&mut self, grant: &Grant, scopes: &Scopes, workspaces: &[WorkspaceId]) -> StoreResult<()>;

    /// Revokes one or all grants of a user with their families, and returns those that were in force.
    async fn revoke_grants(
        &mut self,
        user: UserId,
        which: Option<GrantId>,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantId>>;

    /// Notes that a grant was used.
    async fn touch_grant(&mut self, user: UserId, id: GrantId, now: Timestamp) -> StoreResult<()>;

    async fn insert_code(&mut self, code: &AuthorizationCode) -> StoreResult<()>;

    async fn find_code(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<AuthorizationCode>>;

    /// Saves that a code was redeemed.
    async fn redeem_code(&mut self, code: &AuthorizationCode) -> StoreResult<()>;

    async fn insert_family(&mut self, family: &Family) -> StoreResult<()>;

    /// Saves when a family ends unless it is refreshed before; one that was revoked in the meantime stays revoked.
    async fn extend_family(&mut self, family: &Family) -> StoreResult<()>;

    /// Revokes a family; false when it was revoked before, or there is none.
    async fn revoke_family(&mut self, user: UserId, id: FamilyId, now: Timestamp) -> StoreResult<bool>;

    async fn insert_family_token(&mut self, token: &FamilyToken) -> StoreResult<()>;

    /// Marks a refresh token as rotated.
    async fn rotate_family_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()>;

    /// Revokes one access token, and remembers that until the given time; false when it was revoked before.
    async fn revoke_access_token(&mut self, user: UserId, id: TokenId, forget_at: Timestamp) -> StoreResult<bool>;
}

/// What went with an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedApp {
    pub grants: Vec<(UserId, GrantId)>,
    pub families: Vec<(UserId, FamilyId)>,
}
