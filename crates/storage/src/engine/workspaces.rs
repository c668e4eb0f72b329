//! Workspaces.

use super::{Scope, dialect::locked, directory::SLUG};
use crate::{
    prepared::Prepare,
    rows::{
        directory::DirectoryRow,
        workspaces::{OwnWorkspaceRow, WorkspaceCopy, WorkspaceRow},
    },
    schema::{directory, event_heads, events, memberships, user_workspaces, workspaces},
    stored::{AFTER_EVERY_ID, Stored},
};
use async_trait::async_trait;
use diesel::{dsl::exists, prelude::*, select};
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    Role, Timestamp,
    event::Chain,
    id::{UserId, WorkspaceId},
    job::JobOwner,
    text::Slug,
    workspace::{OwnWorkspace, Usage, Workspace},
};
use octavo_ports::{
    members::{MemberReads, Members},
    store::StoreResult,
    workspaces::{WorkspaceReads, Workspaces},
};
use std::collections::{BTreeSet, HashMap};

/// How many lists one statement changes; SQLite takes 32,766 parameters.
const MEMBERS_AT_ONCE: usize = 1000;

#[async_trait]
impl WorkspaceReads for Scope {
    async fn find_workspace(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>> {
        let workspace = workspaces::table.find(Stored(id)).select(WorkspaceRow::as_select());
        let answer = workspace.get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(Workspace::from))
    }

    async fn has_workspace(&mut self, id: WorkspaceId) -> StoreResult<bool> {
        let answer = select(exists(workspaces::table.find(Stored(id)))).get_result(self.conn()?).await;
        self.judge(answer)
    }

