//! Apps and their secrets.

use super::{
    super::{Scope, dialect::locked, directory::ENTRIES_AT_ONCE},
    CLIENT,
};
use crate::{
    prepared::{Columns, Prepare},
    rows::{
        directory::DirectoryRow,
        oauth::{AppRow, AppSecretRow, bits},
    },
    schema::{
        directory, oauth_app_secrets as secrets, oauth_apps as apps, oauth_codes as codes, oauth_families as families,
        oauth_grants as grants, oauth_workspace_grants as workspace_grants,
    },
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{ClientId, FamilyId, GrantId, UserId, WorkspaceId},
    oauth::{App, AppSecret, Narrowing},
};
use octavo_ports::{oauth::RemovedApp, store::StoreResult};

impl Scope {
    pub(super) async fn app_workspace(&mut self, id: ClientId) -> StoreResult<Option<WorkspaceId>> {
        let owner = directory::table.find((CLIENT, Stored(id))).select(directory::owner_id);
        Ok(self.optional::<Stored<WorkspaceId>, _>(owner).await?.map(|owner| owner.0))
    }

    pub(super) async fn app_of(&mut self, workspace: WorkspaceId, id: ClientId) -> StoreResult<Option<App>> {
        let app = apps::table.find((Stored(workspace), Stored(id))).select(AppRow::as_select());
        Ok(self.optional(app).await?.map(App::from))
    }

    pub(super) async fn locked_app_of(&mut self, workspace: WorkspaceId, id: ClientId) -> StoreResult<Option<App>> {
        let app = apps::table.find((Stored(workspace), Stored(id))).select(AppRow::as_select());
        Ok(self.optional(locked!(app)).await?.map(App::from))
    }

