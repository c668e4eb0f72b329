//! Blocks as JSON text. The content is written from its parts, without making a JSON value of it first.

use super::{Body, Texts};
use crate::rich_text::{Mark, MarkKind, RichText};
use serde::{
    Serialize, Serializer,
    ser::{SerializeMap, SerializeStruct},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The value of one key of the content.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Part<'a> {
    Field(&'a Value),
    Text(&'a str),
    Marks(&'a [Mark]),
    Rows(Vec<Vec<Cell<'a>>>),
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Cell<'a> {
    Rich(&'a RichText),
    /// The short form of a cell without marks.
    Plain(&'a str),
}

impl<'a> Cell<'a> {
    pub(crate) fn short(text: &'a RichText) -> Self {
        if text.marks().is_empty() { Self::Plain(text.text()) } else { Self::Rich(text) }
    }
}

impl Body {
    /// The content by key, with the cells of a table in this form.
    pub(crate) fn parts<'a>(&'a self, cell: impl Fn(&'a RichText) -> Cell<'a>) -> BTreeMap<&'a str, Part<'a>> {
        let mut parts: BTreeMap<_, _> = self.fields.iter().map(|(key, value)| (key, Part::Field(value))).collect();
        match &self.texts {
            Texts::Nothing => {}
            Texts::Text(text) => {
                parts.insert("text", Part::Text(text.text()));
                parts.insert("marks", Part::Marks(text.marks()));
            }
            Texts::Cells(cells) => {
                let rows = cells.rows().map(|row| row.iter().map(&cell).collect());
                parts.insert("rows", Part::Rows(rows.collect()));
            }
        }
        parts
    }
}

/// The form for the store: an array of the type, the content and the properties.
impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.kind.name(), self.parts(Cell::Rich), &self.properties).serialize(serializer)
    }
}

impl Serialize for RichText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = serializer.serialize_struct("RichText", 2)?;
        text.serialize_field("marks", self.marks())?;
        text.serialize_field("text", self.text())?;
        text.end()
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut mark = serializer.serialize_map(None)?;
        match &self.kind {
            MarkKind::Link { url } => mark.serialize_entry("attrs", &BTreeMap::from([("url", url)]))?,
            MarkKind::Mention { kind, id } => {
                let attrs = BTreeMap::from([("mentionId", id.as_str()), ("mentionType", kind.name())]);
                mark.serialize_entry("attrs", &attrs)?;
            }
            _ => {}
        }
        mark.serialize_entry("from", &self.from)?;
        mark.serialize_entry("to", &self.to)?;
        mark.serialize_entry("type", self.kind.name())?;
        mark.end()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::Kind;
    use serde_json::json;

    #[test]
    fn a_block_is_written_like_its_json_and_reads_back() {
        let rich = json!({ "text": "abc", "marks": [
            { "type": "bold", "from": 0, "to": 2 },
            { "type": "link", "from": 1, "to": 3, "attrs": { "url": "https://example.com" } },
            { "type": "mention", "from": 2, "to": 3, "attrs": { "mentionType": "page", "mentionId": "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3" } },
        ] });
        let table = json!({ "rows": [["a", rich], [null, ""]], "headerRow": true });
        for (kind, content) in [
            (Kind::Paragraph, rich.clone()),
            (Kind::Quote, json!({ "text": "a", "citation": "b" })),
            (Kind::NumberedList, json!({ "text": "a", "start": 7 })),
            (Kind::Table, table),
            (Kind::Table, json!({ "rows": [[], []] })),
            (Kind::Code, json!({ "code": "a" })),
            (Kind::Divider, json!({})),
        ] {
            let body = Body::read(kind, Some(content), Some(json!({ "align": "left" })), "").unwrap();
            let written = serde_json::to_string(&body).unwrap();
            let parts = (kind.name(), body.content(), body.properties());
            assert_eq!(written, serde_json::to_string(&parts).unwrap());
            assert_eq!(body.bytes(), written.len() as u64);
            let properties = body.properties().to_json();
            assert_eq!(Body::from_stored(kind, body.content(), properties), body);
        }
    }
}
