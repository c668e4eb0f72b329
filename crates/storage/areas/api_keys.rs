//! API keys.

use super::{
    Scope, dialect,
    directory::{API_KEY, ENTRIES_AT_ONCE},
};
use crate::{
    prepared::Prepare,
    rows::{
        accounts::UserRow,
        api_keys::{ApiKeyRow, ApiKeySecretRow, KeySecretRow},
        directory::DirectoryRow,
    },
    schema::{api_key_secrets, api_keys, directory, memberships, users, workspaces},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{dsl::exists, prelude::*, select};
use octavo_core_model::{
    Timestamp, TokenHash,
    account::{AccountStatus, User},
    api_key::{ApiKey, CreatorStatus, ListedKey, PresentedKey},
    id::{ApiKeyId, UserId, WorkspaceId},
    text::Name,
};
use octavo_ports::{
    api_keys::{ApiKeyReads, ApiKeys},
    store::StoreResult,
};
use octavo_storage_macros::area;
use std::collections::HashMap;

#[area]
impl ApiKeyReads for Scope {
    async fn find_workspace(&mut self, hash: &TokenHash) -> StoreResult<Option<WorkspaceId>> {
        let owner = directory::table.find((API_KEY, Stored(*hash))).select(directory::owner_id);
        Ok(self.optional::<Stored<WorkspaceId>, _>(owner).await?.map(|owner| owner.0))
    }

    async fn find_presented(&mut self, workspace: WorkspaceId, hash: &TokenHash) -> StoreResult<Option<PresentedKey>> {
        let its_key =
            api_keys::workspace_id.eq(api_key_secrets::workspace_id).and(api_keys::id.eq(api_key_secrets::api_key_id));
        let creator =
            memberships::workspace_id.eq(api_keys::workspace_id).and(memberships::user_id.eq(api_keys::created_by));
        let found = api_key_secrets::table
            .inner_join(api_keys::table.on(its_key))
            .inner_join(workspaces::table.on(workspaces::id.eq(api_key_secrets::workspace_id)))
            .left_join(memberships::table.on(creator))
            .filter(api_key_secrets::workspace_id.eq(Stored(workspace)))
            .filter(api_key_secrets::hash.eq(Stored(*hash)))
            .select((
                ApiKeyRow::as_select(),
                KeySecretRow::as_select(),
                workspaces::purge_at,
                memberships::user_id.nullable(),
            ));
        let found = self.optional::<(ApiKeyRow, KeySecretRow, Option<i64>, Option<Stored<UserId>>), _>(found).await?;
        Ok(found.map(|(key, secret, purge_at, creator)| PresentedKey {
            key: key.into(),
            secret: secret.into(),
            is_workspace_deleting: purge_at.is_some(),
            has_creator_left: creator.is_none(),
        }))
    }

    async fn find(&mut self, workspace: WorkspaceId, id: ApiKeyId) -> StoreResult<Option<ApiKey>> {
        let key = api_keys::table.find((Stored(workspace), Stored(id))).select(ApiKeyRow::as_select());
        Ok(self.optional(key).await?.map(ApiKey::from))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        before: Option<ApiKeyId>,
        limit: u32,
    ) -> StoreResult<Vec<ListedKey>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let creator =
            memberships::workspace_id.eq(api_keys::workspace_id).and(memberships::user_id.eq(api_keys::created_by));
        let page = api_keys::table
            .left_join(memberships::table.on(creator))
            .filter(api_keys::workspace_id.eq(Stored(workspace)))
            .filter(api_keys::id.lt(before))
            .order(api_keys::id.desc())
            .limit(limit.into())
            .select((ApiKeyRow::as_select(), memberships::user_id.nullable()));
        let page = self.all::<(ApiKeyRow, Option<Stored<UserId>>), _>(page).await?;
        // Queried separately: rows of users and rows of workspaces may live on different machines.
        let statuses = self.statuses(page.iter().map(|(key, _)| key.creator())).await?;
        let listed = page.into_iter().map(|(key, member)| {
            let creator = status(statuses.get(&key.creator()).copied(), member.is_some());
            ListedKey { key: key.into(), creator }
        });
        Ok(listed.collect())
    }
}

/// A deleted account is more informative than a missing membership.
fn status(status: Option<AccountStatus>, is_member: bool) -> CreatorStatus {
    match status {
        None | Some(AccountStatus::Deleted) => CreatorStatus::Deleted,
        Some(_) if !is_member => CreatorStatus::Removed,
        Some(AccountStatus::Active) => CreatorStatus::Active,
        Some(AccountStatus::Suspended) => CreatorStatus::Suspended,
        Some(AccountStatus::Deleting { .. }) => CreatorStatus::Deleting,
    }
}

