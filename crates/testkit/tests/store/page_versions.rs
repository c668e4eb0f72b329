//! Saved versions of pages.

use crate::{
    pages::chain,
    support::{owner, read, write},
};
use octavo_core_model::{
    id::PageVersionId,
    page::{History, LatestVersion, Page, PageVersion, VersionKind},
    text::{Name, PageIcon, WebAddress},
    workspace::Workspace,
};
use octavo_ports::store::Store;
use octavo_testkit::{Database, make};
use std::collections::BTreeSet;

pub(crate) fn bits(number: u64) -> [u8; 10] {
    let mut bits = [0; 10];
    bits[..8].copy_from_slice(&number.to_be_bytes());
    bits
}

pub(crate) fn version_id(number: u64) -> PageVersionId {
    PageVersionId::new(make::NOW.millis(), bits(number))
}

fn version(number: u64, page: &Page) -> PageVersion {
    PageVersion {
        id: version_id(number),
        workspace: page.workspace,
        page: page.id,
        page_version: page.version,
        kind: VersionKind::Auto,
        label: None,
        title: page.title.clone(),
        icon: None,
        cover_url: None,
        block_count: 0,
        bytes_at_most: Some(70),
        editors: BTreeSet::new(),
        created_at: make::NOW,
    }
}

pub(crate) async fn pages_of(store: &dyn Store, length: u64) -> (Workspace, Vec<Page>) {
    let (_, workspace) = owner(store, 1).await;
    let pages = chain(store, &workspace, length).await;
    (workspace, pages)
}

/// Inserts a saved version of a page.
async fn keep(store: &dyn Store, version: &PageVersion) {
    write!(store, unit => unit.histories().insert_version(version).await);
}

pub(crate) async fn a_history_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (workspace, pages) = pages_of(&*store, 2).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let find = async |workspace, page| read!(store, view => view.histories().find(workspace, page).await);
    assert_eq!(find(workspace.id, pages[0].id).await, None);
    let mut history =
        History { block_count: 3, bytes_at_most: 200, editors: BTreeSet::from([make::user_id(1)]), newest: None };
    write!(store, unit => unit.histories().save(workspace.id, pages[0].id, &history).await);
    assert_eq!(find(workspace.id, pages[0].id).await, Some(history.clone()));
    let ids = [pages[0].id, pages[1].id];
    let count = async |workspace| read!(store, view => view.histories().count_blocks(workspace, &ids).await);
    assert_eq!(count(workspace.id).await, 3, "a page without a history has no blocks");
    (history.block_count, history.bytes_at_most) = (0, 70);
    history.editors = BTreeSet::from([make::user_id(2), make::user_id(3)]);
    history.newest = Some(LatestVersion { page_version: 7, at: make::NOW });
    write!(store, unit => unit.histories().save(workspace.id, pages[0].id, &history).await);
    assert_eq!(find(workspace.id, pages[0].id).await, Some(history.clone()));
    assert_eq!(find(workspace.id, pages[1].id).await, None);
    assert_eq!(find(elsewhere.id, pages[0].id).await, None);
    let other = History { block_count: 4, ..History::default() };
    write!(store, unit => unit.histories().save(workspace.id, pages[1].id, &other).await);
    history.block_count = 2;
    write!(store, unit => unit.histories().save(workspace.id, pages[0].id, &history).await);
    assert_eq!((count(workspace.id).await, count(elsewhere.id).await), (6, 0));
}

pub(crate) async fn a_version_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (workspace, pages) = pages_of(&*store, 2).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let mut kept = PageVersion {
        kind: VersionKind::Manual,
        label: Some(Name::parse("Before the launch").unwrap()),
        icon: Some(PageIcon::parse("\u{1F680}").unwrap()),
        cover_url: Some(WebAddress::from_stored("https://example.com/cover.png".to_owned())),
        block_count: 12,
        editors: BTreeSet::from([make::user_id(1), make::user_id(2)]),
        ..version(1, &pages[0])
    };
    keep(&*store, &kept).await;
    let find =
        async |workspace, page| read!(store, view => view.histories().find_version(workspace, page, kept.id).await);
    assert_eq!(find(workspace.id, pages[0].id).await, Some(kept.clone()));
    assert_eq!(find(workspace.id, pages[1].id).await, None, "it is a version of another page");
    assert_eq!(find(elsewhere.id, pages[0].id).await, None, "it is a version in another workspace");
    (kept.label, kept.bytes_at_most) = (None, None);
    write!(store, unit => unit.histories().save_version(&kept).await);
    let found = read!(store, view => view.histories().find_version(workspace.id, pages[0].id, kept.id).await);
    assert_eq!(found, Some(kept));
}

