//! The order of views.

use super::{
    locked::LockedViews,
    shown::{ViewDetails, with_count},
};
use crate::{
    access::RouteAccess,
    databases::access::require_in_use,
    outcome::{AppResult, Draft},
    page_access,
    scope::Unit,
};
use octavo_core_model::{
    event::databases::DatabaseChange,
    fault::{Issue, Violation},
    id::{DatabaseId, ViewId},
    position::Position,
};
use octavo_databases::views::View;
use serde_json::json;

/// Puts a view before another one, or behind all others.
pub async fn reorder_view(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    view: Draft<ViewId>,
    before: Draft<Option<ViewId>>,
) -> AppResult<ViewDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = LockedViews::lock(unit, &caller, &authority, &id).await?;
    let Some(mut locked) = locked else { return Err(unit.absent().await) };
    let Some((index, view)) = locked.take(view) else { return Err(unit.absent().await) };
    unit.claim().await?;
    let before = before?;
    require_in_use(&locked.seen)?;
    let wanted = index_of(&locked.views, before)?;
    if wanted == index {
        return with_count(unit, caller.workspace, view).await;
    }
    let moved = place(unit, &mut locked, view, wanted).await?;
    locked.report(unit, DatabaseChange::ViewUpdated, moved.id).await?;
    with_count(unit, caller.workspace, moved).await
}

/// The place among the other views that a call asks for.
fn index_of(others: &[View], before: Option<ViewId>) -> Result<usize, Violation> {
    let Some(before) = before else { return Ok(others.len()) };
    let index = others.iter().position(|view| view.id == before);
    index.ok_or_else(|| Violation::new("beforeId", Issue::AnchorNotSibling).with(json!(before)))
}

/// Puts a view at this place among the others. If there is no room, the others get new positions too.
async fn place(unit: &mut Unit, locked: &mut LockedViews<'_>, mut view: View, index: usize) -> AppResult<View> {
    let previous = index.checked_sub(1).and_then(|index| locked.views.get(index)).map(|view| &view.position);
    let next = locked.views.get(index).map(|view| &view.position);
    view.updated_at = unit.call.now;
    if let Some(position) = Position::between(previous, next) {
        view.position = position;
        locked.save(unit, &view).await?;
        return Ok(view);
    }
    let positions: Vec<_> = Position::spread(locked.views.len() + 1).collect();
    let mut views = std::mem::take(&mut locked.views);
    let id = view.id;
    views.insert(index.min(views.len()), view);
    for (view, position) in views.iter_mut().zip(positions) {
        if view.id == id || view.position != position {
            view.position = position;
            locked.save(unit, view).await?;
        }
    }
    Ok(views.swap_remove(index.min(views.len() - 1)))
}
