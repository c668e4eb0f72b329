//! Memberships.

use super::{Scope, dialect::one_of};
use crate::{
    prepared::Prepare,
    rows::{
        accounts::UserRow,
        members::{
            MembershipRow, NewMembershipRow, PersonCopy, PersonRow, PlaceRow, UserWorkspaceRow, fold, searched_name,
        },
    },
    schema::{memberships, user_workspaces, users},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{dsl::exists, prelude::*, select};
use octavo_core_model::{
    Role, Timestamp,
    account::User,
    grant::Grantee,
    id::{MembershipId, UserId, WorkspaceId},
    member::{MemberFilter, Membership, Person, Place},
    text::Name,
    workspace::Workspace,
};
use octavo_ports::{
    members::{MemberNames, MemberReads, Members},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl MemberReads for Scope {
    async fn find_role(&mut self, user: UserId, workspace: WorkspaceId) -> StoreResult<Option<Role>> {
        let role = user_workspaces::table.find((Stored(user), Stored(workspace))).select(user_workspaces::role);
        Ok(self.optional::<Stored<Role>, _>(role).await?.map(|role| role.0))
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
        Ok(self.optional(found).await?.map(|(user, place)| (user.into(), place.map(Place::from))))
    }

    async fn count(&mut self, workspace: WorkspaceId) -> StoreResult<u64> {
        let members = memberships::table.filter(memberships::workspace_id.eq(Stored(workspace))).count();
        Ok(self.one::<i64, _>(members).await?.unsigned_abs())
    }

    async fn find(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<Option<Membership>> {
        let membership = memberships::table.find((Stored(workspace), Stored(user))).select(MembershipRow::as_select());
        Ok(self.optional(membership).await?.map(Membership::from))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &MemberFilter,
        before: Option<MembershipId>,
        limit: u32,
    ) -> StoreResult<Vec<Membership>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let mut page = memberships::table
            .filter(memberships::workspace_id.eq(Stored(workspace)))
            .filter(memberships::id.lt(before))
            .order(memberships::id.desc())
            .limit(limit.into())
            .select(MembershipRow::as_select())
            .into_boxed();
        if let Some(role) = filter.role {
            page = page.filter(memberships::role.eq(Stored(role)));
        }
        if let Some(search) = &filter.search {
            page = page.filter(memberships::search.like(containing(&fold(search.as_str()))).escape(ESCAPE));
        }
        Ok(self.all(page).await?.into_iter().map(Membership::from).collect())
    }

    async fn list_people(&mut self, ids: &[UserId]) -> StoreResult<Vec<Person>> {
        let people =
            users::table.filter(one_of!(users::id, ids.iter().copied().map(Stored))).select(PersonRow::as_select());
        Ok(self.all(people).await?.into_iter().map(Person::from).collect())
    }

    async fn list_roles(&mut self, workspace: WorkspaceId, users: &[UserId]) -> StoreResult<Vec<(UserId, Role)>> {
        let members = memberships::table
            .filter(memberships::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(memberships::user_id, users.iter().copied().map(Stored)))
            .select((memberships::user_id, memberships::role));
        let found = self.all::<(Stored<UserId>, Stored<Role>), _>(members).await?;
        Ok(found.into_iter().map(|(user, role)| (user.0, role.0)).collect())
    }

    async fn list_names(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<MemberNames>> {
        let members = memberships::table
            .filter(memberships::workspace_id.eq(Stored(workspace)))
            .order((memberships::joined_at, memberships::id))
            .select((memberships::user_id, memberships::search, memberships::folded_name));
        let names = |(user, search, display_name): (Stored<UserId>, String, String)| MemberNames {
            user: user.0,
            name: searched_name(search),
            display_name,
        };
        Ok(self.all::<(Stored<UserId>, String, String), _>(members).await?.into_iter().map(names).collect())
    }

    async fn shortest_session_timeout(&mut self, user: UserId) -> StoreResult<Option<u32>> {
        let own = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::is_deleting.eq(false))
            .filter(user_workspaces::role.ne(Stored(Role::Guest)))
            .select((user_workspaces::is_personal, user_workspaces::session_timeout_days));
        let own = self.all::<(bool, i32), _>(own).await?;
        let shortest = |personal| {
            let days = own.iter().filter(|(is_personal, _)| *is_personal == personal).map(|(_, days)| *days);
            days.min().map(i32::unsigned_abs)
        };
        Ok(shortest(false).or_else(|| shortest(true)))
    }
}

#[area]
impl Members for Scope {
    async fn insert(&mut self, membership: &Membership, workspace: &Workspace, person: &Person) -> StoreResult<()> {
        let row = NewMembershipRow::new(membership, person);
        self.execute(diesel::insert_into(memberships::table).values(&row)).await?;
        let row = UserWorkspaceRow::new(membership, workspace);
        self.execute(diesel::insert_into(user_workspaces::table).values(&row)).await.map(drop)
    }

    async fn find_longest_owner(&mut self, workspace: WorkspaceId, but: UserId) -> StoreResult<Option<UserId>> {
        let longest = memberships::table
            .filter(memberships::workspace_id.eq(Stored(workspace)))
            .filter(memberships::role.eq(Stored(Role::Owner)))
            .filter(memberships::user_id.ne(Stored(but)))
            .order((memberships::role_since, memberships::id))
            .select(memberships::user_id);
        let owners: Vec<_> = self.all::<Stored<UserId>, _>(longest).await?.into_iter().map(|user| user.0).collect();
        let leaving = self.leaving_among(&owners).await?;
        Ok(owners.into_iter().find(|owner| !leaving.contains(owner)))
    }

    async fn save_role(&mut self, membership: &Membership, now: Timestamp) -> StoreResult<()> {
        let (workspace, user, role) = (Stored(membership.workspace), Stored(membership.user), Stored(membership.role));
        let change = (memberships::role.eq(&role), memberships::role_since.eq(now.millis()));
        let update = diesel::update(memberships::table.find((&workspace, &user))).set(change).prepared();
        self.execute(update).await?;
        let own = user_workspaces::table.find((&user, &workspace));
        let update = diesel::update(own).set(user_workspaces::role.eq(&role)).prepared();
        self.execute(update).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, user: UserId) -> StoreResult<()> {
        self.remove_access_of(workspace, Grantee::User(user)).await?;
        let (workspace, user) = (Stored(workspace), Stored(user));
        // Places in teams, visits, favorites and access requests are deleted with the row.
        let membership = memberships::table.find((&workspace, &user));
        self.execute(diesel::delete(membership)).await?;
        let own = user_workspaces::table.find((&user, &workspace));
        self.execute(diesel::delete(own)).await.map(drop)
    }

    async fn list_ids(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<UserId>> {
        let members = memberships::table
            .filter(memberships::workspace_id.eq(Stored(workspace)))
            .order(memberships::user_id)
            .select(memberships::user_id);
        Ok(self.all::<Stored<UserId>, _>(members).await?.into_iter().map(|id| id.0).collect())
    }

    async fn is_display_name_taken(
        &mut self,
        workspaces: &[WorkspaceId],
        name: &Name,
        but: UserId,
    ) -> StoreResult<bool> {
        let holders = memberships::table
            .filter(one_of!(memberships::workspace_id, workspaces.iter().copied().map(Stored)))
            .filter(memberships::folded_name.eq(fold(name.as_str())))
            .filter(memberships::user_id.ne(Stored(but)));
        self.one(select(exists(holders))).await
    }

    async fn save_person(&mut self, workspaces: &[WorkspaceId], person: &Person) -> StoreResult<()> {
        let own = memberships::table
            .filter(one_of!(memberships::workspace_id, workspaces.iter().copied().map(Stored)))
            .filter(memberships::user_id.eq(Stored(person.id)));
        self.execute(diesel::update(own).set(PersonCopy::from(person))).await.map(drop)
    }
}

const ESCAPE: char = '\\';

/// A LIKE pattern for texts that contain this one; special characters in it are escaped.
fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if ['%', '_', ESCAPE].contains(&letter) {
            pattern.push(ESCAPE);
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
