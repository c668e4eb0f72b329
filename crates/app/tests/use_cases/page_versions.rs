//! Versions of pages over time: when they are saved, and which are kept.

use crate::world::{Calling, Device, Person, World, conflict};
use octavo_app::{
    blocks::{self, Batch},
    pages::{
        self, NewPage, PageUpdate, Place,
        versions::{self, NewVersion, Relabelling, Restoration, Restored, VersionList},
    },
};
use octavo_blocks_tree::{
    Body, Kind, RichText,
    batch::{Insertion, Operation, Target},
};
use octavo_core_model::{
    Fault, Role,
    fault::Conflict,
    id::{BlockId, PageId, PageVersionId, WorkspaceId},
    page::{PageChange, PageVersion, VersionKind},
    text::{Name, PageTitle},
};
use std::time::Duration;

const INTERVAL: Duration = Duration::from_mins(10);

/// A page and its editors.
struct Fixture {
    world: World,
    workspace: WorkspaceId,
    owner: (Person, Device),
    member: (Person, Device),
    page: PageId,
}

impl Fixture {
    async fn new() -> Self {
        let mut world = World::new().await;
        let (owner, member) = (world.newcomer().await, world.newcomer().await);
        let workspace = world.creates_workspace(&owner.0).await;
        world.adds(world.by(&owner.1).at(workspace), member.0.id, Role::Member).await.unwrap();
        let page = NewPage { title: PageTitle::parse("Plan").ok(), ..NewPage::default() };
        let call = world.by(&owner.1).naming(workspace);
        let made =
            world.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page)))).await.unwrap();
        Self { page: made.page.id, world, workspace, owner, member }
    }

    fn call(&self) -> octavo_app::Call {
        self.world.by(&self.owner.1).naming(self.workspace)
    }

    async fn batch_by(&self, device: &Device, operations: Vec<Operation>) -> Vec<BlockId> {
        let (page, batch) = (self.page, Batch { base: None, operations: operations.into_iter().map(Ok).collect() });
        let call = self.world.by(device).naming(self.workspace);
        let done = self.world.write(call, move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await;
        done.unwrap().blocks
    }

    async fn writes(&self, text: &str) -> BlockId {
        self.batch_by(&self.owner.1, vec![insertion(text)]).await[0]
    }

    async fn deletes(&self, block: BlockId) {
        self.batch_by(&self.owner.1, vec![Operation::Delete { block, version: None }]).await;
    }

    async fn titles(&self, title: &str) {
        let change = PageChange { title: PageTitle::parse(title).ok(), ..PageChange::default() };
        let (page, update) = (self.page, PageUpdate { change, expected: None });
        self.world
            .write(self.call(), move |unit| Box::pin(pages::update(unit, Ok(page), Ok(None), Ok(update))))
            .await
            .unwrap();
    }

    async fn keeps(&self, label: Option<&str>) -> Result<PageVersion, Fault> {
        let (page, label) = (self.page, label.map(|label| Name::parse(label).unwrap()));
        let new = NewVersion { label, expected: None };
        self.world.write(self.call(), move |unit| Box::pin(versions::create(unit, Ok(page), Ok(new)))).await
    }

    async fn labels(&self, id: PageVersionId, label: Option<&str>) -> Result<PageVersion, Fault> {
        let (page, label) = (self.page, label.map(|label| Name::parse(label).unwrap()));
        let change = Relabelling { label: Some(label), expected: None };
        self.world.write(self.call(), move |unit| Box::pin(versions::relabel(unit, Ok(page), Ok(id), Ok(change)))).await
    }

    async fn goes_back(&self, id: PageVersionId) -> Restored {
        let (page, all) = (self.page, Restoration::default());
        let done =
            self.world.write(self.call(), move |unit| Box::pin(versions::restore(unit, Ok(page), Ok(id), Ok(all))));
        done.await.unwrap()
    }

    /// All versions, newest first.
    async fn versions(&self) -> Vec<PageVersion> {
        let (page, asked) = (self.page, VersionList { kind: None, before: None, limit: 1000 });
        self.world.read(self.call(), move |view| Box::pin(versions::list(view, Ok(page), Ok(asked)))).await.unwrap()
    }

    /// The saved versions of the page, newest first.
    async fn kept(&self) -> Vec<i64> {
        self.versions().await.iter().map(|version| version.page_version).collect()
    }
}

fn insertion(text: &str) -> Operation {
    let body = Body::with_text(Kind::Paragraph, RichText::plain(text));
    Operation::Insert(Insertion { id: None, body, target: Target::default() })
}

#[tokio::test]
async fn the_first_change_of_a_page_keeps_it_as_it_was() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.kept().await, [] as [i64; 0]);
    fixture.writes("first").await;
    let versions = fixture.versions().await;
    assert_eq!(versions.len(), 1);
    let version = &versions[0];
    assert_eq!((version.page_version, version.kind, version.block_count), (1, VersionKind::Auto, 0));
    assert_eq!(version.label, None);
}

#[tokio::test]
async fn an_edit_keeps_the_page_only_when_the_newest_version_is_over_ten_minutes_old() {
    let mut fixture = Fixture::new().await;
    fixture.writes("at once").await;
    fixture.writes("again").await;
    fixture.world.pass(INTERVAL);
    fixture.writes("after exactly ten minutes").await;
    assert_eq!(fixture.kept().await, [1]);
    fixture.world.pass(Duration::from_millis(1));
    fixture.titles("Later").await;
    assert_eq!(fixture.kept().await, [4, 1], "a change of fields counts like one of blocks");
    let newest = fixture.versions().await.remove(0);
    assert_eq!((newest.title.as_str(), newest.block_count), ("Plan", 3), "it shows the page before the change");
    fixture.writes("soon after").await;
    assert_eq!(fixture.kept().await, [4, 1]);
}

