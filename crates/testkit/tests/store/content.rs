//! The content of pages: blocks, references, versions.

use crate::{
    pages::chain,
    support::{owner, read, write},
};
use octavo_blocks_tree::{Block, Body, Kind};
use octavo_core_model::{
    id::{BlockId, PageId, PageVersionId},
    page::{History, LatestVersion, Node, Page, PageVersion, Trash, VersionKind},
    position::Position,
    workspace::Workspace,
};
use octavo_ports::{
    blocks::{PageReference, ReferenceKind, ReferenceMark},
    pages::RemovedContent,
    store::Store,
};
use octavo_testkit::{Database, make};
use std::collections::BTreeSet;

fn bits(number: u64) -> [u8; 10] {
    let mut bits = [0; 10];
    bits[..8].copy_from_slice(&number.to_be_bytes());
    bits
}

fn block_id(number: u64) -> BlockId {
    BlockId::new(make::NOW.millis(), bits(number))
}

fn block(number: u64, page: &Page) -> Block {
    Block {
        id: block_id(number),
        workspace: page.workspace,
        page: page.id,
        parent: None,
        position: Position::from_stored(format!("a{number}")),
        body: Body::empty(Kind::Divider),
        version: 1,
        since: 1,
        created_by: None,
        updated_by: None,
        created_at: make::NOW,
        updated_at: make::NOW,
        deletion: None,
    }
}

fn reference(number: u64, page: &Page, target: PageId, kind: ReferenceKind) -> PageReference {
    PageReference {
        workspace: page.workspace,
        block: block_id(number),
        page: page.id,
        target,
        kind,
        created_at: make::NOW,
    }
}

/// Adds a block that refers to the target, a saved version with a state of that block, and a history.
async fn furnish(store: &dyn Store, number: u64, page: &Page, target: PageId) {
    let block = block(number, page);
    let version = PageVersion {
        id: PageVersionId::new(make::NOW.millis(), bits(number)),
        workspace: page.workspace,
        page: page.id,
        page_version: 1,
        kind: VersionKind::Auto,
        label: None,
        title: page.title.clone(),
        icon: None,
        cover_url: None,
        block_count: 1,
        bytes_at_most: Some(70),
        editors: BTreeSet::new(),
        created_at: make::NOW,
    };
    let newest = Some(LatestVersion { page_version: 1, at: make::NOW });
    let history = History { block_count: 1, newest, ..History::default() };
    let named = [reference(number, page, target, ReferenceKind::Mention)];
    let mut unit = store.writer().await.unwrap();
    assert!(unit.blocks().insert(std::slice::from_ref(&block)).await.unwrap());
    unit.blocks().replace_references(page.workspace, &[], &named).await.unwrap();
    unit.histories().insert_version(&version).await.unwrap();
    unit.histories().save(page.workspace, page.id, &history).await.unwrap();
    unit.histories().keep_block_states(page.workspace, &[block.id], 1).await.unwrap();
    unit.blocks().save(&[Block { since: 2, version: 2, ..block }]).await.unwrap();
    unit.commit(octavo_ports::store::Record::default()).await.unwrap();
}

/// How many blocks, references, versions, blocks of the saved version and histories of a page are left.
async fn left(store: &dyn Store, workspace: &Workspace, (number, page): (u64, &Page), target: PageId) -> [usize; 5] {
    let mut view = store.reader().await.unwrap();
    let found = view.blocks().find(workspace.id, &[block_id(number)]).await.unwrap().len();
    let references = view.blocks().list_references_to(workspace.id, target, None, None, 10).await.unwrap();
    let versions = view.histories().list_versions(workspace.id, page.id, None, None, 10).await.unwrap().len();
    let blocks_then = view.histories().list_blocks_at(workspace.id, page.id, 1).await.unwrap().len();
    let histories = view.histories().find(workspace.id, page.id).await.unwrap().into_iter().count();
    let references = references.iter().filter(|reference| reference.page == page.id).count();
    [found, references, versions, blocks_then, histories]
}

