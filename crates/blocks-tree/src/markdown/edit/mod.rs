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

use super::read_cancellable as read;
use crate::{
    Piece,
    refusal::{Refusal, check_cancelled},
};
use keep::keep_ids;
use octavo_core_model::{cancellation::Cancellation, id::BlockId};
use replace::find_replace;
use std::borrow::Cow;

/// One edit. Edits are applied in order, each to the result of the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Adds blocks at the end of the page.
    Append {
        /// The Markdown of the new blocks.
        markdown: String,
    },
    /// Adds blocks at the beginning of the page.
    Prepend {
        /// The Markdown of the new blocks.
        markdown: String,
    },
    /// Replaces the whole page.
    ReplaceAll {
        /// The Markdown of the whole page.
        markdown: String,
    },
    /// Adds blocks after another one.
    InsertAfter {
        /// The block in front of the new ones.
        anchor: Anchor,
        /// The Markdown of the new blocks.
        markdown: String,
    },
    /// Replaces a part of the Markdown of the page, or with `all` every equal part.
    FindReplace {
        /// What to look for.
        find: String,
        /// What to put in its place.
        markdown: String,
        /// Whether to replace every occurrence; otherwise there has to be exactly one.
        all: bool,
    },
}

impl Edit {
    /// Its text.
    pub fn markdown(&self) -> &str {
        match self {
            Self::Append { markdown }
            | Self::Prepend { markdown }
            | Self::ReplaceAll { markdown }
            | Self::InsertAfter { markdown, .. }
            | Self::FindReplace { markdown, .. } => markdown,
        }
    }
}

/// The block after which something is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The block with this id.
    Block(BlockId),
    /// The innermost block whose Markdown contains this text.
    Find(String),
}

/// Why nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditFault {
    /// The index of the edit.
    pub index: usize,
    /// What is wrong with it.
    pub issue: EditIssue,
}

/// What is wrong with an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditIssue {
    /// The page does not hold what it looks for.
    FindNotFound,
    /// The page holds it in several places, and `all` is not set.
    FindNotUnique {
        /// In how many places.
        matches: usize,
    },
    /// The page has no block with this id.
    UnknownBlock(BlockId),
    /// The Markdown cannot be read.
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
        let done =
            check_cancelled(cancellation).map_err(EditIssue::from).and_then(|()| apply(page, edit, cancellation));
        page = Cow::Owned(done.map_err(|issue| EditFault { index, issue })?);
    }
    Ok(page.into_owned())
}

fn apply(page: Cow<'_, [Piece]>, edit: &Edit, cancellation: &Cancellation) -> Result<Vec<Piece>, EditIssue> {
    match edit {
        Edit::ReplaceAll { markdown } => Ok(keep_ids(&page, read(markdown, cancellation)?)),
        Edit::FindReplace { find, markdown, all } => find_replace(page, find, markdown, *all, cancellation),
        Edit::Append { markdown } => {
            let mut pieces = page.into_owned();
            pieces.extend(read(markdown, cancellation)?);
            Ok(pieces)
        }
        Edit::Prepend { markdown } => {
            let mut pieces = read(markdown, cancellation)?;
            pieces.extend(page.into_owned());
            Ok(pieces)
        }
        Edit::InsertAfter { anchor, markdown } => {
            let path = place::of(&page, anchor, cancellation)?;
            let mut page = page.into_owned();
            place::insert_behind(&mut page, &path, read(markdown, cancellation)?)?;
            Ok(page)
        }
    }
}