#[tokio::test]
async fn a_deletion_is_always_preceded_by_a_version() {
    let fixture = Fixture::new().await;
    let (first, second) = (fixture.writes("first").await, fixture.writes("second").await);
    fixture.deletes(first).await;
    assert_eq!(fixture.kept().await, [3, 1]);
    fixture.deletes(second).await;
    assert_eq!(fixture.kept().await, [4, 3, 1]);
}

#[tokio::test]
async fn an_unchanged_page_gets_no_second_version() {
    let fixture = Fixture::new().await;
    let block = fixture.writes("first").await;
    let held = fixture.keeps(None).await.unwrap();
    assert_eq!((held.page_version, held.kind), (2, VersionKind::Manual));
    fixture.deletes(block).await;
    assert_eq!(fixture.kept().await, [2, 1]);
    fixture.goes_back(held.id).await;
    assert_eq!(fixture.kept().await, [3, 2, 1]);
    fixture.keeps(None).await.unwrap();
    fixture.goes_back(held.id).await;
    assert_eq!(fixture.kept().await, [4, 3, 2, 1], "nothing was different");
}

#[tokio::test]
async fn a_restore_first_keeps_a_version_even_if_nothing_is_deleted() {
    let fixture = Fixture::new().await;
    let held = fixture.keeps(None).await.unwrap();
    fixture.titles("Other").await;
    let back = fixture.goes_back(held.id).await;
    assert_eq!((back.shown.page.title.as_str(), back.shown.page.version), ("Plan", 3));
    assert_eq!(fixture.kept().await, [2, 1]);
    assert_eq!(fixture.versions().await[0].title.as_str(), "Other");
}

#[tokio::test]
async fn a_version_names_who_wrote_since_the_one_before() {
    let fixture = Fixture::new().await;
    fixture.writes("by the owner").await;
    fixture.batch_by(&fixture.member.1, vec![insertion("by the member")]).await;
    let both = fixture.keeps(None).await.unwrap();
    assert_eq!(both.editors, [fixture.owner.0.id, fixture.member.0.id].into());
    assert_eq!(fixture.keeps(None).await.unwrap().editors, [].into());
    fixture.batch_by(&fixture.member.1, vec![insertion("by the member")]).await;
    assert_eq!(fixture.keeps(None).await.unwrap().editors, [fixture.member.0.id].into());
}

#[tokio::test]
async fn the_newest_200_and_all_labelled_versions_stay() {
    let fixture = Fixture::new().await;
    let labelled = fixture.keeps(Some("First")).await.unwrap();
    let unlabelled = fixture.keeps(None).await.unwrap();
    for _ in 0..198 {
        fixture.keeps(None).await.unwrap();
    }
    assert_eq!(fixture.versions().await.len(), 200);
    fixture.keeps(None).await.unwrap();
    let ids = |versions: Vec<PageVersion>| versions.into_iter().map(|version| version.id).collect::<Vec<_>>();
    let kept = ids(fixture.versions().await);
    assert_eq!(kept.len(), 201, "the one with a label stays besides");
    assert!(kept.contains(&labelled.id) && kept.contains(&unlabelled.id));
    fixture.keeps(None).await.unwrap();
    let kept = ids(fixture.versions().await);
    assert_eq!(kept.len(), 201);
    assert!(kept.contains(&labelled.id) && !kept.contains(&unlabelled.id));
    // Without its label it is removed when the next one is saved.
    fixture.labels(labelled.id, None).await.unwrap();
    fixture.keeps(None).await.unwrap();
    assert_eq!(fixture.versions().await.len(), 200);
    assert!(!ids(fixture.versions().await).contains(&labelled.id));
}

#[tokio::test]
async fn automatic_versions_are_thinned_out_too() {
    let mut fixture = Fixture::new().await;
    let block = fixture.writes("0").await;
    let first = fixture.versions().await[0].id;
    for number in 0..205 {
        fixture.world.pass(INTERVAL + Duration::from_secs(1));
        fixture.titles(&number.to_string()).await;
    }
    let kept = fixture.versions().await;
    assert_eq!(kept.len(), 200);
    assert!(kept.iter().all(|version| version.id != first));
    let oldest = kept.last().unwrap().id;
    fixture.deletes(block).await;
    let gone = fixture.versions().await;
    assert!(gone.iter().all(|version| version.id != oldest));
    let back = fixture.goes_back(gone.last().unwrap().id).await;
    assert_eq!(back.restored, [block], "going back works also when the version itself goes for the one before");
}

#[tokio::test]
async fn at_most_a_hundred_versions_have_a_label() {
    let fixture = Fixture::new().await;
    let first = fixture.keeps(Some("First")).await.unwrap();
    for number in 1..100 {
        fixture.keeps(Some(&number.to_string())).await.unwrap();
    }
    let full = conflict(Conflict::LimitReached(100));
    assert_eq!(fixture.keeps(Some("One more")).await, Err(full.clone()));
    let bare = fixture.keeps(None).await.unwrap();
    assert_eq!(fixture.labels(bare.id, Some("One more")).await, Err(full));
    assert_eq!(fixture.labels(first.id, Some("Another")).await.unwrap().label, Name::parse("Another").ok());
    fixture.labels(first.id, None).await.unwrap();
    assert!(fixture.labels(bare.id, Some("One more")).await.is_ok(), "a label that is taken away makes room");
}
