//! Invitations.

use super::{Scope, dialect::one_of};
use crate::{
    prepared::Prepare,
    rows::{
        directory::DirectoryRow,
        invitations::{InvitationByEmailRow, InvitationIdRow, InvitationRow, InvitationTokenRow, InviterRow},
        workspaces::WorkspaceRow,
    },
    schema::{directory, invitation_tokens, invitations, invitations_by_email, users, workspaces},
    stored::{AFTER_EVERY_ID, Stored, token_word},
};
use diesel::{prelude::*, sql_query, sql_types::BigInt};
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    grant::Grantee,
    id::{InvitationId, UserId, WorkspaceId},
    invitation::{Invitation, InvitationState, InvitationStatus, Inviter, TokenDelivery},
    text::Email,
    workspace::Workspace,
};
use octavo_ports::{
    invitations::{InvitationReads, Invitations},
    store::StoreResult,
};
use octavo_storage_macros::area;
use std::collections::{BTreeMap, HashMap};

/// How many addresses one statement names; SQLite allows 32,766 parameters.
const ADDRESSES_AT_ONCE: usize = 1000;

/// Expired invitations whose grants no other invitation justifies.
pub(super) const LAPSED: &str = "invitations AS i WHERE i.state = 'PENDING' AND i.expires_at <= $1 \
    AND EXISTS (SELECT 1 FROM access_grants AS g WHERE g.workspace_id = i.workspace_id AND g.grantee = i.email \
        AND g.level <> 'NONE') \
    AND NOT EXISTS (SELECT 1 FROM invitations AS o WHERE o.workspace_id = i.workspace_id AND o.email = i.email \
        AND o.state = 'PENDING' AND o.expires_at > $1)";

#[area]
impl InvitationReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: InvitationId) -> StoreResult<Option<Invitation>> {
        let found = invitations::table.find((Stored(workspace), Stored(id))).select(InvitationRow::as_select());
        Ok(self.optional(found).await?.map(Invitation::from))
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        status: InvitationStatus,
        now: Timestamp,
        before: Option<InvitationId>,
        limit: u32,
    ) -> StoreResult<Vec<Invitation>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let state = match status {
            InvitationStatus::Pending | InvitationStatus::Expired => InvitationState::Pending,
            InvitationStatus::Accepted => InvitationState::Accepted,
            InvitationStatus::Declined => InvitationState::Declined,
            InvitationStatus::Revoked => InvitationState::Revoked,
        };
        let mut found = invitations::table
            .filter(invitations::workspace_id.eq(Stored(workspace)))
            .filter(invitations::state.eq(Stored(state)))
            .filter(invitations::id.lt(before))
            .order(invitations::id.desc())
            .limit(limit.into())
            .select(InvitationRow::as_select())
            .into_boxed();
        match status {
            InvitationStatus::Pending => found = found.filter(invitations::expires_at.gt(now.millis())),
            InvitationStatus::Expired => found = found.filter(invitations::expires_at.le(now.millis())),
            InvitationStatus::Accepted | InvitationStatus::Declined | InvitationStatus::Revoked => {}
        }
        Ok(self.all(found).await?.into_iter().map(Invitation::from).collect())
    }

    async fn find_inviting_workspace(&mut self, hash: &TokenHash) -> StoreResult<Option<WorkspaceId>> {
        let entry = directory::table.find((token_word(TokenKind::Invitation), Stored(*hash)));
        Ok(self.optional::<Stored<WorkspaceId>, _>(entry.select(directory::owner_id)).await?.map(|owner| owner.0))
    }

    async fn find_by_token(
        &mut self,
        workspace: WorkspaceId,
        hash: &TokenHash,
    ) -> StoreResult<Option<(Invitation, TokenDelivery)>> {
        let of_token = invitations::workspace_id
            .eq(invitation_tokens::workspace_id)
            .and(invitations::id.eq(invitation_tokens::invitation_id));
        let found = invitation_tokens::table
            .inner_join(invitations::table.on(of_token))
            .filter(invitation_tokens::workspace_id.eq(Stored(workspace)))
            .filter(invitation_tokens::hash.eq(Stored(*hash)))
            .select((InvitationRow::as_select(), invitation_tokens::delivery));
        Ok(self
            .optional::<(InvitationRow, Stored<TokenDelivery>), _>(found)
            .await?
            .map(|(row, delivery)| (row.into(), delivery.0)))
    }

    async fn find_invited_workspace(&mut self, email: &Email, id: InvitationId) -> StoreResult<Option<WorkspaceId>> {
        let found = invitations_by_email::table.find((email.as_str(), Stored(id)));
        let workspace = found.select(invitations_by_email::workspace_id);
        Ok(self.optional::<Stored<WorkspaceId>, _>(workspace).await?.map(|workspace| workspace.0))
    }

    async fn list_to(
        &mut self,
        email: &Email,
        now: Timestamp,
        before: Option<InvitationId>,
        limit: u32,
    ) -> StoreResult<Vec<Invitation>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let waiting = invitations_by_email::table
            .filter(invitations_by_email::email.eq(email.as_str()))
            .filter(invitations_by_email::id.lt(before))
            .filter(invitations_by_email::is_pending.eq(true))
            .filter(invitations_by_email::expires_at.gt(now.millis()))
            .order(invitations_by_email::id.desc())
            .limit(limit.into())
            .select((invitations_by_email::workspace_id, invitations_by_email::id));
        let (workspaces, ids): (Vec<_>, Vec<_>) =
            self.all::<(String, Stored<InvitationId>), _>(waiting).await?.into_iter().unzip();
        let whole = invitations::table
            .filter(invitations::workspace_id.eq_any(workspaces))
            .filter(invitations::id.eq_any(&ids))
            .select(InvitationRow::as_select());
        let whole = self.all(whole).await?.into_iter().map(Invitation::from);
        let mut whole: HashMap<_, _> = whole.map(|invitation| (invitation.id, invitation)).collect();
        Ok(ids.iter().filter_map(|id| whole.remove(&id.0)).collect())
    }

    async fn list_inviting_workspaces(&mut self, ids: &[WorkspaceId]) -> StoreResult<Vec<Workspace>> {
        let found = workspaces::table
            .filter(one_of!(workspaces::id, ids.iter().copied().map(Stored)))
            .select(WorkspaceRow::as_select());
        Ok(self.all(found).await?.into_iter().map(Workspace::from).collect())
    }

    async fn list_inviters(&mut self, users: &[UserId]) -> StoreResult<Vec<Inviter>> {
        let found =
            users::table.filter(one_of!(users::id, users.iter().copied().map(Stored))).select(InviterRow::as_select());
        Ok(self.all(found).await?.into_iter().map(Inviter::from).collect())
    }
}

