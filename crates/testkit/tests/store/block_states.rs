//! Blocks at the saved versions of their page.

use crate::{
    page_versions::{bits, pages_of, version_id},
    pages::chain,
    support::{owner, read, write},
};
use octavo_blocks_tree::{Block, Body, Kind, RichText};
use octavo_core_model::{
    id::{BlockId, PageVersionId},
    page::{History, Page, VersionKind},
    position::Position,
};
use octavo_ports::{
    blocks::BlockRemoval,
    store::{Store, Transaction},
};
use octavo_testkit::{Database, make};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

fn block_id(number: u64) -> BlockId {
    BlockId::new(make::NOW.millis(), bits(number))
}

/// What identifies a state of a block: its id and since when it is so.
const fn state(block: &Block) -> (BlockId, i64) {
    (block.id, block.since)
}

fn at(text: &str) -> Position {
    Position::parse(text).unwrap()
}

pub(crate) fn saying(text: &str) -> Body {
    Body::with_text(Kind::Paragraph, RichText::plain(text))
}

pub(crate) fn block(number: u64, page: &Page, parent: Option<BlockId>) -> Block {
    Block {
        id: block_id(number),
        workspace: page.workspace,
        page: page.id,
        parent,
        position: Position::from_stored(format!("a{number:05}")),
        body: saying("first"),
        version: 1,
        since: page.version,
        created_by: Some(make::user_id(1)),
        updated_by: Some(make::user_id(2)),
        created_at: make::NOW,
        updated_at: make::NOW,
        deletion: None,
    }
}

/// A page that is changed manually, as use cases do, with a copy of what each saved version should show.
pub(crate) struct EditedPage<'a> {
    store: &'a dyn Store,
    pub(crate) page: Page,
    history: History,
    pub(crate) blocks: BTreeMap<BlockId, Block>,
    pub(crate) remembered: BTreeMap<PageVersionId, (i64, Vec<Block>)>,
    drawn: u64,
}

impl<'a> EditedPage<'a> {
    pub(crate) fn of(store: &'a dyn Store, page: Page) -> Self {
        let (blocks, remembered) = (BTreeMap::new(), BTreeMap::new());
        Self { store, page, history: History::default(), blocks, remembered, drawn: 0 }
    }

    pub(crate) fn draw(&mut self) -> u64 {
        self.drawn += 1;
        self.drawn
    }

    fn live(&self) -> Vec<Block> {
        self.blocks.values().filter(|block| block.deletion.is_none()).cloned().collect()
    }

    pub(crate) async fn keep(&mut self) -> PageVersionId {
        let id = version_id(1000 + self.draw());
        let version = self.history.keep(&self.page, id, VersionKind::Manual, None, make::NOW);
        let (workspace, page, history) = (self.page.workspace, self.page.id, &self.history);
        write!(self.store, unit => {
            unit.histories().insert_version(&version).await.unwrap();
            unit.histories().save(workspace, page, history).await
        });
        self.remembered.insert(id, (self.page.version, self.live()));
        id
    }

    /// Starts a change of these blocks, and saves their present state if a version needs it.
    pub(crate) async fn begin(&mut self, touched: &[BlockId]) -> Box<dyn Transaction> {
        let mut unit = self.store.writer().await.unwrap();
        if let Some(kept) = self.history.newest {
            unit.histories().keep_block_states(self.page.workspace, touched, kept.page_version).await.unwrap();
        }
        self.page.version += 1;
        unit
    }

    pub(crate) async fn end(unit: Box<dyn Transaction>) {
        unit.commit(octavo_ports::store::Record::default()).await.unwrap();
    }

    async fn insert(&mut self, parent: Option<BlockId>) -> BlockId {
        let mut unit = self.begin(&[]).await;
        let made = block(self.draw(), &self.page, parent);
        assert!(unit.blocks().insert(std::slice::from_ref(&made)).await.unwrap());
        Self::end(unit).await;
        self.blocks.insert(made.id, made.clone());
        made.id
    }

    async fn change(&mut self, id: BlockId, change: impl FnOnce(&mut Block)) {
        let mut unit = self.begin(&[id]).await;
        let mut changed = self.blocks[&id].clone();
        change(&mut changed);
        changed.version += 1;
        changed.since = self.page.version;
        unit.blocks().save(std::slice::from_ref(&changed)).await.unwrap();
        Self::end(unit).await;
        self.blocks.insert(id, changed);
    }

    pub(crate) async fn says(&mut self, id: BlockId, text: &str) {
        self.change(id, |block| block.body = saying(text)).await;
    }

    async fn delete(&mut self, ids: &[BlockId]) {
        let mut unit = self.begin(ids).await;
        let (page_version, by, now) = (self.page.version, make::user_id(3), make::NOW.plus(Duration::from_secs(5)));
        let workspace = self.page.workspace;
        let removal = BlockRemoval { workspace, root: Some(ids[0]), blocks: ids, page_version, by, now };
        unit.blocks().delete(&removal).await.unwrap();
        let found = unit.blocks().find(workspace, ids).await.unwrap();
        Self::end(unit).await;
        self.blocks.extend(found.into_iter().map(|block| (block.id, block)));
    }

