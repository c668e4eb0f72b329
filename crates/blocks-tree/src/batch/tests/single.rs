//! Tests of single rules.

use super::model::{Sheet, block, text};
use crate::{
    batch::{Anchor, ApplyError, Change, ExistingBlock, Insertion, Known, Operation, Patch, Target, apply},
    block::Block,
    body::Body,
    kind::Kind,
};
use octavo_core_model::{
    fault::{BlockFlaw, BlockProblem, Issue},
    id::PageId,
    position::Position,
    version::Stale,
};
use serde_json::json;
use std::collections::BTreeMap;

fn made(number: u16, parent: Option<u16>, body: Body) -> Operation {
    let target = Target { parent: Some(parent.map(block)), anchor: Anchor::Last };
    Operation::Insert(Insertion { id: Some(block(number)), body, target })
}

fn moved(number: u16, parent: Option<u16>) -> Operation {
    let target = Target { parent: Some(parent.map(block)), anchor: Anchor::Last };
    Operation::Move { block: block(number), version: None, target }
}

fn changed(number: u16, patch: Patch) -> Operation {
    Operation::Update { block: block(number), version: None, patch }
}

fn instance(number: u16, parent: Option<u16>, source: u16) -> Operation {
    let content = json!({ "sourceBlockId": block(source) });
    made(number, parent, Body::read(Kind::SyncedBlock, Some(content), None, "block").unwrap())
}

fn sheet(operations: &[Operation]) -> Sheet {
    let mut sheet = Sheet::default();
    let plan = sheet.run(operations).unwrap();
    sheet.write(plan);
    sheet
}

/// The flaw reported for the first operation that fails.
fn problem(sheet: &Sheet, operations: &[Operation]) -> BlockProblem {
    match sheet.run(operations) {
        Err(ApplyError::Refused(flaws)) => flaws[0].problem.clone(),
        done => panic!("{done:?}"),
    }
}

#[test]
fn a_block_does_not_stand_in_itself() {
    let sheet = sheet(&[made(1, None, text("a")), made(2, Some(1), text("b")), made(3, Some(2), text("c"))]);
    for parent in [1, 2, 3] {
        assert_eq!(problem(&sheet, &[moved(1, Some(parent))]), BlockProblem::CycleDetected(block(1)), "{parent}");
    }
    // Not with two moves in one batch either.
    let swap = [moved(2, None), moved(1, Some(2)), moved(2, Some(1))];
    assert_eq!(problem(&sheet, &swap), BlockProblem::CycleDetected(block(2)));
}

#[test]
fn blocks_lie_fifty_deep_at_most() {
    let mut chain = vec![made(1, None, text("top"))];
    chain.extend((2..=50).map(|number| made(number, Some(number - 1), text("deeper"))));
    let full = sheet(&chain);
    assert_eq!(problem(&full, &[made(60, Some(50), text("too deep"))]), BlockProblem::MaxDepth(block(60)));
    let pair = [made(60, None, text("pair")), made(61, Some(60), text("below"))];
    assert!(full.run(&pair).is_ok());
    let mut full = full;
    let plan = full.run(&pair).unwrap();
    full.write(plan);
    assert_eq!(problem(&full, &[moved(60, Some(49))]), BlockProblem::MaxDepth(block(60)));
    assert!(full.run(&[moved(60, Some(48))]).is_ok());
}

#[test]
fn columns_hold_no_columns_whichever_way_they_come() {
    let columns = [
        made(1, None, Body::empty(Kind::ColumnList)),
        made(2, Some(1), Body::empty(Kind::Column)),
        made(3, Some(2), text("in a column")),
        made(4, None, Body::empty(Kind::Column)),
    ];
    let sheet = sheet(&columns);
    let nesting =
        |child: u16, parent: u16| BlockProblem::InvalidNesting { block: block(child), parent: Some(block(parent)) };
    assert_eq!(problem(&sheet, &[made(9, Some(1), text("no column"))]), nesting(9, 1));
    assert_eq!(problem(&sheet, &[made(9, Some(2), Body::empty(Kind::ColumnList))]), nesting(9, 2));
    assert_eq!(problem(&sheet, &[moved(4, Some(2))]), nesting(4, 2));
    let into = |kind| Patch { kind: Some(kind), ..Patch::default() };
    assert_eq!(problem(&sheet, &[changed(2, into(Kind::Paragraph))]), nesting(2, 1));
    assert_eq!(problem(&sheet, &[changed(3, into(Kind::Column))]), nesting(3, 2));
    assert_eq!(problem(&sheet, &[changed(2, into(Kind::ColumnList))]), nesting(2, 1));
    let sheet = super::single::sheet(&[made(1, None, text("a")), made(2, Some(1), text("b"))]);
    assert_eq!(problem(&sheet, &[changed(1, into(Kind::ColumnList))]), nesting(2, 1));
}