#[area]
impl Invitations for Scope {
    async fn list_open(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        now: Timestamp,
    ) -> StoreResult<Vec<Invitation>> {
        let open = invitations::table
            .filter(invitations::workspace_id.eq(Stored(workspace)))
            .filter(invitations::email.eq(email.as_str()))
            .filter(invitations::state.eq(Stored(InvitationState::Pending)))
            .filter(invitations::expires_at.gt(now.millis()))
            .order(invitations::id)
            .select(InvitationRow::as_select());
        Ok(self.all(open).await?.into_iter().map(Invitation::from).collect())
    }

    async fn list_lapsed(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, InvitationId)>> {
        let lapsed =
            sql_query(format!("SELECT i.workspace_id, i.id FROM {LAPSED} ORDER BY i.expires_at, i.id LIMIT $2"))
                .bind::<BigInt, _>(now.millis())
                .bind::<BigInt, _>(i64::from(limit));
        let rows = self.all::<InvitationIdRow, _>(lapsed).await?;
        Ok(rows.into_iter().map(|row| (row.workspace_id.0, row.id.0)).collect())
    }

    async fn insert(&mut self, invitation: &Invitation) -> StoreResult<()> {
        let row = InvitationRow::from(invitation);
        self.execute(diesel::insert_into(invitations::table).values(&row)).await?;
        let row = InvitationByEmailRow::from(invitation);
        self.execute(diesel::insert_into(invitations_by_email::table).values(&row)).await.map(drop)
    }

    async fn save(&mut self, invitation: &Invitation) -> StoreResult<()> {
        let row = invitations::table.find((Stored(invitation.workspace), Stored(invitation.id)));
        let update = diesel::update(row).set((
            invitations::state.eq(Stored(invitation.state)),
            invitations::invited_by.eq(Stored(invitation.invited_by)),
            invitations::invited_by_key.eq(invitation.invited_by_key.map(Stored)),
        ));
        self.execute(update.prepared()).await?;
        let row = invitations_by_email::table.find((invitation.email.as_str(), Stored(invitation.id)));
        let is_pending = invitation.state == InvitationState::Pending;
        let update = diesel::update(row).set(invitations_by_email::is_pending.eq(is_pending)).prepared();
        self.execute(update).await.map(drop)
    }

