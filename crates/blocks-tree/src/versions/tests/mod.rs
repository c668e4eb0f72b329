//! Restoring earlier versions.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod single;

use super::*;
use crate::batch::tests::{
    Step,
    model::{Sheet, block},
    operation, step,
};
use octavo_core_model::position::Position;
use proptest::prelude::*;

/// Applies random batches and skips those that are refused.
fn play(sheet: &mut Sheet, batches: &[Vec<Step>], number: &mut u16) {
    for steps in batches {
        let mut ids = sheet.ids();
        let mut operations = Vec::new();
        for step in steps {
            *number += 1;
            operations.extend(operation(step, &mut ids, block(*number)));
        }
        if let Ok(plan) = sheet.run(&operations) {
            write(sheet, plan);
        }
    }
}

/// The store also counts a deletion as a change of the block.
fn write(sheet: &mut Sheet, plan: crate::batch::Plan) {
    let removed: Vec<_> = plan.removed.iter().flat_map(|removal| removal.blocks.clone()).collect();
    sheet.write(plan);
    for id in removed {
        sheet.blocks.get_mut(&id).unwrap().version += 1;
    }
}

fn live(sheet: &Sheet) -> Vec<Block> {
    sheet.blocks.values().filter(|block| block.deletion.is_none()).cloned().collect()
}

/// The page with its history.
fn kept(sheet: &Sheet, then: &[Block]) -> RestoreInputs {
    let gone = then.iter().filter_map(|block| sheet.blocks.get(&block.id)).filter(|block| block.deletion.is_some());
    RestoreInputs {
        now: live(sheet),
        then: then.to_vec(),
        gone: gone.map(|block| (block.id, block.clone())).collect(),
        sources_elsewhere: BTreeSet::new(),
    }
}

fn apply(sheet: &mut Sheet, rewind: Rewind) {
    for block in rewind.returned.into_iter().chain(rewind.saved) {
        let before = sheet.blocks.insert(block.id, block.clone()).unwrap();
        assert_eq!(block.version, before.version + 1, "a block that changes counts it");
    }
    for (id, position) in rewind.respread {
        sheet.blocks.get_mut(&id).unwrap().position = position;
    }
    for removal in rewind.removed {
        for id in removal.blocks {
            let deletion = crate::Deletion { at: sheet.stamp().now, root: removal.root };
            sheet.blocks.get_mut(&id).unwrap().deletion = Some(deletion);
        }
    }
}

fn stands(blocks: &[Block]) -> BTreeMap<BlockId, (Option<BlockId>, Position, crate::Body)> {
    blocks.iter().map(|block| (block.id, (block.parent, block.position.clone(), block.body.clone()))).collect()
}

fn batches() -> impl Strategy<Value = Vec<Vec<Step>>> {
    prop::collection::vec(prop::collection::vec(step(), 1..8), 1..10)
}