    async fn respread(&mut self, places: &[(BlockId, Position)]) {
        let ids: Vec<_> = places.iter().map(|(id, _)| *id).collect();
        let mut unit = self.begin(&ids).await;
        unit.blocks().respread(self.page.workspace, places, self.page.version).await.unwrap();
        Self::end(unit).await;
        for (id, position) in places {
            let block = self.blocks.get_mut(id).unwrap();
            (block.position, block.since) = (position.clone(), self.page.version);
        }
    }

    async fn thin(&mut self, gone: &[PageVersionId]) {
        let (workspace, page) = (self.page.workspace, self.page.id);
        write!(self.store, unit => unit.histories().remove_versions(workspace, page, gone).await);
        self.remembered.retain(|id, _| !gone.contains(id));
    }

    async fn at(&self, page_version: i64) -> Vec<Block> {
        let (workspace, page) = (self.page.workspace, self.page.id);
        let mut found = read!(self.store, view => view.histories().list_blocks_at(workspace, page, page_version).await);
        found.sort_by_key(|block| block.id);
        found
    }

    async fn bytes_at(&self, page_version: i64) -> u64 {
        let (workspace, page) = (self.page.workspace, self.page.id);
        read!(self.store, view => view.histories().count_bytes_at(workspace, page, page_version).await)
    }

    /// How many states of blocks saved versions show that are no longer the present states.
    fn former_states(&self) -> i64 {
        let shown: BTreeSet<_> = self.remembered.values().flat_map(|(_, blocks)| blocks).map(state).collect();
        let present: BTreeSet<_> = self.live().iter().map(state).collect();
        i64::try_from(shown.difference(&present).count()).unwrap()
    }

    /// Checks that every saved version shows what it showed when it was saved.
    async fn check(&self) {
        for (page_version, remembered) in self.remembered.values() {
            assert_eq!(&self.at(*page_version).await, remembered, "at version {page_version}");
            let bytes = remembered.iter().map(|block| block.body.bytes()).sum::<u64>();
            assert_eq!(self.bytes_at(*page_version).await, bytes, "at version {page_version}");
        }
    }
}

async fn states_of(database: &Database, page: &Page) -> i64 {
    database.number(&format!("SELECT COUNT(*) FROM block_states WHERE page_id = '{}'", page.id)).await
}

async fn states(database: &Database) -> i64 {
    database.number("SELECT COUNT(*) FROM block_states").await
}

pub(crate) async fn a_kept_version_shows_its_blocks_whatever_becomes_of_them(database: &Database) {
    let store = database.store().await;
    let (_, pages) = pages_of(&*store, 1).await;
    let mut book = EditedPage::of(&*store, pages[0].clone());
    let (first, second) = (book.insert(None).await, book.insert(None).await);
    let inside = book.insert(Some(first)).await;
    let kept = book.keep().await;
    assert_eq!(states(database).await, 0, "a version costs no block");
    book.says(second, "changed").await;
    book.check().await;
    book.change(inside, |block| (block.parent, block.position) = (Some(second), at("b5"))).await;
    book.check().await;
    book.respread(&[(first, at("c1")), (second, at("c2"))]).await;
    book.check().await;
    book.delete(&[second, inside]).await;
    book.check().await;
    book.insert(None).await;
    book.check().await;
    book.change(second, |block| block.deletion = None).await;
    book.check().await;
    assert_eq!(states(database).await, 3, "each block was kept once, as the version shows it");
    book.says(second, "again").await;
    assert_eq!(states(database).await, 3, "what no version shows is not kept");
    book.keep().await;
    book.says(second, "and again").await;
    book.check().await;
    assert_eq!(states(database).await, 4);
    book.thin(&[kept]).await;
    assert_eq!(states(database).await, 1, "with a version goes what only it showed");
    book.check().await;
}

pub(crate) async fn the_size_of_the_states_that_are_kept_is_reported(database: &Database) {
    let store = database.store().await;
    let (_, pages) = pages_of(&*store, 1).await;
    let mut book = EditedPage::of(&*store, pages[0].clone());
    let (moved, gone, same) = (book.insert(None).await, book.insert(None).await, book.insert(None).await);
    book.says(gone, "a long text with an Ä").await;
    let bytes = |book: &EditedPage<'_>, ids: &[BlockId]| ids.iter().map(|id| book.blocks[id].body.bytes()).sum::<u64>();
    let kept_for = async |book: &EditedPage<'_>, ids: &[BlockId]| {
        let kept = book.history.newest.unwrap().page_version;
        let unit = &mut store.writer().await.unwrap();
        unit.histories().keep_block_states(book.page.workspace, ids, kept).await.unwrap()
    };
    book.keep().await;
    let expected = bytes(&book, &[moved, gone]);
    assert_eq!(kept_for(&book, &[moved, gone]).await, expected);
    book.respread(&[(moved, at("c1"))]).await;
    assert_eq!(kept_for(&book, &[moved]).await, 0, "the version has its state");
    let both = bytes(&book, &[gone, same]);
    assert_eq!(kept_for(&book, &[moved, gone, same]).await, both);
}

