//! Databases that are removed with their nodes.

use crate::{
    pages::home,
    support::{owner, read, write},
    typed_databases::typed,
};
use octavo_core_model::{database::Database as Typed, id::PageId, page::Node, record::Record, workspace::Workspace};
use octavo_databases::{PropertyConfig, types::NoConfig};
use octavo_ports::{pages::RemovedContent, store::Store};
use octavo_testkit::{Database, make};

const TABLES: [&str; 6] = ["records", "record_links", "record_counts", "record_numbers", "properties", "databases"];

async fn rows(database: &Database) -> [i64; 6] {
    let mut rows = [0; 6];
    for (count, table) in rows.iter_mut().zip(TABLES) {
        *count = database.number(&format!("SELECT count(*) FROM {table}")).await;
    }
    rows
}

/// Writes the database with this number and its node.
async fn with_node(store: &dyn Store, number: u64, workspace: &Workspace) -> Typed {
    let node = make::database_node(number, workspace.id, home(workspace), home(workspace));
    assert!(write!(store, unit => unit.pages().insert(&node).await));
    typed(store, number, workspace).await
}

/// Gives a database a property, a number, and records with these numbers.
async fn furnish(store: &dyn Store, database: &Typed, records: std::ops::RangeInclusive<u64>) {
    let slot = u32::try_from(*records.start()).unwrap();
    let properties = [make::property(slot, database.id, PropertyConfig::Title(NoConfig))];
    write!(store, unit => unit.databases().insert_properties(database.workspace, &properties).await);
    write!(store, unit => unit.databases().take_numbers(database.workspace, database.id, 1).await);
    let records: Vec<_> = records.map(|number| make::record(number, database)).collect();
    for record in &records {
        write!(store, unit => unit.databases().change_record_count(database.workspace, database.id, record.id, 1).await);
    }
    write!(store, unit => unit.records().insert_many(records).await);
}

/// Writes links of the relation with the id of this number.
async fn link(store: &dyn Store, workspace: &Workspace, property: u64, links: &[(u64, u64)]) {
    let links: Vec<_> = links.iter().map(|(source, target)| make::record_link(*source, *target)).collect();
    write!(store, unit => unit.record_links().insert(workspace.id, make::property_id(property), &links).await);
}

pub(crate) async fn a_database_goes_in_parts_with_its_records_and_their_links(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (gone, kept) = (with_node(&*store, 1, &workspace).await, with_node(&*store, 2, &workspace).await);
    furnish(&*store, &gone, 101..=107).await;
    furnish(&*store, &kept, 201..=203).await;
    let same_id = with_node(&*store, 1, &elsewhere).await;
    furnish(&*store, &same_id, 101..=102).await;
    link(&*store, &workspace, 1, &[(101, 102), (101, 103), (104, 201), (104, 202), (104, 203)]).await;
    link(&*store, &workspace, 2, &[(201, 107), (201, 202)]).await;
    link(&*store, &elsewhere, 1, &[(101, 102)]).await;
    assert_eq!(rows(database).await, [12, 8, 3, 3, 3, 3]);

    assert_eq!(write!(store, unit => unit.pages().remove(workspace.id, gone.id.node()).await), 1);
    // A page without content before it, and one after it.
    let nodes = [make::page_id(8), gone.id.node(), make::page_id(9)];
    let part = async || write!(store, unit => unit.pages().remove_content(workspace.id, &nodes, 3).await);
    let (mut parts, mut before) = (1, rows(database).await);
    while part().await != (RemovedContent { references_left: false, complete: 3 }) {
        let after = rows(database).await;
        let removed = before[0] - after[0] + before[1] - after[1];
        assert!((0..=3).contains(&removed), "{before:?}, {after:?}");
        let is_left = read!(store, view => view.databases().find(workspace.id, gone.id).await).is_some();
        assert!(is_left || after[0] == 5, "the row of the database goes last");
        (parts, before) = (parts + 1, after);
        assert!(parts < 20);
    }
    assert!(parts >= 5, "{parts}");
    assert_eq!(rows(database).await, [5, 2, 2, 2, 2, 2], "those of the others");
    for (property, workspace, links) in [(1, &workspace, 0), (2, &workspace, 1), (1, &elsewhere, 1)] {
        let count = read!(store, view => view.record_links().count(workspace.id, make::property_id(property)).await);
        assert_eq!(count, links);
    }
    let records: Vec<_> = (101..=203).map(make::record_id).collect();
    assert_eq!(read!(store, view => view.records().list_by_id(workspace.id, &records).await).len(), 3);
    assert_eq!(read!(store, view => view.records().list_by_id(elsewhere.id, &records).await).len(), 2);
    assert_eq!(part().await, RemovedContent { references_left: false, complete: 3 }, "nothing is left to do");
}

pub(crate) async fn large_records_are_few_in_a_part(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let large = with_node(&*store, 1, &workspace).await;
    let records = (1..=4).map(|number| Record { bag: "x".repeat(6 << 20), ..make::record(number, &large) });
    for record in records {
        write!(store, unit => unit.records().insert_many(vec![record]).await);
    }
    write!(store, unit => unit.pages().remove(workspace.id, large.id.node()).await);
    let nodes: [PageId; 1] = [large.id.node()];
    for (complete, records, databases) in [(0, 1, 1), (1, 0, 0)] {
        let removed = write!(store, unit => unit.pages().remove_content(workspace.id, &nodes, 100).await);
        assert_eq!(removed, RemovedContent { references_left: false, complete });
        let left = rows(database).await;
        assert_eq!((left[0], left[5]), (records, databases));
    }
}

pub(crate) async fn databases_of_a_workspace_go_in_parts(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    for (number, records) in [(1, 101..=105), (2, 201..=205)] {
        let typed = with_node(&*store, number, &workspace).await;
        furnish(&*store, &typed, records).await;
    }
    link(&*store, &workspace, 1, &[(101, 201), (102, 202), (103, 203), (105, 104)]).await;
    let kept = with_node(&*store, 1, &other).await;
    furnish(&*store, &kept, 101..=102).await;
    link(&*store, &other, 1, &[(101, 102)]).await;
    // A database whose node is gone, and whose records are not yet.
    write!(store, unit => unit.pages().remove(workspace.id, make::database_id(2).node()).await);
    let (mut parts, mut before) = (0, rows(database).await);
    while !write!(store, unit => unit.workspaces().remove_content(workspace.id, 3).await) {
        let after = rows(database).await;
        assert!(before[0] - after[0] + before[1] - after[1] <= 3, "{before:?}, {after:?}");
        (parts, before) = (parts + 1, after);
        assert!(parts < 30);
    }
    assert!(parts >= 5, "{parts}");
    assert_eq!(rows(database).await, [2, 1, 1, 1, 1, 1], "the other workspace keeps everything");
    assert_eq!(database.number("SELECT count(*) FROM pages").await, 1);

    write!(store, unit => unit.workspaces().remove(other.id).await);
    assert_eq!(rows(database).await, [0; 6], "without parts, too");
}

pub(crate) async fn nodes_are_found_whatever_their_kind(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let typed = with_node(&*store, 1, &workspace).await;
    let inside = make::page(2, workspace.id, Node::Page(typed.id.node()), home(&workspace));
    assert!(write!(store, unit => unit.pages().insert(&inside).await));
    assert_eq!(write!(store, unit => unit.pages().remove(workspace.id, typed.id.node()).await), 2);
    assert_eq!(read!(store, view => view.pages().find(workspace.id, inside.id).await), None);
}
