//! Blocks: the tree of a page and the order of siblings.

mod deletion;
mod relations;

pub(crate) use deletion::{
    a_list_is_measured_with_what_is_below, deleted_blocks_are_found_by_their_deletion,
    deleted_blocks_say_with_what_they_went,
};
pub(crate) use relations::{
    blocks_go_with_their_page_and_their_workspace, instances_are_found_by_what_they_show,
    references_are_replaced_and_read_newest_first, the_pages_of_blocks_are_found,
};

use crate::support::{owner, read, write};
use octavo_blocks_tree::{Block, BlockNode, Body, Deletion, Kind, RichText, batch::Neighbours};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, PageId, WorkspaceId},
    position::Position,
    time::days,
    workspace::Workspace,
};
use octavo_ports::{
    blocks::{BlockMark, BlockRemoval, SiblingFilter},
    store::Store,
};
use octavo_testkit::{Database, make};
use serde_json::json;
use std::{collections::BTreeSet, sync::Arc};

fn id(number: u8) -> BlockId {
    BlockId::new(make::NOW.millis(), [0, 0, 0, 0, 0, 0, 0, 0, 0, number])
}

fn at(text: &str) -> Position {
    Position::parse(text).unwrap()
}

/// A paragraph on page 1 with its number as text.
fn block(number: u8, workspace: &Workspace, parent: Option<u8>, position: &str) -> Block {
    Block {
        id: id(number),
        workspace: workspace.id,
        page: make::page_id(1),
        parent: parent.map(id),
        position: at(position),
        body: Body::with_text(Kind::Paragraph, RichText::plain(number.to_string())),
        version: 1,
        since: 2,
        created_by: Some(make::user_id(1)),
        updated_by: Some(make::user_id(1)),
        created_at: make::NOW,
        updated_at: make::NOW,
        deletion: None,
    }
}

fn instance(number: u8, workspace: &Workspace, source: u8, position: &str) -> Block {
    let content = json!({ "sourceBlockId": id(source) });
    let body = Body::read(Kind::SyncedBlock, Some(content), None, "").unwrap();
    Block { body, ..block(number, workspace, None, position) }
}

async fn put(store: &dyn Store, blocks: &[Block]) {
    assert!(write!(store, unit => unit.blocks().insert(blocks).await));
}

/// 1 with children 2 and 3, 4 in 2, 5 in 4; 6 after 1.
async fn tree(store: &dyn Store, workspace: &Workspace) -> Vec<Block> {
    let blocks = vec![
        block(1, workspace, None, "a0"),
        block(2, workspace, Some(1), "a0"),
        block(3, workspace, Some(1), "a1"),
        block(4, workspace, Some(2), "a0"),
        block(5, workspace, Some(4), "a0"),
        block(6, workspace, None, "a1"),
    ];
    put(store, &blocks).await;
    blocks
}

async fn remove(store: &dyn Store, workspace: &Workspace, root: u8, numbers: &[u8]) {
    let blocks: Vec<_> = numbers.iter().copied().map(id).collect();
    let (by, now) = (make::user_id(2), make::NOW.plus(days(1)));
    let removal =
        BlockRemoval { workspace: workspace.id, root: Some(id(root)), blocks: &blocks, page_version: 9, by, now };
    write!(store, unit => unit.blocks().delete(&removal).await);
}

fn ids(blocks: &[Block]) -> BTreeSet<BlockId> {
    blocks.iter().map(|block| block.id).collect()
}

fn node_ids(nodes: &[BlockNode]) -> Vec<BlockId> {
    let mut ids: Vec<_> = nodes.iter().map(|node| node.id).collect();
    ids.sort_unstable();
    ids
}

fn numbered(numbers: &[u8]) -> Vec<BlockId> {
    numbers.iter().copied().map(id).collect()
}

pub(crate) async fn a_block_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let first = block(1, &workspace, None, "a0");
    let shown = instance(2, &workspace, 1, "a1");
    put(&*store, &[first.clone(), shown.clone()]).await;
    let find = async |workspace: WorkspaceId| {
        let mut found = read!(store, view => view.blocks().find(workspace, &numbered(&[2, 1, 7])).await);
        found.sort_by_key(|block| block.id);
        found
    };
    assert_eq!(find(workspace.id).await, [first.clone(), shown.clone()]);
    assert_eq!(find(elsewhere.id).await, []);
    assert_eq!(read!(store, view => view.blocks().find(workspace.id, &[]).await), []);
    let content = json!({ "text": "\u{c4}rger", "marks": [{ "type": "bold", "from": 0, "to": 2 }] });
    let changed = Block {
        parent: Some(id(2)),
        position: at("M"),
        body: Body::read(Kind::Todo, Some(content), Some(json!({ "checked": true })), "").unwrap(),
        version: 2,
        since: 3,
        updated_by: Some(make::user_id(2)),
        updated_at: make::NOW.plus(days(1)),
        deletion: Some(Deletion { at: make::NOW.plus(days(2)), root: id(2) }),
        ..first.clone()
    };
    write!(store, unit => unit.blocks().save(std::slice::from_ref(&changed)).await);
    assert_eq!(find(workspace.id).await, [changed.clone(), shown]);
    let back = Block { deletion: None, parent: None, updated_by: None, ..changed };
    write!(store, unit => unit.blocks().save(std::slice::from_ref(&back)).await);
    assert_eq!(find(workspace.id).await[0], back);
}

