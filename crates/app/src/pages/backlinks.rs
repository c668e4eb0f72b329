//! What refers to a page.

use super::{enter, sight::find};
use crate::{
    access::Door,
    engine::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{Fault, id::PageId};

/// Something that refers to a page. There is nothing that could, as long as pages have no content and there are no records.
#[derive(Clone, Copy, Debug)]
pub enum Backlink {}

/// Lists what refers to a page, for everybody who sees it.
pub async fn backlinks(view: &mut View, id: Draft<PageId>, limit: Draft<u32>) -> AppResult<Vec<Backlink>> {
    let (entry, authority) = enter(view, Door::PAGES).await?;
    find(view, &entry, &authority, &id).await?.ok_or(Fault::NotFound)?;
    limit?;
    Ok(Vec::new())
}
