//! Grants on pages.

use super::{
    Scope,
    dialect::{self, ListType, among, list, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::grants::{GrantRow, GrantedLevelRow},
    schema::access_grants as grants,
    stored::Stored,
};
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
use octavo_storage_macros::area;

#[area]
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

    async fn list_levels_by_grantee(
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

#[area]
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
        self.remove_page_grants_to(workspace, Grantee::Team(team)).await
    }

    async fn copy_exclusions(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        copies: &[Grant],
        now: Timestamp,
    ) -> StoreResult<()> {
        self.remove_replaced(workspace, email, user, GrantKind::Exclusions, now).await?;
        for some in copies.chunks(dialect::ROWS_AT_ONCE) {
            let answer = dialect::insert_grants(self.conn().await?, some.iter().map(GrantRow::from).collect()).await;
            self.checked(answer)?;
        }
        self.count_change_of_grants_to(workspace, &Grantee::User(user), GrantKind::Exclusions).await.map(drop)
    }

    async fn transfer(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        now: Timestamp,
    ) -> StoreResult<()> {
        self.transfer_to_user(workspace, email, user, GrantKind::All, now).await
    }

    async fn transfer_access(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        now: Timestamp,
    ) -> StoreResult<()> {
        self.transfer_to_user(workspace, email, user, GrantKind::Access, now).await
    }

    /// The workspaces are found by a statement that names no owner, which is rare enough: no table of the address repeats
    /// them. Then one workspace after the other, because a statement locks rows of one owner only, and in the order of
    /// their ids, as all units do.
    async fn transfer_exclusions(&mut self, email: &Email, user: UserId, now: Timestamp) -> StoreResult<()> {
        let places = sql_query(
            "SELECT DISTINCT workspace_id FROM access_grants WHERE grantee = $1 AND level = 'NONE' \
             ORDER BY workspace_id",
        )
        .bind::<Text, _>(email.as_str());
        let places = self.all::<Stored<WorkspaceId>, _>(places.columns::<Text>().prepared()).await?;
        for workspace in places {
            self.transfer_to_user(workspace.0, email, user, GrantKind::Exclusions, now).await?;
        }
        Ok(())
    }

    async fn remove_access_of_email(&mut self, workspace: WorkspaceId, email: &Email) -> StoreResult<()> {
        self.remove_access_of(workspace, Grantee::Email(email.clone())).await
    }

    async fn list_givers_of_access(&mut self, workspace: WorkspaceId, email: &Email) -> StoreResult<Vec<UserId>> {
        let givers = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(grants::grantee.eq(Stored(Grantee::Email(email.clone()))))
            .filter(grants::level.ne(Stored(Level::None)))
            .select(grants::given_by)
            .distinct();
        let givers = self.all::<Option<Stored<UserId>>, _>(givers).await?;
        Ok(givers.into_iter().flatten().map(|giver| giver.0).collect())
    }

    async fn remove_access_not_given_by(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        givers: &[UserId],
    ) -> StoreResult<()> {
        let gone = format!(
            "workspace_id = $1 AND grantee = $2 AND level <> 'NONE' AND (given_by IS NULL OR NOT (given_by {}))",
            among(3)
        );
        for statement in [
            format!(
                "UPDATE pages SET grants_version = grants_version + 1 WHERE workspace_id = $1 AND id IN \
                 (SELECT resource_id FROM access_grants WHERE {gone})"
            ),
            format!("DELETE FROM access_grants WHERE {gone}"),
        ] {
            let statement = sql_query(statement)
                .bind::<Text, _>(Stored(workspace))
                .bind::<Text, _>(email.as_str())
                .bind::<ListType, _>(list(givers.iter().copied()));
            self.execute(statement.prepared()).await?;
        }
        Ok(())
    }
}

/// The kind of grants that a statement is about.
#[derive(Clone, Copy, Debug)]
enum GrantKind {
    All,
    /// Those that give access.
    Access,
    /// Those of the level `NONE`.
    Exclusions,
}

impl GrantKind {
    /// A condition that follows others.
    const fn condition(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Access => " AND level <> 'NONE'",
            Self::Exclusions => " AND level = 'NONE'",
        }
    }
}

