//! Where on a page somebody is.

use super::enter;
use crate::{
    access::{CallerKind, RouteAccess},
    outcome::{AppResult, Draft},
    page_access::lineage,
    scope::View,
};
use octavo_core_model::{
    Fault,
    fault::Denial,
    id::{BlockId, PageId},
    presence::{Presence, PresenceState},
};

/// Where the caller is, as the call says.
#[derive(Clone, Copy, Debug)]
pub struct SentPresence {
    pub block: Option<BlockId>,
    pub offset: Option<u32>,
    pub state: PresenceState,
}

/// Checks that the caller may see the page and that the block is on it. Nothing is stored.
pub async fn presence(view: &mut View, page: Draft<PageId>, sent: Draft<SentPresence>) -> AppResult<Presence> {
    let (caller, authority) = enter(view, RouteAccess::OWN_PAGES_CHANGE).await?;
    let (CallerKind::Member { user, .. } | CallerKind::App { user, .. }) = &caller.kind else {
        return Err(Fault::Forbidden(Denial::RequiresUser).into());
    };
    let page = lineage::find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?.page.id;
    let SentPresence { block, offset, state } = sent?;
    if let Some(id) = block {
        let found = view.tx.blocks().list_locations(caller.workspace, &[id]).await?.pop();
        found.filter(|block| block.page == page && !block.is_deleted).ok_or(Fault::UnknownId("blockId"))?;
    }
    Ok(Presence {
        workspace: caller.workspace,
        page,
        user: user.id,
        name: user.name.to_string(),
        avatar_url: user.avatar_url.as_ref().map(ToString::to_string),
        block,
        offset,
        state,
    })
}
