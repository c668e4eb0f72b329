//! Calls that read large pages are refused while too much page content is in memory.

use crate::world::{Calling, Device, World, fault_of, slot};
use octavo_app::{
    Call, ContentMemory, HeldContent, Reply, WorkKind,
    blocks::{self, Batch, BlockDuplication, BlockList, MarkdownEdits},
    pages::{
        self, CopyTarget, Document, Duplication, NewPage, Place,
        versions::{self, NewVersion, Restoration},
    },
    share_links::{self, Key, NewShareLink},
};
use octavo_blocks_tree::{
    Body, Kind, Piece, RichText,
    batch::{Anchor, Insertion, Operation, Target},
    markdown::Edit,
};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    fault::{ComputeFault, PageLimit, Unprocessable},
    id::{BlockId, PageId, PageVersionId, WorkspaceId},
    page::{MAX_BYTES, PageDetail},
    share_link::ShareLevel,
};
use serde_json::json;

const FULL: Fault = Fault::Compute(ComputeFault::MemoryFull);

/// A workspace with a page of 400 KB, in a deployment that may hold 900 KB: one such page for each person, and two
/// altogether.
struct Fixture {
    world: World,
    workspace: WorkspaceId,
    owner: Device,
    page: PageId,
    block: BlockId,
    version: PageVersionId,
    key: Key,
}

impl World {
    async fn batch(&self, call: Call, page: PageId, operations: Vec<Operation>) -> Vec<BlockId> {
        let batch = Batch { base: None, operations: operations.into_iter().map(Ok).collect() };
        let done = self.write(call, move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch))));
        done.await.unwrap().blocks
    }

    async fn empty_page(&self, call: Call) -> PageId {
        let page = NewPage::default();
        let create = self.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page))));
        create.await.unwrap().page.id
    }

    /// How much a call holds after reading all blocks of a page.
    async fn held_for(&self, call: Call, page: PageId, with_deleted: bool) -> u64 {
        let held = call.content.clone();
        let list = BlockList { parent: None, with_deleted, after: None, limit: 100 };
        self.read(call, move |view| Box::pin(blocks::list(view, Ok(page), Ok(list)))).await.unwrap();
        assert_eq!(held.is_counted(), self.memory.used() > 0);
        self.memory.used()
    }
}

impl Fixture {
    async fn new() -> Self {
        let mut world = World::new().await;
        let (owner, device) = world.newcomer().await;
        let workspace = world.creates_workspace(&owner).await;
        let call = || world.by(&device).naming(workspace);
        let piece = |body| Piece { id: None, body, children: Vec::new() };
        let content = (0..40).map(|_| piece(paragraph(10_000))).collect();
        let page = NewPage { content, ..NewPage::default() };
        let create = world.write(call(), move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page))));
        let page = create.await.unwrap().page.id;
        let version = NewVersion { label: None, expected: None };
        let keep = world.write(call(), move |unit| Box::pin(versions::create(unit, Ok(page), Ok(version))));
        let version = keep.await.unwrap().id;
        let insertion =
            Insertion { id: None, body: paragraph(10), target: Target { parent: None, anchor: Anchor::Last } };
        let batch = Batch { base: None, operations: vec![Ok(Operation::Insert(insertion))].into() };
        let add = world.write(call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch))));
        let block = add.await.unwrap().blocks[0];
        let wanted = NewShareLink {
            level: ShareLevel::View,
            include_children: true,
            password: None,
            expires_at: None,
            allow_duplicate: true,
            allow_indexing: false,
        };
        let (put, made) = slot();
        fault_of(share_links::create(&world.engine, call(), Ok(page), Ok(wanted), put).await).unwrap();
        let token = made.lock().unwrap().take().unwrap().token;
        let key = Key { token: Ok(token), access: None };
        world.memory = ContentMemory::new(900_000);
        Self { world, workspace, owner: device, page, block, version, key }
    }

    fn call(&self) -> Call {
        self.world.by(&self.owner).naming(self.workspace)
    }

    /// A call of the same person without a workspace.
    fn own(&self) -> Call {
        self.world.by(&self.owner)
    }

    async fn reads(&self, call: Call) -> Result<(), Fault> {
        let details = Ok(vec![PageDetail::Blocks]);
        let page = self.page;
        self.world.read(call, move |view| Box::pin(pages::get(view, Ok(page), details))).await.map(drop)
    }

    async fn opens(&self, call: Call) -> Result<(), Fault> {
        let (key, page) = (self.key.clone(), self.page);
        self.world.read(call, move |view| Box::pin(share_links::page(view, key, Ok(page)))).await.map(drop)
    }

    /// Reads the page and keeps it as if the answer was still being sent.
    async fn keeps(&self, call: Call) -> HeldContent {
        let held = call.content.clone();
        self.reads(call).await.unwrap();
        assert!(held.is_counted());
        held
    }
}

