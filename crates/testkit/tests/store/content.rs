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
    for (number, page) in (1..).zip(&pages) {
        let expected = if number < 3 { [1; 5] } else { [0; 5] };
        assert_eq!(left(&*store, &workspace, (number, page), target).await, expected, "page {number}");
    }
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    for (number, page) in (1..).zip(&pages) {
        assert_eq!(left(&*store, &workspace, (number, page), target).await, [0; 5], "page {number}");
    }
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
