//! Our own texts as HTML, written like the content of pages.

use crate::typeset::Highlighter;
use octavo_blocks_tree::{
    Piece,
    html::{PageLink, Presentation, export_body},
    markdown,
};
use octavo_core_model::{
    cancellation::Cancellation,
    id::{FileId, PageId},
};

/// The blocks of a text in Markdown. Tests parse each of our texts, so none of them fails here.
pub(super) fn read(text: &str) -> Vec<Piece> {
    markdown::read(text).unwrap_or_default()
}

pub(super) fn html_of(pieces: &[Piece]) -> String {
    export_body(pieces, &TextPresentation(Highlighter::default()), &Cancellation::default()).unwrap_or_default()
}

/// How our texts are shown. They contain no files, no pages of a workspace and no equations; their code is highlighted.
struct TextPresentation(Highlighter);

impl Presentation for TextPresentation {
    fn file_url(&self, _: FileId) -> Option<String> {
        None
    }

    fn page(&self, _: PageId) -> Option<PageLink> {
        None
    }

    fn equation(&self, _: &str, _: bool) -> Option<String> {
        None
    }

    fn code(&self, language: &str, code: &str) -> Option<String> {
        self.0.highlight(language, code)
    }

    fn follows_path(&self, path: &str) -> bool {
        path.starts_with("/docs")
    }

    /// The title of a guide is taken out of its text, so all headings keep their level.
    fn has_title(&self) -> bool {
        false
    }
}
