//! Documents are parsed on the compute pool: after checking rights, outside of units, and for the present version of
//! the page.

use crate::world::{Calling, Device, World};
use octavo_app::{
    Call, Draft, Interrupt, Reply, WorkKind,
    blocks::{self, Batch, MarkdownEdits},
    pages::{self, Document, Exported, NewPage, PageOrigin, Place},
};
use octavo_blocks_tree::{
    Body, Kind, Piece, RichText,
    batch::{Anchor, Insertion, Operation, Target},
    markdown::{self, Edit},
};
use octavo_core_model::{
    Fault, Role, StoreError,
    fault::{ComputeFault, PageLimit, Unprocessable},
    id::{BlockId, PageId, WorkspaceId},
    page::{MAX_BLOCKS, MAX_BYTES, ParentRef},
    version::Expected,
};
use octavo_ports::compute::Reservation;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

struct Fixture {
    world: World,
    workspace: WorkspaceId,
    owner: Device,
    guest: Device,
}

impl Fixture {
    async fn new() -> Self {
        Self::within(World::new().await).await
    }

    async fn within(mut world: World) -> Self {
        let ((owner, owner_device), (guest, guest_device)) = (world.newcomer().await, world.newcomer().await);
        let workspace = world.creates_workspace(&owner).await;
        world.adds(world.by(&owner_device).at(workspace), guest.id, Role::Guest).await.unwrap();
        Self { world, workspace, owner: owner_device, guest: guest_device }
    }

    fn call(&self) -> Call {
        self.world.by(&self.owner).naming(self.workspace)
    }

    async fn import_by(&self, call: Call, place: Place, document: Draft<Document>) -> Result<PageId, Fault> {
        let made = Arc::new(std::sync::Mutex::new(None));
        let into = Arc::clone(&made);
        let shape = move |(shown, _): (pages::PageDetails, _)| {
            *into.lock().unwrap() = Some(shown.page.id);
            Reply::nothing()
        };
        match pages::create_from_document(&self.world.engine, call, Ok(place), document, shape).await {
            Ok(_) => Ok(made.lock().unwrap().unwrap()),
            Err(Interrupt::Fault(fault)) => Err(fault),
            Err(Interrupt::Replay(_)) => panic!("there is nothing to replay"),
        }
    }

    async fn import(&self, text: &str) -> Result<PageId, Fault> {
        self.import_by(self.call(), Place::default(), Ok(of_text(text))).await
    }

    async fn edit(&self, page: PageId, edit: Edit, expected: Option<Expected>) -> Result<(), Fault> {
        edit_by(&self.world.engine, self.call(), page, edit, expected).await
    }

    async fn text_of(&self, page: PageId) -> String {
        blocks::markdown(&self.world.engine, self.call(), Ok(page)).await.unwrap().markdown
    }

    async fn exports(&self, page: PageId) -> (Exported, Reservation) {
        let reservations = self.world.engine.reservations();
        let export =
            self.world.read(self.call(), move |view| Box::pin(pages::export(view, Ok(page), Ok(()), reservations)));
        export.await.unwrap()
    }

