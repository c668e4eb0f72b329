//! How much one call may copy.

use crate::world::{Calling, World, fault_of};
use octavo_app::{Reply, pages};
use octavo_blocks_tree::{Body, Kind};
use octavo_core_model::{Fault, fault::Unprocessable, page::MAX_BYTES};
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn one_call_copies_only_so_many_bytes() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let parent = world.page_in(call(), None, "Parent").await;
    let mut all = vec![parent];
    for title in ["First", "Second"] {
        all.push(world.page_in(call(), Some(parent), title).await);
    }
    for page in all {
        world.writes_blocks(call(), page, vec![Body::empty(Kind::Divider)]).await;
    }
    // Two full pages would do; the block of their parent is too much. Content is counted before it is read.
    let full = format!("UPDATE blocks SET body = hex(zeroblob({})) WHERE page_id <> '{parent}'", MAX_BYTES / 2);
    world.database.execute(&full).await;
    let copies = async |with_children| {
        let asked = pages::Duplication { with_children: Some(with_children), ..pages::Duplication::default() };
        let copy = world.write(call(), move |unit| {
            Box::pin(pages::duplicate(unit, Ok(parent), Ok(pages::CopyTarget::default()), Ok(asked)))
        });
        copy.await.map(|copied| copied.ids.len())
    };
    assert_eq!(copies(true).await, Err(Fault::Unprocessable(Unprocessable::TooLarge)));
    assert_eq!(copies(false).await, Ok(1));
}

#[tokio::test]
async fn too_many_blocks_are_refused_by_what_the_pages_record() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let parent = world.page_in(call(), None, "Parent").await;
    let child = world.page_in(call(), Some(parent), "Child").await;
    for page in [parent, child] {
        world.writes_blocks(call(), page, vec![Body::empty(Kind::Divider)]).await;
    }
    let copies = async || {
        let (target, asked) = (pages::CopyTarget::default(), pages::Duplication::default());
        let copy = world.write(call(), move |unit| Box::pin(pages::duplicate(unit, Ok(parent), Ok(target), Ok(asked))));
        copy.await.map(|copied| copied.ids.len())
    };
    let records = async |blocks: u32| {
        let sql = format!("UPDATE page_histories SET block_count = {blocks} WHERE page_id = '{child}'");
        world.database.execute(&sql).await;
    };
    records(20_000).await;
    assert_eq!(copies().await, Err(Fault::Unprocessable(Unprocessable::TooLarge)));
    records(19_999).await;
    assert_eq!(copies().await, Ok(2));
}

/// The store lets long units take turns, so it must know them before they begin.
#[tokio::test]
async fn a_copy_of_many_blocks_runs_again_in_a_turn() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    for (blocks, expected) in [(500, 1), (501, 2)] {
        let page = world.page_in(call(), None, "Page").await;
        world.writes_blocks(call(), page, vec![Body::empty(Kind::Divider); 10]).await;
        let sql = format!("UPDATE page_histories SET block_count = {blocks} WHERE page_id = '{page}'");
        world.database.execute(&sql).await;
        let runs = AtomicUsize::new(0);
        let copy = world.engine.write_repeatably(
            call(),
            |unit| {
                runs.fetch_add(1, Ordering::Relaxed);
                let (target, asked) = (pages::CopyTarget::default(), pages::Duplication::default());
                Box::pin(pages::duplicate(unit, Ok(page), Ok(target), Ok(asked)))
            },
            |_| Reply::nothing(),
        );
        fault_of(copy.await).unwrap();
        assert_eq!(runs.load(Ordering::Relaxed), expected, "{blocks} blocks");
    }
}
