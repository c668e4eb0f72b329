//! Teams and their members.

use super::{Scope, dialect::one_of};
use crate::{
    prepared::Prepare,
    rows::teams::{PlaceInTeamRow, TeamMembershipRow, TeamRow},
    schema::{team_memberships, teams},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{dsl::count_star, prelude::*};
use octavo_core_model::{
    TeamRole,
    id::{TeamId, TeamMembershipId, UserId, WorkspaceId},
    member::TeamOfMember,
    position::Position,
    team::{Team, TeamMembership, TeamPlace, TeamVisibility},
    text::Slug,
};
use octavo_ports::{
    store::StoreResult,
    teams::{TeamReads, Teams},
};
use octavo_storage_macros::area;

/// Narrows a boxed query over teams to those the caller may see.
macro_rules! within {
    ($visibility:expr, $workspace:expr, $query:expr) => {{
        let of = |user| {
            team_memberships::table
                .filter(team_memberships::workspace_id.eq(Stored($workspace)))
                .filter(team_memberships::user_id.eq(Stored(user)))
                .select(team_memberships::team_id)
        };
        match $visibility {
            TeamVisibility::Everything => $query,
            TeamVisibility::PublicAndTeamsOf(user) => {
                $query.filter(teams::is_private.eq(false).or(teams::id.eq_any(of(user))))
            }
            TeamVisibility::TeamsOf(user) => $query.filter(teams::id.eq_any(of(user))),
            TeamVisibility::Nothing => return Ok(Vec::new()),
        }
    }};
}

#[area]
impl TeamReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: TeamId) -> StoreResult<Option<Team>> {
        let team = teams::table.find((Stored(workspace), Stored(id))).select(TeamRow::as_select());
        Ok(self.optional(team).await?.map(Team::from))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        visibility: TeamVisibility,
        after: Option<&TeamPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Team>> {
        let mut page = teams::table
            .filter(teams::workspace_id.eq(Stored(workspace)))
            .order((teams::position, teams::id))
            .limit(limit.into())
            .select(TeamRow::as_select())
            .into_boxed();
        if let Some(TeamPlace { position, id }) = after {
            let (position, id) = (Stored(position.clone()), Stored(*id));
            let behind = teams::position.gt(position.clone()).or(teams::id.gt(id));
            page = page.filter(teams::position.ge(position)).filter(behind);
        }
        Ok(self.all(within!(visibility, workspace, page)).await?.into_iter().map(Team::from).collect())
    }

    async fn count_members(&mut self, workspace: WorkspaceId, ids: &[TeamId]) -> StoreResult<Vec<(TeamId, u64)>> {
        let counts = team_memberships::table
            .filter(team_memberships::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(team_memberships::team_id, ids.iter().copied().map(Stored)))
            .group_by(team_memberships::team_id)
            .select((team_memberships::team_id, count_star()));
        Ok(self
            .all::<(Stored<TeamId>, i64), _>(counts)
            .await?
            .into_iter()
            .map(|(id, count)| (id.0, count.unsigned_abs()))
            .collect())
    }

