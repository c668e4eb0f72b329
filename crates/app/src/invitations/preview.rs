//! What invited people see before they answer.

use super::{Listed, require_open, token, with_inviters};
use crate::{
    access,
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Fault, Secret,
    id::InvitationId,
    invitation::{Invitation, Inviter},
    workspace::Workspace,
};
use std::collections::BTreeMap;

/// An invitation as the holder of its token sees it.
#[derive(Clone, Debug)]
pub struct Preview {
    pub invitation: Invitation,
    pub workspace: Workspace,
    pub inviter: Option<Inviter>,
    pub account_exists: bool,
}

/// Shows an open invitation to the holder of its token.
pub async fn preview(view: &mut View, token: Draft<Secret<String>>) -> AppResult<Preview> {
    let found = token::find(view, &token?, || Fault::NotFound).await?;
    let invitation = found.invitation;
    let workspace = token::in_use(view.tx.workspaces().find(invitation.workspace).await?)?;
    token::require_current(found.delivery)?;
    require_open(view, &invitation).await?;
    let inviter = view.tx.invitations().list_inviters(&[invitation.invited_by]).await?.pop();
    let account_exists = view.tx.accounts().find_by_email(&invitation.email).await?.is_some();
    Ok(Preview { invitation, workspace, inviter, account_exists })
}

/// Which of the caller's invitations to list.
#[derive(Clone, Copy, Debug)]
pub struct OwnPage {
    pub before: Option<InvitationId>,
    pub limit: u32,
}

/// Lists the caller's open invitations, newest first. The list is empty for an unverified address, which may be
/// somebody else's.
pub async fn list_own(view: &mut View, page: Draft<OwnPage>) -> AppResult<Vec<(Listed, Workspace)>> {
    let user = access::user(view).await?;
    let page = page?;
    if !user.is_verified() {
        return Ok(Vec::new());
    }
    let found = view.tx.invitations().list_to(&user.email, view.call.now, page.before, page.limit).await?;
    let mut ids: Vec<_> = found.iter().map(|invitation| invitation.workspace).collect();
    ids.sort_unstable();
    ids.dedup();
    let workspaces = view.tx.invitations().list_inviting_workspaces(&ids).await?.into_iter();
    let workspaces: BTreeMap<_, _> = workspaces.map(|workspace| (workspace.id, workspace)).collect();
    let listed = with_inviters(view, found).await?.into_iter();
    Ok(listed.filter_map(|one| workspaces.get(&one.invitation.workspace).cloned().map(|place| (one, place))).collect())
}
