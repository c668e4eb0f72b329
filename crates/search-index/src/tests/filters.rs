//! Everything that narrows a search besides words.

use super::support::{
    AllBut, Everything, Few, Shelf, With, comment, database, everything, look, numbers, page, record,
};
use octavo_core_model::{Timestamp, cancellation::Cancellation, id::UserId};
use octavo_ports::search::{IndexFailure, Look, Order, SearchIndex, TimeRange, Unit, UnitKind};

fn at(mut unit: Unit, created: i64, updated: i64) -> Unit {
    (unit.created_at, unit.updated_at) = (Timestamp::from_millis(created), Timestamp::from_millis(updated));
    unit
}

fn by(mut unit: Unit, created: u8, updated: u8) -> Unit {
    unit.created_by = Some(user(created));
    unit.updated_by = Some(user(updated));
    unit
}

fn user(number: u8) -> UserId {
    UserId::from_bits(number.into())
}

#[test]
fn kinds_people_and_times_narrow_a_search() {
    let shelf = Shelf::of(vec![
        at(by(page(1).title("x"), 1, 1), 10, 100),
        at(by(record(2, 9).title("x"), 1, 2), 20, 200),
        at(by(database(3).title("x"), 2, 1), 30, 300),
        at(comment(4, 1).reply("x"), 40, 400),
    ]);
    let found = |look: Look| numbers(&shelf.find(&look, &Everything));
    let newest = || Look { order: Order::NewestChange, ..everything() };
    assert_eq!(found(newest()), [4, 3, 2, 1]);
    assert_eq!(found(Look { kinds: vec![UnitKind::Record, UnitKind::Comment], ..newest() }), [4, 2]);
    assert_eq!(found(Look { created_by: Some(user(1)), ..newest() }), [2, 1]);
    assert_eq!(found(Look { updated_by: Some(user(1)), ..newest() }), [3, 1]);
    assert_eq!(found(Look { created_by: Some(user(1)), updated_by: Some(user(2)), ..newest() }), [2]);
    assert_eq!(found(Look { created_by: Some(user(5)), ..newest() }), [0_u64; 0]);
    let range = |from: i64, before: i64| TimeRange {
        from: Some(Timestamp::from_millis(from)),
        before: Some(Timestamp::from_millis(before)),
    };
    assert_eq!(found(Look { created: range(20, 40), ..newest() }), [3, 2]);
    assert_eq!(found(Look { updated: range(200, 201), ..newest() }), [2]);
    assert_eq!(found(Look { created_by: Some(user(1)), ..look("x") }).len(), 2);
}

#[test]
fn the_order_by_time_goes_both_ways() {
    let shelf =
        Shelf::of(vec![at(page(1).title("x"), 30, 1), at(page(2).title("x"), 10, 2), at(page(3).title("x"), 20, 2)]);
    let found = |order| numbers(&shelf.find(&Look { order, ..look("x") }, &Everything));
    assert_eq!(found(Order::Newest), [1, 3, 2]);
    assert_eq!(found(Order::Oldest), [2, 3, 1]);
    assert_eq!(found(Order::NewestChange), [2, 3, 1]);
    assert_eq!(found(Order::OldestChange), [1, 2, 3]);
}

#[test]
fn records_in_the_archive_are_found_on_request() {
    let mut archived = record(1, 9).title("x");
    archived.is_archived = true;
    let shelf = Shelf::of(vec![archived, record(2, 9).title("x")]);
    assert_eq!(shelf.found("x"), [2]);
    let with_archived = Look { with_archived: true, ..look("x") };
    assert_eq!(numbers(&shelf.find(&with_archived, &Everything)).len(), 2);
}

#[test]
fn hidden_nodes_are_neither_found_nor_counted() {
    let shelf = Shelf::of(vec![
        page(1).title("x"),
        page(2).title("x"),
        record(3, 9).title("x"),
        comment(4, 2).reply("x"),
        comment(5, 1).reply("x"),
    ]);
    let hits = shelf.find(&look("x"), &AllBut::nodes([2, 9]));
    let mut found = numbers(&hits);
    found.sort_unstable();
    assert_eq!((found, hits.total, hits.has_more), (vec![1, 5], 2, false));
    assert_eq!(shelf.find(&everything(), &AllBut::nodes([2, 9])).total, 2);
}

#[test]
fn callers_that_view_few_nodes_find_what_is_on_these() {
    let mut units: Vec<_> = (10..2_000).map(|number| page(number).title("x")).collect();
    units.extend([
        page(1).title("x"),
        record(2, 9).title("x"),
        database(9).title("x"),
        comment(3, 1).reply("x"),
        page(4).title("y"),
    ]);
    let shelf = Shelf::of(units);
    let found = |look: &Look, nodes: &[u32]| {
        let mut found = numbers(&shelf.find(look, &Few::nodes(nodes.iter().copied())));
        found.sort_unstable();
        found
    };
    assert_eq!(found(&look("x"), &[1, 4, 9]), [1, 2, 3, 9]);
    assert_eq!(found(&look("x"), &[4]), [0_u64; 0]);
    assert_eq!(found(&everything(), &[4, 12]), [4, 12]);
    assert_eq!(found(&look("x"), &[]), [0_u64; 0]);
}

#[test]
fn a_search_that_nobody_waits_for_ends() {
    let shelf = Shelf::of((1..3_000).map(|number| page(number).block("x")).collect());
    let stopped = Cancellation::default();
    stopped.cancel();
    assert_eq!(shelf.index.find(&look("x"), &Everything, &stopped), Err(IndexFailure::Cancelled));
}