    async fn list_roles(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Vec<(TeamId, TeamRole)>> {
        let own = team_memberships::table
            .filter(team_memberships::workspace_id.eq(Stored(workspace)))
            .filter(team_memberships::user_id.eq(Stored(user)))
            .select((team_memberships::team_id, team_memberships::role));
        Ok(self
            .all::<(Stored<TeamId>, Stored<TeamRole>), _>(own)
            .await?
            .into_iter()
            .map(|(team, role)| (team.0, role.0))
            .collect())
    }

    async fn list_of(&mut self, workspace: WorkspaceId, users: &[UserId]) -> StoreResult<Vec<(UserId, TeamOfMember)>> {
        let same_workspace = teams::workspace_id.eq(team_memberships::workspace_id);
        let same_team = same_workspace.and(teams::id.eq(team_memberships::team_id));
        let places = team_memberships::table
            .inner_join(teams::table.on(same_team))
            .filter(team_memberships::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(team_memberships::user_id, users.iter().copied().map(Stored)))
            .order((teams::position, teams::id))
            .select((
                team_memberships::user_id,
                team_memberships::team_id,
                team_memberships::role,
                teams::name,
                teams::is_private,
            ));
        Ok(self.all::<PlaceInTeamRow, _>(places).await?.into_iter().map(Into::into).collect())
    }

    async fn list_member_ids(
        &mut self,
        workspace: WorkspaceId,
        teams: &[TeamId],
        after: Option<UserId>,
        limit: u32,
    ) -> StoreResult<Vec<UserId>> {
        let members = team_memberships::table
            .filter(team_memberships::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(team_memberships::team_id, teams.iter().copied().map(Stored)))
            .filter(team_memberships::user_id.gt(after.map_or_else(String::new, |id| id.to_string())))
            .order(team_memberships::user_id)
            .select(team_memberships::user_id)
            .distinct()
            .limit(limit.into());
        Ok(self.all::<Stored<UserId>, _>(members).await?.into_iter().map(|id| id.0).collect())
    }

    async fn find_membership(
        &mut self,
        workspace: WorkspaceId,
        team: TeamId,
        user: UserId,
    ) -> StoreResult<Option<TeamMembership>> {
        let membership = team_memberships::table
            .find((Stored(workspace), Stored(team), Stored(user)))
            .select(TeamMembershipRow::as_select());
        Ok(self.optional(membership).await?.map(TeamMembership::from))
    }

    async fn list_memberships(
        &mut self,
        workspace: WorkspaceId,
        team: TeamId,
        before: Option<TeamMembershipId>,
        limit: u32,
    ) -> StoreResult<Vec<TeamMembership>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let page = team_memberships::table
            .filter(team_memberships::workspace_id.eq(Stored(workspace)))
            .filter(team_memberships::team_id.eq(Stored(team)))
            .filter(team_memberships::id.lt(before))
            .order(team_memberships::id.desc())
            .limit(limit.into())
            .select(TeamMembershipRow::as_select());
        Ok(self.all(page).await?.into_iter().map(TeamMembership::from).collect())
    }
}

#[area]
impl Teams for Scope {
    async fn insert(&mut self, team: &Team) -> StoreResult<bool> {
        let row = TeamRow::from(team);
        let insert = diesel::insert_into(teams::table)
            .values(&row)
            .on_conflict((teams::workspace_id, teams::slug))
            .do_nothing()
            .prepared();
        Ok(self.execute(insert).await? == 1)
    }

    async fn save(&mut self, team: &Team) -> StoreResult<()> {
        let row = teams::table.find((Stored(team.workspace), Stored(team.id)));
        self.execute(diesel::update(row).set(TeamRow::from(team)).prepared()).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, id: TeamId) -> StoreResult<()> {
        // Its memberships are deleted with the row.
        let row = teams::table.find((Stored(workspace), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn find_last_position(&mut self, workspace: WorkspaceId) -> StoreResult<Option<Position>> {
        let last = teams::table
            .filter(teams::workspace_id.eq(Stored(workspace)))
            .order(teams::position.desc())
            .limit(1)
            .select(teams::position);
        Ok(self.optional::<Stored<Position>, _>(last).await?.map(|position| position.0))
    }

    async fn taken_slugs(&mut self, workspace: WorkspaceId, slugs: &[Slug]) -> StoreResult<Vec<Slug>> {
        let taken = teams::table
            .filter(teams::workspace_id.eq(Stored(workspace)))
            .filter(teams::slug.eq_any(slugs.iter().map(Slug::as_str)))
            .select(teams::slug);
        Ok(self.all::<Stored<Slug>, _>(taken).await?.into_iter().map(|slug| slug.0).collect())
    }

    async fn insert_membership(&mut self, membership: &TeamMembership) -> StoreResult<bool> {
        let row = TeamMembershipRow::from(membership);
        let insert = diesel::insert_into(team_memberships::table)
            .values(&row)
            .on_conflict((team_memberships::workspace_id, team_memberships::team_id, team_memberships::user_id))
            .do_nothing()
            .prepared();
        Ok(self.execute(insert).await? == 1)
    }

    async fn save_role(&mut self, membership: &TeamMembership) -> StoreResult<()> {
        let row = team_memberships::table.find((
            Stored(membership.workspace),
            Stored(membership.team),
            Stored(membership.user),
        ));
        let change = team_memberships::role.eq(Stored(membership.role));
        self.execute(diesel::update(row).set(change).prepared()).await.map(drop)
    }

    async fn remove_membership(&mut self, workspace: WorkspaceId, team: TeamId, user: UserId) -> StoreResult<()> {
        let row = team_memberships::table.find((Stored(workspace), Stored(team), Stored(user)));
        self.execute(diesel::delete(row)).await.map(drop)
    }
}
