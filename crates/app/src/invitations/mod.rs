//! Invitations: inviting people to a workspace, and their answers.

pub mod accept;
pub mod accept_in_browser;
pub mod decline;
mod join;
pub mod manage;
pub mod preview;
mod token;

use crate::{
    access::{self, CallerKind, RouteAccess, WorkspaceCaller, enter_locked},
    due,
    engine::Engine,
    mailed,
    open_invitations::{self, OpenInvitations, release_grants, release_unless_kept},
    outcome::{AppResult, Draft},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, Role, Timestamp, Token, TokenKind,
    account::User,
    event::EventPayload,
    fault::Conflict,
    id::{InvitationId, WorkspaceId},
    invitation::{Invitation, InvitationState, InvitationStatus, Inviter, TokenDelivery},
    mail::Topic,
    text::Email,
    time::days,
    workspace::Workspace,
};
use octavo_permissions::members;
use octavo_ports::store::Reads;
use std::collections::BTreeMap;

/// The address to invite.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    pub email: Email,
    pub role: Role,
    pub expires_in_days: u32,
}

/// An invitation with its link, which is shown to the inviter once.
#[derive(Clone, Debug)]
pub struct Sent {
    pub invitation: Invitation,
    pub link_token: Token,
}

/// Invites an address to the workspace of the call.
pub async fn create(unit: &mut Unit, draft: Draft<NewInvitation>) -> AppResult<Sent> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    if let Ok(wanted) = &draft {
        members::may_grant_role(&caller.authority(), wanted.role)?;
    }
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let wanted = draft?;
    refuse_member(unit, &workspace, &wanted.email).await?;
    let open = open_invitations::of_address(unit, workspace.id, &wanted.email).await?;
    if open.valid.iter().any(|valid| valid.role == wanted.role) {
        return Err(Fault::Conflict(Conflict::Taken("email")).into());
    }
    invite(unit, &caller, &workspace, wanted, open).await
}

/// Invites an address that has these open invitations; callers make sure that none that counts has the same role. One
/// that does not count is revoked if it has. The address loses what its earlier invitations did not keep. The workspace
/// must be locked.
pub(crate) async fn invite(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    workspace: &Workspace,
    wanted: NewInvitation,
    open: OpenInvitations,
) -> AppResult<Sent> {
    release_unless_kept(unit, workspace.id, &wanted.email, &open).await?;
    for mut replaced in open.void.into_iter().filter(|void| void.role == wanted.role) {
        open_invitations::close(unit, &mut replaced).await?;
    }
    let now = unit.call.now;
    let invitation = Invitation {
        id: unit.id(InvitationId::new),
        workspace: workspace.id,
        email: wanted.email,
        role: wanted.role,
        invited_by: caller.author(),
        invited_by_key: caller.key(),
        created_at: now,
        expires_at: now.plus(days(wanted.expires_in_days.into())),
        state: InvitationState::Pending,
    };
    unit.tx.invitations().insert(&invitation).await?;
    let link_token = send(unit, caller, workspace, &invitation).await?;
    unit.emit(workspace.id, EventPayload::WorkspaceInvitationSent((&invitation).into()));
    Ok(Sent { invitation, link_token })
}

/// Removes grants to addresses whose invitations have expired, each in a unit of its own, and returns the number of
/// invitations.
pub(crate) async fn release_due(engine: &Engine, now: Timestamp) -> AppResult<u32> {
    due::each(
        engine,
        now,
        |unit| Box::pin(async move { Ok(unit.tx.invitations().list_lapsed(unit.call.now, due::BATCH).await?) }),
        |unit, (workspace, id)| Box::pin(release(unit, workspace, id)),
    )
    .await
}

async fn release(unit: &mut Unit, workspace: WorkspaceId, id: InvitationId) -> AppResult<()> {
    if unit.tx.workspaces().lock(workspace).await?.is_none() {
        return Ok(());
    }
    match unit.tx.invitations().find(workspace, id).await? {
        Some(invitation) => release_grants(unit, workspace, &invitation.email).await,
        None => Ok(()),
    }
}

