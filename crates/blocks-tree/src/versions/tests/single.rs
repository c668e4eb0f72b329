//! Tests of single rules.

use super::*;
use crate::{
    batch::{Anchor, Insertion, Operation, Patch, Target, tests::model::text},
    body::Body,
    kind::Kind,
};
use serde_json::json;

fn made(number: u16, parent: Option<u16>, anchor: Anchor) -> Operation {
    let target = Target { parent: (anchor == Anchor::Last).then(|| parent.map(block)), anchor };
    Operation::Insert(Insertion { id: Some(block(number)), body: text("before"), target })
}

fn of_kind(number: u16, parent: Option<u16>, kind: Kind) -> Operation {
    let target = Target { parent: Some(parent.map(block)), anchor: Anchor::Last };
    Operation::Insert(Insertion { id: Some(block(number)), body: Body::empty(kind), target })
}

fn instance(number: u16, parent: Option<u16>, source: u16) -> Operation {
    let content = json!({ "sourceBlockId": block(source) });
    let body = Body::read(Kind::SyncedBlock, Some(content), None, "block").unwrap();
    let target = Target { parent: Some(parent.map(block)), anchor: Anchor::Last };
    Operation::Insert(Insertion { id: Some(block(number)), body, target })
}

fn moved(number: u16, parent: Option<u16>, anchor: Anchor) -> Operation {
    let target = Target { parent: (anchor == Anchor::Last).then(|| parent.map(block)), anchor };
    Operation::Move { block: block(number), version: None, target }
}

fn deleted(number: u16) -> Operation {
    Operation::Delete { block: block(number), version: None }
}

fn does(sheet: &mut Sheet, operations: &[Operation]) {
    let plan = sheet.run(operations).unwrap();
    write(sheet, plan);
}

/// A page with this many top-level blocks.
fn row(length: u16) -> Sheet {
    let mut sheet = Sheet::default();
    let operations: Vec<_> = (1..=length).map(|number| made(number, None, Anchor::Last)).collect();
    does(&mut sheet, &operations);
    sheet
}

fn top(sheet: &Sheet) -> Vec<BlockId> {
    sheet.lists().remove(&None).unwrap_or_default()
}

#[test]
fn one_moved_block_is_reported_without_its_neighbours() {
    let mut sheet = row(4);
    let then = live(&sheet);
    does(&mut sheet, &[moved(1, None, Anchor::After(block(3)))]);
    let found = diff(&then, &live(&sheet));
    assert_eq!(found.moved.iter().map(|moved| moved.block).collect::<Vec<_>>(), [block(1)]);
    assert_eq!(found.moved[0].from, (None, then[0].position.clone()));
    assert_eq!(found.moved[0].to, (None, sheet.blocks[&block(1)].position.clone()));
    assert_eq!((found.added, found.removed, found.changed), (Vec::new(), Vec::new(), Vec::new()));
}

#[test]
fn a_block_moved_behind_a_new_one_is_reported() {
    let mut sheet = row(1);
    let then = live(&sheet);
    does(&mut sheet, &[made(2, None, Anchor::Last), moved(1, None, Anchor::After(block(2)))]);
    assert_eq!(diff(&then, &live(&sheet)).moved.len(), 1);
}

#[test]
fn respreading_siblings_counts_as_no_move_and_no_change() {
    let mut sheet = row(3);
    let then = live(&sheet);
    let versions = |sheet: &Sheet| sheet.blocks.values().map(|block| block.version).collect::<Vec<_>>();
    for (number, position) in [(1, "b00"), (2, "b01"), (3, "b02")] {
        sheet.blocks.get_mut(&block(number)).unwrap().position = Position::parse(position).unwrap();
    }
    let before = versions(&sheet);
    assert_eq!(diff(&then, &live(&sheet)), Diff::default());
    let back = rewind(&kept(&sheet, &then), &sheet.stamp());
    assert_eq!((back.respread.len(), back.saved.len(), back.changes.len()), (3, 0, 0));
    apply(&mut sheet, back);
    assert_eq!((stands(&live(&sheet)), versions(&sheet)), (stands(&then), before));
}

#[test]
fn a_move_is_reported_among_respread_siblings() {
    let mut sheet = row(3);
    let then = live(&sheet);
    does(&mut sheet, &[moved(3, None, Anchor::Before(block(1)))]);
    for (number, position) in [(3, "b00"), (1, "b01"), (2, "b02")] {
        sheet.blocks.get_mut(&block(number)).unwrap().position = Position::parse(position).unwrap();
    }
    let found = diff(&then, &live(&sheet));
    assert_eq!(found.moved.iter().map(|moved| moved.block).collect::<Vec<_>>(), [block(3)]);
}

