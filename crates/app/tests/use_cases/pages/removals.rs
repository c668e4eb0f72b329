//! Pages with more content than one unit removes.

use super::payloads_of;
use crate::world::{Calling, World, conflict};
use octavo_app::{
    Call,
    accounts::deletion,
    blocks, chores,
    pages::{self, NewPage, Place, trash},
    queue::{self, ChoreOutcome},
    workspaces::operator,
};
use octavo_blocks_tree::{Body, Kind, Piece, RichText};
use octavo_core_model::{
    Fault,
    chore::Queue,
    fault::Conflict,
    id::{BlockId, PageId, WorkspaceId},
    page::{Node, ParentRef},
    time::days,
};
use octavo_ports::store::Record as Report;
use octavo_testkit::make;
use serde_json::json;

const TABLES: [&str; 5] = ["block_references", "block_states", "page_versions", "blocks", "page_histories"];

impl World {
    /// A page with this many paragraphs, the first of which has the id.
    async fn fills_page(&self, call: Call, id: Option<PageId>, parent: Option<PageId>, first: BlockId, count: usize) {
        let paragraph =
            |id| Piece { id, body: Body::with_text(Kind::Paragraph, RichText::plain("Text")), children: Vec::new() };
        let mut content = vec![paragraph(Some(first))];
        content.resize(count, paragraph(None));
        let place = Place { parent: Some(parent.map(ParentRef::Page)), ..Place::default() };
        let page = NewPage { id, content, ..NewPage::default() };
        self.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await.unwrap();
    }

    /// Trashes a page and deletes it permanently.
    async fn removes_page(&self, call: impl Fn() -> Call, page: PageId) {
        self.throws_away(call(), page).await.unwrap();
        self.destroys(call(), page).await;
    }

    /// Creates an empty page with this id.
    async fn creates_with_id(&self, call: Call, id: PageId) -> Result<PageId, Fault> {
        let page = NewPage { id: Some(id), ..NewPage::default() };
        let place = Place { parent: Some(None), ..Place::default() };
        let made = self.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await;
        made.map(|made| made.page.id)
    }

    async fn shows(&self, call: Call, block: BlockId) -> Result<(), Fault> {
        self.read(call, move |view| Box::pin(blocks::get(view, Ok(block)))).await.map(drop)
    }

    async fn blocks_on(&self, id: WorkspaceId, page: PageId) -> usize {
        let mut view = self.engine.store.reader().await.unwrap();
        view.blocks().list_of_pages(id, &[page], u32::MAX).await.unwrap().len()
    }

    /// How many rows of content there are.
    async fn content_rows(&self) -> i64 {
        let mut rows = 0;
        for table in TABLES {
            rows += self.database.number(&format!("SELECT count(*) FROM {table}")).await;
        }
        rows
    }
}

fn page_id(number: u8) -> PageId {
    PageId::new(1, [number; 10])
}

fn block_id(number: u8) -> BlockId {
    BlockId::new(1, [number; 10])
}

#[tokio::test]
async fn a_large_page_is_gone_at_once_and_its_content_goes_in_parts() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let (page, child) = (page_id(1), page_id(2));
    world.fills_page(call(), Some(page), None, block_id(1), 6_000).await;
    world.fills_page(call(), Some(child), Some(page), block_id(2), 6_000).await;
    let elsewhere = world.page_in(call(), None, "Elsewhere").await;
    let kept = Body::with_text(Kind::Paragraph, RichText::plain("Kept"));
    let instance = Body::read(Kind::SyncedBlock, Some(json!({ "sourceBlockId": block_id(2) })), None, "").unwrap();
    world.writes_blocks(call(), elsewhere, vec![kept, instance]).await;
    let before = world.content_rows().await;
    world.removes_page(call, page).await;
    for gone in [page, child] {
        assert_eq!(world.sees(call(), gone).await, Err(Fault::NotFound));
    }
    for gone in [block_id(1), block_id(2)] {
        assert_eq!(world.shows(call(), gone).await, Err(Fault::NotFound));
    }
    assert_eq!(world.blocks_on(id, elsewhere).await, 1, "the instance went with its source");
    assert_eq!(payloads_of(&world, "page.deleted").await[0]["pageCount"], json!(2));
    let removed = before - world.content_rows().await;
    assert!((4_000..6_000).contains(&removed), "one part, not everything: {removed}");
    // As long as content is left, the ids are taken: a new page would show it.
    assert_eq!(world.creates_with_id(call(), page).await, Err(conflict(Conflict::Taken("id"))));
    let outcomes = world.run_chores().await;
    assert!(outcomes.len() >= 2 && outcomes.iter().all(|outcome| *outcome == ChoreOutcome::Done), "{outcomes:?}");
    for table in ["blocks", "page_histories"] {
        let of_others = format!("SELECT count(*) FROM {table} WHERE page_id <> '{elsewhere}'");
        assert_eq!(world.database.number(&of_others).await, 0, "{table}");
    }
    assert_eq!(world.database.number("SELECT count(*) FROM chores").await, 0);
    assert_eq!(world.creates_with_id(call(), page).await, Ok(page));
    assert_eq!(world.blocks_on(id, page).await, 0);
}

