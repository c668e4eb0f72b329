//! Marks, links, images and line breaks within a text.

use super::{Build, attribute};
use crate::{MarkKind, rich_text::is_link};
use html5ever::tokenizer::Tag;

impl Build {
    /// Nested tags of the same kind become one mark.
    pub(super) fn mark(&mut self, kind: MarkKind, begins: bool) {
        let at = self.marks.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            self.marks.push((kind.clone(), 0));
            self.marks.len() - 1
        });
        let (_, count) = &mut self.marks[at];
        match (begins, *count) {
            (true, 0) => self.run.open(kind),
            (false, 1) => self.run.close(|open| *open == kind),
            (false, 0) => return,
            _ => {}
        }
        *count = if begins { *count + 1 } else { *count - 1 };
    }

    /// Starts a link, or ends the open one.
    pub(super) fn link(&mut self, url: Option<String>) {
        self.run.close(|open| matches!(open, MarkKind::Link { .. }));
        self.is_linked = false;
        if let Some(url) = url.and_then(|url| followed(&url)) {
            self.is_linked = true;
            self.run.open(MarkKind::Link { url });
        }
    }

    pub(super) fn image(&mut self, tag: &Tag) {
        let described = attribute(tag, "alt").unwrap_or_default();
        let source = attribute(tag, "src").and_then(|source| followed(&source));
        let Some(url) = source.filter(|_| !self.is_linked) else {
            return self.words(&described);
        };
        let text = if described.trim().is_empty() { url.clone() } else { described };
        self.run.open(MarkKind::Link { url });
        self.words(&text);
        self.run.close(|open| matches!(open, MarkKind::Link { .. }));
    }

    /// Adds a line break, except at the start of a text.
    pub(super) fn line(&mut self) {
        if self.run.text().ends_with(' ') {
            self.run.trim_end();
        }
        if !self.run.text().is_empty() {
            self.run.push_letter('\n');
        }
    }

    /// Starts a new line, unless the present one is empty.
    pub(super) fn new_line(&mut self) {
        if !self.run.text().ends_with('\n') {
            self.line();
        }
    }
}

/// The address, if links of imported documents may lead there.
fn followed(url: &str) -> Option<String> {
    let url = url.trim();
    let is_web = url
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"));
    (is_web && is_link(url)).then(|| url.to_owned())
}
