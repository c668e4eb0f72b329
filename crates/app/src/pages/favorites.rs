//! Pages and databases that users keep as favorites.

use super::{enter, look_up, require_writable, visibility::Visibility};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    page_access::area_of,
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Denial, Issue, Violation},
    id::{PageId, UserId},
    page::{Favorite, Page, ResourceId},
    position::Position,
};
use octavo_permissions::Access;

/// A place among the favorites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FavoritePlace {
    /// At the end; an existing favorite stays where it is.
    Last,
    After(ResourceId),
    Before(ResourceId),
}

/// A favorite and its page or database.
#[derive(Clone, Debug)]
pub struct FavoritePage {
    pub favorite: Favorite,
    pub page: Page,
}

fn person(caller: &WorkspaceCaller) -> AppResult<UserId> {
    Ok(caller.member().ok_or(Fault::Forbidden(Denial::RequiresUser))?)
}

/// The caller's favorites in their order: active pages and databases that they may still see.
pub async fn favorites(view: &mut View) -> AppResult<Vec<FavoritePage>> {
    let (caller, authority) = enter(view, RouteAccess::OWN_PAGES).await?;
    let user = person(&caller)?;
    let found = view.tx.favorites().list(caller.workspace, user).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut visibility = Visibility::of_everything(caller.workspace, &authority);
    visibility.look_up(view, found.iter().map(|(_, page)| page.access)).await?;
    let seen = found.into_iter().filter(|(_, page)| visibility.level_of(page) >= Level::View);
    Ok(seen.map(|(favorite, page)| FavoritePage { favorite, page }).collect())
}

/// Makes a page or database a favorite of the caller, or moves an existing favorite.
///
/// The lock of the workspace keeps the page from being deleted permanently meanwhile: the deletion would miss the
/// favorite. It also makes changes of the same user's favorites take place one after the other.
pub async fn favorite(unit: &mut Unit, id: Draft<ResourceId>, place: Draft<FavoritePlace>) -> AppResult<FavoritePage> {
    let (caller, _) = enter_locked(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let user = person(&caller)?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(seen) = look_up(unit, caller.workspace, &authority, &id).await? else { return Err(unit.absent().await) };
    authority.require_area(area_of(seen.page.kind), Access::Read)?;
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
    Ok(FavoritePage { favorite, page: seen.page })
}

fn index_of(others: &[(PageId, Position)], id: ResourceId, field: &'static str) -> Result<usize, Violation> {
    others
        .iter()
        .position(|(other, _)| *other == id.node())
        .ok_or_else(|| Violation::new(field, Issue::AnchorNotSibling))
}

/// The position between the favorite with this index and the one before it.
fn between(others: &[(PageId, Position)], index: Option<usize>) -> Position {
    let index = index.unwrap_or(others.len());
    let before = index.checked_sub(1).and_then(|index| others.get(index)).map(|(_, position)| position);
    let behind = others.get(index).map(|(_, position)| position);
    Position::between(before, behind).unwrap_or_else(|| Position::after(before))
}

/// Removes a page or database from the caller's favorites. No error if it is not a favorite or does not exist.
pub async fn unfavorite(unit: &mut Unit, id: Draft<ResourceId>) -> AppResult<()> {
    let (caller, _) = enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let user = person(&caller)?;
    let Ok(id) = id else { return Err(unit.absent().await) };
    unit.claim().await?;
    Ok(unit.tx.favorites().remove(caller.workspace, user, id.node()).await?)
}
