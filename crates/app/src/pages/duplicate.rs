//! Copying a page with what the caller sees below it.

mod shared;

pub(crate) use shared::{landing, paste};

use super::{
    Place, Shown,
    create::{blank, put},
    emit,
    place::{Destination, destination, position},
    sight::{Seen, Sight, find},
};
use crate::{
    access::{self, Door, Entry, Visitor},
    blocks::copy_content,
    engine::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::EventType,
    fault::{Conflict, Denial, Unfit},
    id::{PageId, WorkspaceId},
    page::{Node, Page},
    position::Position,
    text::PageTitle,
};
use octavo_permissions::{Authority, Member};
use serde_json::json;
use std::collections::BTreeMap;

/// How many pages one call copies.
const MAX_PAGES: usize = 500;

/// What a copy is to be like.
#[derive(Clone, Debug, Default)]
pub struct Duplication {
    pub place: Place,
    pub title: Option<PageTitle>,
    /// Only the page itself where it is false.
    pub with_children: Option<bool>,
    /// The workspace the copy goes to; the one of the page where it is left out.
    pub workspace: Option<WorkspaceId>,
}

/// A copy, and which page became which.
#[derive(Clone, Debug)]
pub struct Copied {
    pub shown: Shown,
    pub ids: BTreeMap<PageId, PageId>,
}

/// Copies a page, and what the caller sees below it, to a place where they may put pages.
pub async fn duplicate(unit: &mut Unit, id: Draft<PageId>, draft: Draft<Duplication>) -> AppResult<Copied> {
    let entry = access::enter(unit, Door::PAGES_CHANGE).await?;
    let elsewhere = draft.as_ref().ok().and_then(|wanted| wanted.workspace).filter(|id| *id != entry.workspace);
    // The workspace that changes; the other one is only read.
    let target = elsewhere.unwrap_or(entry.workspace);
    let locked = unit.tx.lock_workspace(target).await?;
    let authority = access::authority_in_teams(unit, &entry).await?;
    let Some(seen) = find(unit, &entry, &authority, &id).await? else { return Err(unit.absent().await) };
    let wanted = match draft {
        Ok(wanted) => wanted,
        Err(fault) => {
            unit.claim().await?;
            return Err(fault.into());
        }
    };
    let there = match elsewhere {
        Some(workspace) if locked.is_some() => enter_elsewhere(unit, &entry, workspace).await?,
        Some(_) => return Err(unit.absent().await),
        None => (entry.clone(), authority.clone()),
    };
    let now = elsewhere.is_none().then_some(&seen.page);
    let container = wanted.place.container(target, now)?;
    let Some(destination) = destination(unit, target, &there.1, container).await? else {
        // The caller knows what the page stands in, though not more than that.
        let stays = container == seen.page.container;
        return Err(if stays {
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)).into()
        } else {
            unit.absent().await
        });
    };
    unit.claim().await?;
    if seen.page.trash.is_some() {
        return Err(Conflict::PageTrashed.into());
    }
    let levels = gather(unit, &entry, &authority, &seen, wanted.with_children.unwrap_or(true)).await?;
    destination.admit(u32::try_from(levels.len()).unwrap_or(u32::MAX))?;
    let position = position(unit, target, container, &wanted.place.anchor, None).await?;
    let title = wanted.title.unwrap_or_else(|| seen.page.title.of_copy());
    let (copies, ids) = copy(unit, &there.0, &destination, levels, &title, &position);
    write(unit, &there.0, &destination, copies, ids, (entry.workspace, seen.page.id)).await
}

/// Lets the caller into another workspace of theirs: people in person only.
async fn enter_elsewhere(unit: &mut Unit, entry: &Entry, workspace: WorkspaceId) -> AppResult<(Entry, Authority)> {
    let Visitor::Member { user, .. } = &entry.visitor else {
        return Err(Fault::Forbidden(Denial::RequiresUser).into());
    };
    if access::claims(unit)?.is_bound() {
        return Err(Fault::Forbidden(Denial::RequiresLogin).into());
    }
    let place = unit.tx.find_user_in(user.id, workspace).await?.and_then(|(_, place)| place);
    let Some(place) = place else { return Err(unit.absent().await) };
    if place.is_deleting {
        return Err(Fault::WorkspaceDeleting.into());
    }
    let teams = unit.tx.list_team_roles(workspace, user.id).await?;
    let authority = Authority::Member(Member::new(user.id, place.role, teams));
    let visitor = Visitor::Member { user: user.clone(), role: place.role };
    Ok((Entry { workspace, visitor }, authority))
}

/// The pages to copy, level by level: one statement for each level.
async fn gather(
    unit: &mut Unit,
    entry: &Entry,
    authority: &Authority,
    seen: &Seen<'_>,
    with_children: bool,
) -> AppResult<Vec<Vec<Page>>> {
    let mut levels = vec![vec![seen.page.clone()]];
    if !with_children {
        return Ok(levels);
    }
    let within = Sight::of(unit, entry.workspace, authority).await?.within(Level::View);
    let mut count = 1;
    loop {
        let above: Vec<_> = levels.last().into_iter().flatten().map(|page| page.id).collect();
        let below = unit.tx.list_children(entry.workspace, &above, within.as_deref()).await?;
        if below.is_empty() {
            return Ok(levels);
        }
        count += below.len();
        if count > MAX_PAGES {
            return Err(Unfit::TooLarge.into());
        }
        levels.push(below);
    }
}

/// Copies without what belongs to the originals alone: grants, locks, versions, and who made them when.
fn copy(
    unit: &mut Unit,
    entry: &Entry,
    destination: &Destination<'_>,
    levels: Vec<Vec<Page>>,
    title: &PageTitle,
    position: &Position,
) -> (Vec<Page>, BTreeMap<PageId, PageId>) {
    let (mut copies, mut ids) = (Vec::new(), BTreeMap::new());
    for original in levels.into_iter().flatten() {
        let container = original.container.page().and_then(|id| ids.get(&id)).copied();
        let plain = blank(unit, entry, destination, position.clone());
        ids.insert(original.id, plain.id);
        let plain = Page { icon: original.icon, cover_url: original.cover_url, ..plain };
        copies.push(match container {
            Some(container) if !copies.is_empty() => {
                Page { container: Node::Page(container), title: original.title, position: original.position, ..plain }
            }
            _ => Page { title: title.clone(), ..plain },
        });
    }
    (copies, ids)
}

async fn write(
    unit: &mut Unit,
    entry: &Entry,
    destination: &Destination<'_>,
    copies: Vec<Page>,
    ids: BTreeMap<PageId, PageId>,
    (from, source): (WorkspaceId, PageId),
) -> AppResult<Copied> {
    let mut copies = copies.into_iter();
    let Some(root) = copies.next() else { return Err(Fault::Internal("a copy has no root").into()) };
    let (root, level) = put(unit, entry, root, destination).await?;
    // What the root is read from, the pages below it are read from too.
    let below: Vec<_> = copies.map(|page| Page { access: root.access, ..page }).collect();
    let child_count = below.iter().filter(|page| page.container == Node::Page(root.id)).count() as u64;
    if !below.is_empty() {
        unit.tx.insert_pages(&below).await?;
    }
    let copies: Vec<_> = std::iter::once(&root).chain(&below).cloned().collect();
    copy_content(unit, entry, from, &copies, &ids).await?;
    let more = json!({ "via": "duplicate", "sourcePageId": source, "pageCount": 1 + below.len() });
    emit(unit, EventType::PageCreated, &root, more);
    Ok(Copied { shown: Shown { child_count, ..Shown::fresh(unit, root, level).await? }, ids })
}