pub(crate) async fn a_taken_id_is_refused_within_its_workspace_only(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let first = block(1, &workspace, None, "a0");
    put(&*store, std::slice::from_ref(&first)).await;
    let again = Block { page: make::page_id(2), ..block(1, &workspace, None, "a1") };
    assert!(!write!(store, unit => unit.blocks().insert(std::slice::from_ref(&again)).await));
    let found = async |workspace: WorkspaceId| read!(store, view => view.blocks().find(workspace, &[id(1)]).await);
    assert_eq!(found(workspace.id).await, std::slice::from_ref(&first));
    remove(&*store, &workspace, 1, &[1]).await;
    assert!(!write!(store, unit => unit.blocks().insert(&[again]).await), "also when the block is deleted");
    let abroad = block(1, &elsewhere, None, "a0");
    put(&*store, std::slice::from_ref(&abroad)).await;
    assert_eq!(found(elsewhere.id).await, [abroad]);
}

pub(crate) async fn the_bytes_of_a_page_are_counted(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let count = async |page| read!(store, view => view.blocks().count_bytes(workspace.id, &[page]).await);
    assert_eq!(count(make::page_id(1)).await, 0);
    let umlaut = Body::with_text(Kind::Paragraph, RichText::plain("ä\""));
    let blocks = [
        block(1, &workspace, None, "a0"),
        Block { body: umlaut, ..block(2, &workspace, None, "a1") },
        Block { page: make::page_id(2), ..block(3, &workspace, None, "a0") },
    ];
    put(&*store, &blocks).await;
    let (first, second) = (blocks[0].body.bytes(), blocks[1].body.bytes());
    assert_eq!(second, first + 3, "an umlaut has two bytes, and a quote is escaped");
    assert_eq!(count(make::page_id(1)).await, first + second);
    let both = [make::page_id(1), make::page_id(2)];
    let counted = read!(store, view => view.blocks().count_bytes(workspace.id, &both).await);
    assert_eq!(counted, first + second + blocks[2].body.bytes());
    let removal = BlockRemoval {
        workspace: workspace.id,
        root: None,
        blocks: &[id(1)],
        page_version: 3,
        by: make::user_id(1),
        now: make::NOW,
    };
    write!(store, unit => unit.blocks().delete(&removal).await);
    assert_eq!(count(make::page_id(1)).await, second);
}

pub(crate) async fn many_blocks_are_written_at_once(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let many: Vec<_> = (0..=20_u8)
        .flat_map(|high| (0..=255_u8).map(move |low| [high, low]))
        .map(|[high, low]| {
            let id = BlockId::new(make::NOW.millis(), [0, 0, 0, 0, 0, 0, 0, 1, high, low]);
            Block { id, ..block(1, &workspace, None, &format!("a{high:03}{low:03}")) }
        })
        .collect();
    put(&*store, &many).await;
    let read = async |limit: u32| read!(store, view => view.blocks().list_of_pages(workspace.id, &[make::page_id(1)], limit).await);
    assert_eq!(ids(&read(u32::MAX >> 1).await), ids(&many));
    assert_eq!(read(7).await.len(), 7);
    let changed: Vec<_> = many.iter().map(|block| Block { version: 2, ..block.clone() }).collect();
    write!(store, unit => unit.blocks().save(&changed).await);
    assert!(read(u32::MAX >> 1).await.iter().all(|block| block.version == 2));
    let numbers: Vec<_> = many.iter().map(|block| block.id).collect();
    assert_eq!(read!(store, view => view.blocks().find(workspace.id, &numbers).await).len(), many.len());
}

