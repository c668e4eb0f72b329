//! Pages: the nodes of one tree in each workspace.

mod history;
mod list;
mod node;

pub use history::{History, Kept, PageVersion, Reach, VersionKind};
pub use list::{InvalidMark, PageFilter, PageMark, PageOrder, PageSort, Roots, title_key};
pub use node::{InvalidNode, Node, ParentRef};

use crate::{
    id::{PageId, TeamId, UserId, WorkspaceId},
    name::named,
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
    time::Timestamp,
};

/// How deep pages may lie; a page at the root has the depth 1.
pub const MAX_DEPTH: u32 = 50;

/// The most blocks on a page, deleted ones not counted.
pub const MAX_BLOCKS: usize = 20_000;

/// The most bytes that types, contents and properties of the blocks of a page take as JSON, deleted ones not counted.
pub const MAX_BYTES: u64 = 16 << 20;

/// A node of the tree. Its place is its container and its position; the team is the one of the page at the root above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The id of the page.
    pub id: PageId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The team of the page at the root above it.
    pub team: Option<TeamId>,
    /// Its parent.
    pub container: Node,
    /// The nearest node at or above it that has entries of its own: what access is read from.
    pub access: Node,
    /// Whether access flows down to it.
    pub inherit: bool,
    /// The title.
    pub title: PageTitle,
    /// What is shown in front of the title.
    pub icon: Option<PageIcon>,
    /// The address of the picture above the page.
    pub cover_url: Option<WebAddress>,
    /// The place among its siblings; equal ones stand in the order in which they were made.
    pub position: Position,
    /// Who keeps others from changing it, if somebody does.
    pub lock: Option<Lock>,
    /// How it came into the trash; `None` while it is not there.
    pub trash: Option<Trash>,
    /// Counts changes of grants and of `inherit`.
    pub grants_version: i64,
    /// Counts changes of fields, place, state and blocks.
    pub version: i64,
    /// `None` when nobody can be named.
    pub created_by: Option<UserId>,
    /// Who changed it last; `None` when nobody can be named.
    pub updated_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Who keeps others from changing a page, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Who locked it.
    pub by: UserId,
    /// When.
    pub at: Timestamp,
}

/// How a page came into the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trash {
    /// Who moved it to the trash; `None` when nobody can be named.
    pub by: Option<UserId>,
    /// When.
    pub at: Timestamp,
    /// The page whose trashing took this one along.
    pub root: PageId,
    /// When it is removed for good.
    pub purge_at: Timestamp,
}

named! {
    /// Whether a page is in use.
    PageState {
        Active = "active",
        Trashed = "trashed",
    }
}

named! {
    /// Whether somebody without a credential sees the page, and by what.
    PublicAccess {
        None = "none",
        Direct = "direct",
        Inherited = "inherited",
    }
}

named! {
    /// In which form a page leaves and comes.
    DocumentFormat {
        Markdown = "markdown",
        Html = "html",
        Json = "json",
    }
}

named! {
    /// Optional parts of a page in a reply.
    PageDetail {
        Blocks = "blocks",
        Permissions = "permissions",
    }
}

/// What is to become different in a page; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageChange {
    /// The new title.
    pub title: Option<PageTitle>,
    /// The new icon; `Some(None)` removes it.
    pub icon: Option<Option<PageIcon>>,
    /// The address of the new cover; `Some(None)` removes it.
    pub cover_url: Option<Option<WebAddress>>,
    /// Whether the page is to be locked.
    pub is_locked: Option<bool>,
}

impl Page {
    /// Whether it is in use or in the trash.
    pub const fn state(&self) -> PageState {
        match self.trash {
            None => PageState::Active,
            Some(_) => PageState::Trashed,
        }
    }

    /// Whether access is read from the page itself.
    pub fn has_entries(&self) -> bool {
        self.access == Node::Page(self.id)
    }

    /// Notes who changed it: every change that counts goes through here once.
    pub fn touch(&mut self, by: UserId, now: Timestamp) {
        self.version += 1;
        self.updated_by = Some(by);
        self.updated_at = now;
    }

    /// Whether the change removes the lock.
    pub fn is_unlocked_by(&self, change: &PageChange) -> bool {
        self.lock.is_some() && change.is_locked == Some(false)
    }

    /// Whether the change would write something that the lock keeps.
    pub fn is_kept_by_lock(&self, change: &PageChange) -> bool {
        let mut tried = self.clone();
        let fields = PageChange { is_locked: None, ..change.clone() };
        self.lock.is_some() && !self.is_unlocked_by(change) && !tried.write(fields).is_empty()
    }