pub(crate) async fn content_goes_with_its_page_and_its_workspace(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    // Each in the previous one.
    let pages = chain(&*store, &workspace, 4).await;
    let target = pages[0].id;
    for (number, page) in (1..).zip(&pages) {
        furnish(&*store, number, page, target).await;
    }
    assert_eq!(write!(store, unit => unit.pages().remove(workspace.id, pages[2].id).await), 2);
    let gone = [pages[2].id, pages[3].id];
    let removed = write!(store, unit => unit.pages().remove_content(workspace.id, &gone, 100).await);
    assert_eq!(removed, RemovedContent { references_left: false, complete: 2 });
    for (number, page) in (1..).zip(&pages) {
        let expected = if number < 3 { [1; 5] } else { [0; 5] };
        assert_eq!(left(&*store, &workspace, (number, page), target).await, expected, "page {number}");
    }
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    for (number, page) in (1..).zip(&pages) {
        assert_eq!(left(&*store, &workspace, (number, page), target).await, [0; 5], "page {number}");
    }
}

const TABLES: [&str; 5] = ["block_references", "block_states", "page_versions", "blocks", "page_histories"];

async fn count_rows(database: &Database) -> i64 {
    let mut rows = 0;
    for table in TABLES {
        rows += database.number(&format!("SELECT count(*) FROM {table}")).await;
    }
    rows
}

pub(crate) async fn content_of_removed_pages_goes_in_parts(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let target = pages[0].id;
    for (number, page) in (1..).zip(&pages) {
        furnish(&*store, number, page, target).await;
    }
    let gone = [pages[1].id, pages[2].id];
    write!(store, unit => unit.pages().remove(workspace.id, gone[0]).await);
    assert_eq!(count_rows(database).await, 15);
    let part = async || {
        let removed = write!(store, unit => unit.pages().remove_content(workspace.id, &gone, 1).await);
        (removed.references_left, removed.complete, count_rows(database).await)
    };
    // A part that is full may have been the last one.
    for rows in [14, 13] {
        assert_eq!(part().await, (true, 0, rows), "references first");
    }
    for rows in (5..=12).rev() {
        assert_eq!(part().await, (false, 0, rows));
        let histories = database.number("SELECT count(*) FROM page_histories").await;
        assert_eq!(histories, if rows > 6 { 3 } else { rows - 4 }, "histories last");
    }
    for _ in 0..2 {
        assert_eq!(part().await, (false, 2, 5));
    }
    assert_eq!(left(&*store, &workspace, (1, &pages[0]), target).await, [1; 5]);
}

pub(crate) async fn content_of_a_workspace_goes_in_parts(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 3).await;
    for (number, page) in (1..).zip(&pages) {
        furnish(&*store, number, page, pages[0].id).await;
    }
    let kept = chain(&*store, &other, 1).await;
    furnish(&*store, 1, &kept[0], kept[0].id).await;
    write!(store, unit => unit.pages().remove(workspace.id, pages[2].id).await);
    let mut parts = 0;
    while !write!(store, unit => unit.workspaces().remove_content(workspace.id, 4).await) {
        parts += 1;
        assert!(parts < 20);
    }
    assert!(parts >= 5, "{parts}");
    assert_eq!(count_rows(database).await, 5, "the content of the other workspace stays");
    assert_eq!(database.number("SELECT count(*) FROM pages").await, 1);
    assert_eq!(left(&*store, &other, (1, &kept[0]), kept[0].id).await, [1; 5]);
}

