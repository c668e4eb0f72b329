//! Changing a share link.

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
    reply::Reply,
    scope::Unit,
};
use octavo_core_model::{
    Secret, Timestamp,
    fault::Conflict,
    id::ShareLinkId,
    share_link::{ShareChange, ShareLevel, ShareLink, SharePassword},
};

/// A change of a link; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct ShareUpdate {
    pub level: Option<ShareLevel>,
    pub include_children: Option<bool>,
    pub password: Option<Option<SharePassword>>,
    pub expires_at: Option<Option<Timestamp>>,
    pub allow_duplicate: Option<bool>,
    pub allow_indexing: Option<bool>,
    /// Whether to give the link a new address and end the present one.
    pub rotate_token: bool,
}

impl ShareUpdate {
    /// The change, with the hash of a new password.
    fn change(&self, hash: Option<Secret<String>>) -> ShareChange {
        ShareChange {
            level: self.level,
            include_children: self.include_children,
            password: self.password.as_ref().map(|password| password.as_ref().and(hash)),
            expires_at: self.expires_at,
            allow_duplicate: self.allow_duplicate,
            allow_indexing: self.allow_indexing,
            token: None,
        }
    }

    /// The link after the change, without its secrets.
    fn outcome(&self, link: &ShareLink, now: Timestamp) -> ShareLink {
        let mut changed = link.clone();
        changed.apply(self.change(Some(Secret::new(String::new()))), now);
        changed
    }
}

/// Changes a link. Setting, changing or removing the password ends all access that was given by an earlier one.
pub async fn update(
    engine: &Engine,
    call: Call,
    id: Draft<ShareLinkId>,
    draft: Draft<ShareUpdate>,
    shape: impl FnOnce(ShareLinkDetails) -> Reply + Send,
) -> AppResult<Reply> {
    let password = draft.as_ref().ok().and_then(|update| update.password.clone().flatten());
    let hash = match password {
        None => None,
        Some(password) => {
            let (id, draft) = (id.clone(), draft.clone());
            engine.look_ahead(call.clone(), move |unit| Box::pin(authorize(unit, id, draft))).await?;
            Some(engine.hash(call.work_owner(), password.into_secret()).await?.0)
        }
    };
    engine.write(call, move |unit| Box::pin(save(unit, id, draft, hash)), shape).await
}

/// Checks that the caller may make this change to the link.
async fn authorize(
    unit: &mut Unit,
    id: Draft<ShareLinkId>,
    draft: Draft<ShareUpdate>,
) -> AppResult<(Manager, ShareLink, ShareUpdate)> {
    let Some((manager, link)) = manage::of_link(unit, &id).await? else { return Err(unit.absent().await) };
    let now = unit.call.now;
    if let Ok(update) = &draft {
        let is_wider = update.outcome(&link, now).is_wider_than(&link, now);
        if is_wider {
            manager.may_share()?;
        }
        if is_wider || update.password.is_some() || update.rotate_token {
            access::require_live_session(unit).await?;
        }
    }
    unit.claim().await?;
    let update = draft?;
    refuse_past(update.expires_at.flatten(), now)?;
    manager.require_active()?;
    if link.revoked_at.is_some() {
        return Err(Conflict::ShareLinkRevoked.into());
    }
    Ok((manager, link, update))
}

async fn save(
    unit: &mut Unit,
    id: Draft<ShareLinkId>,
    draft: Draft<ShareUpdate>,
    hash: Option<Secret<String>>,
) -> AppResult<ShareLinkDetails> {
    let (manager, mut link, update) = authorize(unit, id, draft).await?;
    let before = link.clone();
    let token = update.rotate_token.then(|| draw_token(unit, link.id));
    let changed = link.apply(ShareChange { token, ..update.change(hash) }, unit.call.now);
    if !changed.is_empty() {
        unit.tx.share_links().save(&link).await?;
        report::updated(unit, &manager.page, &before, &link, &changed);
    }
    with_token(unit, link, manager.page.kind)
}