#[tokio::test]
async fn a_large_database_goes_in_parts_with_the_page_above_it() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let above = world.page_in(call(), None, "Project").await;
    let database = make::database(1, id);
    let records: Vec<_> = (1..=6_000).map(|number| make::record(number, &database)).collect();
    let links: Vec<_> = (1..=3_000).map(|number| make::record_link(number, 7_000 - number)).collect();
    let mut unit = world.engine.store.writer().await.unwrap();
    let node = make::database_node(1, id, Node::Page(above), Node::Workspace(id));
    assert!(unit.pages().insert(&node).await.unwrap());
    unit.databases().insert(&database).await.unwrap();
    unit.records().insert_many(records).await.unwrap();
    unit.record_links().insert(id, make::property_id(1), &links).await.unwrap();
    unit.commit(Report::default()).await.unwrap();
    // Nobody has written to the page of this record, so it has no row.
    let of_record = make::record_id(5_999).page();
    assert_eq!(world.creates_with_id(call(), of_record).await, Err(conflict(Conflict::Taken("id"))));

    world.removes_page(call, above).await;
    let mut left = 0;
    for table in ["records", "record_links", "databases"] {
        left += world.database.number(&format!("SELECT count(*) FROM {table}")).await;
    }
    assert_eq!(left, 4_001, "one part of 5,000 rows, not everything");
    for taken in [node.id, of_record] {
        assert_eq!(world.creates_with_id(call(), taken).await, Err(conflict(Conflict::Taken("id"))));
    }
    let outcomes = world.run_chores().await;
    assert!(!outcomes.is_empty() && outcomes.iter().all(|outcome| *outcome == ChoreOutcome::Done), "{outcomes:?}");
    for table in ["records", "record_links", "databases", "chores"] {
        assert_eq!(world.database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    for free in [node.id, of_record] {
        assert_eq!(world.creates_with_id(call(), free).await, Ok(free));
    }
}

#[tokio::test]
async fn a_removal_that_runs_again_leaves_new_pages_alone() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    world.fills_page(call(), Some(page_id(1)), None, block_id(1), 6_000).await;
    world.removes_page(call, page_id(1)).await;
    // Two workers run the same chore, the second of them late.
    let leased = queue::lease_due(&world.engine, Queue::Removals, world.now).await.unwrap();
    assert_eq!(leased.chores.len(), 1);
    chores::run_all(&world.engine, &leased.chores, &world.mailbox, world.now).await.unwrap();
    world.run_chores().await;
    world.fills_page(call(), Some(page_id(1)), None, block_id(1), 10).await;
    chores::run_all(&world.engine, &leased.chores, &world.mailbox, world.now).await.unwrap();
    world.run_chores().await;
    assert_eq!(world.blocks_on(id, page_id(1)).await, 10);
    assert_eq!(world.shows(call(), block_id(1)).await, Ok(()));
}

#[tokio::test]
async fn emptying_the_trash_and_its_retention_leave_no_content() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    for by_retention in [false, true] {
        let before = world.content_rows().await;
        for number in [1, 2] {
            let call = || world.by(&owner.1).naming(id);
            world.fills_page(call(), Some(page_id(number)), None, block_id(number), 4_000).await;
            world.throws_away(call(), page_id(number)).await.unwrap();
        }
        if by_retention {
            world.pass(days(30));
            assert_eq!(world.purged_pages().await, 2);
        } else {
            let (call, confirmation) = (world.by(&owner.1).naming(id), Ok(Some(id.to_string())));
            let count = world.write(call, move |unit| Box::pin(trash::empty(unit, confirmation))).await;
            assert_eq!(count, Ok(2));
            assert!(world.content_rows().await > before + 2_000, "not everything in one unit");
        }
        assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
        assert_eq!(world.content_rows().await, before);
    }
}

