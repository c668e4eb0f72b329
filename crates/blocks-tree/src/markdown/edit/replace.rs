//! Replacing a part of the Markdown of a page.

use super::{EditIssue, around::Around, keep::keep_ids, place};
use crate::{
    Piece,
    markdown::{MAX_IMPORT_BYTES, read, write::write},
    refusal::{Budget, Refusal},
};
use octavo_core_model::cancellation::Cancellation;
use std::borrow::Cow;

pub(super) fn find_replace(
    page: Cow<'_, [Piece]>,
    find: &str,
    with: &str,
    all: bool,
    cancellation: &Cancellation,
) -> Result<Vec<Piece>, EditIssue> {
    let written = write(&page, cancellation)?;
    let matches = place::count(&written.text, find, all)?;
    check_length(&written.text, matches, find, with)?;
    if matches == 1
        && let Some(around) = Around::of(&page, &written, find, with, cancellation)
    {
        let mut page = page.into_owned();
        page.splice(around.blocks, around.pieces);
        return Ok(page);
    }
    whole(&page, &written.text, find, with, cancellation)
}

/// Parses the whole page again.
pub(super) fn whole(
    page: &[Piece],
    text: &str,
    find: &str,
    with: &str,
    cancellation: &Cancellation,
) -> Result<Vec<Piece>, EditIssue> {
    let replaced = text.replace(find, with);
    let read = read::read(&replaced, Budget::with_existing(page, replaced.len()), cancellation)?;
    Ok(keep_ids(page, read))
}

/// Refuses an edit if the text would be too long after replacing every match: a few edits must not inflate a page.
fn check_length(text: &str, matches: usize, find: &str, with: &str) -> Result<(), Refusal> {
    let most = MAX_IMPORT_BYTES.max(text.len());
    let length = matches.checked_mul(with.len()).and_then(|added| added.checked_add(text.len() - matches * find.len()));
    if length.is_none_or(|length| length > most) { Err(Refusal::TooLong { most }) } else { Ok(()) }
}
