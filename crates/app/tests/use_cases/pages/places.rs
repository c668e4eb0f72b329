//! Places among siblings.

use crate::world::{Calling, World};
use octavo_app::{
    Call,
    pages::{self, Anchor, MoveTarget, NewPage, Place, Relocation, TreeRequest, TreeRoot, trash},
};
use octavo_core_model::{id::PageId, position::Position};
use proptest::{prelude::*, sample::Index};

/// A step of the test: inserts a new page, or moves the one with this index, before or after the one with that index.
#[derive(Clone, Debug)]
struct Put {
    moved: Option<Index>,
    anchor: Index,
    behind: bool,
}

fn puts() -> impl Strategy<Value = Put> {
    (any::<Option<Index>>(), any::<Index>(), any::<bool>()).prop_map(|(moved, anchor, behind)| Put {
        moved,
        anchor,
        behind,
    })
}

impl World {
    async fn page_at(&self, call: Call, anchor: Anchor) -> PageId {
        let page = NewPage { anchor, ..NewPage::default() };
        self.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page))))
            .await
            .unwrap()
            .page
            .id
    }

    async fn puts(&self, call: Call, id: PageId, anchor: Anchor) {
        let wanted = Relocation { anchor, expected: None };
        self.write(call, move |unit| {
            Box::pin(pages::relocate(unit, Ok(id), Ok(MoveTarget::Place(Place::default())), Ok(wanted)))
        })
        .await
        .unwrap();
    }

    async fn root_pages(&self, call: Call) -> Vec<PageId> {
        let asked = TreeRequest { root: TreeRoot::Workspace, depth: 1, after: None, limit: 100 };
        let tree = self.read(call, move |view| Box::pin(pages::tree(view, Ok(asked)))).await.unwrap();
        tree.into_iter().map(|branch| branch.page.id).collect()
    }
}

async fn every_page_lands_next_to_its_anchor(keys: Vec<&'static str>, puts: Vec<Put>) {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    for key in keys {
        world.page_at(call(), Anchor::At(Position::parse(key).unwrap())).await;
    }
    let mut expected = world.root_pages(call()).await;
    for put in puts {
        let moved = put.moved.map(|index| *index.get(&expected));
        let others: Vec<_> = expected.iter().copied().filter(|page| Some(*page) != moved).collect();
        if others.is_empty() {
            continue;
        }
        let beside = put.anchor.index(others.len());
        let anchor = if put.behind { Anchor::After(others[beside]) } else { Anchor::Before(others[beside]) };
        let page = match moved {
            Some(page) => {
                world.puts(call(), page, anchor).await;
                page
            }
            None => world.page_at(call(), anchor).await,
        };
        expected = others;
        expected.insert(beside + usize::from(put.behind), page);
        assert_eq!(world.root_pages(call()).await, expected, "{put:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_page_lands_next_to_its_anchor_whatever_keys_stand_there(
        keys in prop::collection::vec(prop::sample::select(KEYS), 1..6),
        puts in prop::collection::vec(puts(), 1..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(every_page_lands_next_to_its_anchor(keys, puts));
    }
}

/// Equal keys, and keys without room between, before or after them.
const KEYS: &[&str] = &["a5", "a0", "a00", "0", "00", "zz", "zz0", LAST_KEY];
const LAST_KEY: &str =
    concat!("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");

#[tokio::test]
async fn a_page_without_an_anchor_is_last_even_after_the_greatest_key() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let first = world.page_at(call(), Anchor::Last).await;
    let second = world.page_at(call(), Anchor::At(Position::parse(LAST_KEY).unwrap())).await;
    let third = world.page_at(call(), Anchor::Last).await;
    assert_eq!(world.root_pages(call()).await, [first, second, third]);
}

#[tokio::test]
async fn pages_that_make_room_keep_their_version_and_their_place_beside_those_in_the_trash() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let key = |text: &str| Anchor::At(Position::parse(text).unwrap());
    let first = world.page_at(call(), key("a0")).await;
    let thrown = world.page_at(call(), key("a00")).await;
    let last = world.page_at(call(), key("a000")).await;
    world.throws_away(call(), thrown).await.unwrap();
    let events = world.events(id).await.len();
    let between = world.page_at(call(), Anchor::After(first)).await;
    assert_eq!(world.events(id).await.len(), events + 1, "only the new page is an event");
    let mut view = world.engine.store.reader().await.unwrap();
    for page in [first, last] {
        assert_eq!(view.pages().find(id, page).await.unwrap().unwrap().version, 1);
    }
    drop(view);
    let restored =
        world.write(call(), move |unit| Box::pin(trash::restore(unit, Ok(thrown), Ok(Place::default()), Ok(None))));
    restored.await.unwrap();
    assert_eq!(world.root_pages(call()).await, [first, between, thrown, last]);
}
