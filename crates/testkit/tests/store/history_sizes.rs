//! The size of a page's history, for the docs.

use crate::{
    block_states::{EditedPage, block, saying},
    page_versions::pages_of,
};
use octavo_blocks_tree::Block;
use octavo_testkit::Database;

/// The number of blocks and of edits; the docs show the figures for a thousand.
const EDITS: usize = 150;

/// Prints the size of the history of a page that was edited as often as it has blocks, each time with a version
/// saved: `cargo nextest run -p octavo-testkit --no-capture history_sizes`
#[expect(clippy::print_stderr, reason = "what it prints is what it is for")]
async fn as_many_edits_as_blocks(database: &Database) {
    let store = database.store().await;
    let (_, pages) = pages_of(&*store, 1).await;
    let mut book = EditedPage::of(&*store, pages[0].clone());
    let text = "A paragraph of some eighty characters, as they stand on pages that people write.";
    let blocks: Vec<_> =
        (0..EDITS).map(|_| Block { body: saying(text), ..block(book.draw(), &book.page, None) }).collect();
    let mut unit = book.begin(&[]).await;
    assert!(unit.blocks().insert(&blocks).await.unwrap());
    EditedPage::end(unit).await;
    book.blocks.extend(blocks.iter().map(|block| (block.id, block.clone())));
    for (number, block) in blocks.iter().enumerate() {
        book.keep().await;
        book.says(block.id, &format!("{text} {number}")).await;
        // Other tests compare what they show.
        book.remembered.clear();
    }
    let row = |table: &str, columns: &[&str]| {
        let lengths = columns.iter().map(|column| format!("COALESCE(LENGTH(CAST({column} AS TEXT)), 0)"));
        let size = if database.is_postgres() {
            format!("pg_column_size({table}.*)")
        } else {
            lengths.collect::<Vec<_>>().join(" + ")
        };
        format!("SELECT CAST(COALESCE(SUM({size}), 0) AS BIGINT) FROM {table}")
    };
    let common = ["workspace_id", "page_id", "parent_id", "position", "body", "version", "created_by", "updated_by"];
    let more = ["created_at", "updated_at"];
    let states = row("block_states", &[&common[..], &more[..], &["block_id", "since", "last_version"]].concat());
    let live = row("blocks", &[&common[..], &more[..], &["id", "kind", "since"]].concat());
    let versions =
        ["workspace_id", "page_id", "id", "page_version", "kind", "title", "block_count", "editor_ids", "created_at"];
    let versions = row("page_versions", &versions);
    let counts = ["block_states", "page_versions"].map(|table| format!("SELECT COUNT(*) FROM {table}"));
    let engine = if database.is_postgres() { "PostgreSQL" } else { "SQLite" };
    let [states_count, versions_count] = [database.number(&counts[0]).await, database.number(&counts[1]).await];
    let [states, versions, live] =
        [database.number(&states).await, database.number(&versions).await, database.number(&live).await];
    assert_eq!((states_count, versions_count), (i64::try_from(EDITS).unwrap(), i64::try_from(EDITS).unwrap()));
    eprintln!(
        "{engine}: block_states {states_count} rows {states} bytes, page_versions {versions_count} rows {versions} bytes, blocks {live} bytes"
    );
    if database.is_postgres() {
        for table in ["block_states", "page_versions", "blocks"] {
            let bytes = database.number(&format!("SELECT pg_total_relation_size('{table}')")).await;
            eprintln!("{engine}: {table} with its indexes {bytes} bytes");
        }
    } else {
        let pages = "SELECT SUM(pgsize) FROM dbstat WHERE name LIKE";
        for table in ["block_states", "page_versions", "blocks"] {
            let rows = database.rows(&format!("{pages} '{table}%'")).await;
            eprintln!("{engine}: {table} with its indexes {} bytes", rows[0][0]);
        }
    }
    assert!(states < 2 * live, "all versions together cost about one more copy of the page, not one each");
}

#[tokio::test]
async fn sqlite() {
    as_many_edits_as_blocks(&octavo_testkit::fresh_sqlite().await).await;
}

#[tokio::test]
async fn postgres() {
    if let Some(database) = octavo_testkit::fresh_postgres().await {
        as_many_edits_as_blocks(&database).await;
    }
}