#[area]
impl ApiKeys for Scope {
    async fn insert(&mut self, key: &ApiKey, secret: &TokenHash) -> StoreResult<()> {
        let row = ApiKeyRow::from(key);
        self.execute(diesel::insert_into(api_keys::table).values(&row)).await?;
        self.insert_api_key_secret(key, secret).await
    }

    async fn save(&mut self, key: &ApiKey) -> StoreResult<()> {
        let row = api_keys::table.find((Stored(key.workspace), Stored(key.id)));
        self.execute(diesel::update(row).set(ApiKeyRow::from(key)).prepared()).await.map(drop)
    }

    async fn count_live(&mut self, workspace: WorkspaceId, now: Timestamp) -> StoreResult<u64> {
        let live = api_keys::table
            .filter(api_keys::workspace_id.eq(Stored(workspace)))
            .filter(api_keys::revoked_at.is_null())
            .filter(api_keys::expires_at.is_null().or(api_keys::expires_at.gt(now.millis())))
            .count();
        Ok(self.one::<i64, _>(live).await?.unsigned_abs())
    }

    async fn is_name_taken(&mut self, workspace: WorkspaceId, name: &Name, but: ApiKeyId) -> StoreResult<bool> {
        let others = api_keys::table
            .filter(api_keys::workspace_id.eq(Stored(workspace)))
            .filter(api_keys::name.eq(name.as_str()))
            .filter(api_keys::revoked_at.is_null())
            .filter(api_keys::id.ne(Stored(but)));
        self.one(select(exists(others))).await
    }

    async fn rotate(
        &mut self,
        key: &ApiKey,
        secret: &TokenHash,
        ends_at: Timestamp,
        forget: Timestamp,
    ) -> StoreResult<()> {
        let secrets = || {
            api_key_secrets::table
                .filter(api_key_secrets::workspace_id.eq(Stored(key.workspace)))
                .filter(api_key_secrets::api_key_id.eq(Stored(key.id)))
        };
        let long_over = secrets().filter(api_key_secrets::ends_at.lt(forget.millis()));
        let hashes = self.all::<String, _>(diesel::delete(long_over).returning(api_key_secrets::hash)).await?;
        self.forget_api_key_hashes(&hashes).await?;
        let later =
            secrets().filter(api_key_secrets::ends_at.is_null().or(api_key_secrets::ends_at.gt(ends_at.millis())));
        let statement = diesel::update(later).set(api_key_secrets::ends_at.eq(ends_at.millis())).prepared();
        self.execute(statement).await?;
        self.insert_api_key_secret(key, secret).await
    }

    async fn touch(&mut self, used: &[(WorkspaceId, ApiKeyId, Timestamp)]) -> StoreResult<()> {
        let answer = dialect::touch_api_keys(self.conn().await?, used).await;
        self.checked(answer)
    }
}

impl Scope {
    /// Writes a secret and its directory entry. Two random keys of 190 bits never collide in practice.
    async fn insert_api_key_secret(&mut self, key: &ApiKey, secret: &TokenHash) -> StoreResult<()> {
        let (owner_id, target_id) = (key.workspace.to_string(), key.id.to_string());
        let entry = DirectoryRow { kind: API_KEY, key: secret.hex(), owner_id, target_id };
        self.execute(diesel::insert_into(directory::table).values(&entry)).await?;
        let row = ApiKeySecretRow::present(key, secret);
        self.execute(diesel::insert_into(api_key_secrets::table).values(&row)).await.map(drop)
    }

    /// Removes the directory entries of a workspace's keys. The keys themselves are deleted with its row.
    pub(super) async fn forget_api_keys(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let hashes = api_key_secrets::table
            .filter(api_key_secrets::workspace_id.eq(Stored(workspace)))
            .select(api_key_secrets::hash);
        let hashes = self.all::<String, _>(hashes).await?;
        self.forget_api_key_hashes(&hashes).await
    }

    pub(super) async fn forget_api_key_hashes(&mut self, hashes: &[String]) -> StoreResult<()> {
        for some in hashes.chunks(ENTRIES_AT_ONCE) {
            let entries = directory::table.filter(directory::kind.eq(API_KEY)).filter(directory::key.eq_any(some));
            self.execute(diesel::delete(entries)).await?;
        }
        Ok(())
    }

    async fn statuses(&mut self, users: impl Iterator<Item = UserId>) -> StoreResult<HashMap<UserId, AccountStatus>> {
        let rows = users::table.filter(users::id.eq_any(users.map(Stored))).select(UserRow::as_select());
        Ok(self.all(rows).await?.into_iter().map(User::from).map(|user| (user.id, user.status)).collect())
    }
}