pub(crate) async fn references_to_a_page_are_listed_page_by_page(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 2).await;
    let (target, page) = (pages[0].id, &pages[1]);
    // In the order of the list: newest first, then by block in descending order, then by kind.
    let mut all = Vec::new();
    for number in (1..=3).rev() {
        for kind in [ReferenceKind::Link, ReferenceKind::Mention, ReferenceKind::Pointer] {
            all.push(reference(number, page, target, kind));
        }
    }
    let later = make::NOW.plus(std::time::Duration::from_secs(1));
    all.insert(0, PageReference { created_at: later, ..reference(0, page, target, ReferenceKind::Synced) });
    let other = reference(1, page, page.id, ReferenceKind::Mention);
    let mut shuffled = all.clone();
    shuffled.reverse();
    shuffled.push(other.clone());
    write!(store, unit => unit.blocks().replace_references(workspace.id, &[], &shuffled).await);
    for limit in [1, 2, 4, 100] {
        let mut found = Vec::<PageReference>::new();
        loop {
            let after = found.last().map(ReferenceMark::from);
            let more = read!(store, view => view.blocks().list_references_to(workspace.id, target, None, after.as_ref(), limit).await);
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        assert_eq!(found, all, "{limit} at a time");
    }
    assert_eq!(read!(store, view => view.blocks().list_references_to(elsewhere.id, target, None, None, 10).await), []);
    let gone = [block_id(1), block_id(2)];
    let now = [reference(2, page, target, ReferenceKind::Synced)];
    write!(store, unit => unit.blocks().replace_references(workspace.id, &gone, &now).await);
    let left = read!(store, view => view.blocks().list_references_to(workspace.id, target, None, None, 10).await);
    assert_eq!(left.iter().map(|left| left.block).collect::<Vec<_>>(), [0, 3, 3, 3, 2].map(block_id));
    assert_eq!(read!(store, view => view.blocks().list_references_to(workspace.id, page.id, None, None, 10).await), []);
}

pub(crate) async fn references_are_narrowed_by_what_one_sees(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let mut pages = chain(&*store, &workspace, 4).await;
    let target = pages[0].id;
    let own = Node::Page(pages[2].id);
    write!(store, unit => unit.pages().move_access(&pages[2], own).await);
    (pages[2].access, pages[3].access) = (own, own);
    let named = [3, 2, 1]
        .map(|number| reference(number, &pages[usize::try_from(number).unwrap()], target, ReferenceKind::Link));
    write!(store, unit => unit.blocks().replace_references(workspace.id, &[], &named).await);
    let found = async |within: Option<&[Node]>, limit| {
        let found =
            read!(store, view => view.blocks().list_references_to(workspace.id, target, within, None, limit).await);
        found.into_iter().map(|found| found.page).collect::<Vec<_>>()
    };
    let (home, all) = (Node::Workspace(workspace.id), [pages[3].id, pages[2].id, pages[1].id]);
    assert_eq!(found(None, 10).await, all);
    assert_eq!(found(Some(&[home, own]), 2).await, all[..2]);
    assert_eq!(found(Some(&[own]), 10).await, all[..2]);
    assert_eq!(found(Some(&[home]), 1).await, all[2..]);
    assert_eq!(found(Some(&[]), 10).await, []);
    let trash = Trash { by: Some(user.id), at: make::NOW, root: pages[2].id, purge_at: make::NOW };
    write!(store, unit => unit.pages().trash(&pages[2], &trash).await);
    assert_eq!(found(None, 10).await, all[2..]);
}

pub(crate) async fn references_of_instances_are_found_by_what_they_show(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 4).await;
    let (gone, there) = (pages[3].id, pages[0].id);
    let synced = |number: u64, page: usize, target| reference(number, &pages[page], target, ReferenceKind::Synced);
    let all = [
        synced(1, 2, gone),
        synced(2, 1, gone),
        synced(3, 1, gone),
        synced(4, 1, there),
        reference(5, &pages[1], gone, ReferenceKind::Link),
    ];
    write!(store, unit => unit.blocks().replace_references(workspace.id, &[], &all).await);
    assert_eq!(write!(store, unit => unit.pages().remove(workspace.id, gone).await), 1);
    let found = async |workspace, limit| {
        let found = read!(store, view => view.blocks().list_references_of_instances(workspace, &[gone, pages[2].id], limit).await);
        found.into_iter().map(|found| found.block).collect::<Vec<_>>()
    };
    assert_eq!(
        found(workspace.id, 10).await,
        [2, 3, 1].map(block_id),
        "page by page, also when what they show is gone"
    );
    assert_eq!(found(workspace.id, 2).await, [2, 3].map(block_id));
    assert_eq!(found(elsewhere.id, 10).await, []);
}