pub(crate) async fn siblings_come_in_their_order_page_by_page(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    // Keys are compared byte by byte; among equal ones the older block comes first, then the smaller id.
    let older =
        Block { created_at: Timestamp::from_millis(make::NOW.millis() - 1), ..block(9, &workspace, None, "a1") };
    let in_order = [
        block(5, &workspace, None, "A"),
        block(4, &workspace, None, "Zz"),
        older,
        block(2, &workspace, None, "a1"),
        block(3, &workspace, None, "a1"),
        block(1, &workspace, None, "a10"),
    ];
    put(&*store, &in_order).await;
    let aside = Block { page: make::page_id(2), ..block(20, &workspace, None, "a1") };
    put(&*store, &[aside, block(21, &workspace, Some(5), "a1"), block(22, &workspace, None, "a0")]).await;
    put(&*store, &[block(23, &elsewhere, None, "a1")]).await;
    remove(&*store, &workspace, 22, &[22]).await;
    let list =
        async |workspace: &Workspace, parent: Option<u8>, after: Option<BlockMark>, limit: u32, with_deleted: bool| {
            let filter = SiblingFilter { page: make::page_id(1), parent: parent.map(id), after, with_deleted, limit };
            read!(store, view => view.blocks().list_siblings(workspace.id, &filter).await)
        };
    let numbers = |blocks: &[Block]| blocks.iter().map(|block| block.id).collect::<Vec<_>>();
    let all = numbers(&in_order);
    assert_eq!(numbers(&list(&workspace, None, None, 100, false).await), all);
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let some = list(&workspace, None, after, 2, false).await;
        let Some(end) = some.last() else { break };
        after = Some(BlockMark::of(end).to_string().parse().unwrap());
        found.extend(numbers(&some));
    }
    assert_eq!(found, all);
    assert_eq!(numbers(&list(&workspace, Some(5), None, 100, false).await), numbered(&[21]));
    assert_eq!(list(&workspace, None, None, 100, true).await.len(), 7);
    assert_eq!(numbers(&list(&elsewhere, None, None, 100, true).await), numbered(&[23]));
    let nodes = async |workspace: &Workspace, parent: Option<u8>| {
        let parent = parent.map(id);
        read!(store, view => view.blocks().list_sibling_nodes(workspace.id, make::page_id(1), parent).await)
    };
    let keys: Vec<_> = nodes(&workspace, None).await.iter().map(|node| node.position.clone()).collect();
    assert_eq!(keys, ["A", "Zz", "a1", "a1", "a1", "a10"].map(at));
    assert_eq!(nodes(&workspace, Some(5)).await, [block(21, &workspace, Some(5), "a1").node()]);
    assert_eq!(nodes(&elsewhere, Some(5)).await, []);
}

pub(crate) async fn the_ways_up_and_down_are_walked_whole(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let blocks = tree(&*store, &workspace).await;
    put(&*store, &[block(1, &elsewhere, None, "a0"), block(7, &elsewhere, Some(1), "a0")]).await;
    let page = make::page_id(1);
    let below = async |workspace: &Workspace, page: PageId, of: &[u8], with_deleted: bool| {
        ids(&read!(store, view => view.blocks().list_below(workspace.id, page, &numbered(of), with_deleted).await))
    };
    let nodes_below = async |workspace: &Workspace, page: PageId, of: &[u8]| {
        node_ids(&read!(store, view => view.blocks().list_nodes_below(workspace.id, page, &numbered(of)).await))
    };
    let above = async |workspace: &Workspace, of: &[u8]| {
        node_ids(&read!(store, view => view.blocks().list_nodes_above(workspace.id, &numbered(of)).await))
    };
    let set = |numbers: &[u8]| numbered(numbers).into_iter().collect::<BTreeSet<_>>();
    assert_eq!(below(&workspace, page, &[1], false).await, set(&[2, 3, 4, 5]));
    assert_eq!(below(&workspace, page, &[4, 6], false).await, set(&[5]));
    assert_eq!(below(&workspace, make::page_id(2), &[1], false).await, set(&[]));
    assert_eq!(below(&elsewhere, page, &[1, 2], false).await, set(&[7]));
    assert_eq!(nodes_below(&workspace, page, &[1, 2]).await, numbered(&[2, 3, 4, 5]), "each is listed once");
    assert_eq!(nodes_below(&elsewhere, page, &[2]).await, []);
    assert_eq!(nodes_below(&workspace, page, &[]).await, []);
    assert_eq!(above(&workspace, &[5, 4, 6]).await, numbered(&[1, 2, 4, 5, 6]));
    assert_eq!(above(&elsewhere, &[5]).await, []);
    assert_eq!(above(&workspace, &[]).await, []);
    let nodes = read!(store, view => view.blocks().list_nodes_above(workspace.id, &[id(1)]).await);
    assert_eq!(nodes, [blocks[0].node()]);
    remove(&*store, &workspace, 4, &[4, 5]).await;
    assert_eq!(below(&workspace, page, &[1], false).await, set(&[2, 3]));
    assert_eq!(below(&workspace, page, &[1], true).await, set(&[2, 3, 4, 5]));
    assert_eq!(nodes_below(&workspace, page, &[2]).await, []);
    assert_eq!(above(&workspace, &[5, 2]).await, numbered(&[1, 2]));
}