pub(crate) async fn a_version_keeps_its_blocks_when_later_ones_are_removed(database: &Database) {
    let store = database.store().await;
    let (_, pages) = pages_of(&*store, 1).await;
    let mut book = EditedPage::of(&*store, pages[0].clone());
    let (often, once) = (book.insert(None).await, book.insert(None).await);
    let first = book.keep().await;
    book.says(often, "second").await;
    let second = book.keep().await;
    let again = book.keep().await;
    book.says(often, "third").await;
    let third = book.keep().await;
    book.says(often, "fourth").await;
    book.says(once, "changed").await;
    book.keep().await;
    assert_eq!(states(database).await, 4, "three states of one block, and one that several versions show");
    book.thin(&[second]).await;
    assert_eq!(states(database).await, 4, "another version shows the same");
    book.check().await;
    book.thin(&[again, third]).await;
    assert_eq!(states(database).await, 2, "what the first version shows");
    book.check().await;
    book.thin(&[first]).await;
    assert_eq!(states(database).await, 0);
    book.check().await;
}

pub(crate) async fn blocks_of_other_pages_and_workspaces_are_on_no_version(database: &Database) {
    let store = database.store().await;
    let (_, pages) = pages_of(&*store, 2).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (mut here, mut there) = (EditedPage::of(&*store, pages[0].clone()), EditedPage::of(&*store, pages[1].clone()));
    there.drawn = 500;
    let (mine, other) = (here.insert(None).await, there.insert(None).await);
    here.keep().await;
    there.keep().await;
    here.says(mine, "changed").await;
    there.says(other, "changed").await;
    here.check().await;
    there.check().await;
    let nothing =
        read!(store, view => view.histories().list_blocks_at(elsewhere.id, pages[0].id, here.page.version).await);
    assert_eq!(nothing, []);
    let gone: Vec<_> = here.remembered.keys().copied().collect();
    here.thin(&gone).await;
    there.check().await;
}

/// Pseudo-random numbers that are the same in every run.
struct PseudoRandom(u64);

impl PseudoRandom {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }
}

/// After any changes in any order, each saved version shows what it showed when it was saved.
pub(crate) async fn random_changes_leave_every_kept_version_as_it_was(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    for (number, page) in (1..).zip(chain(&*store, &workspace, 4).await) {
        let (mut book, mut dice) = (EditedPage::of(&*store, page), PseudoRandom(number));
        book.drawn = number * 100_000;
        for _ in 0..150 {
            let live: Vec<_> = book.live().iter().map(|block| block.id).collect();
            let gone: Vec<_> = book.blocks.keys().filter(|id| !live.contains(id)).copied().collect();
            let some = live.get(dice.roll(live.len())).copied();
            match (dice.roll(10), some) {
                (0..=2, parent) => drop(book.insert(parent.filter(|_| dice.roll(2) == 0)).await),
                (3, Some(id)) => book.says(id, &dice.roll(1000).to_string()).await,
                (4, Some(id)) => {
                    let position = at(&format!("b{:04}", dice.roll(10_000)));
                    book.change(id, |block| (block.parent, block.position) = (None, position)).await;
                }
                (5, Some(id)) => {
                    let mut ids = vec![id];
                    ids.extend(live.get(dice.roll(live.len())).copied().filter(|other| *other != id));
                    book.delete(&ids).await;
                }
                (6, _) if !gone.is_empty() => {
                    let id = gone[dice.roll(gone.len())];
                    book.change(id, |block| block.deletion = None).await;
                }
                (7, Some(_)) => {
                    let shift = dice.roll(100);
                    let places =
                        live.iter().enumerate().map(|(place, id)| (*id, at(&format!("c{shift:03}{place:04}"))));
                    book.respread(&places.collect::<Vec<_>>()).await;
                }
                (8, _) => drop(book.keep().await),
                (9, _) if book.remembered.len() > 3 => {
                    let newest = book.history.newest.map(|kept| kept.page_version);
                    // The newest version is always kept.
                    let old = book.remembered.iter().filter(|(_, (number, _))| Some(*number) != newest);
                    let old: Vec<_> = old.map(|(id, _)| *id).filter(|_| dice.roll(2) == 0).collect();
                    book.thin(&old).await;
                }
                _ => {}
            }
            if dice.roll(10) == 0 {
                book.check().await;
                assert_eq!(states_of(database, &book.page).await, book.former_states());
            }
        }
        book.check().await;
        assert_eq!(states_of(database, &book.page).await, book.former_states());
    }
}