/// Whether the grant `e` to an address replaces that to a user on the same page; `$4` is the present time.
const REPLACES: &str = "CASE WHEN e.level = 'NONE' AND access_grants.level = 'NONE' \
    THEN access_grants.expires_at IS NOT NULL \
        AND (e.expires_at IS NULL OR e.expires_at > access_grants.expires_at) \
    ELSE access_grants.expires_at <= $4 \
        OR (e.updated_at > access_grants.updated_at AND (e.expires_at IS NULL OR e.expires_at > $4)) END";

impl Scope {
    /// Transfers grants to an address to a user.
    async fn transfer_to_user(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        kind: GrantKind,
        now: Timestamp,
    ) -> StoreResult<()> {
        let address = Grantee::Email(email.clone());
        if self.count_change_of_grants_to(workspace, &address, kind).await? == 0 {
            return Ok(());
        }
        self.remove_replaced(workspace, email, user, kind, now).await?;
        // SQLite numbers parameters in the order in which a statement first names them.
        let transfer = sql_query(format!(
            "UPDATE access_grants SET grantee = $1 WHERE workspace_id = $2 AND grantee = $3{} AND resource_id NOT IN \
             (SELECT resource_id FROM access_grants WHERE workspace_id = $2 AND grantee = $1)",
            kind.condition()
        ))
        .bind::<Text, _>(Stored(user))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(email.as_str());
        self.execute(transfer.prepared()).await?;
        let rest = sql_query(format!(
            "DELETE FROM access_grants WHERE workspace_id = $1 AND grantee = $2{} AND resource_id IN \
             (SELECT resource_id FROM access_grants WHERE workspace_id = $1 AND grantee = $3)",
            kind.condition()
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(email.as_str())
        .bind::<Text, _>(Stored(user));
        self.execute(rest.prepared()).await.map(drop)
    }

    /// Removes the grants to a user that grants of this kind to an address replace.
    async fn remove_replaced(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        kind: GrantKind,
        now: Timestamp,
    ) -> StoreResult<()> {
        let replaced = sql_query(format!(
            "DELETE FROM access_grants WHERE workspace_id = $1 AND grantee = $2 AND EXISTS \
             (SELECT 1 FROM access_grants AS e WHERE e.workspace_id = $1 AND e.grantee = $3{} \
             AND e.resource_id = access_grants.resource_id AND {REPLACES})",
            kind.condition()
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(user))
        .bind::<Text, _>(email.as_str())
        .bind::<BigInt, _>(now.millis());
        self.execute(replaced.prepared()).await.map(drop)
    }

    /// Removes the grants that give somebody access; those of the level `NONE` stay.
    pub(super) async fn remove_access_of(&mut self, workspace: WorkspaceId, grantee: Grantee) -> StoreResult<()> {
        self.count_change_of_grants_to(workspace, &grantee, GrantKind::Access).await?;
        let gone = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(grants::grantee.eq(Stored(grantee)))
            .filter(grants::level.ne(Stored(Level::None)));
        self.execute(diesel::delete(gone)).await.map(drop)
    }

    async fn remove_page_grants_to(&mut self, workspace: WorkspaceId, grantee: Grantee) -> StoreResult<()> {
        self.count_change_of_grants_to(workspace, &grantee, GrantKind::All).await?;
        let gone = grants::table
            .filter(grants::workspace_id.eq(Stored(workspace)))
            .filter(grants::grantee.eq(Stored(grantee)));
        self.execute(diesel::delete(gone)).await.map(drop)
    }

    /// Raises the versions of the permissions of pages with such grants, so that a caller that read them before cannot
    /// write them back. Returns how many pages these are.
    async fn count_change_of_grants_to(
        &mut self,
        workspace: WorkspaceId,
        grantee: &Grantee,
        kind: GrantKind,
    ) -> StoreResult<usize> {
        let update = sql_query(format!(
            "UPDATE pages SET grants_version = grants_version + 1 WHERE workspace_id = $1 AND id IN \
             (SELECT resource_id FROM access_grants WHERE workspace_id = $1 AND grantee = $2{})",
            kind.condition()
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(grantee.clone()));
        self.execute(update.prepared()).await
    }
}
