//! How the search index follows the logs, on a real store and a real index.

use crate::world::{Calling, Device, Person, World};
use octavo_app::{
    pages::{self, NewPage, Place},
    search::indexing::{self, Comparison, Round},
};
use octavo_core_model::{
    cancellation::Cancellation,
    id::{PageId, WorkspaceId},
    text::PageTitle,
};
use octavo_ports::search::{
    Look, NodeFilter, NodeKey, Order, Place as UnitPlace, Progress, Removal, SearchIndex, TimeRange, UnitChanges,
    UnitKey, UnitKind,
};
use octavo_search::{Fields, Query};
use octavo_search_index::TextIndex;
use tempfile::TempDir;

struct Fixture {
    world: World,
    owner: (Person, Device),
    id: WorkspaceId,
    index: TextIndex,
    _folder: TempDir,
}

async fn fixture() -> Fixture {
    let mut world = World::new().await;
    let owner = world.newcomer().await;
    let id = world.creates_workspace(&owner.0).await;
    let folder = TempDir::new().unwrap();
    let index = TextIndex::in_folder(folder.path().to_owned());
    index.open().unwrap();
    Fixture { world, owner, id, index, _folder: folder }
}

struct Everything;

impl NodeFilter for Everything {
    fn shows(&self, _: UnitPlace) -> bool {
        true
    }
}

impl Fixture {
    async fn page(&self, title: &str) -> PageId {
        let page = NewPage { title: PageTitle::parse(title).ok(), ..NewPage::default() };
        let call = self.world.by(&self.owner.1).naming(self.id);
        let made =
            self.world.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page)))).await;
        made.unwrap().page.id
    }

    /// Follows the log to its end, and returns how often something was written.
    async fn catch_up(&self) -> usize {
        for steps in 0.. {
            let mut round = Round::default();
            let engine = &self.world.engine;
            let has_more = indexing::prepare(engine, &self.index, &mut round, self.id, self.world.now).await.unwrap();
            let changes = round.take();
            if changes.is_empty() {
                assert!(!has_more, "a step without changes is the last one");
                return steps;
            }
            self.index.apply(changes).unwrap();
        }
        0
    }

    fn found(&self, query: &str) -> Vec<UnitKey> {
        let look = Look {
            workspace: self.id,
            query: Some(Query::parse(query).unwrap()),
            fields: Fields::ALL,
            kinds: UnitKind::ALL.to_vec(),
            created_by: None,
            updated_by: None,
            created: TimeRange::default(),
            updated: TimeRange::default(),
            with_archived: false,
            order: Order::Relevance,
            after: None,
            limit: 100,
        };
        let hits = self.index.find(&look, &Everything, &Cancellation::default()).unwrap();
        hits.hits.into_iter().map(|hit| hit.key).collect()
    }

    async fn compared(&self) -> Comparison {
        indexing::compare(&self.world.engine, &self.index, self.id, self.world.now).await.unwrap()
    }
}

#[tokio::test]
async fn a_new_workspace_is_indexed_and_then_followed() {
    let fixture = fixture().await;
    let first = fixture.page("Apples").await;
    fixture.catch_up().await;
    assert_eq!(fixture.found("apples"), [UnitKey::Page(first)]);
    let second = fixture.page("More apples").await;
    assert_eq!(fixture.found("apples").len(), 1, "nothing was followed since");
    assert_eq!(fixture.catch_up().await, 1);
    assert!(fixture.found("apples").contains(&UnitKey::Page(second)));
    assert_eq!(fixture.catch_up().await, 0, "nothing is written without changes");
    assert!(fixture.compared().await.is_clean());
}

#[tokio::test]
async fn differences_from_the_store_are_found() {
    let fixture = fixture().await;
    let page = fixture.page("Apples").await;
    let compared = fixture.compared().await;
    assert_eq!((compared.units, compared.missing.len()), (1, 1));
    fixture.catch_up().await;
    let removed = vec![Removal::Unit(UnitKey::Page(page))];
    let changes = UnitChanges { workspace: fixture.id, removed, units: Vec::new(), progress: None };
    fixture.index.apply(vec![changes]).unwrap();
    assert!(fixture.compared().await.missing.contains(&UnitKey::Page(page)));
}

#[tokio::test]
async fn an_index_that_knows_events_which_the_log_does_not_have_begins_anew() {
    let fixture = fixture().await;
    fixture.page("Apples").await;
    fixture.catch_up().await;
    let progress = Progress { up_to: 1_000_000, is_complete: true, rest: String::new() };
    let changes =
        UnitChanges { workspace: fixture.id, removed: Vec::new(), units: Vec::new(), progress: Some(progress) };
    fixture.index.apply(vec![changes]).unwrap();
    fixture.page("Pears").await;
    fixture.catch_up().await;
    assert_eq!(fixture.found("pears").len(), 1);
    assert!(fixture.compared().await.is_clean());
}

#[tokio::test]
async fn a_list_of_rests_that_cannot_be_read_means_everything() {
    let fixture = fixture().await;
    fixture.page("Apples").await;
    fixture.catch_up().await;
    let Some(known) = fixture.index.progress(fixture.id).unwrap() else { panic!("the workspace is known") };
    let progress = Progress { rest: "something new\n".to_owned(), ..known };
    let removed = vec![Removal::Node(NodeKey(0))];
    let changes = UnitChanges { workspace: fixture.id, removed, units: Vec::new(), progress: Some(progress) };
    fixture.index.apply(vec![changes]).unwrap();
    assert!(fixture.catch_up().await > 0);
    assert!(fixture.index.progress(fixture.id).unwrap().is_some_and(|progress| progress.rest.is_empty()));
    assert!(fixture.compared().await.is_clean());
}