async fn refuse_member(unit: &mut Unit, workspace: &Workspace, email: &Email) -> AppResult<()> {
    if let Some(user) = unit.tx.accounts().find_by_email(email).await?
        && unit.tx.members().find_role(user.id, workspace.id).await?.is_some()
    {
        return Err(Fault::Conflict(Conflict::Taken("email")).into());
    }
    Ok(())
}

/// Issues both tokens of an invitation: one is mailed, the other is returned to the inviter. They differ because only
/// the mailed one verifies an address. Nothing is mailed on behalf of an account whose own address is not verified.
async fn send(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    workspace: &Workspace,
    invitation: &Invitation,
) -> AppResult<Token> {
    let (mailed, shared) = (unit.token(TokenKind::Invitation), unit.token(TokenKind::Invitation));
    unit.tx.invitations().insert_token(invitation, TokenDelivery::Mailed, &mailed.hash()).await?;
    unit.tx.invitations().insert_token(invitation, TokenDelivery::Shared, &shared.hash()).await?;
    if let Some(inviter) = user_behind(unit, caller).await?.filter(User::is_verified) {
        let topic = Topic::Invitation {
            workspace: workspace.name.to_string(),
            inviter: inviter.name.to_string(),
            role: invitation.role,
            expires_at: invitation.expires_at,
            token: mailed.reveal().to_owned(),
        };
        // The letter is the same for every address, so nothing is looked up about an account with it.
        mailed::write_to(unit, &invitation.email, "", topic).await?;
    }
    Ok(shared)
}

/// The account that a caller acts for; for a key the user who created it.
async fn user_behind(unit: &mut Unit, caller: &WorkspaceCaller) -> AppResult<Option<User>> {
    match &caller.kind {
        CallerKind::Member { user, .. } | CallerKind::App { user, .. } => Ok(Some(user.clone())),
        CallerKind::Key(key) => Ok(unit.tx.accounts().find(key.created_by).await?),
    }
}

/// Requires that an invitation is open and counts.
async fn require_open<T: Reads + ?Sized>(scope: &mut Scope<T>, invitation: &Invitation) -> AppResult<()> {
    invitation.require_open(scope.call.now).map_err(Fault::from)?;
    if !open_invitations::counts(scope, invitation).await? {
        return Err(Fault::Conflict(Conflict::InvitationAnswered(InvitationState::Revoked)).into());
    }
    Ok(())
}

/// Which invitations to list.
#[derive(Clone, Copy, Debug)]
pub struct InvitationPage {
    pub status: InvitationStatus,
    pub before: Option<InvitationId>,
    pub limit: u32,
}

/// An invitation and its inviter.
#[derive(Clone, Debug)]
pub struct Listed {
    pub invitation: Invitation,
    /// `None` if the account no longer exists.
    pub inviter: Option<Inviter>,
}

/// Lists the invitations of the workspace of the call, newest first.
pub async fn list(view: &mut View, page: Draft<InvitationPage>) -> AppResult<Vec<Listed>> {
    let caller = access::enter(view, RouteAccess::ADMINS).await?;
    let page = page?;
    let now = view.call.now;
    let found = view.tx.invitations().list(caller.workspace, page.status, now, page.before, page.limit).await?;
    with_inviters(view, found).await
}

async fn with_inviters(view: &mut View, invitations: Vec<Invitation>) -> AppResult<Vec<Listed>> {
    let mut ids: Vec<_> = invitations.iter().map(|invitation| invitation.invited_by).collect();
    ids.sort_unstable();
    ids.dedup();
    let inviters = view.tx.invitations().list_inviters(&ids).await?;
    let inviters: BTreeMap<_, _> = inviters.into_iter().map(|inviter| (inviter.id, inviter)).collect();
    let listed = |invitation: Invitation| Listed { inviter: inviters.get(&invitation.invited_by).cloned(), invitation };
    Ok(invitations.into_iter().map(listed).collect())
}
