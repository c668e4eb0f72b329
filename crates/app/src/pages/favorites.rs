//! Pages that users keep as favorites.

use super::{enter, look_up, require_writable, visibility::Visibility};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Denial, Issue, Violation},
    id::{PageId, UserId},
    page::{Favorite, Page},
    position::Position,
};

/// A place among the favorites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FavoritePlace {
    /// At the end; an existing favorite stays where it is.
    Last,
    After(PageId),
    Before(PageId),
}

/// A favorite and its page.
#[derive(Clone, Debug)]
pub struct FavoritePage {
    pub favorite: Favorite,
    pub page: Page,
}

fn person(caller: &WorkspaceCaller) -> AppResult<UserId> {
    Ok(caller.member().ok_or(Fault::Forbidden(Denial::RequiresUser))?)
}

/// The caller's favorites in their order: active pages that they may still see.
pub async fn favorites(view: &mut View) -> AppResult<Vec<FavoritePage>> {
    let (caller, authority) = enter(view, RouteAccess::OWN_PAGES).await?;
    let user = person(&caller)?;
    let found = view.tx.favorites().list(caller.workspace, user).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut visibility = Visibility::of(caller.workspace, &authority);
    visibility.look_up(view, found.iter().map(|(_, page)| page.access)).await?;
    let seen = found.into_iter().filter(|(_, page)| visibility.level(page.access) >= Level::View);
    Ok(seen.map(|(favorite, page)| FavoritePage { favorite, page }).collect())
}

/// Makes a page a favorite of the caller, or moves an existing favorite.
///
/// The lock of the workspace keeps the page from being deleted permanently meanwhile: the deletion would miss the
/// favorite. It also makes changes of the same user's favorites take place one after the other.
pub async fn favorite(unit: &mut Unit, id: Draft<PageId>, place: Draft<FavoritePlace>) -> AppResult<Favorite> {
    let (caller, _) = enter_locked(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let user = person(&caller)?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(seen) = look_up(unit, caller.workspace, &authority, &id).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let place = place?;
    require_writable(&seen.page)?;
    let page = seen.page.id;
    let kept = unit.tx.favorites().find(caller.workspace, user, page).await?;
    let others = unit.tx.favorites().list_places(caller.workspace, user, page).await?;
    let position = match (place, &kept) {
        (FavoritePlace::Last, Some(kept)) => kept.position.clone(),
        (FavoritePlace::Last, None) => Position::after(others.last().map(|(_, position)| position)),
        (FavoritePlace::After(id), _) => {
            let index = index_of(&others, id, "afterId")?;
            between(&others, index.checked_add(1))
        }
        (FavoritePlace::Before(id), _) => between(&others, Some(index_of(&others, id, "beforeId")?)),
    };
    let created_at = kept.as_ref().map_or(unit.call.now, |kept| kept.created_at);
    let favorite = Favorite { workspace: caller.workspace, user, page, position, created_at };
    if kept.as_ref() != Some(&favorite) {
        unit.tx.favorites().put(&favorite).await?;
    }
    Ok(favorite)
}

fn index_of(others: &[(PageId, Position)], id: PageId, field: &'static str) -> Result<usize, Violation> {
    others.iter().position(|(other, _)| *other == id).ok_or_else(|| Violation::new(field, Issue::AnchorNotSibling))
}

/// The position between the favorite with this index and the one before it.
fn between(others: &[(PageId, Position)], index: Option<usize>) -> Position {
    let index = index.unwrap_or(others.len());
    let before = index.checked_sub(1).and_then(|index| others.get(index)).map(|(_, position)| position);
    let behind = others.get(index).map(|(_, position)| position);
    Position::between(before, behind).unwrap_or_else(|| Position::after(before))
}

/// Removes a page from the caller's favorites. No error if it is not a favorite or does not exist.
pub async fn unfavorite(unit: &mut Unit, id: Draft<PageId>) -> AppResult<()> {
    let (caller, _) = enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let user = person(&caller)?;
    let Ok(id) = id else { return Err(unit.absent().await) };
    unit.claim().await?;
    Ok(unit.tx.favorites().remove(caller.workspace, user, id).await?)
}