#[test]
fn added_blocks_are_listed_in_reading_order_with_their_children() {
    let mut sheet = row(2);
    let then = live(&sheet);
    does(
        &mut sheet,
        &[
            made(9, None, Anchor::Before(block(1))),
            made(5, Some(9), Anchor::Last),
            made(3, None, Anchor::Last),
            Operation::Update {
                block: block(2),
                version: None,
                patch: Patch { content: Some("after".into()), ..Patch::default() },
            },
            deleted(1),
        ],
    );
    let found = diff(&then, &live(&sheet));
    assert_eq!(found.added.iter().map(|block| block.id).collect::<Vec<_>>(), [block(9), block(5), block(3)]);
    assert_eq!(found.removed, [then[0].clone()]);
    let bodies: Vec<_> = found.changed.iter().map(|(was, is)| (was.body.clone(), is.body.clone())).collect();
    assert_eq!(bodies, [(text("before"), text("after"))]);
}

#[test]
fn a_new_block_goes_with_what_is_new_in_it_and_what_was_moved_into_it_comes_out() {
    let mut sheet = row(1);
    let then = live(&sheet);
    let into = moved(1, Some(2), Anchor::Last);
    does(
        &mut sheet,
        &[made(2, None, Anchor::Last), made(3, Some(2), Anchor::Last), into, made(4, Some(1), Anchor::Last)],
    );
    let back = rewind(&kept(&sheet, &then), &sheet.stamp());
    let roots: Vec<_> = back.removed.iter().map(|removal| (removal.root, removal.blocks.clone())).collect();
    assert_eq!(roots, [(block(2), vec![block(2), block(3)]), (block(4), vec![block(4)])]);
    apply(&mut sheet, back);
    assert_eq!(stands(&live(&sheet)), stands(&then));
}

#[test]
fn a_block_returns_to_its_place_or_behind_the_block_that_took_it() {
    let mut sheet = row(3);
    let then = live(&sheet);
    does(&mut sheet, &[deleted(2)]);
    let back = recover(&kept(&sheet, &then), &BTreeSet::from([block(2)]), &sheet.stamp()).unwrap();
    let mut free = Sheet::default();
    free.blocks = sheet.blocks.clone();
    apply(&mut free, back);
    assert_eq!(top(&free), [block(1), block(2), block(3)]);
    let place = then[1].position.clone();
    does(&mut sheet, &[made(9, None, Anchor::At(place))]);
    let back = recover(&kept(&sheet, &then), &BTreeSet::from([block(2)]), &sheet.stamp()).unwrap();
    apply(&mut sheet, back);
    assert_eq!(top(&sheet), [block(1), block(9), block(2), block(3)]);
}

#[test]
fn a_block_whose_parent_is_gone_comes_back_at_the_end_of_the_page() {
    let mut sheet = row(3);
    does(&mut sheet, &[made(4, Some(1), Anchor::Last), made(5, Some(4), Anchor::Last)]);
    let then = live(&sheet);
    does(&mut sheet, &[deleted(1)]);
    let back = recover(&kept(&sheet, &then), &BTreeSet::from([block(4)]), &sheet.stamp()).unwrap();
    apply(&mut sheet, back);
    assert_eq!(top(&sheet), [block(2), block(3), block(4)]);
    assert_eq!(sheet.lists()[&Some(block(4))], [block(5)]);
}

#[test]
fn a_block_that_its_old_parent_cannot_hold_returns_at_the_end_of_the_page() {
    let mut sheet = row(1);
    does(&mut sheet, &[of_kind(2, None, Kind::Toggle), of_kind(3, Some(2), Kind::Callout)]);
    let then = live(&sheet);
    let turn = Patch { kind: Some(Kind::ColumnList), ..Patch::default() };
    does(&mut sheet, &[deleted(3), Operation::Update { block: block(2), version: None, patch: turn }]);
    let back = recover(&kept(&sheet, &then), &BTreeSet::from([block(3)]), &sheet.stamp()).unwrap();
    assert_eq!(back.returned[0].parent, None);
}