#[test]
fn an_instance_is_read_only_and_never_shows_itself() {
    let sheet = sheet(&[made(1, None, text("source")), instance(2, None, 1)]);
    let content = Patch { content: Some(json!("mine")), ..Patch::default() };
    assert_eq!(problem(&sheet, &[changed(2, content)]), BlockProblem::SyncedReadonly { source: block(1) });
    assert_eq!(problem(&sheet, &[instance(3, None, 3)]), BlockProblem::SyncCycle(block(3)));
    assert_eq!(problem(&sheet, &[instance(3, None, 2)]), BlockProblem::SyncCycle(block(3)), "a chain");
    assert_eq!(problem(&sheet, &[instance(3, Some(1), 1)]), BlockProblem::SyncCycle(block(3)), "in what it shows");
    assert_eq!(problem(&sheet, &[moved(2, Some(1))]), BlockProblem::SyncCycle(block(2)));
    assert_eq!(problem(&sheet, &[instance(3, None, 8)]), BlockProblem::Missing("content.sourceBlockId"));
    let bare = made(3, None, Body::empty(Kind::SyncedBlock));
    assert!(matches!(problem(&sheet, &[bare]), BlockProblem::Invalid(flaw) if flaw.issue == Issue::Required));
    assert!(matches!(problem(&sheet, &[made(3, Some(2), text("in it"))]), BlockProblem::InvalidNesting { .. }));
    assert!(sheet.run(&[moved(2, None)]).is_ok());
}

#[test]
fn a_block_that_holds_an_instance_cannot_move_into_its_source() {
    let sheet = sheet(&[
        made(1, None, text("source")),
        made(2, Some(1), text("in the source")),
        made(3, None, text("holder")),
        made(4, Some(3), text("in the holder")),
        instance(5, Some(4), 1),
        made(6, None, text("elsewhere")),
    ]);
    for parent in [1, 2] {
        assert_eq!(problem(&sheet, &[moved(3, Some(parent))]), BlockProblem::SyncCycle(block(5)), "{parent}");
    }
    let by_patch = Patch { parent: Some(Some(block(1))), ..Patch::default() };
    assert_eq!(problem(&sheet, &[changed(3, by_patch)]), BlockProblem::SyncCycle(block(5)));
    // This also applies to an instance that the same batch puts there, and to a source that is moved.
    let steps = [moved(5, Some(6)), moved(3, Some(1)), moved(5, Some(4))];
    assert_eq!(problem(&sheet, &steps), BlockProblem::SyncCycle(block(5)));
    assert_eq!(problem(&sheet, &[instance(7, Some(6), 2), moved(6, Some(2))]), BlockProblem::SyncCycle(block(7)));
    assert!(sheet.run(&[moved(5, Some(6)), moved(3, Some(1))]).is_ok());
    assert!(sheet.run(&[moved(3, Some(6)), moved(1, Some(6))]).is_ok(), "both may stand in a third");
}

#[test]
fn a_source_that_is_hidden_is_as_good_as_absent() {
    let there = sheet(&[made(1, None, text("source")), instance(2, None, 1)]);
    let elsewhere = PageId::new(2, [0; 10]);
    let on_other_page = |block: &Block| (block.id, ExistingBlock { page: elsewhere, ..ExistingBlock::from(block) });
    let existing: BTreeMap<_, _> = there.blocks.values().map(on_other_page).collect();
    let seen = Known { existing, ..Known::default() };
    let hidden = Known { hidden: [block(1), block(2)].into(), ..seen.clone() };
    let error_for = |known: &Known, source: u16| {
        let operations = [instance(9, None, source), made(10, Some(11), text("nowhere"))];
        apply(known, &operations, &there.stamp(), &mut || block(99)).unwrap_err()
    };
    for source in [1, 2] {
        assert_eq!(error_for(&hidden, source), error_for(&Known::default(), source), "{source}");
    }
    let ApplyError::Refused(flaws) = error_for(&seen, 2) else { panic!("nothing is left to be loaded") };
    assert_eq!(flaws[0].problem, BlockProblem::SyncCycle(block(9)), "a chain over pages");
    let ApplyError::Refused(flaws) = error_for(&seen, 1) else { panic!("nothing is left to be loaded") };
    assert_eq!(flaws[0].operation, Some(1), "a block of another page may be shown");
}

