//! Blocks that are more than a text.

use super::{
    Reader,
    inline::{Picture, is_break},
};
use crate::{Body, Kind, RichText, refusal::Refusal, run::cut_plain};
use pulldown_cmark::HeadingLevel;
use serde_json::{Map, Value, json};
use std::ops::Range;

impl Reader<'_> {
    pub(super) fn add_pictures(&mut self, pictures: Vec<Picture>) -> Result<(), Refusal> {
        for Picture { file, caption } in pictures {
            let caption = if caption.is_empty() { Value::Null } else { Value::String(caption) };
            let content = [("fileId", json!(file.to_string())), ("caption", caption)];
            let content = Map::from_iter(content.map(|(key, value)| (key.to_owned(), value)));
            self.forest.add(Body::from_stored(Kind::Image, content, Map::new()))?;
        }
        Ok(())
    }

    pub(super) fn end_heading(&mut self, level: HeadingLevel) -> Result<(), Refusal> {
        let kind = match level {
            HeadingLevel::H1 => Kind::Heading1,
            HeadingLevel::H2 => Kind::Heading2,
            _ => Kind::Heading3,
        };
        let (texts, pictures) = self.inline.take().unwrap_or_default().0.into_texts();
        for text in texts {
            self.forest.add(Body::with_text(kind, text))?;
        }
        self.add_pictures(pictures)
    }

    pub(super) fn end_code(&mut self) -> Result<(), Refusal> {
        let (code, language) = self.verbatim.take().unwrap_or_default();
        for part in cut_plain(code.strip_suffix('\n').unwrap_or(&code)) {
            let content = [("code", Value::String(part)), ("language", Value::String(language.clone()))];
            let content = Map::from_iter(content.map(|(key, value)| (key.to_owned(), value)));
            self.forest.add(Body::from_stored(Kind::Code, content, Map::new()))?;
        }
        Ok(())
    }

    /// HTML becomes text, except a line break on its own, which becomes an empty paragraph.
    pub(super) fn end_html(&mut self) -> Result<(), Refusal> {
        let (html, _) = self.verbatim.take().unwrap_or_default();
        if is_break(&html.trim().to_ascii_lowercase()) {
            return self.add_text(RichText::default());
        }
        for part in cut_plain(html.trim_end_matches('\n')) {
            self.add_text(RichText::plain(part))?;
        }
        Ok(())
    }

    pub(super) fn end_table(&mut self, range: Range<usize>) -> Result<(), Refusal> {
        if let Some((bodies, pictures)) = self.table.take().unwrap_or_default().finish() {
            for body in bodies {
                self.forest.add(body)?;
            }
            return self.add_pictures(pictures);
        }
        for part in cut_plain(self.source[range].trim_end()) {
            self.add_text(RichText::plain(part))?;
        }
        Ok(())
    }
}

pub(super) fn single(kind: Kind, key: &str, value: String) -> Body {
    Body::from_stored(kind, Map::from_iter([(key.to_owned(), Value::String(value))]), Map::new())
}