pub(crate) async fn versions_are_listed_newest_first(database: &Database) {
    let store = database.store().await;
    let (workspace, pages) = pages_of(&*store, 2).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let page = &pages[0];
    // Two of them have the same version of the page: the later one comes first.
    for (number, page_version) in [(1, 1), (2, 5), (3, 5), (4, 9)] {
        let kind = if number == 2 { VersionKind::Manual } else { VersionKind::Auto };
        keep(&*store, &PageVersion { page_version, kind, ..version(number, page) }).await;
    }
    keep(&*store, &version(9, &pages[1])).await;
    let list = async |kind, before, limit| {
        let found =
            read!(store, view => view.histories().list_versions(workspace.id, page.id, kind, before, limit).await);
        found.iter().map(|version| version.id).collect::<Vec<_>>()
    };
    assert_eq!(list(None, None, 9).await, [4, 3, 2, 1].map(version_id));
    assert_eq!(list(None, None, 2).await, [4, 3].map(version_id));
    assert_eq!(list(None, Some((5, version_id(3))), 9).await, [2, 1].map(version_id));
    assert_eq!(list(Some(VersionKind::Auto), None, 9).await, [4, 3, 1].map(version_id));
    assert_eq!(list(Some(VersionKind::Auto), Some((9, version_id(4))), 1).await, [3].map(version_id));
    assert_eq!(list(Some(VersionKind::Manual), None, 9).await, [2].map(version_id));
    let nothing = read!(store, view => view.histories().list_versions(elsewhere.id, page.id, None, None, 9).await);
    assert_eq!(nothing, []);
}

pub(crate) async fn the_newest_versions_and_those_with_a_label_are_not_thinned_out(database: &Database) {
    let store = database.store().await;
    let (workspace, pages) = pages_of(&*store, 2).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let page = &pages[0];
    for number in 1..=6 {
        let label = (number == 2 || number == 6).then(|| Name::parse("Kept").unwrap());
        let page_version = i64::try_from(number).unwrap();
        keep(&*store, &PageVersion { page_version, label, ..version(number, page) }).await;
    }
    keep(&*store, &version(9, &pages[1])).await;
    let count =
        async |workspace, page| write!(store, unit => unit.histories().count_labelled_versions(workspace, page).await);
    assert_eq!(count(workspace.id, page.id).await, 2);
    assert_eq!(count(workspace.id, pages[1].id).await, 0);
    assert_eq!(count(elsewhere.id, page.id).await, 0);
    let thinned = async |kept| {
        let found = write!(store, unit => unit.histories().list_thinned_versions(workspace.id, page.id, kept).await);
        found.into_iter().collect::<BTreeSet<_>>()
    };
    assert_eq!(thinned(6).await, BTreeSet::new());
    assert_eq!(thinned(3).await, BTreeSet::from([1, 3].map(version_id)));
    assert_eq!(thinned(1).await, BTreeSet::from([1, 3, 4, 5].map(version_id)));
    let gone: Vec<_> = thinned(3).await.into_iter().collect();
    write!(store, unit => unit.histories().remove_versions(workspace.id, page.id, &gone).await);
    assert_eq!(thinned(3).await, BTreeSet::new());
    let left = read!(store, view => view.histories().list_versions(workspace.id, page.id, None, None, 9).await);
    assert_eq!(left.iter().map(|version| version.id).collect::<Vec<_>>(), [6, 5, 4, 2].map(version_id));
    let other = read!(store, view => view.histories().list_versions(workspace.id, pages[1].id, None, None, 9).await);
    assert_eq!(other.len(), 1, "the versions of another page stay");
}
