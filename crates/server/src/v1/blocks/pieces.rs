//! Nested blocks as the content of a new page.

use super::operations::body;
use crate::wire::Reader;
use octavo_app::Draft;
use octavo_blocks_tree::{MAX_BLOCKS_READ, MAX_PIECES, Piece};
use octavo_core_model::{
    Fault,
    fault::{Issue, Violation},
    id::BlockId,
};
use serde_json::Value;

/// Like [`read`], for a document, which may have as many blocks as a page.
pub(crate) fn read_document(sent: Value) -> Draft<Vec<Piece>> {
    read_at_most(sent, MAX_BLOCKS_READ)
}

/// Reads a list of `{ id?, type, content?, properties?, children? }`, and reports every flaw.
pub(crate) fn read(sent: Value) -> Draft<Vec<Piece>> {
    read_at_most(sent, MAX_PIECES)
}

fn read_at_most(sent: Value, most: usize) -> Draft<Vec<Piece>> {
    let mut reading = Reading { count: 0, flaws: Vec::new() };
    let pieces = reading.list(sent, "blocks");
    if reading.count > most {
        return Err(Violation::new("blocks", Issue::TooLong).into());
    }
    if reading.flaws.is_empty() { Ok(pieces) } else { Err(Fault::Invalid(reading.flaws)) }
}

struct Reading {
    count: usize,
    flaws: Vec<Violation>,
}

impl Reading {
    /// Nested as deep as bodies may be.
    fn list(&mut self, sent: Value, at: &str) -> Vec<Piece> {
        let Value::Array(list) = sent else {
            self.flaws.push(Violation::new(at, Issue::InvalidType));
            return Vec::new();
        };
        list.into_iter().enumerate().filter_map(|(index, sent)| self.piece(sent, &format!("{at}.{index}"))).collect()
    }

    fn piece(&mut self, sent: Value, at: &str) -> Option<Piece> {
        self.count += 1;
        let Value::Object(mut fields) = sent else {
            self.flaws.push(Violation::new(at, Issue::InvalidType));
            return None;
        };
        let mut reader = Reader::over(&fields);
        let id = reader.nullable::<BlockId>("id").flatten().flatten();
        let flaws = reader.into_violations().into_iter();
        self.flaws.extend(flaws.map(|flaw| Violation { field: format!("{at}.{}", flaw.field), ..flaw }));
        let children = match fields.remove("children") {
            None | Some(Value::Null) => Vec::new(),
            Some(children) => self.list(children, &format!("{at}.children")),
        };
        let body = body(&mut fields, at).map_err(|flaws| self.flaws.extend(flaws)).ok()?;
        Some(Piece { id, body, children })
    }
}