#[test]
fn restored_blocks_keep_the_depth_limit() {
    let mut sheet = row(1);
    does(&mut sheet, &[made(2, Some(1), Anchor::Last), made(3, Some(2), Anchor::Last)]);
    let then = live(&sheet);
    does(&mut sheet, &[deleted(2)]);
    // The old parent is at the bottom now: it needs one more level, not two.
    let deep: Vec<_> = (10..58).map(|number| made(number, (number > 10).then(|| number - 1), Anchor::Last)).collect();
    does(&mut sheet, &deep);
    does(&mut sheet, &[moved(1, Some(57), Anchor::Last)]);
    let one = recover(&kept(&sheet, &then), &BTreeSet::from([block(3)]), &sheet.stamp()).unwrap();
    assert_eq!(one.returned[0].parent, None, "its parent is gone");
    let two = recover(&kept(&sheet, &then), &BTreeSet::from([block(2)]), &sheet.stamp()).unwrap();
    let parents: Vec<_> = two.returned.iter().map(|block| (block.id, block.parent)).collect();
    assert_eq!(parents, [(block(2), None), (block(3), Some(block(2)))]);
}

#[test]
fn blocks_moved_out_earlier_and_present_blocks_stay_unchanged() {
    let mut sheet = row(2);
    does(&mut sheet, &[made(3, Some(1), Anchor::Last), made(4, Some(1), Anchor::Last)]);
    let then = live(&sheet);
    does(&mut sheet, &[moved(3, None, Anchor::Last)]);
    does(&mut sheet, &[deleted(1)]);
    let wanted = BTreeSet::from([block(1), block(2)]);
    let back = recover(&kept(&sheet, &then), &wanted, &sheet.stamp()).unwrap();
    assert_eq!(back.returned.iter().map(|block| block.id).collect::<Vec<_>>(), [block(1), block(4)]);
}

#[test]
fn a_block_that_the_version_does_not_show_is_named() {
    let mut sheet = row(1);
    let then = live(&sheet);
    does(&mut sheet, &[made(2, None, Anchor::Last), deleted(2)]);
    let wanted = BTreeSet::from([block(1), block(2), block(7)]);
    let refused = recover(&kept(&sheet, &then), &wanted, &sheet.stamp());
    assert_eq!(refused, Err(NotInVersion(vec![block(2), block(7)])));
}

#[test]
fn an_instance_comes_back_with_its_source_and_never_alone() {
    let mut sheet = row(1);
    does(&mut sheet, &[instance(2, None, 1)]);
    let then = live(&sheet);
    does(&mut sheet, &[deleted(1), deleted(2)]);
    let ids = |back: Rewind| back.returned.iter().map(|block| block.id).collect::<Vec<_>>();
    let recovered = |wanted: &[BlockId]| {
        ids(recover(&kept(&sheet, &then), &wanted.iter().copied().collect(), &sheet.stamp()).unwrap())
    };
    assert_eq!(recovered(&[block(2)]), []);
    assert_eq!(recovered(&[block(1), block(2)]), [block(1), block(2)]);
    assert_eq!(ids(rewind(&kept(&sheet, &then), &sheet.stamp())), [block(1), block(2)]);
}

#[test]
fn an_instance_of_another_page_comes_back_as_long_as_its_source_is_there() {
    let mut sheet = row(2);
    let content = json!({ "sourceBlockId": block(900) });
    let body = Body::read(Kind::SyncedBlock, Some(content), None, "block").unwrap();
    sheet.blocks.get_mut(&block(2)).unwrap().body = body;
    let then = live(&sheet);
    does(&mut sheet, &[deleted(2)]);
    let alone = kept(&sheet, &then);
    let with_source = RestoreInputs { sources_elsewhere: BTreeSet::from([block(900)]), ..alone.clone() };
    for (kept, count) in [(&alone, 0), (&with_source, 1)] {
        assert_eq!(rewind(kept, &sheet.stamp()).returned.len(), count);
        let back = recover(kept, &BTreeSet::from([block(2)]), &sheet.stamp()).unwrap();
        assert_eq!(back.returned.len(), count);
    }
}

#[test]
fn an_instance_does_not_come_back_into_what_it_shows() {
    let mut sheet = row(2);
    does(&mut sheet, &[instance(3, Some(2), 1)]);
    let then = live(&sheet);
    does(&mut sheet, &[deleted(3)]);
    does(&mut sheet, &[moved(2, Some(1), Anchor::Last)]);
    let back = recover(&kept(&sheet, &then), &BTreeSet::from([block(3)]), &sheet.stamp()).unwrap();
    assert_eq!(back, Rewind::default());
    // The whole page is restored to a state in which the block had another parent.
    assert_eq!(rewind(&kept(&sheet, &then), &sheet.stamp()).returned.len(), 1);
}
