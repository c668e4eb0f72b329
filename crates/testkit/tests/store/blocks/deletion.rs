//! Deleted blocks: which deletion included them, and how large lists with them are.

use super::{block, id, ids, numbered, put, remove, tree};
use crate::support::{owner, read};
use octavo_blocks_tree::{Block, Deletion};
use octavo_core_model::{id::WorkspaceId, time::days};
use octavo_ports::blocks::SiblingFilter;
use octavo_testkit::{Database, make};
use std::collections::BTreeSet;

pub(crate) async fn deleted_blocks_say_with_what_they_went(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let blocks = tree(&*store, &workspace).await;
    let abroad = block(4, &elsewhere, None, "a0");
    put(&*store, std::slice::from_ref(&abroad)).await;
    remove(&*store, &workspace, 4, &[4, 5]).await;
    let gone = Block {
        version: 2,
        since: 9,
        updated_by: Some(make::user_id(2)),
        updated_at: make::NOW.plus(days(1)),
        deletion: Some(Deletion { at: make::NOW.plus(days(1)), root: id(4) }),
        ..blocks[4].clone()
    };
    assert_eq!(read!(store, view => view.blocks().find(workspace.id, &[id(5)]).await), [gone]);
    assert_eq!(read!(store, view => view.blocks().find(workspace.id, &[id(3)]).await), [blocks[2].clone()]);
    assert_eq!(read!(store, view => view.blocks().find(elsewhere.id, &[id(4)]).await), [abroad]);
    let left = read!(store, view => view.blocks().list_of_pages(workspace.id, &[make::page_id(1)], 100).await);
    assert_eq!(ids(&left), numbered(&[1, 2, 3, 6]).into_iter().collect());
}

pub(crate) async fn deleted_blocks_are_found_by_their_deletion(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let blocks = tree(&*store, &workspace).await;
    remove(&*store, &workspace, 4, &[4, 5]).await;
    remove(&*store, &workspace, 1, &[1, 2, 3]).await;
    let gone_at = async |workspace: WorkspaceId, page: u64, root: u8, since: i64| {
        let (page, root) = (make::page_id(page), id(root));
        let bytes = read!(store, view => view.blocks().count_bytes_deleted_with(workspace, page, root, since).await);
        (ids(&read!(store, view => view.blocks().list_deleted_with(workspace, page, root, since).await)), bytes)
    };
    let gone_with = async |workspace, page, root| gone_at(workspace, page, root, 9).await;
    let of = |numbers: &[u8]| {
        let gone = blocks.iter().filter(|block| numbered(numbers).contains(&block.id));
        (numbered(numbers).into_iter().collect::<BTreeSet<_>>(), gone.map(|block| block.body.bytes()).sum::<u64>())
    };
    assert_eq!(gone_with(workspace.id, 1, 4).await, of(&[4, 5]));
    assert_eq!(gone_with(workspace.id, 1, 1).await, of(&[1, 2, 3]), "what was deleted before is not among them");
    assert_eq!(gone_at(workspace.id, 1, 1, 8).await, of(&[]), "another deletion of the same block");
    assert_eq!(gone_with(workspace.id, 1, 6).await, of(&[]));
    assert_eq!(gone_with(workspace.id, 2, 4).await, of(&[]));
    assert_eq!(gone_with(elsewhere.id, 1, 4).await, of(&[]));
}

pub(crate) async fn a_list_is_measured_with_what_is_below(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let blocks = tree(&*store, &workspace).await;
    remove(&*store, &workspace, 4, &[4, 5]).await;
    let each = blocks[0].body.bytes();
    let measure =
        async |workspace: WorkspaceId, parent: Option<u8>, limit: u32, with_deleted: bool, most_below: u32| {
            let (page, parent) = (make::page_id(1), parent.map(id));
            let filter = SiblingFilter { page, parent, after: None, with_deleted, limit };
            let totals = read!(store, view => view.blocks().measure_siblings(workspace, &filter, most_below).await);
            assert_eq!(totals.bytes, totals.blocks * each, "all texts are equally long");
            totals.blocks
        };
    assert_eq!(measure(workspace.id, None, 100, false, 100).await, 4);
    assert_eq!(measure(workspace.id, None, 100, true, 100).await, 6);
    assert_eq!(measure(workspace.id, None, 1, true, 100).await, 5, "only what is in the list and below it");
    assert_eq!(measure(workspace.id, None, 100, true, 3).await, 5, "it stops at three blocks below");
    assert_eq!(measure(workspace.id, Some(4), 100, true, 100).await, 1);
    assert_eq!(measure(workspace.id, Some(4), 100, false, 100).await, 0);
    assert_eq!(measure(elsewhere.id, None, 100, true, 100).await, 0);
}