    pub(super) async fn apps_of(
        &mut self,
        workspace: WorkspaceId,
        before: Option<ClientId>,
        limit: u32,
    ) -> StoreResult<Vec<App>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let page = apps::table
            .filter(apps::workspace_id.eq(Stored(workspace)))
            .filter(apps::id.lt(before))
            .order(apps::id.desc())
            .limit(limit.into())
            .select(AppRow::as_select());
        Ok(self.all(page).await?.into_iter().map(App::from).collect())
    }

    pub(super) async fn secrets_of(&mut self, app: &App) -> StoreResult<Vec<AppSecret>> {
        let all = secrets::table
            .filter(secrets::workspace_id.eq(Stored(app.workspace)))
            .filter(secrets::client_id.eq(Stored(app.id)))
            .order(secrets::hash)
            .select(AppSecretRow::as_select());
        Ok(self.all(all).await?.into_iter().map(AppSecret::from).collect())
    }

    pub(super) async fn add_app(&mut self, app: &App, secret: Option<&TokenHash>) -> StoreResult<()> {
        let (owner_id, target_id) = (app.workspace.to_string(), app.id.to_string());
        let entry = DirectoryRow { kind: CLIENT, key: target_id.clone(), owner_id, target_id };
        self.execute(diesel::insert_into(directory::table).values(&entry)).await?;
        let row = AppRow::from(app);
        self.execute(diesel::insert_into(apps::table).values(&row)).await?;
        match secret {
            Some(hash) => self.add_secret(app, hash).await,
            None => Ok(()),
        }
    }

    async fn add_secret(&mut self, app: &App, hash: &TokenHash) -> StoreResult<()> {
        let row = AppSecretRow::present(app, hash);
        self.execute(diesel::insert_into(secrets::table).values(&row)).await.map(drop)
    }

    pub(super) async fn update_app(&mut self, app: &App) -> StoreResult<()> {
        let row = apps::table.find((Stored(app.workspace), Stored(app.id)));
        self.execute(diesel::update(row).set(AppRow::from(app)).prepared()).await?;
        let copies = diesel::update(grants::table.filter(grants::client_id.eq(Stored(app.id)))).set((
            grants::client_name.eq(Stored(app.name.clone())),
            grants::client_logo_url.eq(app.logo_url.clone().map(Stored)),
        ));
        self.execute(copies.prepared()).await.map(drop)
    }

    pub(super) async fn take_from_app(&mut self, app: ClientId, lost: &Narrowing) -> StoreResult<()> {
        let mask = bits(&lost.scopes);
        if !lost.scopes.is_empty() {
            let sql = "UPDATE oauth_grants SET scopes = scopes - (scopes & $1), \
                           common_scopes = common_scopes - (common_scopes & $1) WHERE client_id = $2";
            self.execute(sql_query(sql).bind::<BigInt, _>(mask).bind::<Text, _>(app.to_string())).await?;
        }
        if !lost.redirect_uris.is_empty() {
            let resting = codes::table
                .filter(codes::client_id.eq(Stored(app)))
                .filter(codes::redeemed_at.is_null())
                .filter(codes::redirect_uri.eq_any(lost.redirect_uris.iter().cloned().map(Stored)));
            let hashes = self.all::<String, _>(diesel::delete(resting).returning(codes::hash)).await?;
            self.forget_tokens(&hashes).await?;
        }
        if lost.scopes.is_empty() {
            return Ok(());
        }
        let sql = "DELETE FROM oauth_codes WHERE client_id = $1 AND redeemed_at IS NULL AND (scopes & $2) <> 0 RETURNING hash";
        let resting = sql_query(sql).bind::<Text, _>(app.to_string()).bind::<BigInt, _>(mask);
        let hashes = self.all::<String, _>(resting.columns::<Text>()).await?;
        self.forget_tokens(&hashes).await?;
        let sql = "UPDATE oauth_families SET scopes = scopes - (scopes & $1) WHERE client_id = $2";
        let narrow = sql_query(sql).bind::<BigInt, _>(mask).bind::<Text, _>(app.to_string());
        self.execute(narrow).await.map(drop)
    }

    pub(super) async fn drain_app(&mut self, app: &App, now: Timestamp) -> StoreResult<RemovedApp> {
        let drained = self.drain_client(app.id, now).await?;
        self.execute(diesel::delete(directory::table.find((CLIENT, Stored(app.id))))).await?;
        let statement = diesel::delete(apps::table.find((Stored(app.workspace), Stored(app.id))));
        self.execute(statement).await?;
        Ok(drained)
    }

    async fn drain_client(&mut self, id: ClientId, now: Timestamp) -> StoreResult<RemovedApp> {
        let client = Stored(id);
        let (now, live) = (now.millis(), grants::client_id.eq(&client).and(grants::revoked_at.is_null()));
        let statement = diesel::update(grants::table.filter(live))
            .set((grants::revoked_at.eq(now), grants::over_at.eq(now)))
            .returning((grants::user_id, grants::id))
            .prepared();
        let revoked = self.all::<(Stored<UserId>, Stored<GrantId>), _>(statement).await?;
        let statement = diesel::delete(codes::table.filter(codes::client_id.eq(&client))).returning(codes::hash);
        let hashes = self.all::<String, _>(statement).await?;
        self.forget_tokens(&hashes).await?;
        let live = families::client_id.eq(&client).and(families::revoked_at.is_null());
        let statement = diesel::update(families::table.filter(live))
            .set((families::revoked_at.eq(now), families::over_at.eq(now)))
            .returning((families::user_id, families::id))
            .prepared();
        let ended = self.all::<(Stored<UserId>, Stored<FamilyId>), _>(statement).await?;
        let statement = diesel::delete(workspace_grants::table.filter(workspace_grants::client_id.eq(&client)));
        self.execute(statement).await?;
        Ok(RemovedApp {
            grants: revoked.into_iter().map(|(user, id)| (user.0, id.0)).collect(),
            families: ended.into_iter().map(|(user, id)| (user.0, id.0)).collect(),
        })
    }

    pub(super) async fn replace_secret(
        &mut self,
        app: &App,
        secret: &TokenHash,
        ends_at: Timestamp,
        now: Timestamp,
    ) -> StoreResult<()> {
        let own = || {
            secrets::table
                .filter(secrets::workspace_id.eq(Stored(app.workspace)))
                .filter(secrets::client_id.eq(Stored(app.id)))
        };
        let retired = own().filter(secrets::ends_at.is_not_null());
        self.execute(diesel::delete(retired)).await?;
        if ends_at <= now {
            self.execute(diesel::delete(own())).await?;
            return self.add_secret(app, secret).await;
        }
        let statement = diesel::update(own()).set(secrets::ends_at.eq(ends_at.millis())).prepared();
        self.execute(statement).await?;
        self.add_secret(app, secret).await
    }

    /// Removes a deleted workspace's apps from the users who use them. The apps themselves are deleted with its row.
    pub(in super::super) async fn drain_apps(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let ids = apps::table.filter(apps::workspace_id.eq(Stored(workspace))).select(apps::id);
        let ids = self.all::<Stored<ClientId>, _>(ids).await?;
        for id in &ids {
            self.drain_client(id.0, Self::LONG_AGO).await?;
        }
        for some in ids.chunks(ENTRIES_AT_ONCE) {
            let entries = directory::table
                .filter(directory::kind.eq(CLIENT))
                .filter(directory::key.eq_any(some.iter().map(|id| id.0.to_string())));
            self.execute(diesel::delete(entries)).await?;
        }
        Ok(())
    }
}
