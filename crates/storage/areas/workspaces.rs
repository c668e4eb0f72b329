//! Workspaces.

use super::{
    Scope,
    dialect::{locked, one_of},
    directory::SLUG,
};
use crate::{
    prepared::Prepare,
    rows::{
        directory::DirectoryRow,
        workspaces::{OwnWorkspaceRow, WorkspaceCopy, WorkspaceRow},
    },
    schema::{directory, event_heads, events, memberships, user_workspaces, workspaces},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{dsl::exists, prelude::*, select};
use octavo_core_model::{
    Role, Timestamp,
    event::Chain,
    id::{UserId, WorkspaceId},
    job::JobOwner,
    text::Slug,
    workspace::{OwnWorkspace, Usage, Workspace},
};
use octavo_ports::{
    databases::DatabaseReads,
    members::{MemberReads, Members},
    store::StoreResult,
    workspaces::{WorkspaceReads, Workspaces},
};
use octavo_storage_macros::area;
use std::collections::{BTreeSet, HashMap};

/// How many lists one statement changes; SQLite allows 32,766 parameters.
const MEMBERS_AT_ONCE: usize = 1000;

#[area]
impl WorkspaceReads for Scope {
    async fn find(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>> {
        let workspace = workspaces::table.find(Stored(id)).select(WorkspaceRow::as_select());
        Ok(self.optional(workspace).await?.map(Workspace::from))
    }

    async fn exists(&mut self, id: WorkspaceId) -> StoreResult<bool> {
        self.one(select(exists(workspaces::table.find(Stored(id))))).await
    }

    async fn list_own(&mut self, user: UserId) -> StoreResult<Vec<OwnWorkspace>> {
        let own = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::is_deleting.eq(false))
            .order((user_workspaces::joined_at, user_workspaces::workspace_id))
            .select(OwnWorkspaceRow::as_select());
        Ok(self.all(own).await?.into_iter().map(OwnWorkspace::from).collect())
    }

    async fn list_of(
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
            own = own.filter(one_of!(user_workspaces::workspace_id, within.iter().copied().map(Stored)));
        }
        let own = self.all::<(Stored<WorkspaceId>, Stored<Role>), _>(own).await?;
        let whole = workspaces::table
            .filter(workspaces::id.eq_any(own.iter().map(|(id, _)| id)))
            .select(WorkspaceRow::as_select());
        let whole = self.all(whole).await?.into_iter().map(Workspace::from);
        let mut whole: HashMap<_, _> = whole.map(|workspace| (workspace.id, workspace)).collect();
        Ok(own.into_iter().filter_map(|(id, role)| Some((whole.remove(&id.0)?, role.0))).collect())
    }

    async fn list(&mut self, after: Option<WorkspaceId>, limit: u32) -> StoreResult<Vec<Workspace>> {
        let after = after.map_or_else(String::new, |id| id.to_string());
        let page = workspaces::table.filter(workspaces::id.gt(after)).order(workspaces::id).limit(limit.into());
        Ok(self.all(page.select(WorkspaceRow::as_select())).await?.into_iter().map(Workspace::from).collect())
    }

    async fn measure_usage(&mut self, workspace: WorkspaceId) -> StoreResult<Usage> {
        let members = MemberReads::count(self, workspace).await?;
        let databases = DatabaseReads::count(self, workspace).await?;
        Ok(Usage { members, databases, ..Usage::default() })
    }
}

#[area]
impl Workspaces for Scope {
    async fn insert(&mut self, workspace: &Workspace) -> StoreResult<bool> {
        let id = workspace.id.to_string();
        let entry = DirectoryRow { kind: SLUG, key: workspace.slug.to_string(), target_id: id.clone(), owner_id: id };
        if !self.reserve_entry(&entry).await? {
            return Ok(false);
        }
        let row = WorkspaceRow::from(workspace);
        self.execute(diesel::insert_into(workspaces::table).values(&row)).await?;
        let head = (event_heads::workspace_id.eq(Stored(workspace.id)), event_heads::last_sequence.eq(0));
        self.execute(diesel::insert_into(event_heads::table).values(head)).await?;
        Ok(true)
    }