    async fn adds(&self, page: PageId, bodies: Vec<Body>) -> Result<Vec<BlockId>, Fault> {
        let batch = batch_of(bodies);
        let done = self.world.write(self.call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await;
        done.map(|written| written.blocks)
    }
}

async fn edit_by(
    engine: &octavo_app::Engine,
    call: Call,
    page: PageId,
    edit: Edit,
    expected: Option<Expected>,
) -> Result<(), Fault> {
    let edits = MarkdownEdits { edits: vec![edit], expected };
    match blocks::edit_markdown(engine, call, Ok(page), Ok(edits), |_| Reply::nothing()).await {
        Ok(_) => Ok(()),
        Err(Interrupt::Fault(fault)) => Err(fault),
        Err(Interrupt::Replay(_)) => panic!("there is nothing to replay"),
    }
}

fn of_text(text: &str) -> Document {
    let text = text.to_owned();
    let read = move |cancellation: &_| {
        let content = markdown::import(&text, cancellation).map_err(blocks::refused)?;
        Ok(NewPage { content, origin: PageOrigin::Import("markdown"), ..NewPage::default() })
    };
    Document { kind: WorkKind::Short, read: Box::new(read) }
}

fn append(markdown: &str) -> Edit {
    Edit::Append { markdown: markdown.to_owned() }
}

fn batch_of(bodies: Vec<Body>) -> Batch {
    let target = || Target { parent: None, anchor: Anchor::Last };
    let insertion = |body| Ok(Operation::Insert(Insertion { id: None, body, target: target() }));
    Batch { base: None, operations: bodies.into_iter().map(insertion).collect() }
}

#[tokio::test]
async fn callers_without_rights_are_refused_before_the_document_is_read() {
    let fixture = Fixture::new().await;
    let hidden = fixture.import("# Plan").await.unwrap();
    let jobs = fixture.world.pool.jobs_done();
    fixture.world.pool.busy.store(true, Ordering::Relaxed);
    let guest = || fixture.world.by(&fixture.guest).naming(fixture.workspace);
    let at_the_root = fixture.import_by(guest(), Place::default(), Ok(of_text("a"))).await.unwrap_err();
    assert!(matches!(at_the_root, Fault::Forbidden(_)), "{at_the_root:?}");
    let below = Place { parent: Some(Some(ParentRef::Page(hidden))), ..Place::default() };
    assert_eq!(fixture.import_by(guest(), below, Ok(of_text("a"))).await, Err(Fault::UnknownId("parentId")));
    assert_eq!(
        fixture.import_by(fixture.call(), Place::default(), Ok(of_text("a"))).await,
        Err(Fault::Compute(ComputeFault::Busy))
    );
    assert_eq!(edit_by(&fixture.world.engine, guest(), hidden, append("a"), None).await, Err(Fault::NotFound));
    assert_eq!(fixture.edit(hidden, append("a"), None).await, Err(Fault::Compute(ComputeFault::Busy)));
    assert_eq!(fixture.world.pool.jobs_done(), jobs, "nothing was read");
}

#[tokio::test]
async fn a_place_removed_while_the_document_is_read_gets_no_page() {
    let fixture = Fixture::new().await;
    let (engine, owner) = (Arc::clone(&fixture.world.engine), fixture.call());
    let parent = fixture.import("# Plan").await.unwrap();
    // The destination is moved to the trash meanwhile.
    fixture.world.pool.interrupt(async move {
        let shape = |_| Reply::nothing();
        engine
            .write(owner, move |unit| Box::pin(pages::trash::throw_away(unit, Ok(parent), Ok(None))), shape)
            .await
            .unwrap();
    });
    let below = Place { parent: Some(Some(ParentRef::Page(parent))), ..Place::default() };
    let refused = fixture.import_by(fixture.call(), below, Ok(of_text("a"))).await.unwrap_err();
    assert!(matches!(refused, Fault::Conflict(_)), "{refused:?}");
}

#[tokio::test]
async fn an_edit_is_worked_out_anew_when_the_page_changed_meanwhile() {
    let fixture = Fixture::new().await;
    let page = fixture.import("first").await.unwrap();
    let (engine, call) = (Arc::clone(&fixture.world.engine), fixture.call());
    fixture.world.pool.interrupt(async move { edit_by(&engine, call, page, append("second"), None).await.unwrap() });
    fixture.edit(page, append("third"), None).await.unwrap();
    assert_eq!(fixture.text_of(page).await, "first\n\nsecond\n\nthird\n");
}

#[tokio::test]
async fn an_edit_that_names_its_version_is_refused_when_the_page_changed_meanwhile() {
    let fixture = Fixture::new().await;
    let page = fixture.import("first").await.unwrap();
    let (engine, call) = (Arc::clone(&fixture.world.engine), fixture.call());
    fixture.world.pool.interrupt(async move { edit_by(&engine, call, page, append("second"), None).await.unwrap() });
    let refused = fixture.edit(page, append("third"), Some(Expected::Exactly(1))).await.unwrap_err();
    assert!(matches!(refused, Fault::Conflict(_)), "{refused:?}");
    assert_eq!(fixture.text_of(page).await, "first\n\nsecond\n");
}

#[tokio::test]
async fn an_edit_of_a_constantly_changing_page_gives_up() {
    let fixture = Fixture::new().await;
    let page = fixture.import("first").await.unwrap();
    let changes = Arc::new(AtomicUsize::new(0));
    for _ in 0..100 {
        let (engine, call, changes) = (Arc::clone(&fixture.world.engine), fixture.call(), Arc::clone(&changes));
        fixture.world.pool.interrupt(async move {
            let batch = batch_of(vec![Body::empty(Kind::Divider)]);
            let shape = |_| Reply::nothing();
            engine.write(call, move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch))), shape).await.unwrap();
            changes.fetch_add(1, Ordering::Relaxed);
        });
    }
    assert_eq!(fixture.edit(page, append("third"), None).await, Err(Fault::Store(StoreError::Busy)));
    assert!((2..100).contains(&changes.load(Ordering::Relaxed)));
}

