//! Batches that name many blocks.

use crate::world::{Calling, World};
use octavo_app::blocks::{self, Batch, Written};
use octavo_blocks_tree::{
    Body, Kind, RichText,
    batch::{Operation, Patch},
};
use octavo_core_model::{
    Fault,
    fault::BlockProblem,
    id::{BlockId, PageId},
};
use serde_json::json;

fn update(block: BlockId) -> Operation {
    let patch = Patch { content: Some(json!("new")), ..Patch::default() };
    Operation::Update { block, version: None, patch }
}

#[tokio::test]
async fn a_batch_of_many_blocks_reports_those_that_are_deleted_or_on_other_pages() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let (page, other) = (world.page_in(call(), None, "Page").await, world.page_in(call(), None, "Other").await);
    let text = || Body::with_text(Kind::Paragraph, RichText::plain("old"));
    let mut blocks = world.writes_blocks(call(), page, vec![text(); 12]).await;
    let elsewhere = world.writes_blocks(call(), other, vec![text()]).await[0];
    let run = async |page: PageId, operations: Vec<Operation>| -> Result<Written, Fault> {
        let batch = Batch { base: None, operations: operations.into_iter().map(Ok).collect() };
        world.write(call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await
    };
    let deleted = blocks.pop().unwrap();
    run(page, vec![Operation::Delete { block: deleted, version: None }]).await.unwrap();

    let all = || blocks.iter().copied().map(update);
    let refused = run(page, all().chain([update(elsewhere), update(deleted)]).collect()).await.unwrap_err();
    let Fault::Blocks(flaws) = refused else { panic!("{refused:?}") };
    let found: Vec<_> = flaws.iter().map(|flaw| (flaw.operation, flaw.problem.clone())).collect();
    let unknown = |operation| (Some(operation), BlockProblem::Unknown("blockId"));
    assert_eq!(found, [unknown(11), unknown(12)]);
    assert_eq!(run(page, all().collect()).await.unwrap().blocks, blocks);
}