    /// Changes what differs and names it.
    pub fn apply(&mut self, change: PageChange, by: UserId, now: Timestamp) -> Vec<&'static str> {
        let lock = change.is_locked;
        let mut changed = self.write(change);
        if lock.is_some_and(|lock| lock != self.lock.is_some()) {
            self.lock = lock.unwrap_or(false).then_some(Lock { by, at: now });
            changed.push("isLocked");
        }
        if !changed.is_empty() {
            self.touch(by, now);
        }
        changed
    }

    fn write(&mut self, change: PageChange) -> Vec<&'static str> {
        let mut changed = Vec::new();
        put(&mut changed, "title", &mut self.title, change.title);
        put(&mut changed, "icon", &mut self.icon, change.icon);
        put(&mut changed, "coverUrl", &mut self.cover_url, change.cover_url);
        changed
    }

    /// Where a list in this order goes on behind this page.
    pub fn mark(&self, sort: PageSort) -> PageMark {
        match sort.by {
            PageOrder::Position => {
                PageMark::Position { position: self.position.clone(), created_at: self.created_at, id: self.id }
            }
            PageOrder::Title => PageMark::Title { key: title_key(&self.title), id: self.id },
            PageOrder::Created => PageMark::Time { at: self.created_at, id: self.id },
            PageOrder::Updated => PageMark::Time { at: self.updated_at, id: self.id },
        }
    }
}

fn put<T: PartialEq>(changed: &mut Vec<&'static str>, field: &'static str, slot: &mut T, new: Option<T>) {
    if let Some(new) = new.filter(|new| new != slot) {
        *slot = new;
        changed.push(field);
    }
}

/// A page on the way from the root of the tree down to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The id of the page.
    pub id: PageId,
    /// What it stands in.
    pub container: Node,
    /// The node that its access is read from.
    pub access: Node,
    /// Whether access flows down to it.
    pub inherit: bool,
    /// The title.
    pub title: PageTitle,
    /// What is shown in front of the title.
    pub icon: Option<PageIcon>,
    /// Whether the team it stands in is private; `None` where it stands in none.
    pub in_private_team: Option<bool>,
}

/// A page that has entries of its own, as far as access depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessNode {
    /// The id of the page.
    pub id: PageId,
    /// What it stands in.
    pub container: Node,
    /// What access flows from, into this page.
    pub outer: Node,
    /// Whether access flows down to it.
    pub inherit: bool,
}

/// A page that was reached from one above it, through pages into which access flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPage {
    /// The page, as an access node; it is one where it is read from itself.
    pub node: AccessNode,
    /// The node that it is read from.
    pub access: Node,
}

/// Children of one page that are read from the same node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildCount {
    /// The page.
    pub parent: PageId,
    /// The node that the children are read from.
    pub access: Node,
    /// How many there are.
    pub count: u64,
}

/// That somebody looked at a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The person.
    pub user: UserId,
    /// The page.
    pub page: PageId,
    /// When.
    pub at: Timestamp,
}

/// A page that somebody keeps at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Favorite {
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The person.
    pub user: UserId,
    /// The page.
    pub page: PageId,
    /// The place among the favorites of this person.
    pub position: Position,
    /// When the person added it.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn page() -> Page {
        let (id, workspace, now) = (PageId::new(5, [1; 10]), WorkspaceId::new(5, [2; 10]), Timestamp::from_millis(5));
        Page {
            id,
            workspace,
            team: None,
            container: Node::Workspace(workspace),
            access: Node::Workspace(workspace),
            inherit: true,
            title: PageTitle::parse("Roadmap").unwrap(),
            icon: None,
            cover_url: None,
            position: Position::after(None),
            lock: None,
            trash: None,
            grants_version: 1,
            version: 1,
            created_by: None,
            updated_by: None,
            created_at: now,
            updated_at: now,
        }
    }

    fn by() -> UserId {
        UserId::new(1, [7; 10])
    }

    fn titled(title: &str) -> PageChange {
        PageChange { title: Some(PageTitle::parse(title).unwrap()), ..PageChange::default() }
    }

    #[test]
    fn a_change_counts_once_and_only_where_something_differs() {
        let (mut page, later) = (page(), Timestamp::from_millis(9));
        assert!(page.apply(titled("Roadmap"), by(), later).is_empty());
        assert_eq!((page.version, page.updated_at), (1, page.created_at));
        let icon = Some(Some(PageIcon::parse("\u{1F680}").unwrap()));
        assert_eq!(page.apply(PageChange { icon, ..titled("Plan") }, by(), later), ["title", "icon"]);
        assert_eq!((page.version, page.updated_at, page.updated_by), (2, later, Some(by())));
    }

    #[test]
    fn a_lock_keeps_fields_until_it_is_taken_away() {
        let (mut page, now) = (page(), Timestamp::from_millis(9));
        let lock = |is_locked| PageChange { is_locked: Some(is_locked), ..PageChange::default() };
        assert_eq!(page.apply(lock(true), by(), now), ["isLocked"]);
        assert_eq!(page.lock, Some(Lock { by: by(), at: now }));
        assert!(page.is_kept_by_lock(&titled("Plan")));
        assert!(!page.is_kept_by_lock(&titled("Roadmap")), "what does not differ is not written");
        assert!(!page.is_kept_by_lock(&lock(true)));
        let both = PageChange { is_locked: Some(false), ..titled("Plan") };
        assert!(page.is_unlocked_by(&both) && !page.is_kept_by_lock(&both));
        assert_eq!(page.apply(both, by(), now), ["title", "isLocked"]);
        assert_eq!((page.lock, page.version), (None, 3));
    }
}
