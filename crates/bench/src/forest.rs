//! A workspace with as many pages as the targets require.

use crate::engine::refused;
use crate::people::{NOW, scattered};
use anyhow::Result;
use octavo_core_model::{
    Level, Role,
    grant::{Grant, Grantee},
    id::{AccessGrantId, MembershipId, PageId, UserId, WorkspaceId},
    member::Membership,
    page::{Node, Page, PageKind},
    position::Position,
    text::PageTitle,
};
use octavo_ports::store::{Record, Store, StoreResult};

pub(crate) const PAGES: usize = 10_000;
pub(crate) const GRANTS: usize = 1_000;
/// How many pages are below the one that is moved.
pub(crate) const MOVED: usize = 5_000;
/// The depth of the deepest page.
pub(crate) const DEEP: usize = 40;
/// How many pages the guest may see.
pub(crate) const SHARED: usize = 50;

const ROOTS: usize = 100;
/// Below the thousand rows that a unit may insert.
const IN_A_UNIT: usize = 500;

/// The users of the measurements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Participants {
    pub(crate) workspace: WorkspaceId,
    pub(crate) owner: UserId,
    pub(crate) member: UserId,
    pub(crate) guest: UserId,
}

/// The pages that measurements use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeasuredPages {
    pub(crate) third: PageId,
    pub(crate) deepest: PageId,
    pub(crate) moved: PageId,
    /// Two places whose pages the same users may see, and one with pages for other users.
    pub(crate) here: PageId,
    pub(crate) there: PageId,
    pub(crate) elsewhere: PageId,
}

/// Creates everything. The owner created all pages, and each root page has an entry for them.
pub(crate) async fn insert_forest(store: &dyn Store, participants: Participants) -> Result<MeasuredPages> {
    let forest = Forest::new(participants);
    write(&forest, store).await?;
    Ok(forest.landmarks)
}

/// Creates root pages that only the member may see, each with entries of its own.
pub(crate) async fn insert_private_forest(store: &dyn Store, participants: Participants) -> Result<()> {
    write(&Forest::private(participants), store).await
}

async fn write(forest: &Forest, store: &dyn Store) -> Result<()> {
    join(store, forest.participants).await.map_err(refused)?;
    for pages in forest.pages.chunks(IN_A_UNIT) {
        let mut unit = store.writer().await.map_err(refused)?;
        unit.pages().insert_many(pages).await.map_err(refused)?;
        unit.commit(Record::default()).await.map_err(refused)?;
    }
    for grants in forest.grants.chunks(IN_A_UNIT) {
        let mut unit = store.writer().await.map_err(refused)?;
        for grant in grants {
            unit.grants().put(grant).await.map_err(refused)?;
        }
        unit.commit(Record::default()).await.map_err(refused)?;
    }
    Ok(())
}

async fn join(store: &dyn Store, participants: Participants) -> StoreResult<()> {
    let mut unit = store.writer().await?;
    if let Some(workspace) = unit.workspaces().find(participants.workspace).await? {
        for (number, (user, role)) in
            (0..).zip([(participants.member, Role::Member), (participants.guest, Role::Guest)])
        {
            let Some(person) = unit.accounts().find(user).await? else { continue };
            let membership = Membership {
                id: MembershipId::new(NOW.millis(), scattered(number)),
                workspace: workspace.id,
                user,
                role,
                invited_by: Some(participants.owner),
                joined_at: NOW,
            };
            unit.members().insert(&membership, &workspace, &(&person).into()).await?;
        }
    }
    unit.commit(Record::default()).await
}

struct Forest {
    participants: Participants,
    pages: Vec<Page>,
    grants: Vec<Grant>,
    landmarks: MeasuredPages,
}

impl Forest {
    fn private(participants: Participants) -> Self {
        let mut forest = Self::empty(participants);
        for _ in 0..PAGES {
            let id = forest.add(Node::Workspace(participants.workspace), None);
            forest.grant(id, Grantee::User(participants.member), Level::FullAccess);
        }
        for page in &mut forest.pages {
            page.inherit = false;
        }
        forest
    }

    fn empty(participants: Participants) -> Self {
        let nowhere = page_id(0);
        let landmarks = MeasuredPages {
            third: nowhere,
            deepest: nowhere,
            moved: nowhere,
            here: nowhere,
            there: nowhere,
            elsewhere: nowhere,
        };
        Self { participants, pages: Vec::with_capacity(PAGES), grants: Vec::new(), landmarks }
    }

    fn new(participants: Participants) -> Self {
        let mut forest = Self::empty(participants);
        let roots: Vec<_> = (0..ROOTS).map(|_| forest.root()).collect();
        forest.add_deep_chain(roots[0]);
        forest.prepare_to_move(roots[1], roots[2]);
        forest.spread(&roots[3..]);
        forest
    }