    async fn lock(&mut self, id: WorkspaceId) -> StoreResult<Option<Workspace>> {
        let workspace = workspaces::table.find(Stored(id)).select(WorkspaceRow::as_select());
        Ok(self.optional(locked!(workspace)).await?.map(Workspace::from))
    }

    async fn lock_many(&mut self, ids: &[WorkspaceId]) -> StoreResult<Vec<Workspace>> {
        // One statement each: no statement may lock rows of several owners.
        let mut locked = Vec::with_capacity(ids.len());
        for id in ids.iter().copied().collect::<BTreeSet<_>>() {
            locked.extend(self.lock(id).await?);
        }
        Ok(locked)
    }

    async fn save(&mut self, workspace: &Workspace) -> StoreResult<()> {
        let id = Stored(workspace.id);
        let update = diesel::update(workspaces::table.find(&id)).set(WorkspaceRow::from(workspace)).prepared();
        self.execute(update).await?;
        for some in Members::list_ids(self, workspace.id).await?.chunks(MEMBERS_AT_ONCE) {
            let lists = user_workspaces::table
                .filter(one_of!(user_workspaces::user_id, some.iter().copied().map(Stored)))
                .filter(user_workspaces::workspace_id.eq(&id));
            self.execute(diesel::update(lists).set(WorkspaceCopy::from(workspace))).await?;
        }
        Ok(())
    }