#[tokio::test]
async fn purged_workspaces_and_accounts_leave_no_content() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let personal = owner.0.workspace;
    for workspace in [id, personal] {
        let call = world.by(&owner.1).naming(workspace);
        world.fills_page(call, None, None, block_id(1), 6_000).await;
    }
    operator::delete(&world.engine, world.now, id).await.unwrap();
    world.delete(&owner.1).await.unwrap();
    world.pass(days(31));
    let gone = chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!((gone.accounts, gone.workspaces), (1, 2), "the personal workspace is too large to go with its account");
    assert_eq!(world.content_rows().await, 0);
    let rows = format!("SELECT count(*) FROM workspaces WHERE id IN ('{id}', '{personal}')");
    assert_eq!(world.database.number(&rows).await, 0);
}

#[tokio::test]
async fn the_purge_of_an_account_closes_a_large_workspace_at_once() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    for first in [1, 2] {
        let call = world.by(&device).naming(ada.workspace);
        world.fills_page(call, None, None, block_id(first), 12_000).await;
    }
    world.delete(&device).await.unwrap();
    world.pass(days(31));
    assert_eq!(deletion::purge_due(&world.engine, world.now).await.unwrap(), 1);
    let open = "SELECT count(*) FROM workspaces WHERE purge_at IS NULL";
    assert_eq!(world.database.number(open).await, 0, "nobody can join while the content goes");
    assert_ne!(world.content_rows().await, 0);
    let gone = chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!((gone.accounts, gone.workspaces, world.content_rows().await), (0, 1, 0));
}

#[tokio::test]
async fn no_workspace_of_a_purged_account_stays_open() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let second = world.creates_workspace(&ada).await;
    for workspace in [ada.workspace, second] {
        world.page_in(world.by(&device).naming(workspace), None, "Page").await;
    }
    world.delete(&device).await.unwrap();
    world.pass(days(31));
    assert_eq!(deletion::purge_due(&world.engine, world.now).await.unwrap(), 1);
    let all = "SELECT count(*) FROM workspaces";
    let open = format!("{all} WHERE purge_at IS NULL");
    assert_eq!(world.database.number(all).await, 1, "one unit removes only so much");
    assert_eq!(world.database.number(&open).await, 0, "nobody can join the other one");
    let gone = chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!((gone.accounts, gone.workspaces, world.database.number(all).await), (0, 1, 0));
}

#[tokio::test]
async fn instances_between_groups_of_removed_pages_leave_nothing() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let before = world.content_rows().await;
    let top = world.page_in(call(), None, "Top").await;
    world.fills_subtree(id, top, 700).await;
    // One group ends after 500 pages, wherever these two are.
    let (first, last) =
        (world.page_in(call(), Some(top), "First").await, world.page_in(call(), Some(top), "Last").await);
    let text = || Body::with_text(Kind::Paragraph, RichText::plain("Text"));
    for (page, other) in [(first, last), (last, first)] {
        let source = world.writes_blocks(call(), other, vec![text()]).await[0];
        let instance = Body::read(Kind::SyncedBlock, Some(json!({ "sourceBlockId": source })), None, "").unwrap();
        world.writes_blocks(call(), page, vec![instance]).await;
    }
    world.removes_page(call, top).await;
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(world.content_rows().await, before);
}

#[tokio::test]
async fn a_rejected_registration_with_much_content_goes_with_the_next_purge() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    let call = world.by(&device).naming(ada.workspace);
    world.fills_page(call, None, None, block_id(1), 6_000).await;
    world.reject(token).await.unwrap();
    assert_eq!(world.user(ada.id).await, None);
    assert_eq!(world.database.number("SELECT count(*) FROM workspaces").await, 1);
    let gone = chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!((gone.accounts, gone.workspaces), (0, 1));
    assert_eq!(world.content_rows().await, 0);
    for table in ["workspaces", "memberships", "user_workspaces", "events", "sessions", "directory"] {
        assert_eq!(world.database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}
