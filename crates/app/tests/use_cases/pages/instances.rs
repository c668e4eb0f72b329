//! Instances of blocks that are deleted, alone or with their page.

use super::payloads_of;
use crate::world::{Calling, World};
use octavo_app::{
    Call,
    blocks::{self, Batch},
    pages::{self, trash},
    queue::ChoreOutcome,
};
use octavo_blocks_tree::{Body, Kind, RichText, batch::Operation};
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    time::days,
};
use serde_json::json;

impl World {
    /// The version of a page and the number of its blocks.
    async fn state(&self, id: WorkspaceId, page: PageId) -> (i64, usize) {
        let mut view = self.engine.store.reader().await.unwrap();
        let found = view.pages().find(id, page).await.unwrap().unwrap();
        (found.version, view.blocks().list_of_pages(id, &[page], 10_000).await.unwrap().len())
    }
}

/// A block with 1,200 instances on six other pages.
struct Shown {
    page: PageId,
    source: BlockId,
    others: Vec<PageId>,
}

impl Shown {
    async fn make(world: &World, call: impl Fn() -> Call) -> Self {
        let page = world.page_in(call(), None, "Page").await;
        let source = world.writes_blocks(call(), page, vec![Body::empty(Kind::Paragraph)]).await[0];
        let mut others = Vec::new();
        for _ in 0..6 {
            let other = world.page_in(call(), None, "Other").await;
            world.writes_blocks(call(), other, vec![showing(source); 200]).await;
            others.push(other);
        }
        Self { page, source, others }
    }

    /// How many instances there are.
    async fn left(&self, world: &World, id: WorkspaceId) -> usize {
        let mut left = 0;
        for other in &self.others {
            left += world.state(id, *other).await.1;
        }
        left
    }
}

fn showing(source: BlockId) -> Body {
    Body::read(Kind::SyncedBlock, Some(json!({ "sourceBlockId": source })), None, "").unwrap()
}

#[tokio::test]
async fn instances_of_blocks_of_a_removed_page_are_removed_too() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    for by in ["user", "empty_trash", "retention"] {
        let call = || world.by(&owner.1).naming(id);
        let page = world.page_in(call(), None, "Page").await;
        let child = world.page_in(call(), Some(page), "Child").await;
        let elsewhere = world.page_in(call(), None, "Elsewhere").await;
        let text = || Body::with_text(Kind::Paragraph, RichText::plain("Text"));
        let source = world.writes_blocks(call(), child, vec![text()]).await[0];
        world.writes_blocks(call(), page, vec![showing(source)]).await;
        world.writes_blocks(call(), elsewhere, vec![text(), showing(source), showing(source)]).await;
        let (version, count) = world.state(id, elsewhere).await;
        assert_eq!(count, 3);
        world.throws_away(world.by(&member.1).naming(id), page).await.unwrap();
        assert_eq!(world.state(id, elsewhere).await, (version, 3), "the source may come back");
        match by {
            "user" => world.destroys(call(), page).await,
            "empty_trash" => {
                let confirmation = Ok(Some(id.to_string()));
                world.write(call(), move |unit| Box::pin(trash::empty(unit, confirmation))).await.unwrap();
            }
            _ => {
                world.pass(days(30));
                assert_eq!(world.purged_pages().await, 1);
            }
        }
        assert_eq!(world.state(id, elsewhere).await, (version + 1, 1), "{by}");
        let changed = payloads_of(&world, "blocks.changed").await.pop().unwrap();
        assert_eq!(changed["pageId"], json!(elsewhere), "{by}");
        let updated = payloads_of(&world, "page.updated").await.pop().unwrap();
        assert_eq!((&updated["pageId"], &updated["version"]), (&json!(elsewhere), &json!(version + 1)), "{by}");
        let mut view = world.engine.store.reader().await.unwrap();
        let author = view.pages().find(id, elsewhere).await.unwrap().unwrap().updated_by;
        assert_eq!(author, Some(if by == "retention" { member.0.id } else { owner.0.id }), "{by}");
    }
}

#[tokio::test]
async fn large_numbers_of_instances_go_part_by_part() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let shown = Shown::make(&world, call).await;
    world.throws_away(call(), shown.page).await.unwrap();
    world.destroys(call(), shown.page).await;
    assert_eq!(shown.left(&world, id).await, 700);
    // Until they are deleted they show nothing, and copies do not contain them.
    let copied = {
        let (other, asked) = (shown.others[5], pages::Duplication::default());
        world
            .write(call(), move |unit| {
                Box::pin(pages::duplicate(unit, Ok(other), Ok(pages::CopyTarget::default()), Ok(asked)))
            })
            .await
    };
    assert_eq!(world.state(id, copied.unwrap().shown.page.id).await.1, 0);
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(shown.left(&world, id).await, 0);
    let changes =
        world.events(id).await.into_iter().filter(|(kind, actor, _)| kind == "blocks.changed" && actor == "USER");
    assert!(changes.count() > 12, "in the name of whoever removed the page");
}

#[tokio::test]
async fn instances_of_a_deleted_block_go_part_by_part_unless_it_comes_back() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let shown = Shown::make(&world, call).await;
    let (page, source) = (shown.page, shown.source);
    let delete = async || {
        let operation = Ok(Operation::Delete { block: source, version: None });
        let batch = Batch { base: None, operations: vec![operation].into() };
        world.write(call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await.unwrap();
    };
    delete().await;
    assert_eq!(shown.left(&world, id).await, 700);
    let any = Ok(blocks::ExpectedVersions::default());
    world.write(call(), move |unit| Box::pin(blocks::undelete(unit, Ok(source), any))).await.unwrap();
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(shown.left(&world, id).await, 700, "they show the block again");
    delete().await;
    assert_eq!(shown.left(&world, id).await, 200);
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(shown.left(&world, id).await, 0);
}
