//! Pages are turned into wanted states.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use crate::{kind::Kind, rich_text::RichText};
use octavo_core_model::{
    id::{PageId, UserId, WorkspaceId},
    time::Timestamp,
};
use proptest::prelude::*;

fn id(number: u16) -> BlockId {
    let [high, low] = number.to_be_bytes();
    BlockId::new(1, [0, 0, 0, 0, 0, 0, 0, 0, high, low])
}

fn stamp() -> Stamp {
    Stamp {
        workspace: WorkspaceId::LOWEST,
        page: PageId::LOWEST,
        by: UserId::LOWEST,
        now: Timestamp::from_millis(7),
        page_version: 2,
    }
}

fn piece(number: Option<u16>, text: &str) -> Piece {
    Piece { id: number.map(id), ..Piece::new(Body::with_text(Kind::Paragraph, RichText::plain(text))) }
}

/// What a store would contain after an arrangement.
fn written(now: &[Block], done: &Arrangement) -> Vec<Block> {
    let gone: BTreeSet<_> = done.removed.iter().flat_map(|removal| removal.blocks.iter().copied()).collect();
    let mut blocks: BTreeMap<_, _> = now.iter().map(|block| (block.id, block.clone())).collect();
    for block in done.inserted.iter().chain(&done.saved) {
        blocks.insert(block.id, block.clone());
    }
    for (id, position) in &done.respread {
        blocks.get_mut(id).unwrap().position = position.clone();
    }
    blocks.into_values().filter(|block| !gone.contains(&block.id)).collect()
}

fn run(now: &[Block], wanted: &[Piece]) -> (Arrangement, Vec<Block>) {
    let mut next = 1000 + u16::try_from(now.len()).unwrap();
    let mut draw = || {
        next += 1;
        id(next)
    };
    let done = arrange(now.to_vec(), wanted.to_vec(), &BTreeSet::new(), &stamp(), &mut draw).unwrap();
    let after = written(now, &done);
    (done, after)
}

fn without_ids(pieces: &[Piece]) -> Vec<Piece> {
    pieces.iter().map(|piece| Piece { id: None, children: without_ids(&piece.children), ..piece.clone() }).collect()
}

/// Trees over a few ids: some belong to existing blocks, others do not.
fn tree(depth: u32) -> BoxedStrategy<Vec<(Option<u16>, String, u8)>> {
    let one = (proptest::option::of(1u16..12), "[ab]", 0..u8::try_from(depth).unwrap());
    prop::collection::vec(one, 0..14).boxed()
}

/// The parent of each piece is the last shallower one before it; each id is used once.
fn pieces(list: &[(Option<u16>, String, u8)], there: &BTreeSet<u16>) -> Vec<Piece> {
    let mut used = BTreeSet::new();
    let mut stack: Vec<(u8, Piece)> = Vec::new();
    let mut top = Vec::new();
    let fold = |stack: &mut Vec<(u8, Piece)>, top: &mut Vec<Piece>| {
        if let Some((_, piece)) = stack.pop() {
            match stack.last_mut() {
                Some((_, parent)) => parent.children.push(piece),
                None => top.push(piece),
            }
        }
    };
    for (number, text, depth) in list {
        while stack.last().is_some_and(|(above, _)| above >= depth) {
            fold(&mut stack, &mut top);
        }
        let number = number.filter(|number| there.contains(number) && used.insert(*number));
        stack.push((*depth, piece(number, text)));
    }
    while !stack.is_empty() {
        fold(&mut stack, &mut top);
    }
    top
}

fn rename(pieces: &mut [Piece], names: &BTreeMap<BlockId, BlockId>) {
    for piece in pieces {
        piece.id = piece.id.and_then(|id| names.get(&id).copied());
        rename(&mut piece.children, names);
    }
}

fn agree(is: &[Piece], wanted: &[Piece]) -> bool {
    is.iter()
        .zip(wanted)
        .all(|(is, wanted)| (wanted.id.is_none() || is.id == wanted.id) && agree(&is.children, &wanted.children))
}

