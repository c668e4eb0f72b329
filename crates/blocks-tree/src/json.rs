//! Nested blocks as JSON: lists of `{ id?, type, content?, properties?, children? }`.

use crate::{body::Body, kind::Kind, piece::Piece};
use octavo_core_model::{
    cancellation::Cancellation,
    fault::{Hint, Issue, Violation},
    id::BlockId,
};
use serde_json::{Map, Value};

/// Why a list of blocks is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum ListFault {
    /// It has more blocks than may be sent.
    TooMany,
    /// All its flaws, with their paths.
    Flawed(Vec<Violation>),
    /// The caller no longer waits for it.
    Cancelled,
}

/// Reads a list of at most `most` blocks and reports every flaw. Cancellation is checked at each block. The paths of
/// flaws begin with `blocks`.
pub fn read(sent: Value, most: usize, cancellation: &Cancellation) -> Result<Vec<Piece>, ListFault> {
    let mut reading = Reading { cancellation, most, count: 0, flaws: Vec::new() };
    let pieces = reading.list(sent, "blocks");
    if cancellation.is_cancelled() {
        return Err(ListFault::Cancelled);
    }
    if reading.count > most {
        return Err(ListFault::TooMany);
    }
    if reading.flaws.is_empty() { Ok(pieces) } else { Err(ListFault::Flawed(reading.flaws)) }
}

/// Reads type, content and properties of a block; removes the latter two from the fields. `at` is the path of the block
/// in the request.
pub fn body(fields: &mut Map<String, Value>, at: &str) -> Result<Body, Vec<Violation>> {
    let Some(kind) = kind(fields, at)? else {
        return Err(vec![Violation::new(path(at, "type"), Issue::Required)]);
    };
    Body::read(kind, fields.remove("content"), fields.remove("properties"), at)
}

/// Reads the type of a block, if one is sent.
pub fn kind(fields: &Map<String, Value>, at: &str) -> Result<Option<Kind>, Vec<Violation>> {
    let Some(sent) = fields.get("type") else { return Ok(None) };
    let flaw = |issue| vec![Violation::new(path(at, "type"), issue).with(sent.clone())];
    let name = sent.as_str().ok_or_else(|| flaw(Issue::InvalidType))?;
    Kind::parse(name).map(Some).ok_or_else(|| {
        let known = Hint::one_of(Kind::ALL.iter().map(|kind| kind.name()));
        flaw(Issue::InvalidValue).into_iter().map(|flaw| flaw.hinting(known.clone())).collect()
    })
}

/// Reads the id of a block, if one is sent.
fn id(fields: &Map<String, Value>, at: &str) -> Result<Option<BlockId>, Violation> {
    let Some(sent) = fields.get("id").filter(|sent| !sent.is_null()) else { return Ok(None) };
    let flaw = |issue| Violation::new(path(at, "id"), issue).with(sent.clone());
    let text = sent.as_str().ok_or_else(|| flaw(Issue::InvalidType))?;
    text.parse().map(Some).map_err(|_| flaw(Issue::InvalidId))
}

fn path(at: &str, field: &str) -> String {
    if at.is_empty() { field.to_owned() } else { format!("{at}.{field}") }
}

struct Reading<'a> {
    cancellation: &'a Cancellation,
    most: usize,
    count: usize,
    flaws: Vec<Violation>,
}

impl Reading<'_> {
    /// Recurses as deep as the JSON is nested, which its parser limits.
    fn list(&mut self, sent: Value, at: &str) -> Vec<Piece> {
        let Value::Array(list) = sent else {
            self.flaws.push(Violation::new(at, Issue::InvalidType));
            return Vec::new();
        };
        list.into_iter().enumerate().filter_map(|(index, sent)| self.piece(sent, &format!("{at}.{index}"))).collect()
    }

    fn piece(&mut self, sent: Value, at: &str) -> Option<Piece> {
        // The flaws of a list that is too long are not reported, so they are not collected.
        if self.cancellation.is_cancelled() || self.count > self.most {
            return None;
        }
        self.count += 1;
        let Value::Object(mut fields) = sent else {
            self.flaws.push(Violation::new(at, Issue::InvalidType));
            return None;
        };
        let id = id(&fields, at).unwrap_or_else(|flaw| {
            self.flaws.push(flaw);
            None
        });
        let children = match fields.remove("children") {
            None | Some(Value::Null) => Vec::new(),
            Some(children) => self.list(children, &format!("{at}.children")),
        };
        let body = body(&mut fields, at).map_err(|flaws| self.flaws.extend(flaws)).ok()?;
        Some(Piece { id, body, children })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use serde_json::json;

    fn waited_for(sent: Value, most: usize) -> Result<Vec<Piece>, ListFault> {
        read(sent, most, &Cancellation::default())
    }

    fn paragraph() -> Value {
        json!({ "type": "paragraph", "content": "text" })
    }

    #[test]
    fn nested_blocks_are_read_with_their_ids() {
        let id = BlockId::new(1, [0; 10]);
        let sent = json!([{ "id": id.to_string(), "type": "toggle", "content": "a", "children": [paragraph()] }]);
        let pieces = waited_for(sent, 2).unwrap();
        assert_eq!((pieces[0].id, pieces[0].body.kind()), (Some(id), Kind::Toggle));
        assert_eq!((pieces[0].children[0].id, pieces[0].children[0].body.kind()), (None, Kind::Paragraph));
    }

    #[test]
    fn every_flaw_is_reported_with_its_path() {
        let sent = json!([
            { "id": "x", "type": "paragraph" },
            { "id": 7, "type": "unheard_of", "children": [{}, 1] },
            { "type": 2, "children": {} },
        ]);
        let Err(ListFault::Flawed(flaws)) = waited_for(sent, 10) else { panic!("it has flaws") };
        let found: Vec<_> = flaws.iter().map(|flaw| (flaw.field.as_str(), flaw.issue)).collect();
        let expected = [
            ("blocks.0.id", Issue::InvalidId),
            ("blocks.1.id", Issue::InvalidType),
            ("blocks.1.children.0.type", Issue::Required),
            ("blocks.1.children.1", Issue::InvalidType),
            ("blocks.1.type", Issue::InvalidValue),
            ("blocks.2.children", Issue::InvalidType),
            ("blocks.2.type", Issue::InvalidType),
        ];
        assert_eq!(found, expected);
        assert_eq!(flaws[1].received, Some(json!(7)));
    }

    #[test]
    fn nested_blocks_count_as_well() {
        let sent = json!([{ "type": "toggle", "children": [paragraph(), paragraph()] }]);
        assert!(waited_for(sent.clone(), 3).is_ok());
        assert_eq!(waited_for(sent, 2), Err(ListFault::TooMany));
    }

    #[test]
    fn a_list_that_nobody_waits_for_is_not_read() {
        let cancellation = Cancellation::default();
        assert!(read(json!([paragraph()]), 1, &cancellation).is_ok());
        cancellation.cancel();
        assert_eq!(read(json!([paragraph(), {}]), 1, &cancellation), Err(ListFault::Cancelled));
    }
}
