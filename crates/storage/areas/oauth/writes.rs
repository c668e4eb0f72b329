//! Changes by units to apps, grants, codes and tokens.

use super::super::Scope;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{ClientId, FamilyId, GrantId, TokenId, UserId, WorkspaceId},
    oauth::{App, AuthorizationCode, Family, FamilyToken, Grant, Narrowing, Scopes},
};
use octavo_ports::{
    oauth::{Oauth, RemovedApp},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl Oauth for Scope {
    async fn insert_app(&mut self, app: &App, secret: Option<&TokenHash>) -> StoreResult<()> {
        self.add_app(app, secret).await
    }

    async fn lock_app(&mut self, id: ClientId) -> StoreResult<Option<App>> {
        match self.app_workspace(id).await? {
            Some(workspace) => self.locked_app_of(workspace, id).await,
            None => Ok(None),
        }
    }

    async fn save_app(&mut self, app: &App) -> StoreResult<()> {
        self.update_app(app).await
    }

    async fn narrow_app(&mut self, app: ClientId, lost: &Narrowing) -> StoreResult<()> {
        self.take_from_app(app, lost).await
    }

    async fn remove_app(&mut self, app: &App, now: Timestamp) -> StoreResult<RemovedApp> {
        self.drain_app(app, now).await
    }

    async fn rotate_app_secret(
        &mut self,
        app: &App,
        secret: &TokenHash,
        ends_at: Timestamp,
        now: Timestamp,
    ) -> StoreResult<()> {
        self.replace_secret(app, secret, ends_at, now).await
    }

    async fn insert_grant(&mut self, grant: &Grant) -> StoreResult<()> {
        self.add_grant(grant).await
    }

    async fn save_grant(&mut self, grant: &Grant) -> StoreResult<()> {
        self.update_grant(grant).await
    }

    async fn narrow_grant(&mut self, grant: &Grant, scopes: &Scopes, workspaces: &[WorkspaceId]) -> StoreResult<()> {
        self.take_from_grant(grant, scopes, workspaces).await
    }

    async fn revoke_grants(
        &mut self,
        user: UserId,
        which: Option<GrantId>,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantId>> {
        self.end_grants(user, which, now).await
    }

    async fn touch_grant(&mut self, user: UserId, id: GrantId, now: Timestamp) -> StoreResult<()> {
        self.note_grant_use(user, id, now).await
    }

    async fn insert_code(&mut self, code: &AuthorizationCode) -> StoreResult<()> {
        self.add_code(code).await
    }

    async fn find_code(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<AuthorizationCode>> {
        self.code_of(user, hash).await
    }

    async fn redeem_code(&mut self, code: &AuthorizationCode) -> StoreResult<bool> {
        self.mark_redeemed(code).await
    }

    async fn insert_family(&mut self, family: &Family) -> StoreResult<()> {
        self.add_family(family).await
    }

    async fn extend_family(&mut self, family: &Family) -> StoreResult<()> {
        self.prolong_family(family).await
    }

    async fn revoke_family(&mut self, user: UserId, id: FamilyId, now: Timestamp) -> StoreResult<bool> {
        self.end_family(user, id, now).await
    }

    async fn insert_family_token(&mut self, token: &FamilyToken) -> StoreResult<()> {
        self.add_family_token(token).await
    }

    async fn rotate_family_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()> {
        self.mark_rotated(user, hash).await
    }

    async fn revoke_access_token(&mut self, user: UserId, id: TokenId, forget_at: Timestamp) -> StoreResult<bool> {
        self.end_access_token(user, id, forget_at).await
    }
}
