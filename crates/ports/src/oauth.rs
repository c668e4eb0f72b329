//! Apps that act for users: registrations, grants, codes and tokens.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{ClientId, FamilyId, GrantId, TokenId, UserId, WorkspaceId},
    oauth::{App, AppAccess, AppSecret, AuthorizationCode, Family, FamilyToken, Grant, Narrowing, Scopes},
};

#[async_trait]
pub trait OauthReads: Send {
    /// The app with this id, in any workspace.
    async fn find_app(&mut self, id: ClientId) -> StoreResult<Option<App>>;

    /// Apps of a workspace, newest first, before the given id.
    async fn list_apps(
        &mut self,
        workspace: WorkspaceId,
        before: Option<ClientId>,
        limit: u32,
    ) -> StoreResult<Vec<App>>;

    /// The secrets of an app, including replaced ones whose grace period is over.
    async fn list_app_secrets(&mut self, app: &App) -> StoreResult<Vec<AppSecret>>;

    /// A grant, even if it has ended.
    async fn find_grant(&mut self, user: UserId, id: GrantId) -> StoreResult<Option<Grant>>;

    /// The grant of a user to an app that was not revoked, even if it has expired.
    async fn find_grant_for(&mut self, user: UserId, app: ClientId) -> StoreResult<Option<Grant>>;

    /// The live grants of a user, newest first, before the given id.
    async fn list_grants(
        &mut self,
        user: UserId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>>;

    /// The live grants of members that reach a workspace, newest first, before the given id.
    async fn list_grants_into(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>>;

    /// The user of this grant, if it was not revoked and reaches the workspace.
    async fn find_granter(&mut self, workspace: WorkspaceId, id: GrantId) -> StoreResult<Option<UserId>>;

    /// The grant, family and token behind an app's access token; `None` if the user has no such grant or family.
    async fn find_app_access(
        &mut self,
        user: UserId,
        grant: GrantId,
        family: FamilyId,
        token: TokenId,
        now: Timestamp,
    ) -> StoreResult<Option<AppAccess>>;

    /// The user who consented to a code, even if it was redeemed.
    async fn find_code_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    /// The user behind an app's refresh token, even if it was rotated.
    async fn find_family_token_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    async fn find_family_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<FamilyToken>>;

    async fn find_family(&mut self, user: UserId, id: FamilyId) -> StoreResult<Option<Family>>;
}

/// Apps are changed under the lock of their workspace, and under [`Oauth::lock_app`] if grants depend on the change.
/// What belongs to a user is changed under the lock of the user, which is taken after that of the app. A change of an
/// app that affects many users updates their rows without their locks: each of those statements only removes access,
/// so none can undo another's work. To avoid deadlocks with them, units without the lock of the app change grants first,
/// then codes, families and the workspaces' lists of grants.
#[async_trait]
pub trait Oauth: OauthReads {
    /// Inserts an app and its secret, if it has one.
    async fn insert_app(&mut self, app: &App, secret: Option<&TokenHash>) -> StoreResult<()>;

    /// Finds an app and locks it until the unit ends, so that it does not change while a grant is created.
    async fn lock_app(&mut self, id: ClientId) -> StoreResult<Option<App>>;

    /// Saves what may change of an app, including its copies in grants.
    async fn save_app(&mut self, app: &App) -> StoreResult<()>;

    /// Ends the open codes that depend on what an app lost, and removes lost scopes from its grants and families.
    async fn narrow_app(&mut self, app: ClientId, lost: &Narrowing) -> StoreResult<()>;

    /// Removes an app with its codes, revokes its grants and families, and returns those.
    async fn remove_app(&mut self, app: &App, now: Timestamp) -> StoreResult<RemovedApp>;

    /// Gives an app another secret. The present one ends at the given time. Older ones are removed, and so is the
    /// present one if its end is not in the future.
    async fn rotate_app_secret(
        &mut self,
        app: &App,
        secret: &TokenHash,
        ends_at: Timestamp,
        now: Timestamp,
    ) -> StoreResult<()>;

    async fn insert_grant(&mut self, grant: &Grant) -> StoreResult<()>;

    /// Saves the reach and the end of a grant. Requires the locks of its app and its user.
    async fn save_grant(&mut self, grant: &Grant) -> StoreResult<()>;

    /// Reduces a grant to these scopes and workspaces, and with it its codes and token families. What they lose does
    /// not come back to them when the grant becomes wider again.
    async fn narrow_grant(&mut self, grant: &Grant, scopes: &Scopes, workspaces: &[WorkspaceId]) -> StoreResult<()>;

    /// Revokes one or all grants of a user with their families, and returns those that were in force.
    async fn revoke_grants(
        &mut self,
        user: UserId,
        which: Option<GrantId>,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantId>>;

    /// Records that a grant was used.
    async fn touch_grant(&mut self, user: UserId, id: GrantId, now: Timestamp) -> StoreResult<()>;

    async fn insert_code(&mut self, code: &AuthorizationCode) -> StoreResult<()>;

    async fn find_code(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<AuthorizationCode>>;

    /// Saves that a code was redeemed. Returns false if the code no longer exists: a unit that removed its app, or took
    /// from the app what the code depends on, does not lock the user.
    async fn redeem_code(&mut self, code: &AuthorizationCode) -> StoreResult<bool>;

    async fn insert_family(&mut self, family: &Family) -> StoreResult<()>;

    /// Saves the end of an extended family. A family that was revoked meanwhile stays revoked.
    async fn extend_family(&mut self, family: &Family) -> StoreResult<()>;

    /// Revokes a family. Returns false if it was already revoked or does not exist.
    async fn revoke_family(&mut self, user: UserId, id: FamilyId, now: Timestamp) -> StoreResult<bool>;

    async fn insert_family_token(&mut self, token: &FamilyToken) -> StoreResult<()>;

    /// Marks a refresh token as rotated.
    async fn rotate_family_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()>;

    /// Revokes one access token, and remembers that until the given time. Returns false if it was already revoked.
    async fn revoke_access_token(&mut self, user: UserId, id: TokenId, forget_at: Timestamp) -> StoreResult<bool>;
}

/// What was removed with an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedApp {
    pub grants: Vec<(UserId, GrantId)>,
    pub families: Vec<(UserId, FamilyId)>,
}
