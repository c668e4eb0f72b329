//! Edits of a page that are expressed as Markdown.

mod align;
mod around;
mod flat;
mod keep;
mod place;
mod replace;
mod similar;
#[cfg(test)]
mod tests;

use super::read;
use crate::{
    Piece,
    refusal::{Refusal, go_on},
};
use keep::keep_ids;
use octavo_core_model::{cancellation::Cancellation, id::BlockId};
use replace::find_replace;
use std::borrow::Cow;

/// One edit. Edits are applied in order, each to the result of the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    Append {
        markdown: String,
    },
    Prepend {
        markdown: String,
    },
    ReplaceAll {
        markdown: String,
    },
    InsertAfter {
        anchor: Anchor,
        markdown: String,
    },
    /// Replaces a part of the Markdown of the page, or with `all` every equal part.
    FindReplace {
        find: String,
        markdown: String,
        all: bool,
    },
}

impl Edit {
    /// The size of its text in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Append { markdown }
            | Self::Prepend { markdown }
            | Self::ReplaceAll { markdown }
            | Self::InsertAfter { markdown, .. }
            | Self::FindReplace { markdown, .. } => markdown.len(),
        }
    }
}

/// The block after which something is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    Block(BlockId),
    /// The innermost block whose Markdown contains this text.
    Find(String),
}

/// Why nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditFault {
    /// The index of the edit.
    pub index: usize,
    pub issue: EditIssue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditIssue {
    FindNotFound,
    FindNotUnique {
        matches: usize,
    },
    /// The page has no block with this id.
    UnknownBlock(BlockId),
    Refused(Refusal),
}

impl From<Refusal> for EditIssue {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The page after all edits, or an error if one fails. Blocks that stay keep their ids; new ones have none.
pub fn edit(page: &[Piece], edits: &[Edit], cancellation: &Cancellation) -> Result<Vec<Piece>, EditFault> {
    let mut page = Cow::Borrowed(page);
    for (index, edit) in edits.iter().enumerate() {
        let done = go_on(cancellation).map_err(EditIssue::from).and_then(|()| apply(page, edit));
        page = Cow::Owned(done.map_err(|issue| EditFault { index, issue })?);
    }
    Ok(page.into_owned())
}

fn apply(page: Cow<'_, [Piece]>, edit: &Edit) -> Result<Vec<Piece>, EditIssue> {
    match edit {
        Edit::ReplaceAll { markdown } => Ok(keep_ids(&page, read(markdown)?)),
        Edit::FindReplace { find, markdown, all } => find_replace(page, find, markdown, *all),
        Edit::Append { markdown } => {
            let mut pieces = page.into_owned();
            pieces.extend(read(markdown)?);
            Ok(pieces)
        }
        Edit::Prepend { markdown } => {
            let mut pieces = read(markdown)?;
            pieces.extend(page.into_owned());
            Ok(pieces)
        }
        Edit::InsertAfter { anchor, markdown } => {
            let path = place::of(&page, anchor)?;
            let mut page = page.into_owned();
            place::insert_behind(&mut page, &path, read(markdown)?)?;
            Ok(page)
        }
    }
}
