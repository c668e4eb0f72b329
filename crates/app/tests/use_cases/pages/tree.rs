//! The tree as it is shown.

use crate::world::{Calling, World};
use octavo_app::{
    Call,
    pages::{self, TreeRequest, TreeRoot},
};
use octavo_core_model::{
    id::PageId,
    page::{Node, Page},
};
use octavo_ports::store::Record;

/// For each root page, the number of its children and how many of them the tree returns.
async fn shown_below(world: &World, call: Call) -> Vec<(u64, usize)> {
    let asked = TreeRequest { root: TreeRoot::Workspace, depth: 3, after: None, limit: 21 };
    let tree = world.read(call, move |view| Box::pin(pages::tree(view, Ok(asked)))).await.unwrap();
    tree.into_iter().map(|branch| (branch.child_count, branch.children.len())).collect()
}

#[tokio::test]
async fn a_level_of_the_tree_that_is_too_large_is_only_counted() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let root = world.page_in(world.by(&owner.1).naming(id), None, "Root").await;
    let root = world.engine.store.reader().await.unwrap().pages().find(id, root).await.unwrap().unwrap();
    let below = |numbers: std::ops::Range<u64>| {
        let page = |number: u64| {
            let mut bits = [9; 10];
            bits[..8].copy_from_slice(&number.to_be_bytes());
            Page { id: PageId::new(0, bits), container: Node::Page(root.id), ..root.clone() }
        };
        numbers.map(page).collect::<Vec<_>>()
    };
    for (numbers, shown) in [(0..5000, 5000), (5000..5001, 0)] {
        let end = numbers.end;
        let mut unit = world.engine.store.writer().await.unwrap();
        for some in below(numbers).chunks(500) {
            unit.pages().insert_many(some).await.unwrap();
        }
        unit.commit(Record::default()).await.unwrap();
        assert_eq!(shown_below(&world, world.by(&owner.1).naming(id)).await, [(end, shown)]);
    }
}