#[tokio::test]
async fn an_edit_that_meets_a_busy_store_is_not_worked_out_again() {
    let fixture = Fixture::within(World::impatient().await).await;
    let page = fixture.import("first").await.unwrap();
    let jobs = fixture.world.pool.jobs_done();
    let writer = fixture.world.engine.store.writer().await.unwrap();
    assert_eq!(fixture.edit(page, append("second"), None).await, Err(Fault::Store(StoreError::Busy)));
    assert_eq!(fixture.world.pool.jobs_done(), jobs + 1);
    writer.abandon().await.unwrap();
    fixture.edit(page, append("second"), None).await.unwrap();
}

#[tokio::test]
async fn an_import_that_is_tried_again_makes_no_second_page() {
    let fixture = Fixture::new().await;
    let (call, other) = (fixture.call().keyed("import", "a"), fixture.call().keyed("import", "a"));
    let shape = |(shown, _): (pages::PageDetails, _)| Reply::json(201, &shown.page.id.to_string());
    let engine = &fixture.world.engine;
    let first = pages::create_from_document(engine, call, Ok(Place::default()), Ok(of_text("a")), shape).await.unwrap();
    let document = Document { kind: WorkKind::Short, read: Box::new(|_| Ok(NewPage::default())) };
    let again = pages::create_from_document(engine, other, Ok(Place::default()), Ok(document), shape).await.unwrap();
    assert_eq!(again.body, first.body);
    assert!(again.replayed);
}

fn dividers(count: usize) -> Document {
    let content = (0..count).map(|_| Piece::new(Body::empty(Kind::Divider))).collect();
    let read = move |_: &_| Ok(NewPage { content, origin: PageOrigin::Import("json"), ..NewPage::default() });
    Document { kind: WorkKind::Short, read: Box::new(read) }
}

#[tokio::test]
async fn a_page_holds_so_many_blocks_and_no_more() {
    let fixture = Fixture::new().await;
    let too_many = Err(Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Blocks)));
    let place = Place::default();
    assert_eq!(fixture.import_by(fixture.call(), place, Ok(dividers(MAX_BLOCKS + 1))).await, too_many);
    let full = fixture.import_by(fixture.call(), place, Ok(dividers(MAX_BLOCKS))).await.unwrap();
    let one = || vec![Body::empty(Kind::Divider)];
    assert_eq!(fixture.adds(full, one()).await.map(|_| ()), too_many.clone().map(|_: PageId| ()));
    // Deleting a block makes room.
    let mut view = fixture.world.engine.store.reader().await.unwrap();
    let block = view.blocks().list_of_pages(fixture.workspace, &[full], 1).await.unwrap().remove(0).id;
    drop(view);
    let delete = Batch { base: None, operations: [Ok(Operation::Delete { block, version: None })].into() };
    fixture.world.write(fixture.call(), move |unit| Box::pin(blocks::write(unit, Ok(full), Ok(delete)))).await.unwrap();
    fixture.adds(full, one()).await.unwrap();
    // Restoring the deleted one would be one too many.
    let back = fixture.world.write(fixture.call(), move |unit| {
        Box::pin(blocks::undelete(unit, Ok(block), Ok(blocks::ExpectedVersions::default())))
    });
    assert_eq!(back.await.map(|_| ()), too_many.map(|_: PageId| ()));
}

/// A block of half a megabyte.
fn heavy() -> Body {
    let cell = RichText::plain("x".repeat(2_000)).to_json();
    let rows = vec![serde_json::Value::Array(vec![cell.into(); 5]); 52];
    let content = serde_json::json!({ "rows": rows });
    Body::read(Kind::Table, Some(content), None, "").unwrap()
}

