//! Properties that the parsers must have for any input. The fuzz targets run this with a nightly compiler, the tests
//! with random texts.

use octavo_blocks_tree::{
    Body, Kind, MAX_BLOCKS_READ, Piece, RichText, html, json,
    markdown::{self, Anchor, Edit, edit, read, write},
};
use octavo_core_model::{cancellation::Cancellation, id::BlockId};
use serde_json::Value;

/// If a text parses, writing the result and parsing that gives the same result.
pub(super) fn markdown(text: &str) {
    if let Ok(pieces) = read(text) {
        assert_eq!(read(&write(&pieces)), Ok(pieces));
    }
}

/// If HTML parses, the result can be written as Markdown and as HTML.
pub(super) fn html(text: &str) {
    if let Ok((title, pieces)) = html::read(text) {
        assert_eq!(markdown::read(&markdown::write(&pieces)).as_ref(), Ok(&pieces));
        let written = html::write(&title.unwrap_or_default(), &pieces, &|id| Some(format!("/{id}")));
        assert!(html::read(&written).is_ok());
    }
}

/// Any input for a block is either refused, or becomes a block that can be written as Markdown. The first byte
/// chooses the type, the rest is the JSON of content and properties.
pub(super) fn rich_text(sent: &[u8]) {
    let Some((kind, json)) = sent.split_first() else { return };
    let Ok(keys) = serde_json::from_slice::<Value>(json) else { return };
    let kind = Kind::ALL[usize::from(*kind) % Kind::ALL.len()];
    let Ok(body) = Body::read(kind, Some(keys.clone()), Some(keys), "block") else { return };
    if let Some(text) = body.text() {
        assert_eq!(&RichText::from_stored(&text.to_json()), text);
    }
    for other in Kind::ALL {
        let _ = body.turned_into(*other);
    }
    let pieces = vec![Piece::new(body)];
    assert_eq!(markdown::read(&markdown::write(&pieces)), Ok(pieces));
}

/// Any list of nested blocks is either refused, or becomes blocks that read the same from the JSON of an export.
pub(super) fn json_list(sent: &[u8]) {
    let Ok(list) = serde_json::from_slice::<Value>(sent) else { return };
    let read = |list| json::read(list, MAX_BLOCKS_READ, &Cancellation::default());
    if let Ok(pieces) = read(list) {
        assert_eq!(read(exported(&pieces)), Ok(pieces));
    }
}

fn exported(pieces: &[Piece]) -> Value {
    let block = |piece: &Piece| {
        serde_json::json!({
            "id": piece.id.map(|id| id.to_string()),
            "type": piece.body.kind().name(),
            "content": piece.body.content(),
            "properties": piece.body.properties(),
            "children": exported(&piece.children),
        })
    };
    pieces.iter().map(block).collect()
}

/// After an edit a page contains what its changed Markdown says, and no block gets the id of another. Three bytes
/// choose the part to replace; then come the page and, after a record separator, the replacement.
pub(super) fn edited(sent: &[u8]) {
    let Some(([high, low, length], rest)) = sent.split_first_chunk() else { return };
    let Some((before, markdown)) = str::from_utf8(rest).ok().and_then(|text| text.split_once('\u{1e}')) else { return };
    let Ok(mut page) = read(before) else { return };
    number(&mut page, &mut 0);
    let text = write(&page);
    let Some(find) = part(&text, usize::from(u16::from_be_bytes([*high, *low])), usize::from(*length)) else { return };
    let all = text.matches(find).count() > 1;
    let replacing = Edit::FindReplace { find: find.to_owned(), markdown: markdown.to_owned(), all };
    if let (Ok(mut after), Ok(expected)) =
        (edit(&page, &[replacing], &Cancellation::default()), read(&text.replace(find, markdown)))
    {
        let mut kept = Vec::new();
        take_ids(&mut after, &mut kept);
        assert_eq!(after, expected);
        let all = kept.len();
        kept.sort_unstable();
        kept.dedup();
        assert_eq!(kept.len(), all);
    }
    let behind = Edit::InsertAfter { anchor: Anchor::Find(find.to_owned()), markdown: markdown.to_owned() };
    if let Ok(after) = edit(&page, &[behind], &Cancellation::default()) {
        assert_eq!(count(&after), count(&page) + read(markdown).map_or(0, |new| count(&new)));
    }
}

/// A part of the text, for any two numbers.
fn part(text: &str, at: usize, length: usize) -> Option<&str> {
    let start = text.floor_char_boundary(at % text.len().max(1));
    let end = text.ceil_char_boundary((start + length % 24 + 1).min(text.len()));
    text.get(start..end).filter(|part| !part.is_empty())
}

fn number(pieces: &mut [Piece], next: &mut i64) {
    for piece in pieces {
        piece.id = Some(BlockId::new(*next, [0; 10]));
        *next += 1;
        number(&mut piece.children, next);
    }
}

fn take_ids(pieces: &mut [Piece], taken: &mut Vec<BlockId>) {
    for piece in pieces {
        taken.extend(piece.id.take());
        take_ids(&mut piece.children, taken);
    }
}

fn count(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| 1 + count(&piece.children)).sum()
}