fn insertion(body: Body) -> Operation {
    Operation::Insert(Insertion { id: None, body, target: Target { parent: None, anchor: Anchor::Last } })
}

fn paragraph(length: usize) -> Body {
    Body::with_text(Kind::Paragraph, RichText::plain("x".repeat(length)))
}

#[tokio::test]
async fn a_large_page_is_held_until_its_answer_is_sent_and_counts_for_the_person_that_reads_it() {
    let mut fixture = Fixture::new().await;
    let own = fixture.keeps(fixture.call()).await;
    let used = fixture.world.memory.used();
    assert!((400_000..420_000).contains(&used), "{used}");
    assert_eq!(fixture.reads(fixture.call()).await, Err(FULL), "the part of this person is used up");
    fixture.opens(fixture.world.nobody()).await.expect("the readers of share links have their own part");
    let (other, device) = fixture.world.newcomer().await;
    let owner = fixture.call().at(fixture.workspace);
    fixture.world.adds(owner, other.id, octavo_core_model::Role::Admin).await.unwrap();
    let other = || fixture.world.by(&device).naming(fixture.workspace);
    let theirs = fixture.keeps(other()).await;
    assert_eq!(fixture.opens(fixture.world.nobody()).await, Err(FULL), "nothing is left for anybody");
    drop(own);
    fixture.reads(fixture.call()).await.unwrap();
    drop(theirs);
    assert_eq!(fixture.world.memory.used(), 0);
    assert_eq!(fixture.world.memory.refused(), 2);
}

#[tokio::test]
async fn the_readers_of_share_links_count_for_the_workspace_whoever_they_are() {
    let fixture = Fixture::new().await;
    let call = fixture.world.nobody();
    let held = call.content.clone();
    fixture.opens(call).await.unwrap();
    assert!(held.is_counted());
    for call in [fixture.world.nobody(), fixture.world.nobody().from("198.51.100.7"), fixture.call()] {
        assert_eq!(fixture.opens(call).await, Err(FULL));
    }
    fixture.reads(fixture.call()).await.expect("members have their own part");
}

#[tokio::test]
async fn every_way_to_load_a_large_page_needs_memory() {
    let fixture = Fixture::new().await;
    let Fixture { world, page, block, version, key, .. } = &fixture;
    let (page, block, version) = (*page, *block, *version);
    let _held = fixture.keeps(fixture.call()).await;
    let call = || fixture.call();
    let all = || BlockList { parent: None, with_deleted: false, after: None, limit: 100 };
    assert_eq!(fixture.reads(call()).await, Err(FULL));
    let list = world.read(call(), move |view| Box::pin(blocks::list(view, Ok(page), Ok(all()))));
    assert_eq!(list.await.map(drop), Err(FULL));
    let get = world.read(call(), move |view| Box::pin(blocks::get(view, Ok(block))));
    assert_eq!(get.await.map(drop), Err(FULL));
    let show = world.read(call(), move |view| Box::pin(versions::get(view, Ok(page), Ok(version))));
    assert_eq!(show.await.map(drop), Err(FULL));
    let compare = world.read(call(), move |view| Box::pin(versions::compare(view, Ok(page), Ok(version), Ok(None))));
    assert_eq!(compare.await.map(drop), Err(FULL));
    let back = Restoration::default();
    let restore = world.write(call(), move |unit| Box::pin(versions::restore(unit, Ok(page), Ok(version), Ok(back))));
    assert_eq!(restore.await.map(drop), Err(FULL));
    let markdown = blocks::markdown(&world.engine, call(), Ok(page));
    assert_eq!(fault_of(markdown.await).map(drop), Err(FULL));
    let edits = MarkdownEdits { edits: vec![Edit::Append { markdown: "a".to_owned() }], expected: None };
    let edit = blocks::edit_markdown(&world.engine, call(), Ok(page), Ok(edits), |_| Reply::nothing());
    assert_eq!(fault_of(edit.await).map(drop), Err(FULL));
    let reservations = world.engine.reservations();
    let export = world.read(call(), move |view| Box::pin(pages::export(view, Ok(page), Ok(()), reservations)));
    assert_eq!(export.await.map(drop), Err(FULL));
    let copy = BlockDuplication::default();
    let duplicate = world.write(call(), move |unit| Box::pin(blocks::duplicate(unit, Ok(block), Ok(copy))));
    assert_eq!(duplicate.await.map(drop), Err(FULL));
    let (target, copy) = (CopyTarget::default(), Duplication::default());
    let duplicate = world.write(call(), move |unit| Box::pin(pages::duplicate(unit, Ok(page), Ok(target), Ok(copy))));
    assert_eq!(duplicate.await.map(drop), Err(FULL));
    let by_link = key.clone();
    let take = share_links::Copy::default();
    let copy = world.write(fixture.own(), move |unit| Box::pin(share_links::duplicate(unit, by_link, Ok(take))));
    assert_eq!(copy.await.map(drop), Err(FULL));

    let visitor = world.nobody();
    let _theirs = visitor.content.clone();
    fixture.opens(visitor).await.unwrap();
    let (key, reservations) = (key.clone(), world.engine.reservations());
    let render = share_links::page_to_render;
    let screen = world.read(world.nobody(), move |view| Box::pin(render(view, key, None, reservations)));
    assert_eq!(screen.await.map(drop), Err(FULL));
}