    async fn change_page_count(&mut self, id: WorkspaceId, by: i64) -> StoreResult<u64> {
        let update = diesel::update(workspaces::table.find(Stored(id)))
            .set(workspaces::page_count.eq(workspaces::page_count + by))
            .returning(workspaces::page_count);
        let count = self.optional::<i64, _>(update.prepared()).await?.unwrap_or_default();
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn move_ownership(&mut self, id: WorkspaceId, owner: UserId, now: Timestamp) -> StoreResult<()> {
        let change = (workspaces::owner_id.eq(Stored(owner)), workspaces::updated_at.eq(now.millis()));
        let update = diesel::update(workspaces::table.find(Stored(id))).set(change).prepared();
        self.execute(update).await.map(drop)
    }

    async fn taken_slugs(&mut self, slugs: &[Slug]) -> StoreResult<Vec<Slug>> {
        let taken = directory::table
            .filter(directory::kind.eq(SLUG))
            .filter(directory::key.eq_any(slugs.iter().map(Slug::as_str)))
            .select(directory::key);
        Ok(self.all::<Stored<Slug>, _>(taken).await?.into_iter().map(|slug| slug.0).collect())
    }

    async fn lock_slug(&mut self, slug: &Slug) -> StoreResult<()> {
        let entry = directory::table.find((SLUG, slug.as_str())).select(directory::key);
        self.optional::<String, _>(locked!(entry)).await.map(drop)
    }

    async fn count_owned(&mut self, user: UserId) -> StoreResult<u64> {
        let owned = user_workspaces::table
            .filter(user_workspaces::user_id.eq(Stored(user)))
            .filter(user_workspaces::role.eq(Stored(Role::Owner)))
            .filter(user_workspaces::is_personal.eq(false))
            .filter(user_workspaces::is_deleting.eq(false))
            .count();
        Ok(self.one::<i64, _>(owned).await?.unsigned_abs())
    }

    async fn list_due_removals(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<WorkspaceId>> {
        let due = workspaces::table
            .filter(workspaces::purge_at.le(now.millis()))
            .order((workspaces::purge_at, workspaces::id))
            .limit(limit.into())
            .select(workspaces::id);
        Ok(self.all::<Stored<WorkspaceId>, _>(due).await?.into_iter().map(|id| id.0).collect())
    }

    async fn remove_content(&mut self, workspace: WorkspaceId, limit: u32) -> StoreResult<bool> {
        self.remove_content_of_workspace(workspace, limit).await
    }

    async fn remove(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let id = Stored(workspace);
        // Deletes the head first: the numbering task holds its lock until the events are in the log.
        self.execute(diesel::delete(event_heads::table.find(&id))).await?;
        self.execute(diesel::delete(events::table.filter(events::workspace_id.eq(&id)))).await?;
        self.remove_chain(Chain::Workspace(workspace)).await?;
        for some in Members::list_ids(self, workspace).await?.chunks(MEMBERS_AT_ONCE) {
            let lists = user_workspaces::table
                .filter(one_of!(user_workspaces::user_id, some.iter().copied().map(Stored)))
                .filter(user_workspaces::workspace_id.eq(&id));
            self.execute(diesel::delete(lists)).await?;
        }
        self.forget_invitations_of(workspace).await?;
        self.forget_api_keys(workspace).await?;
        self.forget_share_links(workspace).await?;
        self.drain_apps(workspace).await?;
        self.forget_jobs(JobOwner::Workspace(workspace)).await?;
        let entry = workspaces::table.find(&id).select(workspaces::slug);
        let Some(slug) = self.optional::<String, _>(entry).await? else { return Ok(()) };
        let entry = directory::table.find((SLUG, slug)).filter(directory::owner_id.eq(&id));
        self.execute(diesel::delete(entry)).await?;
        // Memberships, invitations, API keys, share links and apps are deleted with the row.
        self.execute(diesel::delete(workspaces::table.find(&id))).await.map(drop)
    }

    async fn list_lone(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>> {
        let own = self.list_own(user).await?.into_iter().map(|workspace| workspace.id).collect();
        let shared = self.shared(&own, user).await?;
        Ok(own.difference(&shared).copied().collect())
    }

    async fn list_sole_ownerships(&mut self, user: UserId) -> StoreResult<Vec<WorkspaceId>> {
        let own = self.list_own(user).await?.into_iter();
        let owned = own.filter(|own| own.role == Role::Owner && !own.is_personal).map(|own| own.id).collect();
        let shared = self.shared(&owned, user).await?;
        let with_another_owner = self.owned_by_others(&shared, user).await?;
        Ok(shared.difference(&with_another_owner).copied().collect())
    }
}

impl Scope {
    /// Which of these workspaces have another member. Queried separately from the user's own list: rows of users
    /// and rows of workspaces may live on different machines.
    async fn shared(&mut self, workspaces: &BTreeSet<WorkspaceId>, but: UserId) -> StoreResult<BTreeSet<WorkspaceId>> {
        if workspaces.is_empty() {
            return Ok(BTreeSet::new());
        }
        let others = memberships::table
            .filter(one_of!(memberships::workspace_id, workspaces.iter().copied().map(Stored)))
            .filter(memberships::user_id.ne(Stored(but)))
            .select(memberships::workspace_id)
            .distinct();
        Ok(self.all::<Stored<WorkspaceId>, _>(others).await?.into_iter().map(|id| id.0).collect())
    }

    /// Which of these workspaces have another owner whose account is not deleted.
    async fn owned_by_others(
        &mut self,
        workspaces: &BTreeSet<WorkspaceId>,
        but: UserId,
    ) -> StoreResult<BTreeSet<WorkspaceId>> {
        let owners = memberships::table
            .filter(one_of!(memberships::workspace_id, workspaces.iter().copied().map(Stored)))
            .filter(memberships::user_id.ne(Stored(but)))
            .filter(memberships::role.eq(Stored(Role::Owner)))
            .select((memberships::workspace_id, memberships::user_id));
        let owners = self.all::<(Stored<WorkspaceId>, Stored<UserId>), _>(owners).await?;
        let users: Vec<_> = owners.iter().map(|(_, user)| user.0).collect();
        let leaving = self.leaving_among(&users).await?;
        let staying = owners.into_iter().filter(|(_, user)| !leaving.contains(&user.0));
        Ok(staying.map(|(workspace, _)| workspace.0).collect())
    }
}
