//! Asking for a level on a page.
//!
//! Who asks learns nothing of the page, not even whether there is one: every call comes to the same, and only some leave something behind.

use super::report;
use crate::{
    access::{self, Door, Entry},
    engine::{AppResult, Draft},
    pages::sight,
    scope::Unit,
    workspaces::enter_locked,
};
use octavo_core_model::{
    Fault,
    access_request::{AccessRequest, AskedLevel, OPEN_FOR},
    fault::Denial,
    id::{AccessRequestId, PageId, UserId},
    page::Page,
    text::Message,
};

/// What somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    pub level: AskedLevel,
    pub message: Option<Message>,
}

/// Notes that a member asks for a level on a page, or asks for another one than before.
pub async fn ask(unit: &mut Unit, page: Draft<PageId>, draft: Draft<Wish>) -> AppResult<()> {
    let (entry, _) = enter_locked(unit, Door::ASKING).await?;
    let user = entry.member().ok_or(Fault::Forbidden(Denial::RequiresUser))?;
    unit.claim().await?;
    let wish = draft?;
    let Some(page) = lacking(unit, &entry, &page, wish.level).await? else { return Ok(()) };
    let now = unit.call.now;
    match unit.tx.find_open_request(page.workspace, page.id, user, now).await? {
        Some(mut open) => {
            open.restate(wish.level, wish.message);
            Ok(unit.tx.save_access_request(&open).await?)
        }
        None => open(unit, &page, user, wish).await,
    }
}

/// The page, if there is one on which the caller lacks this level.
async fn lacking(unit: &mut Unit, entry: &Entry, id: &Draft<PageId>, wanted: AskedLevel) -> AppResult<Option<Page>> {
    let Ok(id) = id else { return Ok(None) };
    let page = unit.tx.find_page(entry.workspace, *id).await?.filter(|page| page.trash.is_none());
    let Some(page) = page else { return Ok(None) };
    let authority = access::authority_in_teams(unit, entry).await?;
    let way = sight::way(unit, entry.workspace, &authority, page.id).await?;
    Ok(way.filter(|way| way.level() < wanted.level()).map(|_| page))
}

async fn open(unit: &mut Unit, page: &Page, user: UserId, wish: Wish) -> AppResult<()> {
    let now = unit.call.now;
    let request = AccessRequest {
        id: unit.id(AccessRequestId::new),
        workspace: page.workspace,
        page: page.id,
        user,
        level: wish.level,
        message: wish.message,
        decision: None,
        created_at: now,
        expires_at: now.plus(OPEN_FOR),
    };
    unit.tx.insert_access_request(&request).await?;
    report::created(unit, page, &request);
    Ok(())
}