#[tokio::test]
async fn calls_that_wait_in_the_compute_pool_leave_a_part_for_those_that_only_read() {
    let mut fixture = Fixture::new().await;
    let (other, device) = fixture.world.newcomer().await;
    let owner = fixture.call().at(fixture.workspace);
    fixture.world.adds(owner, other.id, octavo_core_model::Role::Admin).await.unwrap();
    let other = || fixture.world.by(&device).naming(fixture.workspace);
    let markdown = async |call| blocks::markdown(&fixture.world.engine, call, Ok(fixture.page)).await;
    let waiting = fixture.call();
    let held = waiting.content.clone();
    fault_of(markdown(waiting).await).unwrap();
    assert!(held.is_counted());
    assert_eq!(fault_of(markdown(other()).await).map(drop), Err(FULL), "two pages exceed two thirds");
    fixture.reads(other()).await.expect("a third is left to read");
    drop(held);
    fault_of(markdown(other()).await).unwrap();
    assert_eq!(fixture.world.memory.used(), 0);
}

#[tokio::test]
async fn a_parsed_document_is_held_until_its_page_is_saved() {
    let fixture = Fixture::new().await;
    let (world, held) = (&fixture.world, fixture.keeps(fixture.call()).await);
    let import = async || {
        let content = (0..40).map(|_| Piece::new(paragraph(10_000))).collect();
        let read = move |_: &Cancellation| Ok(NewPage { content, ..NewPage::default() });
        let document = Document { kind: WorkKind::Long, read: Box::new(read) };
        let (place, shape) = (Ok(Place::default()), |_| Reply::nothing());
        let create = pages::create_from_document(&world.engine, fixture.call(), place, Ok(document), shape);
        fault_of(create.await).map(drop)
    };
    assert_eq!(import().await, Err(FULL), "the part of this person is used up");
    drop(held);
    import().await.unwrap();
    assert_eq!(world.memory.used(), 0);
}

#[tokio::test]
async fn only_what_was_loaded_stays_held() {
    let fixture = Fixture::new().await;
    let (call, block) = (fixture.call(), fixture.block);
    let held = call.content.clone();
    fixture.world.read(call, move |view| Box::pin(blocks::get(view, Ok(block)))).await.unwrap();
    assert!(!held.is_counted(), "a small block of a large page");
}

#[tokio::test]
async fn a_small_page_that_was_changed_often_is_not_counted() {
    let fixture = Fixture::new().await;
    let (world, page) = (&fixture.world, fixture.world.empty_page(fixture.call()).await);
    for _ in 0..3 {
        let blocks = world.batch(fixture.call(), page, (0..20).map(|_| insertion(paragraph(10_000))).collect()).await;
        let gone = blocks.into_iter().map(|block| Operation::Delete { block, version: None }).collect();
        world.batch(fixture.call(), page, gone).await;
    }
    assert_eq!(world.held_for(fixture.call(), page, false).await, 0);
    let deleted = world.held_for(fixture.call(), page, true).await;
    assert!(deleted > 600_000, "deleted blocks are counted if they are shown: {deleted}");
}

#[tokio::test]
async fn what_the_instances_of_a_small_page_show_is_counted() {
    let fixture = Fixture::new().await;
    let (world, page) = (&fixture.world, fixture.world.empty_page(fixture.call()).await);
    let sources = world.batch(fixture.call(), fixture.page, vec![insertion(paragraph(90_000))]).await;
    let show = json!({ "sourceBlockId": sources[0] });
    let instance = || Body::read(Kind::SyncedBlock, Some(show.clone()), None, "").unwrap();
    world.batch(fixture.call(), page, (0..5).map(|_| insertion(instance())).collect()).await;
    let held = world.held_for(fixture.call(), page, false).await;
    assert!(held > 450_000, "{held}");
}