pub(crate) async fn the_nearest_places_are_found(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    tree(&*store, &workspace).await;
    put(&*store, &[block(8, &workspace, None, "a0V"), block(9, &workspace, Some(1), "a2")]).await;
    put(&*store, &[Block { page: make::page_id(2), ..block(10, &workspace, None, "z") }]).await;
    put(&*store, &[block(1, &elsewhere, None, "y")]).await;
    let neighbours = async |workspace: &Workspace| read!(store, view => view.blocks().list_neighbours(workspace.id, &numbered(&[1, 6, 5, 7])).await);
    let last = async |workspace: &Workspace, page: u64| read!(store, view => view.blocks().find_last_position(workspace.id, make::page_id(page)).await);
    let edge = |previous: Option<&str>, next: Option<&str>, last_child: Option<&str>| Neighbours {
        previous: previous.map(at),
        next: next.map(at),
        last_child: last_child.map(at),
    };
    let found = neighbours(&workspace).await;
    assert_eq!(found.len(), 3);
    assert_eq!(found[&id(1)], edge(None, Some("a0V"), Some("a2")));
    assert_eq!(found[&id(6)], edge(Some("a0V"), None, None));
    assert_eq!(found[&id(5)], edge(None, None, None));
    assert_eq!(neighbours(&elsewhere).await[&id(1)], edge(None, None, None));
    let lasts = (last(&workspace, 1).await, last(&workspace, 2).await, last(&workspace, 3).await);
    assert_eq!(lasts, (Some(at("a1")), Some(at("z")), None));
    assert_eq!(last(&elsewhere, 1).await, Some(at("y")));
    remove(&*store, &workspace, 8, &[8, 9, 6]).await;
    assert_eq!(neighbours(&workspace).await[&id(1)], edge(None, None, Some("a1")));
    assert_eq!(last(&workspace, 1).await, Some(at("a0")));
    let there = async |workspace: &Workspace, page: u64, places: [&str; 2]| {
        let places = places.map(at);
        node_ids(&read!(store, view => view.blocks().list_nodes_at(workspace.id, make::page_id(page), &places).await))
    };
    assert_eq!(there(&workspace, 1, ["a0", "a1"]).await, numbered(&[1, 2, 3, 4, 5]));
    assert_eq!(there(&workspace, 1, ["a2", "a0V"]).await, [], "who is deleted stands nowhere");
    assert_eq!(there(&workspace, 2, ["z", "y"]).await, numbered(&[10]));
    assert_eq!(there(&elsewhere, 1, ["a0", "y"]).await, numbered(&[1]));
}

pub(crate) async fn other_keys_leave_the_rest_of_a_block(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let blocks = tree(&*store, &workspace).await;
    let abroad = block(1, &elsewhere, None, "a0");
    put(&*store, std::slice::from_ref(&abroad)).await;
    let places = [(id(1), at("m")), (id(6), at("n"))];
    write!(store, unit => unit.blocks().respread(workspace.id, &places, 7).await);
    let find = async |workspace: &Workspace, number: u8| {
        read!(store, view => view.blocks().find(workspace.id, &[id(number)]).await).remove(0)
    };
    assert_eq!(find(&workspace, 1).await, Block { position: at("m"), since: 7, ..blocks[0].clone() });
    assert_eq!(find(&workspace, 6).await, Block { position: at("n"), since: 7, ..blocks[5].clone() });
    assert_eq!(find(&workspace, 2).await, blocks[1]);
    assert_eq!(find(&elsewhere, 1).await, abroad);
}

pub(crate) async fn of_twenty_blocks_with_one_id_one_stays(database: &Database) {
    let store: Arc<dyn Store> = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let writers = (0..20).map(|number| {
        let (store, page) = (Arc::clone(&store), make::page_id(number));
        let block = Block { page, ..block(1, &workspace, None, "a0") };
        tokio::spawn(async move { write!(store, unit => unit.blocks().insert(&[block]).await) })
    });
    let mut made = 0;
    for writer in writers.collect::<Vec<_>>() {
        made += u32::from(writer.await.unwrap());
    }
    assert_eq!(made, 1);
    assert_eq!(read!(store, view => view.blocks().find(workspace.id, &[id(1)]).await).len(), 1);
}