proptest! {
    #[test]
    fn the_page_becomes_what_is_wanted(first in tree(4), second in tree(4)) {
        let all: BTreeSet<u16> = (1..12).collect();
        let (_, now) = run(&[], &without_ids(&pieces(&first, &all)));
        // The ids 1, 2, 3, ... belong to existing blocks.
        let names: BTreeMap<_, _> = now.iter().map(|block| block.id).zip(1u16..).map(|(real, number)| (id(number), real)).collect();
        let mut wanted = pieces(&second, &all);
        rename(&mut wanted, &names);
        let (done, after) = run(&now, &wanted);
        let is = pieces_of(&after);
        prop_assert_eq!(without_ids(&is), without_ids(&wanted));
        // Named blocks are still the same blocks.
        prop_assert!(agree(&is, &wanted));
        // A repetition changes nothing.
        let (again, _) = run(&after, &is);
        prop_assert!(again.inserted.is_empty() && again.saved.is_empty() && again.removed.is_empty() && again.respread.is_empty());
        prop_assert_eq!(done.blocks.len(), after.len());
    }
}

#[test]
fn a_block_that_stays_keeps_its_version_and_its_place() {
    let (_, now) = run(&[], &[piece(None, "one"), piece(None, "two"), piece(None, "three")]);
    let now = crate::in_order(&now).into_iter().cloned().collect::<Vec<_>>();
    let mut wanted = pieces_of(&now);
    wanted.insert(1, piece(None, "new"));
    wanted[3].body = Body::with_text(Kind::Paragraph, RichText::plain("changed"));
    let (done, _) = run(&now, &wanted);
    assert_eq!(done.inserted.len(), 1);
    assert_eq!(done.saved.iter().map(|block| (block.id, block.version)).collect::<Vec<_>>(), [(now[2].id, 2)]);
    assert!(done.removed.is_empty() && done.respread.is_empty());
}

#[test]
fn an_instance_that_was_to_stay_goes_with_its_source() {
    let shows = |source: BlockId| Piece { id: None, ..Piece::new(Body::empty(Kind::SyncedBlock).with_source(source)) };
    let (_, now) = run(&[], &[piece(Some(1), "source"), shows(id(1)), piece(Some(2), "other")]);
    let mut wanted = pieces_of(&now);
    let instance = wanted[1].id.unwrap();
    wanted.remove(0);
    let (done, after) = run(&now, &wanted);
    assert_eq!(done.blocks, [id(2)]);
    let mut gone: Vec<_> = done.removed.iter().flat_map(|removal| removal.blocks.clone()).collect();
    gone.sort_unstable();
    assert_eq!(gone, [id(1), instance]);
    assert_eq!(after.iter().map(|block| block.id).collect::<Vec<_>>(), [id(2)]);
}

#[test]
fn a_kept_instance_does_not_end_up_in_its_source() {
    let shows = |source: BlockId| Piece::new(Body::empty(Kind::SyncedBlock).with_source(source));
    let holder = piece(Some(2), "holder").with(vec![shows(id(1))]);
    let (_, now) = run(&[], &[piece(Some(1), "source"), holder]);
    let mut wanted = pieces_of(&now);
    let holder = wanted.remove(1);
    let instance = holder.children[0].id.unwrap();
    wanted[0].children.push(holder);
    let done = arrange(now, wanted, &BTreeSet::new(), &stamp(), &mut || panic!("nothing is made"));
    assert_eq!(done, Err(BlockProblem::SyncCycle(instance)));
}

#[test]
fn an_instance_that_outlived_its_source_stays_as_long_as_nobody_touches_it() {
    let source = serde_json::Map::from_iter([("sourceBlockId".to_owned(), id(900).to_string().into())]);
    let empty =
        Piece { id: Some(id(1)), ..Piece::new(Body::from_stored(Kind::SyncedBlock, source, serde_json::Map::new())) };
    let mut draw = || id(1);
    let sources = BTreeSet::from([id(900)]);
    let now = arrange(Vec::new(), vec![empty.clone()], &sources, &stamp(), &mut draw).unwrap().inserted;
    let (done, after) = run(&now, &[empty, piece(None, "behind")]);
    assert_eq!((done.removed.len(), pieces_of(&after).len()), (0, 2));
}
