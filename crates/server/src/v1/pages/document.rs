//! The properties of a page that is created from a document.

use crate::{v1::blocks::pieces, wire::parse_document};
use octavo_app::{Draft, blocks};
use octavo_blocks_tree::{Piece, Refusal, html, markdown};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    fault::{ComputeFault, Issue, Violation},
    page::DocumentFormat,
    text::{PageIcon, PageTitle, WebAddress},
};
use serde_json::Value;

/// A parsed document.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) title: Option<PageTitle>,
    pub(super) icon: Option<PageIcon>,
    pub(super) cover_url: Option<WebAddress>,
    pub(super) pieces: Vec<Piece>,
    /// What was left out.
    pub(super) warnings: Vec<&'static str>,
}

/// Parses a document. If the page already has a title, a heading at the beginning stays in the text.
pub(super) fn read(
    format: DocumentFormat,
    text: &str,
    is_untitled: bool,
    cancellation: &Cancellation,
) -> Draft<Document> {
    match format {
        DocumentFormat::Json => exported(text, cancellation),
        DocumentFormat::Markdown => {
            let titled = |text: &str| markdown::import(text, cancellation).map(markdown::heading_as_title);
            written(text, is_untitled, &titled, &|text| markdown::import(text, cancellation))
        }
        DocumentFormat::Html => {
            let titled = |text: &str| html::import(text, cancellation);
            written(text, is_untitled, &titled, &|text| html::import_body(text, cancellation))
        }
    }
}

type Reader<'a, T> = &'a dyn Fn(&str) -> Result<T, Refusal>;

/// A text, and the title with which it begins, if it is wanted. A heading that cannot be a title stays in the text.
fn written(
    text: &str,
    is_untitled: bool,
    titled: Reader<'_, (Option<String>, Vec<Piece>)>,
    whole: Reader<'_, Vec<Piece>>,
) -> Draft<Document> {
    if is_untitled {
        let (title, pieces) = titled(text).map_err(blocks::refused)?;
        match title.map(|title| PageTitle::parse(&title)) {
            Some(Ok(title)) => return Ok(Document { title: Some(title), ..untitled(pieces) }),
            None => return Ok(untitled(pieces)),
            Some(Err(_)) => {}
        }
    }
    Ok(untitled(whole(text).map_err(blocks::refused)?))
}

fn untitled(pieces: Vec<Piece>) -> Document {
    Document { pieces, ..Document::default() }
}

/// A page as an export contains it.
fn exported(text: &str, cancellation: &Cancellation) -> Draft<Document> {
    let flaw = || {
        if cancellation.is_cancelled() {
            return Fault::Compute(ComputeFault::Timeout);
        }
        Violation::new("content", Issue::InvalidFormat).into()
    };
    let mut sent = parse_document(text, cancellation).map_err(|_| flaw())?;
    let blocks = sent.get_mut("blocks").map(Value::take).ok_or_else(flaw)?;
    let mut document = untitled(pieces::read_document(blocks, cancellation)?);
    let field = |name: &str| sent.get("page")?.get(name)?.as_str();
    document.title = field("title").and_then(|title| document.title_of(title));
    document.icon = field("icon").and_then(|icon| document.icon_of(icon));
    document.cover_url = field("coverUrl").and_then(|address| document.cover_of(address));
    Ok(document)
}

impl Document {
    fn title_of(&mut self, text: &str) -> Option<PageTitle> {
        let cut: String = text.chars().take(PageTitle::MAX).collect();
        if cut.len() < text.len() {
            self.warnings.push("The title was cut: it is longer than 300 characters.");
        }
        self.kept(
            PageTitle::parse(&cut).ok(),
            "The title was left out: it contains characters that titles cannot have.",
        )
    }

    /// There are no files yet, so none can be an icon.
    fn icon_of(&mut self, text: &str) -> Option<PageIcon> {
        let icon = PageIcon::parse(text).ok().filter(|icon| icon.file().is_none());
        self.kept(icon, "The icon was left out: it is neither an emoji, an address, nor an existing file.")
    }

    fn cover_of(&mut self, text: &str) -> Option<WebAddress> {
        self.kept(WebAddress::parse(text).ok(), "The cover was left out: its address is not a web address.")
    }

    fn kept<T>(&mut self, found: Option<T>, warning: &'static str) -> Option<T> {
        if found.is_none() {
            self.warnings.push(warning);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_document_that_nobody_waits_for_is_not_read_to_its_end() {
        let documents = [
            (DocumentFormat::Json, r#"{"page":{"title":"Plan"},"blocks":[{"type":"paragraph","content":"text"}]}"#),
            (DocumentFormat::Markdown, "# Plan\n\ntext"),
            (DocumentFormat::Html, "<title>Plan</title><p>text</p>"),
        ];
        for (format, text) in documents {
            let cancellation = Cancellation::default();
            let document = read(format, text, true, &cancellation).unwrap();
            assert_eq!((document.title.is_some(), document.pieces.len()), (true, 1), "{format:?}");
            cancellation.cancel();
            let refused = read(format, text, true, &cancellation).err();
            assert_eq!(refused, Some(Fault::Compute(ComputeFault::Timeout)), "{format:?}");
        }
    }
}
