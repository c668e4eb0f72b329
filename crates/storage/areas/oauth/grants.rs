//! Grants, and their workspaces' side.

use super::super::{Db, Scope};
use crate::{
    prepared::{Columns, Prepare},
    rows::oauth::{GrantRow, bits, scopes},
    schema::{
        memberships, oauth_families as families, oauth_grants as grants, oauth_revoked_tokens as revoked_tokens,
        oauth_workspace_grants as workspace_grants,
    },
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use octavo_core_model::{
    Timestamp,
    account::AccountStatus,
    id::{ClientId, FamilyId, GrantId, TokenId, UserId, WorkspaceId},
    oauth::{AppAccess, Grant, Scopes},
};
use octavo_ports::store::StoreResult;
use std::fmt::Write;

impl Scope {
    pub(super) async fn grant_of(&mut self, user: UserId, id: GrantId) -> StoreResult<Option<Grant>> {
        let grant = grants::table.find((Stored(user), Stored(id))).select(GrantRow::as_select());
        Ok(self.optional(grant).await?.map(Grant::from))
    }

    pub(super) async fn grant_for(&mut self, user: UserId, app: ClientId) -> StoreResult<Option<Grant>> {
        let grant = grants::table
            .filter(grants::user_id.eq(Stored(user)))
            .filter(grants::client_id.eq(Stored(app)))
            .filter(grants::revoked_at.is_null())
            .select(GrantRow::as_select());
        Ok(self.optional(grant).await?.map(Grant::from))
    }

    pub(super) async fn grants_of(
        &mut self,
        user: UserId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let page = grants::table
            .filter(grants::user_id.eq(Stored(user)))
            .filter(grants::id.lt(before))
            .filter(grants::over_at.gt(now.millis()))
            .order(grants::id.desc())
            .limit(limit.into())
            .select(GrantRow::as_select());
        Ok(self.all(page).await?.into_iter().map(Grant::from).collect())
    }

    /// The workspace's rows know which grants reach it; the grants themselves are rows of their users.
    pub(super) async fn grants_into(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
        before: Option<GrantId>,
        limit: u32,
    ) -> StoreResult<Vec<Grant>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let its_member = memberships::workspace_id
            .eq(workspace_grants::workspace_id)
            .and(memberships::user_id.eq(workspace_grants::user_id));
        let page = workspace_grants::table
            .inner_join(memberships::table.on(its_member))
            .filter(workspace_grants::workspace_id.eq(Stored(workspace)))
            .filter(workspace_grants::grant_id.lt(before))
            .filter(workspace_grants::expires_at.gt(now.millis()))
            .order(workspace_grants::grant_id.desc())
            .limit(limit.into())
            .select((workspace_grants::user_id, workspace_grants::grant_id));
        let (users, ids): (Vec<_>, Vec<_>) =
            self.all::<(Stored<UserId>, Stored<GrantId>), _>(page).await?.into_iter().unzip();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = grants::table
            .filter(grants::user_id.eq_any(users))
            .filter(grants::id.eq_any(ids))
            .order(grants::id.desc())
            .select(GrantRow::as_select());
        Ok(self.all(found).await?.into_iter().map(Grant::from).collect())
    }

    pub(super) async fn granter(&mut self, workspace: WorkspaceId, id: GrantId) -> StoreResult<Option<UserId>> {
        let user = workspace_grants::table.find((Stored(workspace), Stored(id))).select(workspace_grants::user_id);
        Ok(self.optional::<Stored<UserId>, _>(user).await?.map(|user| user.0))
    }

    /// Everything this reads belongs to one user.
    pub(super) async fn access_of(
        &mut self,
        (user, grant, family, token): (UserId, GrantId, FamilyId, TokenId),
        now: Timestamp,
    ) -> StoreResult<Option<AppAccess>> {
        // Written as SQL because a typed join of four tables would take minutes to compile.
        let found = sql_query(
            "SELECT g.*, f.scopes AS family_scopes, f.workspaces AS family_workspaces, f.revoked_at AS family_revoked_at, \
                    f.absolute_end AS family_end, u.status AS status, r.forget_at AS token_revoked \
             FROM oauth_families AS f \
             JOIN oauth_grants AS g ON g.user_id = f.user_id AND g.id = f.grant_id \
             JOIN users AS u ON u.id = f.user_id \
             LEFT JOIN oauth_revoked_tokens AS r ON r.user_id = f.user_id AND r.id = $1 \
             WHERE f.user_id = $2 AND f.id = $3 AND f.grant_id = $4",
        )
        .bind::<Text, _>(Stored(token))
        .bind::<Text, _>(Stored(user))
        .bind::<Text, _>(Stored(family))
        .bind::<Text, _>(Stored(grant));
        Ok(self.optional::<AccessRow, _>(found.prepared()).await?.map(|row| row.checked(now)))
    }

    pub(super) async fn add_grant(&mut self, grant: &Grant) -> StoreResult<()> {
        let row = GrantRow::from(grant);
        self.execute(diesel::insert_into(grants::table).values(&row)).await?;
        self.show_to_workspaces(grant).await
    }

    pub(super) async fn update_grant(&mut self, grant: &Grant) -> StoreResult<()> {
        let row = grants::table.find((Stored(grant.user), Stored(grant.id))).filter(grants::revoked_at.is_null());
        let update = diesel::update(row).set((
            grants::scopes.eq(bits(&grant.scopes)),
            grants::common_scopes.eq(bits(&grant.common_scopes)),
            grants::workspaces.eq(Stored(grant.workspaces.clone())),
            grants::expires_at.eq(grant.expires_at.millis()),
            grants::over_at.eq(grant.expires_at.millis()),
        ));
        self.execute(update.prepared()).await?;
        self.show_to_workspaces(grant).await
    }

    /// Writes the workspaces' side of a grant in one statement.
    async fn show_to_workspaces(&mut self, grant: &Grant) -> StoreResult<()> {
        if grant.workspaces.is_empty() || grant.revoked_at.is_some() {
            return Ok(());
        }
        let mut sql =
            "INSERT INTO oauth_workspace_grants (workspace_id, grant_id, user_id, client_id, expires_at) VALUES "
                .to_owned();
        for number in 0..grant.workspaces.len() {
            let first = 5 * number + 1;
            let comma = if number == 0 { "" } else { ", " };
            // Writing to a String cannot fail.
            let _ = write!(sql, "{comma}(${first}, ${}, ${}, ${}, ${})", first + 1, first + 2, first + 3, first + 4);
        }
        sql.push_str(" ON CONFLICT (workspace_id, grant_id) DO UPDATE SET expires_at = excluded.expires_at");
        let mut insert = sql_query(sql).into_boxed::<Db>();
        for workspace in &grant.workspaces {
            insert = insert
                .bind::<Text, _>(workspace.to_string())
                .bind::<Text, _>(grant.id.to_string())
                .bind::<Text, _>(grant.user.to_string())
                .bind::<Text, _>(grant.app.id.to_string())
                .bind::<BigInt, _>(grant.expires_at.millis());
        }
        self.execute(insert).await.map(drop)
    }

    pub(super) async fn take_from_grant(
        &mut self,
        grant: &Grant,
        kept: &Scopes,
        workspaces: &[WorkspaceId],
    ) -> StoreResult<()> {
        let sql = "UPDATE oauth_grants SET scopes = scopes & $1, common_scopes = common_scopes & $1, workspaces = $2 \
                   WHERE user_id = $3 AND id = $4";
        let narrow = sql_query(sql)
            .bind::<BigInt, _>(bits(kept))
            .bind::<Text, _>(Stored(workspaces.to_vec()))
            .bind::<Text, _>(Stored(grant.user))
            .bind::<Text, _>(Stored(grant.id));
        self.execute(narrow).await?;
        for table in ["oauth_codes", "oauth_families"] {
            self.take_from_issued(table, grant, kept, workspaces).await?;
        }
        let left: Vec<_> = grant.workspaces.iter().filter(|id| !workspaces.contains(id)).copied().collect();
        self.hide_from_workspaces(&[grant.id], &left).await
    }

    /// Takes what a grant loses from its codes or its token families, so that they do not get it back when the grant
    /// becomes wider again. Most of them have the same list of workspaces; each list is replaced in one statement.
    async fn take_from_issued(
        &mut self,
        table: &str,
        grant: &Grant,
        kept: &Scopes,
        workspaces: &[WorkspaceId],
    ) -> StoreResult<()> {
        let sql = format!("SELECT DISTINCT workspaces FROM {table} WHERE user_id = $1 AND grant_id = $2");
        let lists = sql_query(sql).bind::<Text, _>(Stored(grant.user)).bind::<Text, _>(Stored(grant.id));
        let lists = self.all::<Stored<Vec<WorkspaceId>>, _>(lists.columns::<Text>().prepared()).await?;
        for list in lists {
            let rest: Vec<_> = list.0.iter().filter(|id| workspaces.contains(id)).copied().collect();
            let sql = format!(
                "UPDATE {table} SET scopes = scopes & $1, workspaces = $2 \
                 WHERE user_id = $3 AND grant_id = $4 AND workspaces = $5"
            );
            let narrow = sql_query(sql)
                .bind::<BigInt, _>(bits(kept))
                .bind::<Text, _>(Stored(rest))
                .bind::<Text, _>(Stored(grant.user))
                .bind::<Text, _>(Stored(grant.id))
                .bind::<Text, _>(list);
            self.execute(narrow.prepared()).await?;
        }
        Ok(())
    }

    async fn hide_from_workspaces(&mut self, ids: &[GrantId], workspaces: &[WorkspaceId]) -> StoreResult<()> {
        if workspaces.is_empty() {
            return Ok(());
        }
        let gone = workspace_grants::table
            .filter(workspace_grants::workspace_id.eq_any(workspaces.iter().copied().map(Stored)))
            .filter(workspace_grants::grant_id.eq_any(ids.iter().copied().map(Stored)));
        self.execute(diesel::delete(gone)).await.map(drop)
    }

    pub(super) async fn end_grants(
        &mut self,
        user: UserId,
        which: Option<GrantId>,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantId>> {
        // All ids lie between these two.
        let first = which.map_or_else(String::new, |id| id.to_string());
        let last = which.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let millis = now.millis();
        let live = grants::table
            .filter(grants::user_id.eq(Stored(user)))
            .filter(grants::id.ge(&first))
            .filter(grants::id.le(&last))
            .filter(grants::revoked_at.is_null());
        let statement = diesel::update(live)
            .set((grants::revoked_at.eq(millis), grants::over_at.eq(millis)))
            .returning((grants::id, grants::workspaces))
            .prepared();
        let revoked = self.all::<(Stored<GrantId>, Stored<Vec<WorkspaceId>>), _>(statement).await?;
        if revoked.is_empty() {
            return Ok(Vec::new());
        }
        let running = families::table
            .filter(families::user_id.eq(Stored(user)))
            .filter(families::grant_id.ge(&first))
            .filter(families::grant_id.le(&last))
            .filter(families::revoked_at.is_null());
        let end = diesel::update(running).set((families::revoked_at.eq(millis), families::over_at.eq(millis)));
        self.execute(end.prepared()).await?;
        let ids: Vec<GrantId> = revoked.iter().map(|(id, _)| id.0).collect();
        let workspaces: Vec<WorkspaceId> = revoked.into_iter().flat_map(|(_, workspaces)| workspaces.0).collect();
        self.hide_from_workspaces(&ids, &workspaces).await?;
        Ok(ids)
    }

    pub(super) async fn note_grant_use(&mut self, user: UserId, id: GrantId, now: Timestamp) -> StoreResult<()> {
        let row = grants::table.find((Stored(user), Stored(id)));
        let update = diesel::update(row).set(grants::last_used_at.eq(now.millis()));
        self.execute(update.prepared()).await.map(drop)
    }

    /// Removes the grants of an account to apps and everything that depends on them, on both sides.
    pub(in super::super) async fn remove_app_grants_of(&mut self, user: UserId) -> StoreResult<()> {
        let own = grants::table.filter(grants::user_id.eq(Stored(user))).select((grants::id, grants::workspaces));
        let own = self.all::<(Stored<GrantId>, Stored<Vec<WorkspaceId>>), _>(own).await?;
        let ids: Vec<GrantId> = own.iter().map(|(id, _)| id.0).collect();
        let workspaces: Vec<WorkspaceId> = own.into_iter().flat_map(|(_, workspaces)| workspaces.0).collect();
        let statement = diesel::delete(revoked_tokens::table.filter(revoked_tokens::user_id.eq(Stored(user))));
        self.execute(statement).await?;
        // Codes, families and their tokens are deleted with the rows.
        self.execute(diesel::delete(grants::table.filter(grants::user_id.eq(Stored(user))))).await?;
        self.hide_from_workspaces(&ids, &workspaces).await
    }
}

/// A grant, with everything else that an access token depends on.
#[derive(QueryableByName)]
struct AccessRow {
    #[diesel(embed)]
    grant: GrantRow,
    #[diesel(sql_type = BigInt)]
    family_scopes: i64,
    #[diesel(sql_type = Text)]
    family_workspaces: Stored<Vec<WorkspaceId>>,
    #[diesel(sql_type = Nullable<BigInt>)]
    family_revoked_at: Option<i64>,
    #[diesel(sql_type = BigInt)]
    family_end: i64,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    token_revoked: Option<i64>,
}

impl AccessRow {
    fn checked(self, now: Timestamp) -> AppAccess {
        let grant = Grant::from(self.grant);
        let family_goes_on = self.family_revoked_at.is_none() && now.millis() < self.family_end;
        AppAccess {
            is_live: family_goes_on && grant.is_live(now) && self.token_revoked.is_none(),
            user_may_act: self.status == AccountStatus::Active.name(),
            grant: grant.within(&scopes(self.family_scopes), &self.family_workspaces.0),
        }
    }
}
