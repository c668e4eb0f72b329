//! Compares batches with plain lists, and tests single rules.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

pub(crate) mod model;
mod single;

use super::*;
use crate::{body::Body, kind::Kind, rich_text::RichText};
use model::{Sheet, block, text};
use octavo_core_model::id::BlockId;
use proptest::prelude::*;

/// A change that names blocks by number, so that random ones often fit.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Insert { parent: Option<usize>, near: Near },
    Move { block: usize, parent: Option<usize>, near: Near },
    Delete { block: usize },
    Update { block: usize },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Near {
    Last,
    After(usize),
    Before(usize),
}

fn near() -> impl Strategy<Value = Near> {
    prop_oneof![Just(Near::Last), any::<usize>().prop_map(Near::After), any::<usize>().prop_map(Near::Before),]
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let parent = || proptest::option::of(any::<usize>());
    prop_oneof![
        4 => (parent(), near()).prop_map(|(parent, near)| Step::Insert { parent, near }),
        3 => (any::<usize>(), parent(), near()).prop_map(|(block, parent, near)| Step::Move { block, parent, near }),
        1 => any::<usize>().prop_map(|block| Step::Delete { block }),
        1 => any::<usize>().prop_map(|block| Step::Update { block }),
    ]
}

fn pick(ids: &[BlockId], number: usize) -> Option<BlockId> {
    if ids.is_empty() { None } else { Some(ids[number % ids.len()]) }
}

/// The operation of a step, on existing blocks or those that earlier steps create.
pub(crate) fn operation(step: &Step, ids: &mut Vec<BlockId>, fresh: BlockId) -> Option<Operation> {
    let target = |parent: Option<usize>, near: Near, ids: &[BlockId]| {
        let anchor = match near {
            Near::Last => Anchor::Last,
            Near::After(number) => pick(ids, number).map_or(Anchor::Last, Anchor::After),
            Near::Before(number) => pick(ids, number).map_or(Anchor::Last, Anchor::Before),
        };
        let parent = if anchor == Anchor::Last { Some(parent.and_then(|parent| pick(ids, parent))) } else { None };
        Target { parent, anchor }
    };
    Some(match step {
        Step::Insert { parent, near } => {
            let target = target(*parent, *near, ids);
            ids.push(fresh);
            Operation::Insert(Insertion { id: Some(fresh), body: text("new"), target })
        }
        Step::Move { block, parent, near } => {
            Operation::Move { block: pick(ids, *block)?, version: None, target: target(*parent, *near, ids) }
        }
        Step::Delete { block } => Operation::Delete { block: pick(ids, *block)?, version: None },
        Step::Update { block } => {
            let patch = Patch { content: Some("changed".into()), ..Patch::default() };
            Operation::Update { block: pick(ids, *block)?, version: None, patch }
        }
    })
}

proptest! {
    /// After any batch, the page has the same order as after applying the same operations to plain lists, and a
    /// refused batch changes nothing.
    #[test]
    fn a_batch_does_what_its_operations_do_one_by_one_on_whole_lists(
        batches in prop::collection::vec(prop::collection::vec(step(), 1..12), 1..8),
    ) {
        let (mut sheet, mut number) = (Sheet::default(), 0);
        for steps in batches {
            let mut ids = sheet.ids();
            let mut operations = Vec::new();
            for step in &steps {
                number += 1;
                operations.extend(operation(step, &mut ids, block(number)));
            }
            let by_hand = sheet.by_hand(&operations);
            match sheet.run(&operations) {
                Ok(plan) => {
                    prop_assert!(by_hand.is_some(), "what cannot be done by hand is refused");
                    sheet.write(plan);
                    prop_assert_eq!(Some(sheet.lists()), by_hand);
                    prop_assert!(sheet.is_sound());
                }
                Err(_) => prop_assert!(by_hand.is_none(), "what can be done by hand is done"),
            }
        }
    }
}

#[test]
fn a_thousand_blocks_put_at_one_place_stay_in_order_and_keys_stay_short() {
    let mut sheet = Sheet::default();
    let (first, last) = (block(1), block(2));
    let plan = sheet.run(&[insert(first, Anchor::Last), insert(last, Anchor::Last)]).unwrap();
    sheet.write(plan);
    let mut expected = vec![first];
    for number in 0..1000 {
        let id = block(10 + number);
        // Always right after the first block, so that the room between two keys is halved each time.
        let plan = sheet.run(&[insert(id, Anchor::After(first))]).unwrap();
        sheet.write(plan);
        expected.insert(1, id);
    }
    expected.push(last);
    assert_eq!(sheet.lists().get(&None), Some(&expected));
    assert!(sheet.is_sound());
    assert!(sheet.blocks.values().all(|block| block.position.as_str().len() <= 100));
}

fn insert(id: BlockId, anchor: Anchor) -> Operation {
    let body = Body::with_text(Kind::Paragraph, RichText::plain("text"));
    Operation::Insert(Insertion { id: Some(id), body, target: Target { parent: None, anchor } })
}
