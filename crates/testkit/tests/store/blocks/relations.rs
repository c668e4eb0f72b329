//! What refers to blocks: their pages, instances and references.

use super::{block, id, ids, instance, numbered, put, remove, tree};
use crate::support::{owner, read, write};
use octavo_blocks_tree::{Block, Body, Kind, RichText};
use octavo_core_model::{page::Node, time::days, workspace::Workspace};
use octavo_ports::blocks::{BlockLocation, InstancePages, PageReference, ReferenceKind, ReferenceMark};
use octavo_testkit::{Database, make};

pub(crate) async fn the_pages_of_blocks_are_found(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let blocks = tree(&*store, &workspace).await;
    let long = Body::with_text(Kind::Paragraph, RichText::plain("\u{c4}".repeat(100_000)));
    let aside = Block { page: make::page_id(2), body: long, ..block(7, &workspace, None, "a0") };
    let shown = instance(10, &workspace, 7, "b0");
    put(&*store, &[aside.clone(), shown.clone()]).await;
    put(&*store, &[block(8, &elsewhere, None, "a0")]).await;
    remove(&*store, &workspace, 4, &[4, 5]).await;
    let page = make::page_id(1);
    let here =
        read!(store, view => view.blocks().find_on_page(workspace.id, page, &numbered(&[1, 3, 4, 7, 8, 9])).await);
    assert_eq!(ids(&here), numbered(&[1, 3]).into_iter().collect(), "neither deleted nor elsewhere");
    let location = |block: &Block, is_deleted| BlockLocation {
        id: block.id,
        page: block.page,
        source: block.body.source(),
        bytes: block.body.bytes(),
        is_deleted,
    };
    let expected =
        [location(&blocks[2], false), location(&blocks[4], true), location(&aside, false), location(&shown, false)];
    assert!(aside.body.bytes() > 200_000, "two bytes for each character");
    assert_eq!(expected[3].source, Some(id(7)));
    let named = numbered(&[5, 7, 8, 3, 9, 10]);
    let mut found = read!(store, view => view.blocks().list_locations(workspace.id, &named).await);
    found.sort_by_key(|location| location.id);
    assert_eq!(found, expected);
    let mut locked = write!(store, unit => unit.blocks().lock_shared(workspace.id, &named).await);
    locked.sort_by_key(|location| location.id);
    assert_eq!(locked, expected);
}

pub(crate) async fn instances_are_found_by_what_they_show(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    tree(&*store, &workspace).await;
    let there = Block { page: make::page_id(2), ..instance(11, &workspace, 1, "b0") };
    let shown = [
        instance(10, &workspace, 1, "b0"),
        there,
        instance(12, &workspace, 2, "b1"),
        instance(13, &workspace, 3, "b2"),
    ];
    put(&*store, &shown).await;
    put(&*store, &[instance(14, &elsewhere, 1, "b0")]).await;
    remove(&*store, &workspace, 13, &[13]).await;
    let some = async |workspace: &Workspace, sources: &[u8], pages: InstancePages, limit: u32| {
        let sources = numbered(sources);
        let found = read!(store, view => view.blocks().list_instances(workspace.id, &sources, pages, limit).await);
        found.iter().map(|instance| instance.id).collect::<Vec<_>>()
    };
    let instances = async |workspace, sources| some(workspace, sources, InstancePages::All, 10).await;
    // Grouped by page: the second page comes last.
    assert_eq!(instances(&workspace, &[1]).await, numbered(&[10, 11]));
    assert_eq!(instances(&workspace, &[1, 2, 3, 6]).await, numbered(&[10, 12, 11]));
    assert_eq!(some(&workspace, &[1, 2], InstancePages::All, 2).await, numbered(&[10, 12]));
    assert_eq!(some(&workspace, &[1, 2], InstancePages::Only(make::page_id(1)), 10).await, numbered(&[10, 12]));
    assert_eq!(some(&workspace, &[1, 2], InstancePages::AllExcept(make::page_id(1)), 10).await, numbered(&[11]));
    assert_eq!(instances(&elsewhere, &[1, 2]).await, numbered(&[14]));
    assert_eq!(instances(&workspace, &[]).await, []);
    // A node contains the source of an instance, whatever query returns it.
    let within = Block { parent: Some(id(6)), ..instance(15, &workspace, 1, "a0") };
    put(&*store, std::slice::from_ref(&within)).await;
    let page = make::page_id(1);
    let above = read!(store, view => view.blocks().list_nodes_above(workspace.id, &[id(15)]).await);
    let below = read!(store, view => view.blocks().list_nodes_below(workspace.id, page, &[id(6)]).await);
    let beside = read!(store, view => view.blocks().list_sibling_nodes(workspace.id, page, Some(id(6))).await);
    assert!(above.contains(&within.node()));
    assert_eq!((below, beside), (vec![within.node()], vec![within.node()]));
}