#[tokio::test]
async fn deleted_blocks_are_counted_before_they_are_listed() {
    let fixture = Fixture::new().await;
    let (world, page) = (&fixture.world, fixture.world.empty_page(fixture.call()).await);
    let all = world.batch(fixture.call(), page, (0..3).map(|_| insertion(paragraph(10))).collect()).await;
    let gone = all[1..].iter().map(|block| Operation::Delete { block: *block, version: None }).collect();
    world.batch(fixture.call(), page, gone).await;
    // No longer JSON: such a block cannot even be loaded.
    let full = format!("UPDATE blocks SET body = hex(zeroblob({})) WHERE deleted_at IS NOT NULL", MAX_BYTES / 2);
    world.database.execute(&full).await;
    let list = async |limit| {
        let list = BlockList { parent: None, with_deleted: true, after: None, limit };
        let listed = world.read(fixture.call(), move |view| Box::pin(blocks::list(view, Ok(page), Ok(list))));
        listed.await.map(|found| found.len())
    };
    let too_large = Fault::Unprocessable(Unprocessable::ListTooLarge(PageLimit::Bytes));
    assert_eq!(list(100).await, Err(too_large));
    assert_eq!(list(1).await, Ok(1), "a smaller part does not contain them");
}

#[tokio::test]
async fn restoring_a_block_needs_memory_only_for_what_was_deleted_with_it() {
    let fixture = Fixture::new().await;
    let (world, page) = (&fixture.world, fixture.world.empty_page(fixture.call()).await);
    let parents = world.batch(fixture.call(), page, (0..2).map(|_| insertion(paragraph(10))).collect()).await;
    let inside = |parent: BlockId| -> Vec<_> {
        let target = Target { parent: Some(Some(parent)), anchor: Anchor::Last };
        let long = Insertion { id: None, body: paragraph(90_000), target };
        (0..4).map(|_| Operation::Insert(long.clone())).collect()
    };
    let delete = |block: &BlockId| Operation::Delete { block: *block, version: None };
    let before = world.batch(fixture.call(), page, inside(parents[0])).await;
    world.batch(fixture.call(), page, inside(parents[1])).await;
    world.batch(fixture.call(), page, before.iter().map(delete).collect()).await;
    world.batch(fixture.call(), page, parents.iter().map(delete).collect()).await;
    let restore = async |block: BlockId| {
        let versions = blocks::ExpectedVersions::default();
        let back = world.write(fixture.call(), move |unit| Box::pin(blocks::undelete(unit, Ok(block), Ok(versions))));
        back.await.map(drop)
    };
    let held = fixture.keeps(fixture.call()).await;
    restore(parents[0]).await.expect("what was in it had been deleted before");
    assert_eq!(restore(parents[1]).await, Err(FULL));
    drop(held);
    restore(parents[1]).await.unwrap();
}

#[tokio::test]
async fn versions_without_a_recorded_size_are_counted() {
    let fixture = Fixture::new().await;
    let (world, small) = (&fixture.world, fixture.world.empty_page(fixture.call()).await);
    world.batch(fixture.call(), small, vec![insertion(paragraph(10))]).await;
    let version = NewVersion { label: None, expected: None };
    let keep = world.write(fixture.call(), move |unit| Box::pin(versions::create(unit, Ok(small), Ok(version))));
    let of_small = keep.await.unwrap().id;
    world.database.execute("UPDATE page_versions SET bytes_at_most = NULL").await;
    let _held = fixture.keeps(fixture.call()).await;
    let shows = async |page, version| {
        let show = world.read(fixture.call(), move |view| Box::pin(versions::get(view, Ok(page), Ok(version))));
        show.await.map(drop)
    };
    shows(small, of_small).await.expect("a small page is never refused");
    assert_eq!(shows(fixture.page, fixture.version).await, Err(FULL));
}

#[tokio::test]
async fn a_copy_needs_memory_once() {
    let mut fixture = Fixture::new().await;
    let (other, device) = fixture.world.newcomer().await;
    let owner = fixture.call().at(fixture.workspace);
    fixture.world.adds(owner, other.id, octavo_core_model::Role::Admin).await.unwrap();
    let _theirs = fixture.keeps(fixture.world.by(&device).naming(fixture.workspace)).await;
    let page = fixture.page;
    let (target, copy) = (CopyTarget::default(), Duplication::default());
    let duplicate = fixture
        .world
        .write(fixture.call(), move |unit| Box::pin(pages::duplicate(unit, Ok(page), Ok(target), Ok(copy))));
    duplicate.await.expect("it fits beside the page that somebody else reads");
}
