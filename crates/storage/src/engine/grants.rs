//! Grants on pages.

use super::{
    Scope,
    dialect::{ListType, among, list, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::grants::{GrantRow, GrantedLevelRow},
    schema::access_grants as grants,
    stored::Stored,
};
use async_trait::async_trait;
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use octavo_core_model::{
    Level, Timestamp,
    grant::{Grant, Grantee, MemberGrantees},
    id::{PageId, TeamId, UserId, WorkspaceId},
    text::Email,
};
use octavo_ports::{
    grants::{GrantReads, GrantedLevel, Grants},
    store::StoreResult,
};

#[async_trait]
impl GrantReads for Scope {
    async fn list(&mut self, workspace: WorkspaceId, pages: &[PageId], now: Timestamp) -> StoreResult<Vec<Grant>> {
        let found = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(grants::resource_id, pages.iter().copied().map(Stored)))
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(now.millis())))
            .order((grants::created_at, grants::grantee))
            .select(GrantRow::as_select());
        Ok(self.all::<GrantRow, _>(found).await?.into_iter().map(Grant::from).collect())
    }

    async fn list_excluding_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<PageId>> {
        let found = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(grants::resource_id, pages.iter().copied().map(Stored)))
            .filter(grants::level.eq(Stored(Level::None)))
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(now.millis())))
            .select(grants::resource_id);
        Ok(self.all::<Stored<PageId>, _>(found).await?.into_iter().map(|page| page.0).collect())
    }

    async fn list_levels_for(
        &mut self,
        workspace: WorkspaceId,
        pages: Option<&[PageId]>,
        whom: &MemberGrantees,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantedLevel>> {
        let teams = whom.teams.iter().copied().map(Grantee::Team);
        let grantees = [Grantee::User(whom.user), Grantee::Workspace(workspace)].into_iter().chain(teams);
        let mut found = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(grants::grantee, grantees.map(Stored)))
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(now.millis())))
            .select(GrantedLevelRow::as_select())
            .into_boxed();
        if let Some(pages) = pages {
            found = found.filter(one_of!(grants::resource_id, pages.iter().copied().map(Stored)));
        }
        Ok(self.all::<GrantedLevelRow, _>(found).await?.into_iter().map(GrantedLevel::from).collect())
    }

    async fn list_exclusions_of(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        now: Timestamp,
    ) -> StoreResult<Vec<Grant>> {
        let found = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(grants::grantee.eq(Stored(Grantee::Email(email.clone()))))
            .filter(grants::level.eq(Stored(Level::None)))
            .filter(grants::expires_at.is_null().or(grants::expires_at.gt(now.millis())))
            .select(GrantRow::as_select());
        Ok(self.all::<GrantRow, _>(found).await?.into_iter().map(Grant::from).collect())
    }

    async fn list_levels_of(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<GrantedLevel>> {
        let found = sql_query(format!(
            "SELECT resource_id, grantee, level, expires_at FROM access_grants \
             WHERE workspace_id = $1 AND grantee {} AND (expires_at IS NULL OR expires_at > $3) LIMIT {limit}",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(grantees.iter().cloned()))
        .bind::<BigInt, _>(now.millis());
        let found =
            self.all::<GrantedLevelRow, _>(found.columns::<(Text, Text, Text, Nullable<BigInt>)>().prepared()).await?;
        Ok(found.into_iter().map(GrantedLevel::from).collect())
    }
}

#[async_trait]
impl Grants for Scope {
    async fn put(&mut self, grant: &Grant) -> StoreResult<()> {
        let row = GrantRow::from(grant);
        let insert = diesel::insert_into(grants::table)
            .values(&row)
            .on_conflict((grants::workspace_id, grants::resource_id, grants::grantee))
            .do_update()
            .set(GrantRow::from(grant))
            .prepared();
        self.execute(insert).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, page: PageId, grantee: &Grantee) -> StoreResult<()> {
        let row = grants::table.find((Stored(workspace), Stored(page), Stored(grantee.clone())));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn remove_all_to_team(&mut self, workspace: WorkspaceId, team: TeamId) -> StoreResult<()> {
        self.remove_grants_to(workspace, Grantee::Team(team)).await
    }

    async fn insert(&mut self, workspace: WorkspaceId, user: UserId, new: &[Grant]) -> StoreResult<()> {
        for grant in new {
            let row = GrantRow::from(grant);
            self.execute(diesel::insert_into(grants::table).values(&row)).await?;
        }
        self.count_change_of_grants_to(workspace, &Grantee::User(user)).await
    }

    async fn claim(&mut self, workspace: WorkspaceId, email: &Email, user: UserId) -> StoreResult<()> {
        self.count_change_of_grants_to(workspace, &Grantee::Email(email.clone())).await?;
        // A new member has no grants by name: those of an earlier membership were removed with it.
        let claim = sql_query("UPDATE access_grants SET grantee = $1 WHERE workspace_id = $2 AND grantee = $3")
            .bind::<Text, _>(Stored(user))
            .bind::<Text, _>(Stored(workspace))
            .bind::<Text, _>(email.as_str());
        self.execute(claim.prepared()).await.map(drop)
    }

    async fn claim_access(&mut self, workspace: WorkspaceId, email: &Email, user: UserId) -> StoreResult<()> {
        self.count_change_of_grants_to(workspace, &Grantee::Email(email.clone())).await?;
        let claim = sql_query(
            "UPDATE access_grants SET grantee = $1 WHERE workspace_id = $2 AND grantee = $3 AND level <> 'NONE'",
        )
        .bind::<Text, _>(Stored(user))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(email.as_str());
        self.execute(claim.prepared()).await.map(drop)
    }

    async fn return_exclusions(&mut self, workspace: WorkspaceId, user: UserId, email: &Email) -> StoreResult<()> {
        self.transfer_exclusions(workspace, &Grantee::User(user), &Grantee::Email(email.clone())).await
    }

    async fn remove_access_of_email(&mut self, workspace: WorkspaceId, email: &Email) -> StoreResult<()> {
        self.remove_access_of(workspace, Grantee::Email(email.clone())).await
    }
}

impl Scope {
    /// Transfers the exclusions of an address, in whatever workspaces they are, to the former member who had it. They
    /// still keep share links away from pages, and no longer name anybody.
    ///
    /// One workspace after the other, because a statement locks rows of one owner only, and in the order of their ids,
    /// as all units do.
    pub(super) async fn keep_exclusions_of_former(&mut self, email: &Email, user: UserId) -> StoreResult<()> {
        let places = sql_query(
            "SELECT DISTINCT workspace_id FROM access_grants WHERE grantee = $1 AND level = 'NONE' \
             ORDER BY workspace_id",
        )
        .bind::<Text, _>(email.as_str());
        let places = self.all::<Stored<WorkspaceId>, _>(places.columns::<Text>().prepared()).await?;
        for workspace in places {
            self.transfer_exclusions(workspace.0, &Grantee::Email(email.clone()), &Grantee::User(user)).await?;
        }
        Ok(())
    }

    /// Transfers the exclusions of a grantee to another one. A page that has a grant to the other one keeps that
    /// instead.
    async fn transfer_exclusions(&mut self, workspace: WorkspaceId, from: &Grantee, to: &Grantee) -> StoreResult<()> {
        let count = sql_query(
            "UPDATE pages SET grants_version = grants_version + 1 WHERE workspace_id = $1 AND id IN \
             (SELECT resource_id FROM access_grants WHERE workspace_id = $1 AND grantee = $2 AND level = 'NONE')",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(from.clone()));
        self.execute(count.prepared()).await?;
        // SQLite numbers parameters in the order in which a statement first names them.
        let transfer = sql_query(
            "UPDATE access_grants SET grantee = $1 WHERE workspace_id = $2 AND grantee = $3 AND level = 'NONE' \
             AND resource_id NOT IN \
             (SELECT resource_id FROM access_grants WHERE workspace_id = $2 AND grantee = $1)",
        )
        .bind::<Text, _>(Stored(to.clone()))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(from.clone()));
        self.execute(transfer.prepared()).await?;
        let rest = sql_query("DELETE FROM access_grants WHERE workspace_id = $1 AND grantee = $2 AND level = 'NONE'")
            .bind::<Text, _>(Stored(workspace))
            .bind::<Text, _>(Stored(from.clone()));
        self.execute(rest.prepared()).await.map(drop)
    }

    /// Removes the grants that give somebody access; those of the level `NONE` stay.
    pub(super) async fn remove_access_of(&mut self, workspace: WorkspaceId, grantee: Grantee) -> StoreResult<()> {
        self.count_change_of_grants_to(workspace, &grantee).await?;
        let gone = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(grants::grantee.eq(Stored(grantee)))
            .filter(grants::level.ne(Stored(Level::None)));
        self.execute(diesel::delete(gone)).await.map(drop)
    }

    pub(super) async fn remove_grants_to(&mut self, workspace: WorkspaceId, grantee: Grantee) -> StoreResult<()> {
        self.count_change_of_grants_to(workspace, &grantee).await?;
        let gone = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(grants::grantee.eq(Stored(grantee)));
        self.execute(diesel::delete(gone)).await.map(drop)
    }

    /// Bumps the version of these grants, so that a caller that read them before cannot write them back.
    async fn count_change_of_grants_to(&mut self, workspace: WorkspaceId, grantee: &Grantee) -> StoreResult<()> {
        let update = sql_query(
            "UPDATE pages SET grants_version = grants_version + 1 WHERE workspace_id = $1 AND id IN \
             (SELECT resource_id FROM access_grants WHERE workspace_id = $1 AND grantee = $2)",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(grantee.clone()));
        self.execute(update.prepared()).await.map(drop)
    }
}