#[test]
fn a_block_is_counted_once_for_a_batch_and_a_stale_version_is_refused() {
    let mut sheet = sheet(&[made(1, None, text("a"))]);
    let update = |version, text: &str| {
        let patch = Patch { content: Some(json!(text)), ..Patch::default() };
        Operation::Update { block: block(1), version: Some(version), patch }
    };
    let plan = sheet.run(&[update(1, "b"), update(1, "c")]).unwrap();
    assert_eq!(plan.changed.iter().map(|block| block.version).collect::<Vec<_>>(), [2]);
    sheet.write(plan);
    assert_eq!(problem(&sheet, &[update(1, "d")]), BlockProblem::Stale(Stale { actual: 2, received: 1 }));
    // Repeating the same content changes nothing.
    assert!(sheet.run(&[update(2, "c")]).unwrap().is_empty());
}

#[test]
fn a_place_is_taken_once() {
    let mut sheet = Sheet::default();
    let at = |number: u16, place: &str| {
        let target = Target { parent: None, anchor: Anchor::At(Position::parse(place).unwrap()) };
        Operation::Insert(Insertion { id: Some(block(number)), body: text("at"), target })
    };
    let plan = sheet.run(&[at(1, "M")]).unwrap();
    sheet.write(plan);
    let taken = |problem| matches!(problem, BlockProblem::Invalid(flaw) if flaw.issue == Issue::PositionTaken);
    assert!(taken(problem(&sheet, &[at(2, "M")])));
    assert!(taken(problem(&sheet, &[at(2, "N"), at(3, "N")])));
    // A deleted block frees its position.
    assert!(sheet.run(&[Operation::Delete { block: block(1), version: None }, at(2, "M")]).is_ok());
    // After a block at a key that the caller chose.
    let target = Target { parent: None, anchor: Anchor::After(block(2)) };
    let behind = Operation::Insert(Insertion { id: Some(block(3)), body: text("behind"), target });
    let plan = sheet.run(&[at(2, "A"), behind]).unwrap();
    sheet.write(plan);
    assert_eq!(sheet.lists()[&None], [block(2), block(3), block(1)]);
}

#[test]
fn every_failed_operation_is_reported_but_not_its_consequences() {
    let sheet = sheet(&[made(1, None, text("a"))]);
    let operations = [
        made(2, Some(9), text("nowhere")),
        made(3, Some(2), text("in what is not made")),
        moved(1, None),
        moved(8, None),
    ];
    let missing = BlockFlaw::new(0, BlockProblem::Missing("parentId")).within(Some("block"));
    let other = BlockFlaw::new(3, BlockProblem::Unknown("blockId")).within(Some("move"));
    assert_eq!(sheet.run(&operations), Err(ApplyError::Refused(vec![missing, other])));
}

#[test]
fn a_deleted_block_is_unknown_but_its_id_stays_taken() {
    let mut sheet = sheet(&[made(1, None, text("a")), made(2, Some(1), text("b"))]);
    let delete = Operation::Delete { block: block(1), version: None };
    let after = [delete.clone(), moved(2, None)];
    assert_eq!(problem(&sheet, &after), BlockProblem::Unknown("blockId"));
    let plan = sheet.run(&[delete]).unwrap();
    assert_eq!(plan.removed[0].blocks, [block(1), block(2)]);
    assert_eq!(plan.changes, [Change::Delete { block: block(1), kind: Kind::Paragraph }]);
    sheet.write(plan);
    assert_eq!(problem(&sheet, &[made(2, None, text("again"))]), BlockProblem::Taken(block(2)));
    assert_eq!(problem(&sheet, &[made(3, Some(1), text("in it"))]), BlockProblem::Missing("parentId"));
}

