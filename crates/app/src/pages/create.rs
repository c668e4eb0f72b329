//! Creating a page.

use super::{
    Anchor, PageDetails, Place, emit,
    lineage::{Entries, enter},
    parent_of,
    place::{Destination, find_destination, position},
};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    blocks::{LeftOut, count_of_pieces, initial, visible_part},
    outcome::{AppResult, Draft},
    page_count::count_new,
    scope::Unit,
};
use octavo_blocks_tree::Piece;
use octavo_core_model::{
    Fault, Level, Role,
    event::{
        EventPayload,
        pages::{MadeBy, PageCreated, PageImported},
    },
    fault::Conflict,
    grant::{Grant, Grantee},
    id::{AccessGrantId, PageId, UserId, WorkspaceId},
    page::{Node, Page, PageKind},
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
};
use octavo_permissions::{NodeEntry as Granted, Principal};
use std::sync::Arc;

/// The properties of a new page.
#[derive(Clone, Debug, Default)]
pub struct NewPage {
    /// Chosen by the caller, or generated if `None`.
    pub id: Option<PageId>,
    pub title: Option<PageTitle>,
    pub icon: Option<PageIcon>,
    pub cover_url: Option<WebAddress>,
    pub anchor: Anchor,
    pub inherit: Option<bool>,
    /// Its blocks.
    pub content: Vec<Piece>,
    pub origin: PageOrigin,
}

/// The origin of a new page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageOrigin {
    #[default]
    Here,
    /// A document in this format.
    Import(&'static str),
}

/// Creates a page. The place is parsed separately, so that callers that may not put pages there learn only that,
/// whatever else is wrong.
pub async fn create(unit: &mut Unit, place: Draft<Place>, draft: Draft<NewPage>) -> AppResult<PageDetails> {
    Ok(import(unit, place, draft.map(Arc::new)).await?.0)
}

/// Creates a page, possibly from a document, and returns what was left out. The page is copied only if it is shared, and
/// only once the caller's rights are checked and the key is claimed.
pub(super) async fn import(
    unit: &mut Unit,
    place: Draft<Place>,
    draft: Draft<Arc<NewPage>>,
) -> AppResult<(PageDetails, LeftOut)> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::PAGES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let destination = find_destination(unit, workspace.id, &authority, place, None).await?;
    unit.claim().await?;
    let wanted = draft?;
    let destination = destination?;
    destination.admit(1)?;
    refuse_files(wanted.icon.as_ref())?;
    unit.expect_content(count_of_pieces(&wanted.content), 0)?;
    count_new(unit, workspace.id, 1).await?;
    let position = position(unit, &authority, &destination, &wanted.anchor, None).await?;
    let wanted = Arc::unwrap_or_clone(wanted);
    let page = Page {
        id: wanted.id.unwrap_or_else(|| unit.id(PageId::new)),
        inherit: wanted.inherit.unwrap_or(true),
        title: wanted.title.unwrap_or_else(|| PageTitle::from_stored(String::new())),
        icon: wanted.icon,
        cover_url: wanted.cover_url,
        ..blank(unit, &caller, &destination, position)
    };
    if wanted.id.is_some() && is_taken(unit, workspace.id, page.id).await? {
        return Err(Conflict::Taken("id").into());
    }
    let (page, level) = put(unit, &caller, page, &destination).await?;
    let (content, left_out) = match wanted.origin {
        PageOrigin::Here => (wanted.content, LeftOut::default()),
        PageOrigin::Import(_) => visible_part(unit, &caller, &authority, wanted.content).await?,
    };
    let mentions = initial(unit, &caller, &authority, &page, content).await?;
    let (title, (parent_type, parent_id)) = (page.title.clone(), parent_of(&page));
    let (via, new_mentions) = match wanted.origin {
        PageOrigin::Here => (None, mentions),
        // The people whom a document mentions were notified where it was written.
        PageOrigin::Import(format) => {
            unit.emit(page.workspace, EventPayload::PageImported(PageImported::new(&page, format)));
            (Some(MadeBy::Import), Vec::new())
        }
    };
    let made = PageCreated::Made { title, parent_type, parent_id, via, new_mentions };
    emit(unit, &page, EventPayload::PageCreated, made);
    Ok((PageDetails::fresh(unit, page, level).await?, left_out))
}

/// Whether an id that no page has belongs to something all the same. The content of a removed page or database can still
/// be there, and a new page would show it. A record has the page with its id from the beginning, usually without a row.
async fn is_taken(unit: &mut Unit, workspace: WorkspaceId, id: PageId) -> AppResult<bool> {
    Ok(unit.tx.histories().find(workspace, id).await?.is_some()
        || unit.tx.databases().find(workspace, id.as_database()).await?.is_some()
        || unit.tx.records().find(workspace, id.as_record()).await?.is_some()
        || unit.tx.comments().are_left_of(workspace, id).await?)
}

/// There are no files yet, so a reference to one is refused.
pub(crate) fn refuse_files(icon: Option<&PageIcon>) -> Result<(), Fault> {
    if icon.is_some_and(|icon| icon.file().is_some()) { Err(Fault::NotFound) } else { Ok(()) }
}

/// An empty page at a place.
pub(crate) fn blank(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    destination: &Destination<'_>,
    position: Position,
) -> Page {
    let (author, now) = (Some(caller.author()), unit.call.now);
    Page {
        id: unit.id(PageId::new),
        kind: PageKind::Page,
        workspace: caller.workspace,
        team: destination.team,
        container: destination.container,
        access: destination.access,
        inherit: true,
        title: PageTitle::from_stored(String::new()),
        icon: None,
        cover_url: None,
        position,
        lock: None,
        trash: None,
        grants_version: 1,
        version: 1,
        created_by: author,
        updated_by: author,
        created_at: now,
        updated_at: now,
    }
}

/// Inserts a new page. Also grants access to the creator of a root page or of one that does not inherit: without that
/// they might not see it.
pub(crate) async fn put(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    mut page: Page,
    destination: &Destination<'_>,
) -> AppResult<(Page, Level)> {
    let is_root = page.container.page().is_none();
    let needing_grant = if is_root || !page.inherit { user_needing_grant(caller) } else { None };
    if needing_grant.is_some() || !page.inherit {
        page.access = Node::Page(page.id);
    }
    if !unit.tx.pages().insert(&page).await? {
        return Err(Conflict::Taken("id").into());
    }
    let mut entries = Entries::new();
    if let Some(user) = needing_grant {
        let grant = full_access(unit, &page, user, caller.author());
        unit.tx.grants().put(&grant).await?;
        let granted = Granted { principal: Principal::User(user), level: Level::FullAccess, expires: false };
        entries.insert(page.id, vec![granted]);
    }
    let end = destination.end.clone();
    let end = if page.has_entries() { enter(end, page.id, page.inherit, &entries) } else { end };
    Ok((page, end.level()))
}

/// The user who needs a grant to keep access to what they created: members and guests. Keys, owners and admins have
/// access anyway.
pub(super) fn user_needing_grant(caller: &WorkspaceCaller) -> Option<UserId> {
    caller.member().filter(|_| caller.role().is_some_and(|role| role < Role::Admin))
}

pub(super) fn full_access(unit: &mut Unit, page: &Page, user: UserId, by: UserId) -> Grant {
    let now = unit.call.now;
    Grant {
        id: unit.id(AccessGrantId::new),
        workspace: page.workspace,
        page: page.id,
        grantee: Grantee::User(user),
        level: Level::FullAccess,
        expires_at: None,
        created_by: Some(by),
        given_by: Some(by),
        created_at: now,
        updated_at: now,
    }
}
