//! Pages: the nodes of one tree in each workspace.

mod history;
mod list;
mod node;

pub use history::{ContentEffect, History, LatestVersion, PageVersion, VersionKind};
pub use list::{InvalidMark, Listed, PageFilter, PageMark, PageOrder, PageSort, Roots, title_key};
pub use node::{InvalidNode, Node, ParentRef, ResourceId};

use crate::{
    id::{DatabaseId, PageId, RecordId, TeamId, UserId, WorkspaceId},
    name::named,
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
    time::Timestamp,
};

/// How deep pages may be nested; a root page has the depth 1.
pub const MAX_DEPTH: u32 = 50;

/// How many blocks a page may have, not counting deleted ones.
pub const MAX_BLOCKS: usize = 20_000;

/// How many bytes types, contents and properties of the blocks of a page may have as JSON, not counting deleted ones.
pub const MAX_BYTES: u64 = 16 << 20;

named! {
    /// What a node of the tree is. Nodes of all kinds have grants, links and a place in the trash in the same way.
    PageKind {
        /// A page that people write.
        Page = "page",
        /// A database. Its id as a node is that of the database with another prefix, see [`DatabaseId::node`](crate::id::DatabaseId::node).
        Database = "database",
        /// The page of a record, in the database of the record. It exists once somebody has written to it.
        Record = "record",
    }
}

/// A node of the tree. Its place consists of its container and its position; its team is that of the root page above
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The id of the page.
    pub id: PageId,
    /// Whether it is a page, a database, or the page of a record.
    pub kind: PageKind,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The team of the page at the root above it.
    pub team: Option<TeamId>,
    /// The parent.
    pub container: Node,
    /// The access node: the nearest node at or above the page that has entries of its own.
    pub access: Node,
    /// Whether it inherits access.
    pub inherit: bool,
    /// The title.
    pub title: PageTitle,
    /// What is shown in front of the title.
    pub icon: Option<PageIcon>,
    /// The address of the picture above the page.
    pub cover_url: Option<WebAddress>,
    /// Its position among its siblings; those with equal positions are ordered by the time of their creation.
    pub position: Position,
    /// Who keeps others from changing it, if somebody does.
    pub lock: Option<Lock>,
    /// How it came into the trash; `None` while it is not there.
    pub trash: Option<Trash>,
    /// The number of changes of grants and of `inherit`.
    pub grants_version: i64,
    /// The number of changes of fields, place, state and blocks.
    pub version: i64,
    /// `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// Who changed it last; `None` if the user is unknown.
    pub updated_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The user who locked a page, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Who locked it.
    pub by: UserId,
    /// When.
    pub at: Timestamp,
}

/// How and when a page was moved to the trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trash {
    /// Who moved it to the trash; `None` if the user is unknown.
    pub by: Option<UserId>,
    /// When.
    pub at: Timestamp,
    /// The page with which this one was moved to the trash.
    pub root: PageId,
    /// When it is deleted permanently.
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
    /// Whether people without a credential can see the page, and how.
    PublicAccess {
        None = "none",
        Direct = "direct",
        Inherited = "inherited",
    }
}

named! {
    /// The format of an exported or imported page.
    DocumentFormat {
        Markdown = "markdown",
        Html = "html",
        Json = "json",
    }
}

named! {
    /// The format of an import.
    ImportFormat {
        Markdown = "markdown",
        Html = "html",
        Json = "json",
        Csv = "csv",
    }
}

impl ImportFormat {
    /// The same as the format of a page; `None` for a table, which becomes records.
    pub const fn document(self) -> Option<DocumentFormat> {
        match self {
            Self::Markdown => Some(DocumentFormat::Markdown),
            Self::Html => Some(DocumentFormat::Html),
            Self::Json => Some(DocumentFormat::Json),
            Self::Csv => None,
        }
    }
}

named! {
    /// Optional parts of a page in a reply.
    PageDetail {
        Blocks = "blocks",
        Permissions = "permissions",
    }
}

/// A change of a page; fields that are `None` stay as they are.
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

    /// What it is to people.
    pub const fn resource(&self) -> ResourceId {
        ResourceId::of(self.id, self.kind)
    }

    /// The database of the record that the page belongs to, if it is the page of one.
    pub fn database_of_record(&self) -> Option<DatabaseId> {
        self.container.page().filter(|_| self.kind == PageKind::Record).map(PageId::as_database)
    }

    /// The record that the page belongs to, if it is the page of one.
    pub fn record(&self) -> Option<RecordId> {
        (self.kind == PageKind::Record).then(|| self.id.as_record())
    }

    /// What contains it, if that is not the root: the database of a record, or a page.
    pub fn parent(&self) -> Option<ResourceId> {
        let database = self.database_of_record().map(ResourceId::Database);
        database.or_else(|| self.container.page().map(ResourceId::Page))
    }

    /// Whether the page is its own access node.
    pub fn has_entries(&self) -> bool {
        self.access == Node::Page(self.id)
    }

    /// Records who changed the page: every change that counts calls this once.
    pub fn touch(&mut self, by: UserId, now: Timestamp) {
        self.version += 1;
        self.updated_by = Some(by);
        self.updated_at = now;
    }

    /// Whether the change removes the lock.
    pub fn is_unlocked_by(&self, change: &PageChange) -> bool {
        self.lock.is_some() && change.is_locked == Some(false)
    }

    /// Whether the change affects something that the lock protects.
    pub fn is_kept_by_lock(&self, change: &PageChange) -> bool {
        let mut tried = self.clone();
        let fields = PageChange { is_locked: None, ..change.clone() };
        self.lock.is_some() && !self.is_unlocked_by(change) && !tried.write(fields).is_empty()
    }

    /// Applies the change and returns the names of the changed fields.
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

    /// Where a list in this order continues after this page.
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

/// A page on the path from the root to another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The id of the page.
    pub id: PageId,
    /// Whether it is a page, a database, or the page of a record.
    pub kind: PageKind,
    /// Its container.
    pub container: Node,
    /// Its access node.
    pub access: Node,
    /// Whether access flows down to it.
    pub inherit: bool,
    /// The title.
    pub title: PageTitle,
    /// What is shown in front of the title.
    pub icon: Option<PageIcon>,
    /// Whether its team is private; `None` if it belongs to none.
    pub in_private_team: Option<bool>,
    /// Whether it has a share link of its own that is not revoked. The link may have expired.
    pub has_link: bool,
}

/// A page with entries of its own, with the properties that affect access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessNode {
    /// The id of the page.
    pub id: PageId,
    /// Its container.
    pub container: Node,
    /// The node that this page inherits from.
    pub outer: Node,
    /// Whether access flows down to it.
    pub inherit: bool,
}

/// A page that was reached from one above it, through pages that inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPage {
    /// The page as an access node, which it is only if `access` is the page itself.
    pub node: AccessNode,
    /// Its access node.
    pub access: Node,
}

/// The number of children of one page with the same access node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildCount {
    /// The page.
    pub parent: PageId,
    /// The access node of the children.
    pub access: Node,
    /// How many there are.
    pub count: u64,
}

/// A user's visit of a page.
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

/// A page that a user keeps as a favorite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Favorite {
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The person.
    pub user: UserId,
    /// The page.
    pub page: PageId,
    /// The position among the user's favorites.
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
            kind: PageKind::Page,
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