    async fn list_own_workspaces(&mut self, user: UserId) -> StoreResult<Vec<OwnWorkspace>> {
        let own = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::is_deleting.eq(false))
            .order((user_workspaces::joined_at, user_workspaces::workspace_id))
            .select(OwnWorkspaceRow::as_select());
        let answer = own.load(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(OwnWorkspace::from).collect())
    }

    async fn list_workspaces_of(
        &mut self,
        user: UserId,
        within: Option<&[WorkspaceId]>,
        before: Option<WorkspaceId>,
        limit: u32,
    ) -> StoreResult<Vec<(Workspace, Role)>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let mut own = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::workspace_id.lt(before))
            .filter(user_workspaces::is_deleting.eq(false))
            .order(user_workspaces::workspace_id.desc())
            .limit(limit.into())
            .select((user_workspaces::workspace_id, user_workspaces::role))
            .into_boxed();
        if let Some(within) = within {
            own = own.filter(user_workspaces::workspace_id.eq_any(within.iter().copied().map(Stored)));
        }
        let answer = own.load::<(Stored<WorkspaceId>, Stored<Role>)>(self.conn()?).await;
        let own = self.judge(answer)?;
        let whole = workspaces::table
            .filter(workspaces::id.eq_any(own.iter().map(|(id, _)| id)))
            .select(WorkspaceRow::as_select());
        let answer = whole.load(self.conn()?).await;
        let whole = self.judge(answer)?.into_iter().map(Workspace::from);
        let mut whole: HashMap<_, _> = whole.map(|workspace| (workspace.id, workspace)).collect();
        Ok(own.into_iter().filter_map(|(id, role)| Some((whole.remove(&id.0)?, role.0))).collect())
    }

    async fn list_workspaces(&mut self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<Workspace>> {
        let after = after.map_or_else(String::new, |id| id.to_string());
        let page = workspaces::table.filter(workspaces::id.gt(after)).order(workspaces::id).limit(limit.into());
        let answer = page.select(WorkspaceRow::as_select()).load(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(Workspace::from).collect())
    }

    async fn measure_usage(&mut self, workspace: WorkspaceId) -> StoreResult<Usage> {
        Ok(Usage { members: self.count_members(workspace).await?, ..Usage::default() })
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

    async fn lock_workspace(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>> {
        let workspace = workspaces::table.find(Stored(id)).select(WorkspaceRow::as_select());
        let answer = locked!(workspace).get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(Workspace::from))
    }

    async fn save_workspace(&mut self, workspace: &Workspace) -> StoreResult<()> {
        let id = Stored(workspace.id);
        let update = diesel::update(workspaces::table.find(&id)).set(WorkspaceRow::from(workspace)).prepared();
        let answer = update.execute(self.conn()?).await;
        self.judge(answer)?;
        for some in self.list_member_ids(workspace.id).await?.chunks(MEMBERS_AT_ONCE) {
            let lists = user_workspaces::table
                .filter(user_workspaces::user_id.eq_any(some.iter().copied().map(Stored)))
                .filter(user_workspaces::workspace_id.eq(&id));
            let answer = diesel::update(lists).set(WorkspaceCopy::from(workspace)).execute(self.conn()?).await;
            self.judge(answer)?;
        }
        Ok(())
    }

    async fn move_ownership(&mut self, id: WorkspaceId, owner: UserId, now: Timestamp) -> StoreResult<()> {
        let change = (workspaces::owner_id.eq(Stored(owner)), workspaces::updated_at.eq(now.millis()));
        let update = diesel::update(workspaces::table.find(Stored(id))).set(change).prepared();
        let answer = update.execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn taken_slugs(&mut self, slugs: &[Slug]) -> StoreResult<Vec<Slug>> {
        let taken = directory::table
            .filter(directory::kind.eq(SLUG))
            .filter(directory::key.eq_any(slugs.iter().map(Slug::as_str)))
            .select(directory::key);
        let answer = taken.load::<Stored<Slug>>(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(|slug| slug.0).collect())
    }

    async fn hold_slug(&mut self, slug: &Slug) -> StoreResult<()> {
        let entry = directory::table.find((SLUG, slug.as_str())).select(directory::key);
        let answer = locked!(entry).get_result::<String>(self.conn()?).await.optional();
        self.judge(answer).map(drop)
    }

    async fn count_owned_workspaces(&mut self, user: UserId) -> StoreResult<u64> {
        let owned = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::role.eq(Stored(Role::Owner)))
            .filter(user_workspaces::is_personal.eq(false))
            .filter(user_workspaces::is_deleting.eq(false))
            .count();
        let answer = owned.get_result::<i64>(self.conn()?).await;
        Ok(self.judge(answer)?.unsigned_abs())
    }

    async fn list_due_removals(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<WorkspaceId>> {
        let due = workspaces::table
            .filter(workspaces::purge_at.le(now.millis()))
            .order((workspaces::purge_at, workspaces::id))
            .limit(limit.into())
            .select(workspaces::id);
        let answer = due.load::<Stored<WorkspaceId>>(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(|id| id.0).collect())
    }

    async fn remove_workspace(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let id = Stored(workspace);
        // First the head: whoever numbers events holds its lock and lets go when they are in the log.
        let answer = diesel::delete(event_heads::table.find(&id)).execute(self.conn()?).await;
        self.judge(answer)?;
        let answer = diesel::delete(events::table.filter(events::workspace_id.eq(&id))).execute(self.conn()?).await;
        self.judge(answer)?;
        self.remove_chain(Chain::Workspace(workspace)).await?;
        for some in self.list_member_ids(workspace).await?.chunks(MEMBERS_AT_ONCE) {
            let lists = user_workspaces::table
                .filter(user_workspaces::user_id.eq_any(some.iter().copied().map(Stored)))
                .filter(user_workspaces::workspace_id.eq(&id));
            let answer = diesel::delete(lists).execute(self.conn()?).await;
            self.judge(answer)?;
        }
        self.forget_invitations_of(workspace).await?;
        self.forget_api_keys(workspace).await?;
        self.drain_apps(workspace).await?;
        self.forget_jobs(JobOwner::Workspace(workspace)).await?;
        let entry = workspaces::table.find(&id).select(workspaces::slug);
        let answer = entry.get_result::<String>(self.conn()?).await.optional();
        let Some(slug) = self.judge(answer)? else { return Ok(()) };
        let entry = directory::table.find((SLUG, slug)).filter(directory::owner_id.eq(&id));
        let answer = diesel::delete(entry).execute(self.conn()?).await;
        self.judge(answer)?;
        // Memberships, invitations, API keys and apps go with the row.
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
