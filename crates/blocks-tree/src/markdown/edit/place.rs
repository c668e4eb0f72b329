//! Finding the place of an edit.

use super::{Anchor, EditIssue};
use crate::{
    MAX_DEPTH, Piece,
    markdown::write::{Span, write},
    refusal::{Refusal, check_nesting},
};
use octavo_core_model::{cancellation::Cancellation, id::BlockId};
use std::ops::Range;

/// The path to a block: an index for each level.
type Path = Vec<usize>;

/// How often a text occurs; an error if that is not often enough or too often.
pub(super) fn count(text: &str, find: &str, all: bool) -> Result<usize, EditIssue> {
    let matches = if find.is_empty() { 0 } else { text.matches(find).count() };
    match matches {
        0 => Err(EditIssue::FindNotFound),
        1 => Ok(1),
        matches if all => Ok(matches),
        matches => Err(EditIssue::FindNotUnique { matches }),
    }
}

pub(super) fn of(page: &[Piece], anchor: &Anchor, cancellation: &Cancellation) -> Result<Path, EditIssue> {
    match anchor {
        Anchor::Block(id) => {
            let mut path = Path::new();
            if descend(page, *id, &mut path) { Ok(path) } else { Err(EditIssue::UnknownBlock(*id)) }
        }
        Anchor::Find(find) => {
            let written = write(page, cancellation)?;
            count(&written.text, find, false)?;
            let start = written.text.find(find).ok_or(EditIssue::FindNotFound)?;
            Ok(holding(page, &written.spans, &(start..start + find.len())))
        }
    }
}

fn descend(pieces: &[Piece], id: BlockId, path: &mut Path) -> bool {
    for (index, piece) in pieces.iter().enumerate() {
        path.push(index);
        if piece.id == Some(id) || descend(&piece.children, id, path) {
            return true;
        }
        path.pop();
    }
    false
}

/// The innermost block that contains a whole part of the text. If neighbours share the part, the block that contains
/// its end.
fn holding(page: &[Piece], spans: &[Span], part: &Range<usize>) -> Path {
    let mut path = Path::new();
    let (mut level, mut at) = (page, 0);
    loop {
        let mut index = 0;
        while index + 1 < level.len() && spans[at].whole.end < part.end {
            at = spans[at].next;
            index += 1;
        }
        path.push(index);
        let Some(piece) = level.get(index) else { return path };
        let is_within = part.start >= spans[at].inner && part.end <= last_end(&spans[at + 1..spans[at].next]);
        if piece.children.is_empty() || !is_within {
            return path;
        }
        level = &piece.children;
        at += 1;
    }
}

/// Where the last child ends.
fn last_end(children: &[Span]) -> usize {
    children.iter().map(|span| span.whole.end).max().unwrap_or(0)
}

/// Inserts blocks after another one, with the same parent.
pub(super) fn insert_behind(page: &mut Vec<Piece>, path: &[usize], new: Vec<Piece>) -> Result<(), Refusal> {
    let Some((index, above)) = path.split_last() else { return Ok(()) };
    if above.len() + height(&new) > MAX_DEPTH {
        return Err(Refusal::TooDeep);
    }
    let mut siblings = page;
    let mut parent = None;
    for step in above {
        let Some(piece) = siblings.get_mut(*step) else { return Ok(()) };
        parent = Some(piece.body.kind());
        siblings = &mut piece.children;
    }
    check_nesting(&new, parent)?;
    let behind = (index + 1).min(siblings.len());
    siblings.splice(behind..behind, new);
    Ok(())
}

fn height(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| 1 + height(&piece.children)).max().unwrap_or(0)
}