fn reference(number: u8, workspace: &Workspace, target: u64, kind: ReferenceKind, day: u64) -> PageReference {
    let (page, target) = (make::page_id(1), make::page_id(target));
    PageReference {
        workspace: workspace.id,
        block: id(number),
        page,
        target,
        kind,
        created_at: make::NOW.plus(days(day)),
    }
}

pub(crate) async fn references_are_replaced_and_read_newest_first(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    for workspace in [&workspace, &elsewhere] {
        let home = Node::Workspace(workspace.id);
        let page = make::page(1, workspace.id, home, home);
        assert!(write!(store, unit => unit.pages().insert(&page).await));
    }
    let made = [
        reference(1, &workspace, 5, ReferenceKind::Mention, 0),
        reference(2, &workspace, 5, ReferenceKind::Pointer, 1),
        reference(3, &workspace, 5, ReferenceKind::Synced, 1),
        reference(4, &workspace, 6, ReferenceKind::Link, 0),
    ];
    write!(store, unit => unit.blocks().replace_references(workspace.id, &[], &made).await);
    let abroad = reference(1, &elsewhere, 5, ReferenceKind::Link, 0);
    write!(store, unit => unit.blocks().replace_references(elsewhere.id, &[], std::slice::from_ref(&abroad)).await);
    let to = async |workspace: &Workspace, target: u64, before: Option<&PageReference>, limit: u32| {
        let before = before.map(ReferenceMark::from);
        let target = make::page_id(target);
        read!(store, view => view.blocks().list_references_to(workspace.id, target, None, before.as_ref(), limit).await)
    };
    assert_eq!(to(&workspace, 5, None, 10).await, [made[2].clone(), made[1].clone(), made[0].clone()]);
    assert_eq!(to(&workspace, 5, None, 1).await, [made[2].clone()]);
    assert_eq!(to(&workspace, 5, Some(&made[2]), 10).await, [made[1].clone(), made[0].clone()]);
    assert_eq!(to(&workspace, 5, Some(&made[0]), 10).await, []);
    assert_eq!(to(&elsewhere, 5, None, 10).await, std::slice::from_ref(&abroad));
    let now = [reference(2, &workspace, 6, ReferenceKind::Link, 2)];
    write!(store, unit => unit.blocks().replace_references(workspace.id, &numbered(&[1, 2]), &now).await);
    assert_eq!(to(&workspace, 5, None, 10).await, [made[2].clone()]);
    assert_eq!(to(&workspace, 6, None, 10).await, [now[0].clone(), made[3].clone()]);
    assert_eq!(to(&elsewhere, 5, None, 10).await, [abroad]);
}

pub(crate) async fn blocks_go_with_their_page_and_their_workspace(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let home = Node::Workspace(workspace.id);
    for number in [1, 2] {
        let page = make::page(number, workspace.id, home, home);
        assert!(write!(store, unit => unit.pages().insert(&page).await));
    }
    tree(&*store, &workspace).await;
    put(&*store, &[Block { page: make::page_id(2), ..block(7, &workspace, None, "a0") }]).await;
    let there = PageReference { page: make::page_id(2), ..reference(7, &workspace, 9, ReferenceKind::Link, 0) };
    let made = [reference(1, &workspace, 9, ReferenceKind::Link, 0), there];
    write!(store, unit => unit.blocks().replace_references(workspace.id, &[], &made).await);
    remove(&*store, &workspace, 6, &[6]).await;
    write!(store, unit => unit.pages().remove(workspace.id, make::page_id(1)).await);
    write!(store, unit => unit.pages().remove_content(workspace.id, &[make::page_id(1)], 100).await);
    for table in ["blocks", "block_references"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 1, "{table}");
    }
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    for table in ["blocks", "block_references"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}