#[tokio::test]
async fn a_page_shows_no_more_bytes_of_other_blocks_than_a_page_may_hold() {
    let fixture = Fixture::new().await;
    let (page, other) = (fixture.import("").await.unwrap(), fixture.import("").await.unwrap());
    let source = fixture.adds(other, vec![heavy()]).await.unwrap()[0];
    let content = serde_json::json!({ "sourceBlockId": source });
    let instance = Body::read(Kind::SyncedBlock, Some(content), None, "").unwrap();
    let fitting = usize::try_from(MAX_BYTES / heavy().bytes()).unwrap();
    fixture.adds(page, vec![instance; fitting + 3]).await.unwrap();
    fixture.world.pool.take_reserved();
    let (exported, reservation) = fixture.exports(page).await;
    let owner = fixture.call().work_owner();
    let reserved = fixture.world.pool.take_reserved();
    assert_eq!(reserved, [(WorkKind::Short, owner), (WorkKind::Long, owner)], "what instances show counts as well");
    assert_eq!(reservation.kind(), WorkKind::Long);
    let read = blocks::readable(exported.content.blocks);
    assert_eq!(read.len(), fitting + 3);
    assert_eq!(read.iter().filter(|piece| piece.body == heavy()).count(), fitting);
}

#[tokio::test]
async fn a_page_is_long_work_by_its_blocks_or_by_its_bytes() {
    let fixture = Fixture::new().await;
    let reserved = async |page: PageId| {
        fixture.world.pool.take_reserved();
        fixture.text_of(page).await;
        fixture.exports(page).await;
        fixture.edit(page, append("a"), None).await.unwrap();
        fixture.world.pool.take_reserved()
    };
    let owner = fixture.call().work_owner();
    let each = |kind| vec![(kind, owner); 3];
    let page = fixture.import("first").await.unwrap();
    assert_eq!(reserved(page).await, each(WorkKind::Short));
    let block = fixture.adds(page, vec![heavy()]).await.unwrap()[0];
    assert_eq!(reserved(page).await, each(WorkKind::Long), "a few blocks of many bytes");
    let delete = Batch { base: None, operations: [Ok(Operation::Delete { block, version: None })].into() };
    fixture.world.write(fixture.call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(delete)))).await.unwrap();
    assert_eq!(reserved(page).await, each(WorkKind::Short), "deleted bytes do not count");
    let many = fixture.import_by(fixture.call(), Place::default(), Ok(dividers(501))).await.unwrap();
    assert_eq!(reserved(many).await, each(WorkKind::Long), "many blocks of a few bytes");
}

#[tokio::test]
async fn a_long_edit_of_a_short_page_is_long_work() {
    let fixture = Fixture::new().await;
    let page = fixture.import("first").await.unwrap();
    fixture.world.pool.take_reserved();
    fixture.edit(page, append(&"a\n\n".repeat(501)), None).await.unwrap();
    assert_eq!(fixture.world.pool.take_reserved(), [(WorkKind::Long, fixture.call().work_owner())]);
}

#[tokio::test]
async fn a_page_holds_so_many_bytes_and_no_more() {
    let fixture = Fixture::new().await;
    let page = fixture.import("").await.unwrap();
    let fitting = usize::try_from(MAX_BYTES / heavy().bytes()).unwrap();
    for _ in 0..fitting {
        fixture.adds(page, vec![heavy()]).await.unwrap();
    }
    let too_large = Err(Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Bytes)));
    let refused = fixture.adds(page, vec![heavy()]).await;
    assert_eq!(refused.map(|_| ()), too_large);
    let light = fixture.adds(page, vec![Body::empty(Kind::Divider)]).await.unwrap();
    // Deleted blocks no longer count, however much was written over time.
    let mut view = fixture.world.engine.store.reader().await.unwrap();
    let all = view.blocks().list_of_pages(fixture.workspace, &[page], u32::MAX).await.unwrap();
    drop(view);
    let block = all.iter().map(|block| block.id).find(|id| !light.contains(id)).unwrap();
    let delete = Batch { base: None, operations: [Ok(Operation::Delete { block, version: None })].into() };
    fixture.world.write(fixture.call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(delete)))).await.unwrap();
    fixture.adds(page, vec![heavy()]).await.unwrap();
}
