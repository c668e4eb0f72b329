//! References from comments and replies.

use super::{
    super::{listing::Filling, visibility::Visibility},
    Backlink, BacklinkSource,
    in_blocks::EXCERPT,
    pages_by_id,
};
use crate::{outcome::AppResult, scope::View};
use octavo_core_model::{
    Level,
    page::{Node, Page},
    text::PageTitle,
};
use octavo_permissions::Authority;
use octavo_ports::comments::{CommentMark, CommentReference};

/// Lists the comments and replies that mention a page and whose pages the caller may see, newest mention first.
pub(super) async fn list(
    view: &mut View,
    authority: &Authority,
    target: &Page,
    mut after: Option<CommentMark>,
    limit: u32,
) -> AppResult<Vec<Backlink>> {
    let (workspace, target) = (target.workspace, target.id);
    let mut visibility = Visibility::of(workspace, authority);
    let mut filling = Filling::new(Level::View, limit);
    while let Some(chunk) = filling.next(view, &mut visibility).await? {
        let within = chunk.within.nodes.as_deref();
        let found =
            view.tx.comments().list_references_to(workspace, target, within, after.as_ref(), chunk.limit).await?;
        after = found.last().map(CommentMark::from).or(after);
        let pages = pages_by_id(view, workspace, found.iter().map(|reference| reference.place.page)).await?;
        visibility.look_up(view, pages.values().map(|page| page.access)).await?;
        // If the page was removed meanwhile, its comments are hidden too.
        let place = |reference: CommentReference| {
            let page = pages.get(&reference.place.page);
            let access = page.map_or(Node::Page(reference.place.page), |page| page.access);
            (access, backlink(&reference, page))
        };
        filling.add(&chunk, found.into_iter().map(place).collect(), &visibility);
    }
    Ok(filling.into_seen())
}

fn backlink(reference: &CommentReference, page: Option<&Page>) -> Backlink {
    let title = page.map_or_else(|| PageTitle::from_stored(String::new()), |page| page.title.clone());
    Backlink {
        source: BacklinkSource::Comment(reference.place.comment, reference.place.reply),
        page: reference.place.page,
        title,
        excerpt: reference.text.as_str().chars().take(EXCERPT).collect(),
        created_at: reference.created_at,
    }
}
