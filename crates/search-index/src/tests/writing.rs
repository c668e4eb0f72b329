//! Changes, how far logs were followed, and what lists contain.

use super::support::{HERE, Shelf, With, changes, comment, database, number, page, progress, record};
use crate::TextIndex;
use octavo_core_model::id::{PageId, RecordId, UserId, WorkspaceId};
use octavo_ports::search::{Dependency, IndexedUnit, NodeKey, Progress, Removal, SearchIndex, UnitChanges};
use std::{sync::Arc, time::Duration};

#[test]
fn a_unit_replaces_what_it_was_before() {
    let shelf = Shelf::of(vec![page(1).title("old"), page(2).title("old")]);
    shelf.put(vec![page(1).title("new")]);
    assert_eq!(shelf.found("old"), [2]);
    assert_eq!(shelf.found("new"), [1]);
    shelf.put(vec![page(1).title("newer"), page(1).title("newest")]);
    assert_eq!(shelf.found("newe"), [1], "the last state of a batch counts");
}

#[test]
fn removals_take_units_nodes_and_workspaces_away() {
    let shelf = Shelf::of(vec![
        page(1).title("x"),
        page(2).title("x"),
        comment(3, 2).reply("x"),
        database(9).title("x"),
        record(4, 9).title("x"),
        record(5, 8).title("x"),
    ]);
    let remove = |removed| {
        shelf.index.apply(vec![UnitChanges { removed, ..changes(Vec::new()) }]).unwrap();
        let mut left = shelf.found("x");
        left.sort_unstable();
        left
    };
    assert_eq!(remove(vec![Removal::Unit(page(1).key)]), [2, 3, 4, 5, 9]);
    assert_eq!(remove(vec![Removal::Node(NodeKey(2))]), [4, 5, 9], "comments go with their page");
    assert_eq!(remove(vec![Removal::Node(NodeKey(9))]), [5], "records go with their database");
    assert_eq!(remove(vec![Removal::Workspace]), [0_u64; 0]);
}

#[test]
fn progress_is_kept_with_the_units_and_read_when_the_index_is_opened() {
    let shelf = Shelf::new();
    let unfinished = Progress { up_to: 3, is_complete: false, rest: "pages after 7".to_owned() };
    let elsewhere = WorkspaceId::from_bits(u128::MAX - 5);
    let of = |workspace, progress| UnitChanges { workspace, progress: Some(progress), ..changes(Vec::new()) };
    shelf.index.apply(vec![of(HERE, progress(5)), of(elsewhere, unfinished.clone())]).unwrap();
    shelf.index.apply(vec![of(HERE, progress(6))]).unwrap();
    let again = TextIndex::in_folder(shelf.folder.path().to_owned());
    assert!(again.progress(HERE).is_err(), "it is not open yet");
    again.open().unwrap();
    for index in [&shelf.index, &again] {
        assert_eq!(index.progress(HERE).unwrap(), Some(progress(6)));
        assert_eq!(index.progress(elsewhere).unwrap(), Some(unfinished.clone()));
        assert_eq!(index.workspaces().unwrap(), [(HERE, 6), (elsewhere, 3)]);
    }
    let removal = UnitChanges { removed: vec![Removal::Workspace], ..changes(Vec::new()) };
    shelf.index.apply(vec![removal]).unwrap();
    assert_eq!(shelf.index.progress(HERE).unwrap(), None);
}

#[test]
fn units_are_listed_in_the_order_of_their_keys() {
    let shelf =
        Shelf::of(vec![record(1, 9).title("x"), page(7).title("x"), page(2).title("x"), comment(8, 2).reply("x")]);
    let numbers = |units: &[IndexedUnit]| units.iter().map(|unit| number(unit.key)).collect::<Vec<_>>();
    assert_eq!(numbers(&shelf.index.list(HERE, None, 10).unwrap()), [8, 2, 7, 1]);
    let first = shelf.index.list(HERE, None, 2).unwrap();
    assert_eq!(numbers(&first), [8, 2]);
    assert_eq!(numbers(&shelf.index.list(HERE, first.last().map(|unit| unit.key), 10).unwrap()), [7, 1]);
}

#[test]
fn units_are_found_by_what_their_texts_depend_on() {
    let mut one = record(1, 9).title("x");
    one.depends_on = vec![Dependency::User(UserId::from_bits(4)), Dependency::Record(RecordId::from_bits(4))];
    let mut other = page(2).title("x");
    other.depends_on = vec![Dependency::Blocks(PageId::from_bits(4)), Dependency::User(UserId::from_bits(4))];
    let shelf = Shelf::of(vec![one, other]);
    let depending = |on| {
        let keys = shelf.index.list_depending(HERE, on, None, 10).unwrap();
        keys.into_iter().map(number).collect::<Vec<_>>()
    };
    assert_eq!(depending(Dependency::User(UserId::from_bits(4))), [2, 1]);
    assert_eq!(depending(Dependency::Record(RecordId::from_bits(4))), [1]);
    assert_eq!(depending(Dependency::Blocks(PageId::from_bits(4))), [2]);
    assert_eq!(depending(Dependency::User(UserId::from_bits(5))), [0_u64; 0]);
}

#[test]
fn changes_can_be_made_after_the_index_rested() {
    let shelf = Shelf::of(vec![page(1).title("x")]);
    shelf.index.rest().unwrap();
    shelf.index.rest().unwrap();
    assert_eq!(shelf.found("x"), [1]);
    shelf.put(vec![page(2).title("x")]);
    assert_eq!(shelf.found("x").len(), 2);
}

#[test]
fn many_small_changes_are_found_together() {
    let shelf = Shelf::new();
    for round in 0..40 {
        shelf.put((1..=5).map(|number| page(round * 5 + number).title("x")).collect());
        shelf.put(vec![page(round * 5 + 1).title("y")]);
    }
    shelf.index.rest().unwrap();
    assert_eq!(shelf.found("x").len(), 100);
    assert_eq!(shelf.found("y").len(), 40);
}

#[tokio::test]
async fn a_call_waits_until_the_index_has_come_far_enough() {
    let shelf = Shelf::new();
    let index = Arc::new(shelf.index);
    assert!(!index.reach(HERE, 1, Duration::from_millis(5)).await);
    assert!(index.asked().await.contains(&HERE), "waiting asks for the log to be followed");
    let waiting = tokio::spawn({
        let index = Arc::clone(&index);
        async move { index.reach(HERE, 7, Duration::from_mins(1)).await }
    });
    assert!(index.asked().await.contains(&HERE));
    let unfinished = Progress { is_complete: false, ..progress(9) };
    for progress in [progress(6), unfinished, progress(9)] {
        index.apply(vec![UnitChanges { progress: Some(progress), ..changes(Vec::new()) }]).unwrap();
    }
    assert!(waiting.await.unwrap());
}