    async fn insert_token(
        &mut self,
        invitation: &Invitation,
        delivery: TokenDelivery,
        hash: &TokenHash,
    ) -> StoreResult<()> {
        let entry = DirectoryRow {
            kind: token_word(TokenKind::Invitation),
            key: hash.hex(),
            owner_id: invitation.workspace.to_string(),
            target_id: invitation.id.to_string(),
        };
        self.execute(diesel::insert_into(directory::table).values(&entry)).await?;
        let row = InvitationTokenRow {
            workspace_id: Stored(invitation.workspace),
            hash: Stored(*hash),
            invitation_id: Stored(invitation.id),
            delivery: Stored(delivery),
        };
        self.execute(diesel::insert_into(invitation_tokens::table).values(&row)).await.map(drop)
    }

    async fn hide(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        for some in self.invited_addresses(workspace).await?.chunks(ADDRESSES_AT_ONCE) {
            let sides = invitations_by_email::table
                .filter(invitations_by_email::email.eq_any(some))
                .filter(invitations_by_email::workspace_id.eq(Stored(workspace)));
            self.execute(diesel::update(sides).set(invitations_by_email::is_pending.eq(false))).await?;
        }
        Ok(())
    }

    async fn replace_tokens(&mut self, invitation: &Invitation) -> StoreResult<()> {
        let tokens = invitation_tokens::table
            .filter(invitation_tokens::workspace_id.eq(Stored(invitation.workspace)))
            .filter(invitation_tokens::invitation_id.eq(Stored(invitation.id)));
        let update =
            diesel::update(tokens).set(invitation_tokens::delivery.eq(Stored(TokenDelivery::Replaced))).prepared();
        self.execute(update).await.map(drop)
    }
}

impl Scope {
    async fn invited_addresses(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<String>> {
        let sent = invitations::table.filter(invitations::workspace_id.eq(Stored(workspace)));
        self.all(sent.select(invitations::email).distinct()).await
    }

    /// Removes the directory entries and the addresses' side of a workspace's invitations, but not the invitations.
    pub(super) async fn forget_invitations_of(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let id = Stored(workspace);
        let hashes = invitation_tokens::table.filter(invitation_tokens::workspace_id.eq(&id));
        let hashes: Vec<String> = self.all(hashes.select(invitation_tokens::hash)).await?;
        self.forget_tokens(&hashes).await?;
        for some in self.invited_addresses(workspace).await?.chunks(ADDRESSES_AT_ONCE) {
            let sides = invitations_by_email::table
                .filter(invitations_by_email::email.eq_any(some))
                .filter(invitations_by_email::workspace_id.eq(&id));
            self.execute(diesel::delete(sides)).await?;
        }
        Ok(())
    }

    /// Removes every invitation that was sent to an address, and what the address may see through it. One workspace after
    /// the other, because a statement changes rows of one owner only, and in the order of their ids, as all units do.
    pub(super) async fn remove_invitations_to(&mut self, email: &Email) -> StoreResult<()> {
        let sides = invitations_by_email::table.filter(invitations_by_email::email.eq(email.as_str()));
        let sent = sides.select((invitations_by_email::workspace_id, invitations_by_email::id));
        let mut by_workspace = BTreeMap::<_, Vec<_>>::new();
        for (workspace, id) in self.all::<(Stored<WorkspaceId>, Stored<InvitationId>), _>(sent).await? {
            by_workspace.entry(workspace.0).or_default().push(id.0);
        }
        for (workspace, ids) in by_workspace {
            self.remove_access_of(workspace, Grantee::Email(email.clone())).await?;
            self.remove_invitations(workspace, &ids).await?;
        }
        self.execute(diesel::delete(sides)).await.map(drop)
    }

    /// Removes invitations with their tokens, but not the address's side.
    async fn remove_invitations(&mut self, workspace: WorkspaceId, ids: &[InvitationId]) -> StoreResult<()> {
        let tokens = invitation_tokens::table
            .filter(invitation_tokens::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(invitation_tokens::invitation_id, ids.iter().copied().map(Stored)));
        let hashes: Vec<String> = self.all(tokens.select(invitation_tokens::hash)).await?;
        self.forget_tokens(&hashes).await?;
        // Tokens are deleted with the row.
        let whole = invitations::table
            .filter(invitations::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(invitations::id, ids.iter().copied().map(Stored)));
        self.execute(diesel::delete(whole)).await.map(drop)
    }
}
