//! Workspaces and memberships.

use super::{Scope, directory::SLUG};
use crate::{
    rows::{
        directory::DirectoryRow,
        workspaces::{MembershipRow, OwnWorkspaceRow, UserWorkspaceRow, WorkspaceRow, fold},
    },
    schema::{audit_entries, directory, event_heads, events, memberships, user_workspaces, workspaces},
    stored::Stored,
};
use async_trait::async_trait;
use diesel::{dsl::exists, prelude::*, select};
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    Role,
    event::Chain,
    id::{UserId, WorkspaceId},
    text::{Name, Slug},
    workspace::{Membership, OwnWorkspace, Workspace},
};
use octavo_ports::{
    store::StoreResult,
    workspaces::{WorkspaceReads, Workspaces},
};
use std::collections::BTreeSet;

/// How many lists one statement changes; SQLite takes 32,766 parameters.
const MEMBERS_AT_ONCE: usize = 1000;

#[async_trait]
impl WorkspaceReads for Scope {
    async fn list_own_workspaces(&mut self, user: UserId) -> StoreResult<Vec<OwnWorkspace>> {
        let own = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .order((user_workspaces::joined_at, user_workspaces::workspace_id))
            .select(OwnWorkspaceRow::as_select());
        let answer = own.load(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(OwnWorkspace::from).collect())
    }

    async fn find_role(&mut self, user: UserId, workspace: WorkspaceId) -> StoreResult<Option<Role>> {
        let role = user_workspaces::table.find((Stored(user), Stored(workspace))).select(user_workspaces::role);
        let answer = role.get_result::<Stored<Role>>(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(|role| role.0))
    }
}

#[async_trait]
impl Workspaces for Scope {
    async fn insert_workspace(&mut self, workspace: &Workspace) -> StoreResult<bool> {
        let id = workspace.id.to_string();
        let entry = DirectoryRow { kind: SLUG, key: workspace.slug.to_string(), target_id: id.clone(), owner_id: id };
        if !self.claim_entry(&entry).await? {
            return Ok(false);
        }
        let row = WorkspaceRow::from(workspace);
        let answer = diesel::insert_into(workspaces::table).values(&row).execute(self.conn()?).await;
        self.judge(answer)?;
        let head = (event_heads::workspace_id.eq(Stored(workspace.id)), event_heads::last_sequence.eq(0));
        let answer = diesel::insert_into(event_heads::table).values(head).execute(self.conn()?).await;
        self.judge(answer)?;
        Ok(true)
    }

    async fn taken_slugs(&mut self, slugs: &[Slug]) -> StoreResult<Vec<Slug>> {
        let taken = directory::table
            .filter(directory::kind.eq(SLUG))
            .filter(directory::key.eq_any(slugs.iter().map(Slug::as_str)))
            .select(directory::key);
        let answer = taken.load::<Stored<Slug>>(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(|slug| slug.0).collect())
    }

    async fn insert_membership(
        &mut self,
        membership: &Membership,
        workspace: &Workspace,
        display_name: &Name,
    ) -> StoreResult<()> {
        let row = MembershipRow::new(membership, display_name);
        let answer = diesel::insert_into(memberships::table).values(&row).execute(self.conn()?).await;
        self.judge(answer)?;
        let row = UserWorkspaceRow::new(membership, workspace);
        let answer = diesel::insert_into(user_workspaces::table).values(&row).execute(self.conn()?).await;
        self.judge(answer).map(drop)
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

    async fn rename_member(&mut self, workspaces: &[WorkspaceId], user: UserId, name: &Name) -> StoreResult<()> {
        let own = memberships::table
            .filter(memberships::workspace_id.eq_any(workspaces.iter().copied().map(Stored)))
            .filter(memberships::user_id.eq(Stored(user)));
        let renamed = (memberships::display_name.eq(name.as_str()), memberships::folded_name.eq(fold(name)));
        let answer = diesel::update(own).set(renamed).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn remove_workspace(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let id = Stored(workspace);
        // First the head: whoever numbers events holds its lock and lets go when they are in the log.
        let answer = diesel::delete(event_heads::table.find(&id)).execute(self.conn()?).await;
        self.judge(answer)?;
        let answer = diesel::delete(events::table.filter(events::workspace_id.eq(&id))).execute(self.conn()?).await;
        self.judge(answer)?;
        let chain = Chain::Workspace(workspace).to_string();
        let answer =
            diesel::delete(audit_entries::table.filter(audit_entries::chain.eq(chain))).execute(self.conn()?).await;
        self.judge(answer)?;
        let members = memberships::table.filter(memberships::workspace_id.eq(&id)).select(memberships::user_id);
        let answer = members.load::<String>(self.conn()?).await;
        for some in self.judge(answer)?.chunks(MEMBERS_AT_ONCE) {
            let lists = user_workspaces::table
                .filter(user_workspaces::user_id.eq_any(some))
                .filter(user_workspaces::workspace_id.eq(&id));
            let answer = diesel::delete(lists).execute(self.conn()?).await;
            self.judge(answer)?;
        }
        let entry = workspaces::table.find(&id).select(workspaces::slug);
        let answer = entry.get_result::<String>(self.conn()?).await.optional();
        let Some(slug) = self.judge(answer)? else { return Ok(()) };
        let entry = directory::table.find((SLUG, slug)).filter(directory::owner_id.eq(&id));
        let answer = diesel::delete(entry).execute(self.conn()?).await;
        self.judge(answer)?;
        // Memberships go with the row.
        let answer = diesel::delete(workspaces::table.find(&id)).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn list_lone_workspaces(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>> {
        let own = self.list_own_workspaces(user).await?.into_iter().map(|workspace| workspace.id).collect();
        let shared = self.shared(&own, user, Role::ALL).await?;
        Ok(own.difference(&shared).copied().collect())
    }

    async fn list_sole_ownerships(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>> {
        let own = self.list_own_workspaces(user).await?.into_iter();
        let owned = own.filter(|own| own.role == Role::Owner && !own.is_personal).map(|own| own.id).collect();
        let shared = self.shared(&owned, user, Role::ALL).await?;
        let with_another_owner = self.shared(&shared, user, &[Role::Owner]).await?;
        Ok(shared.difference(&with_another_owner).copied().collect())
    }
}

impl Scope {
    /// Those of the workspaces in which somebody else has one of these roles. Asked apart from the user's own list: rows of users and rows
    /// of workspaces may live on different machines.
    async fn shared(
        &mut self,
        workspaces: &BTreeSet<WorkspaceId>,
        but: UserId,
        roles: &[Role],
    ) -> StoreResult<BTreeSet<WorkspaceId>> {
        if workspaces.is_empty() {
            return Ok(BTreeSet::new());
        }
        let others = memberships::table
            .filter(memberships::workspace_id.eq_any(workspaces.iter().copied().map(Stored)))
            .filter(memberships::user_id.ne(Stored(but)))
            .filter(memberships::role.eq_any(roles.iter().copied().map(Stored)))
            .select(memberships::workspace_id)
            .distinct();
        let answer = others.load::<Stored<WorkspaceId>>(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(|id| id.0).collect())
    }
}