    fn root(&mut self) -> PageId {
        let id = self.add(Node::Workspace(self.participants.workspace), None);
        self.grant(id, Grantee::User(self.participants.owner), Level::FullAccess);
        id
    }

    /// Creates a chain of pages down to the deepest one.
    fn add_deep_chain(&mut self, root: PageId) {
        let mut above = root;
        for depth in 2..=DEEP {
            above = self.add(Node::Page(above), Some(root));
            if depth == 3 {
                self.landmarks.third = above;
            }
        }
        self.landmarks.deepest = above;
    }

    /// Creates a page with fifty children that have ninety-nine children each.
    fn prepare_to_move(&mut self, root: PageId, elsewhere: PageId) {
        self.landmarks.elsewhere = elsewhere;
        self.landmarks.here = self.add(Node::Page(root), Some(root));
        self.landmarks.there = self.add(Node::Page(root), Some(root));
        self.landmarks.moved = self.add(Node::Page(self.landmarks.here), Some(root));
        for _ in 0..50 {
            let branch = self.add(Node::Page(self.landmarks.moved), Some(root));
            for _ in 0..MOVED / 50 - 1 {
                self.add(Node::Page(branch), Some(root));
            }
        }
    }

    /// Creates the remaining pages, evenly distributed below these roots; grants on some of the roots decide who may
    /// see them.
    fn spread(&mut self, roots: &[PageId]) {
        let mut shared = 0;
        for root in roots.iter().cycle().take(PAGES - self.pages.len()) {
            if self.grants.len() >= GRANTS {
                self.add(Node::Page(*root), Some(*root));
                continue;
            }
            let id = self.add(Node::Page(*root), None);
            let (grantee, level) = if shared < SHARED {
                shared += 1;
                (Grantee::User(self.participants.guest), Level::View)
            } else if self.grants.len().is_multiple_of(2) {
                (Grantee::Workspace(self.participants.workspace), Level::None)
            } else {
                (Grantee::User(self.participants.member), Level::View)
            };
            self.grant(id, grantee, level);
        }
    }

    /// `access` is the access node; `None` if the page has entries of its own.
    fn add(&mut self, container: Node, access: Option<PageId>) -> PageId {
        let number = self.pages.len();
        let id = page_id(number);
        self.pages.push(Page {
            id,
            kind: PageKind::Page,
            workspace: self.participants.workspace,
            team: None,
            container,
            access: Node::Page(access.unwrap_or(id)),
            inherit: true,
            title: PageTitle::from_stored(format!("Page {number}")),
            icon: None,
            cover_url: None,
            position: Position::from_stored(format!("a{number:05}1")),
            lock: None,
            trash: None,
            grants_version: 1,
            version: 1,
            created_by: Some(self.participants.owner),
            updated_by: Some(self.participants.owner),
            created_at: NOW,
            updated_at: NOW,
        });
        id
    }

    fn grant(&mut self, page: PageId, grantee: Grantee, level: Level) {
        let number = u64::try_from(self.grants.len()).unwrap_or(u64::MAX);
        self.grants.push(Grant {
            id: AccessGrantId::new(NOW.millis(), scattered(number)),
            workspace: self.participants.workspace,
            page,
            grantee,
            level,
            expires_at: None,
            created_by: Some(self.participants.owner),
            given_by: Some(self.participants.owner),
            created_at: NOW,
            updated_at: NOW,
        });
    }
}

fn page_id(number: usize) -> PageId {
    PageId::new(NOW.millis(), scattered(u64::try_from(number).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forest_is_as_large_as_it_says() {
        let user = |number| UserId::new(1, scattered(number));
        let workspace = WorkspaceId::new(1, scattered(9));
        let forest = Forest::new(Participants { workspace, owner: user(1), member: user(2), guest: user(3) });
        assert_eq!((forest.pages.len(), forest.grants.len()), (PAGES, GRANTS));
        let of_guest = forest.grants.iter().filter(|grant| grant.grantee == Grantee::User(user(3)));
        assert_eq!(of_guest.count(), SHARED);
        let below = |page: PageId| forest.pages.iter().filter(move |other| other.container == Node::Page(page));
        let branches = below(forest.landmarks.moved);
        let private = Forest::private(forest.participants);
        let has_entries = private.pages.iter().all(|page| page.has_entries() && !page.inherit);
        assert!(has_entries && private.grants.len() == PAGES);
        assert_eq!(branches.map(|branch| 1 + below(branch.id).count()).sum::<usize>(), MOVED);
    }
}
