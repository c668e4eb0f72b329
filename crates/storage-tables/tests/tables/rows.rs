//! Rows keep what they are made from.

use octavo_blocks_tree::{Block, Body, Kind};
use octavo_core_model::{
    AppScope, Timestamp,
    id::{BlockId, PageId, WorkspaceId},
    position::Position,
};
use octavo_databases::types::{NumberConfig, PropertyConfig};
use octavo_storage_tables::{
    rows::{
        histories::merged,
        oauth::{bits, scopes},
    },
    stored::StoredText,
};

#[test]
fn a_configuration_is_stored_with_its_type() {
    let config = PropertyConfig::Number(NumberConfig::default());
    let text = config.text().into_owned();
    assert!(text.starts_with(r#"["number",{"#), "{text}");
    assert_eq!(PropertyConfig::read(&text).unwrap(), config);
    assert_eq!(PropertyConfig::read(r#"["nonsense",{}]"#), None);
}

#[test]
fn every_set_of_scopes_reads_back_from_its_bits() {
    for wanted in 0..1 << AppScope::ALL.len() {
        assert_eq!(bits(&scopes(wanted)), wanted);
    }
    assert_eq!(scopes(1), [AppScope::PagesRead].into(), "the places of scopes stand in the store");
    assert_eq!(scopes(1 << 5), [AppScope::FilesWrite].into(), "the places of scopes stand in the store");
}

fn block(number: u8) -> Block {
    Block {
        id: BlockId::new(1, [number; 10]),
        workspace: WorkspaceId::LOWEST,
        page: PageId::LOWEST,
        parent: None,
        position: Position::after(None),
        body: Body::empty(Kind::Divider),
        version: 1,
        since: 1,
        created_by: None,
        updated_by: None,
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(0),
        deletion: None,
    }
}

#[test]
fn a_block_that_changes_while_a_version_is_read_is_in_it_once() {
    let found = merged(vec![block(1), block(2)], vec![block(2), block(3)]);
    assert_eq!(found, [block(1), block(2), block(3)]);
}