proptest! {
    #[test]
    fn a_page_does_not_differ_from_itself(done in batches()) {
        let mut sheet = Sheet::default();
        play(&mut sheet, &done, &mut 0);
        prop_assert_eq!(diff(&live(&sheet), &live(&sheet)), Diff::default());
    }

    /// Reverting the difference restores the page: the difference is complete and minimal.
    #[test]
    fn a_difference_tells_everything_and_nothing_twice(first in batches(), second in batches()) {
        let (mut sheet, mut number) = (Sheet::default(), 0);
        play(&mut sheet, &first, &mut number);
        let then = live(&sheet);
        play(&mut sheet, &second, &mut number);
        let (before, after) = (stands(&then), stands(&live(&sheet)));
        let found = diff(&then, &live(&sheet));
        let unique = |ids: Vec<BlockId>| { let all = ids.len(); let set: BTreeSet<_> = ids.into_iter().collect(); assert_eq!(set.len(), all); set };
        let added = unique(found.added.iter().map(|block| block.id).collect());
        let removed = unique(found.removed.iter().map(|block| block.id).collect());
        let changed = unique(found.changed.iter().map(|(was, _)| was.id).collect());
        let moved = unique(found.moved.iter().map(|moved| moved.block).collect());
        for (id, (parent, position, body)) in &after {
            let Some((was_in, was_at, was)) = before.get(id) else {
                prop_assert!(added.contains(id));
                continue;
            };
            prop_assert!(!added.contains(id));
            prop_assert_eq!(changed.contains(id), was != body);
            let stayed = was_in == parent && was_at == position;
            prop_assert!(!(stayed && moved.contains(id)), "what stands where it stood was not moved");
            prop_assert!(was_in == parent || moved.contains(id), "what stands in something else was moved");
        }
        let gone: BTreeSet<_> = before.keys().filter(|id| !after.contains_key(id)).copied().collect();
        prop_assert_eq!(&removed, &gone);
        // Blocks that were not moved keep their order.
        for parent in after.values().map(|(parent, ..)| *parent).collect::<BTreeSet<_>>() {
            let order = |state: &BTreeMap<BlockId, (Option<BlockId>, Position, crate::Body)>| {
                let mut siblings: Vec<_> = after
                    .iter()
                    .filter(|(id, (stands_in, ..))| *stands_in == parent && before.contains_key(id) && !moved.contains(id))
                    .map(|(id, _)| *id)
                    .collect();
                siblings.sort_by_key(|id| state[id].1.clone());
                siblings
            };
            prop_assert_eq!(order(&before), order(&after));
        }
    }

    #[test]
    fn going_back_makes_the_page_what_it_was(first in batches(), second in batches()) {
        let (mut sheet, mut number) = (Sheet::default(), 0);
        play(&mut sheet, &first, &mut number);
        let then = live(&sheet);
        play(&mut sheet, &second, &mut number);
        let back = rewind(&kept(&sheet, &then), &sheet.stamp());
        let is_same = stands(&live(&sheet)) == stands(&then);
        prop_assert_eq!(back == Rewind::default(), is_same, "what is the same is not written");
        apply(&mut sheet, back);
        prop_assert_eq!(stands(&live(&sheet)), stands(&then));
        prop_assert_eq!(diff(&then, &live(&sheet)), Diff::default());
    }

    #[test]
    fn blocks_that_come_back_bring_what_stood_in_them_and_leave_the_page_sound(
        first in batches(),
        second in batches(),
        picks in prop::collection::vec(any::<usize>(), 1..6),
    ) {
        let (mut sheet, mut number) = (Sheet::default(), 0);
        play(&mut sheet, &first, &mut number);
        let then = live(&sheet);
        play(&mut sheet, &second, &mut number);
        if then.is_empty() {
            return Ok(());
        }
        let wanted: BTreeSet<_> = picks.iter().map(|pick| then[pick % then.len()].id).collect();
        let before = stands(&live(&sheet));
        let back = recover(&kept(&sheet, &then), &wanted, &sheet.stamp()).unwrap();
        let returned: BTreeSet<_> = back.returned.iter().map(|block| block.id).collect();
        prop_assert!(back.saved.is_empty() && back.removed.is_empty() && back.respread.is_empty());
        apply(&mut sheet, back);
        prop_assert!(sheet.is_sound());
        let after = stands(&live(&sheet));
        prop_assert!(before.iter().all(|(id, stood)| after.get(id) == Some(stood)), "what is there stays as it is");
        let was = stands(&then);
        for id in &wanted {
            prop_assert!(after.contains_key(id));
        }
        for (id, (parent, _, body)) in &was {
            prop_assert!(!returned.contains(id) || after[id].2 == *body, "it says again what it said");
            let came_along = parent.is_some_and(|parent| returned.contains(&parent)) && !before.contains_key(id);
            prop_assert!(!came_along || after[id].0 == *parent, "what stood in it stands in it again");
        }
    }
}