#[test]
fn changing_the_type_of_a_block_keeps_its_text() {
    let mut todo = Patch { kind: Some(Kind::Todo), properties: Some(json!({ "checked": true })), ..Patch::default() };
    let mut sheet = sheet(&[made(1, None, text("buy milk"))]);
    let plan = sheet.run(&[changed(1, todo.clone())]).unwrap();
    sheet.write(plan);
    todo.kind = Some(Kind::Code);
    todo.properties = None;
    let plan = sheet.run(&[changed(1, todo)]).unwrap();
    let body = &plan.changed[0].body;
    assert_eq!(body.content()["code"], "buy milk");
    assert!(body.properties().is_empty(), "code is not checked off");
}

#[test]
fn a_block_already_in_its_place_is_not_moved() {
    let sheet = sheet(&[made(1, None, text("a")), made(2, None, text("b")), made(3, None, text("c"))]);
    let to = |number: u16, anchor: Anchor| {
        let target = Target { parent: None, anchor };
        Operation::Move { block: block(number), version: None, target }
    };
    for still in [
        moved(3, None),
        to(3, Anchor::Last),
        to(2, Anchor::After(block(1))),
        to(2, Anchor::Before(block(3))),
        to(1, Anchor::Before(block(2))),
        changed(1, Patch { parent: Some(None), ..Patch::default() }),
        changed(1, Patch::default()),
    ] {
        let plan = sheet.run(std::slice::from_ref(&still)).unwrap();
        assert!(plan.is_empty() && plan.changes.is_empty(), "{still:?}");
    }
    assert_eq!(sheet.run(&[moved(1, None)]).unwrap().changes.len(), 1);
}

#[test]
fn an_empty_change_of_an_instance_changes_nothing() {
    let sheet = sheet(&[made(1, None, text("source")), instance(2, None, 1)]);
    assert!(sheet.run(&[changed(2, Patch::default())]).unwrap().is_empty());
}

/// No key fits between the first two, so inserting a third one there moves them.
fn without_room_for_a_key() -> Sheet {
    let at = |number: u16, place: &str| {
        let target = Target { parent: None, anchor: Anchor::At(Position::parse(place).unwrap()) };
        Operation::Insert(Insertion { id: Some(block(number)), body: text("at"), target })
    };
    sheet(&[at(1, "a"), at(2, "a0"), at(3, "z")])
}

fn behind_the_first(number: u16) -> Operation {
    let target = Target { parent: None, anchor: Anchor::After(block(1)) };
    Operation::Insert(Insertion { id: Some(block(number)), body: text("between"), target })
}

#[test]
fn a_block_moved_after_its_siblings_respread_stands_where_it_was_moved() {
    let mut sheet = without_room_for_a_key();
    let plan = sheet.run(&[behind_the_first(4), moved(1, None), moved(2, Some(3))]).unwrap();
    sheet.write(plan);
    assert_eq!(sheet.lists()[&None], [block(4), block(3), block(1)]);
    assert_eq!(sheet.lists()[&Some(block(3))], [block(2)]);
    assert!(sheet.is_sound());
}

#[test]
fn a_block_changed_after_its_siblings_respread_keeps_its_new_key() {
    let mut sheet = without_room_for_a_key();
    let content = Patch { content: Some(json!("changed")), ..Patch::default() };
    let plan = sheet.run(&[behind_the_first(4), changed(1, content.clone()), changed(2, content)]).unwrap();
    sheet.write(plan);
    assert_eq!(sheet.lists()[&None], [block(1), block(4), block(2), block(3)]);
    assert!(sheet.is_sound());
}

#[test]
fn flaws_name_fields_within_the_part_that_was_sent() {
    let sheet = sheet(&[made(1, None, text("a"))]);
    let nowhere = Operation::Move {
        block: block(1),
        version: None,
        target: Target { parent: Some(Some(block(9))), anchor: Anchor::Last },
    };
    let marked = json!({ "text": "a", "marks": [{ "type": "bold", "from": 0, "to": 9 }] });
    let flaw_of = |operation: Operation| match sheet.run(&[operation]) {
        Err(ApplyError::Refused(flaws)) => (flaws[0].part, flaws[0].problem.clone()),
        done => panic!("{done:?}"),
    };
    assert_eq!(flaw_of(made(2, Some(9), text("b"))), (Some("block"), BlockProblem::Missing("parentId")));
    assert_eq!(flaw_of(nowhere), (Some("move"), BlockProblem::Missing("parentId")));
    let (part, problem) = flaw_of(changed(1, Patch { content: Some(marked), ..Patch::default() }));
    assert_eq!(part, Some("patch"));
    assert!(matches!(problem, BlockProblem::Invalid(flaw) if flaw.field == "content.marks.0"));
}
