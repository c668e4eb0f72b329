//! Memberships.

use super::Scope;
use crate::{
    rows::{
        accounts::UserRow,
        members::{MembershipRow, PersonCopy, PlaceRow, UserWorkspaceRow, fold},
    },
    schema::{memberships, user_workspaces, users},
    stored::Stored,
};
use async_trait::async_trait;
use diesel::{dsl::exists, prelude::*, select};
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    Role,
    account::User,
    id::{UserId, WorkspaceId},
    member::{Membership, Person, Place},
    text::Name,
    workspace::Workspace,
};
use octavo_ports::{
    members::{MemberReads, Members},
    store::StoreResult,
};

#[async_trait]
impl MemberReads for Scope {
    async fn find_role(&mut self, user: UserId, workspace: WorkspaceId) -> StoreResult<Option<Role>> {
        let role = user_workspaces::table.find((Stored(user), Stored(workspace))).select(user_workspaces::role);
        let answer = role.get_result::<Stored<Role>>(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(|role| role.0))
    }

    async fn find_user_in(
        &mut self,
        user: UserId,
        workspace: WorkspaceId,
    ) -> StoreResult<Option<(User, Option<Place>)>> {
        let place = user_workspaces::user_id.eq(users::id).and(user_workspaces::workspace_id.eq(Stored(workspace)));
        let found = users::table
            .left_join(user_workspaces::table.on(place))
            .filter(users::id.eq(Stored(user)))
            .select((UserRow::as_select(), Option::<PlaceRow>::as_select()));
        let answer = found.get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(|(user, place)| (user.into(), place.map(Place::from))))
    }

    async fn shortest_session_timeout(&mut self, user: UserId) -> StoreResult<Option<u32>> {
        let own = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::is_deleting.eq(false))
            .filter(user_workspaces::role.ne(Stored(Role::Guest)))
            .select((user_workspaces::is_personal, user_workspaces::session_timeout_days));
        let answer = own.load::<(bool, i32)>(self.conn()?).await;
        let own = self.judge(answer)?;
        let shortest = |personal| {
            let days = own.iter().filter(|(is_personal, _)| *is_personal == personal).map(|(_, days)| *days);
            days.min().map(i32::unsigned_abs)
        };
        Ok(shortest(false).or_else(|| shortest(true)))
    }
}

#[async_trait]
impl Members for Scope {
    async fn insert_membership(
        &mut self,
        membership: &Membership,
        workspace: &Workspace,
        person: &Person,
    ) -> StoreResult<()> {
        let row = MembershipRow::new(membership, person);
        let answer = diesel::insert_into(memberships::table).values(&row).execute(self.conn()?).await;
        self.judge(answer)?;
        let row = UserWorkspaceRow::new(membership, workspace);
        let answer = diesel::insert_into(user_workspaces::table).values(&row).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn list_member_ids(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<UserId>> {
        let members = memberships::table
            .filter(memberships::workspace_id.eq(Stored(workspace)))
            .order(memberships::user_id)
            .select(memberships::user_id);
        let answer = members.load::<Stored<UserId>>(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(|id| id.0).collect())
    }

    async fn is_display_name_taken(
        &mut self,
        workspaces: &[WorkspaceId],
        name: &Name,
        but: UserId,
    ) -> StoreResult<bool> {
        let holders = memberships::table
            .filter(memberships::workspace_id.eq_any(workspaces.iter().copied().map(Stored)))
            .filter(memberships::folded_name.eq(fold(name)))
            .filter(memberships::user_id.ne(Stored(but)));
        let answer = select(exists(holders)).get_result(self.conn()?).await;
        self.judge(answer)
    }

    async fn save_person(&mut self, workspaces: &[WorkspaceId], person: &Person) -> StoreResult<()> {
        let own = memberships::table
            .filter(memberships::workspace_id.eq_any(workspaces.iter().copied().map(Stored)))
            .filter(memberships::user_id.eq(Stored(person.id)));
        let answer = diesel::update(own).set(PersonCopy::from(person)).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }
}
