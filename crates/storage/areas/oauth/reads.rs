//! Queries of views about apps, grants, codes and tokens.

use super::super::{Scope, directory::FAMILY_TOKEN};
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    id::{ClientId, FamilyId, GrantId, TokenId, UserId, WorkspaceId},
    oauth::{App, AppAccess, AppSecret, Family, FamilyToken, Grant},
};
use octavo_ports::{oauth::OauthReads, store::StoreResult};
use octavo_storage_macros::area;

#[area]
impl OauthReads for Scope {
    async fn find_app(&mut self, id: ClientId) -> StoreResult<Option<App>> {
        match self.app_workspace(id).await? {
            Some(workspace) => self.app_of(workspace, id).await,
            None => Ok(None),
        }
    }

    async fn list_apps(
        &mut self,
        workspace: WorkspaceId,
        before: Option<ClientId>,
        limit: u32,
    ) -> StoreResult<Vec<App>> {
        self.apps_of(workspace, before, limit).await
    }

    async fn list_app_secrets(&mut self, app: &App) -> StoreResult<Vec<AppSecret>> {
        self.secrets_of(app).await
    }

    async fn find_grant(&mut self, user: UserId, id: GrantId) -> StoreResult<Option<Grant>> {
        self.grant_of(user, id).await
    }

    async fn find_grant_for(&mut self, user: UserId, app: ClientId) -> StoreResult<Option<Grant>> {
        self.grant_for(user, app).await
    }

    async fn list_grants(
        &mut self,
        user: UserId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>> {
        self.grants_of(user, now, before, limit).await
    }

    async fn list_grants_into(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>> {
        self.grants_into(workspace, now, before, limit).await
    }

    async fn find_granter(&mut self, workspace: WorkspaceId, id: GrantId) -> StoreResult<Option<UserId>> {
        self.granter(workspace, id).await
    }

    async fn find_app_access(
        &mut self,
        user: UserId,
        grant: GrantId,
        family: FamilyId,
        token: TokenId,
        now: Timestamp,
    ) -> StoreResult<Option<AppAccess>> {
        self.access_of((user, grant, family, token), now).await
    }

    async fn find_code_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_token_user(TokenKind::AuthorizationCode, hash).await
    }

    async fn find_family_token_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_entry_user(FAMILY_TOKEN, hash).await
    }

    async fn find_family_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<FamilyToken>> {
        self.family_token_of(user, hash).await
    }

    async fn find_family(&mut self, user: UserId, id: FamilyId) -> StoreResult<Option<Family>> {
        self.family_of(user, id).await
    }
}
