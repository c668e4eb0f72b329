//! Creating a share link.

use super::{
    ShareLinkDetails, draw_token,
    manage::{self, Manager},
    refuse_past, report, with_token,
};
use crate::{
    access,
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft},
    page_access::NodeId,
    reply::Reply,
    scope::Unit,
};
use octavo_core_model::{
    Secret, Timestamp,
    fault::Conflict,
    id::ShareLinkId,
    share_link::{MAX_LINKS, ShareLevel, ShareLink, SharePassword, Views},
};

/// The properties of a new link.
#[derive(Clone, Debug)]
pub struct NewShareLink {
    pub level: ShareLevel,
    pub include_children: bool,
    pub password: Option<SharePassword>,
    pub expires_at: Option<Timestamp>,
    pub allow_duplicate: bool,
    pub allow_indexing: bool,
}

/// Creates a link to a page or database.
pub async fn create(
    engine: &Engine,
    call: Call,
    id: Draft<impl NodeId>,
    draft: Draft<NewShareLink>,
    shape: impl FnOnce(ShareLinkDetails) -> Reply + Send,
) -> AppResult<Reply> {
    let password = draft.as_ref().ok().and_then(|wanted| wanted.password.clone());
    let hash = match password {
        None => None,
        Some(password) => {
            let (id, draft) = (id.clone(), draft.clone());
            engine.look_ahead(call.clone(), move |unit| Box::pin(authorize(unit, id, draft))).await?;
            Some(engine.hash(call.work_owner(), password.into_secret()).await?.0)
        }
    };
    engine.write(call, move |unit| Box::pin(make(unit, id, draft, hash)), shape).await
}

/// Checks that the caller may create this link.
async fn authorize(
    unit: &mut Unit,
    id: Draft<impl NodeId>,
    draft: Draft<NewShareLink>,
) -> AppResult<(Manager, NewShareLink)> {
    let Some(manager) = manage::of_node(unit, &id).await? else { return Err(unit.absent().await) };
    manager.may_share()?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let wanted = draft?;
    refuse_past(wanted.expires_at, unit.call.now)?;
    manager.require_active()?;
    if unit.tx.share_links().count(manager.workspace.id, manager.page.id).await? >= MAX_LINKS {
        return Err(Conflict::LimitReached(MAX_LINKS).into());
    }
    Ok((manager, wanted))
}

async fn make(
    unit: &mut Unit,
    id: Draft<impl NodeId>,
    draft: Draft<NewShareLink>,
    password: Option<Secret<String>>,
) -> AppResult<ShareLinkDetails> {
    let (manager, wanted) = authorize(unit, id, draft).await?;
    let (link, now) = (unit.id(ShareLinkId::new), unit.call.now);
    let link = ShareLink {
        id: link,
        workspace: manager.workspace.id,
        page: manager.page.id,
        token: draw_token(unit, link),
        level: wanted.level,
        include_children: wanted.include_children,
        password,
        expires_at: wanted.expires_at,
        allow_duplicate: wanted.allow_duplicate,
        allow_indexing: wanted.allow_indexing,
        revoked_at: None,
        views: Views::default(),
        created_by: manager.caller.author(),
        created_at: now,
        updated_at: now,
    };
    unit.tx.share_links().insert(&link).await?;
    report::created(unit, &manager.page, &link);
    with_token(unit, link, manager.page.kind)
}
