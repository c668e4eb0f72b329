//! What a document shows of the things that its blocks only name.

use octavo_core_model::id::{DatabaseId, FileId, PageId, ViewId};

/// The address of a file; `None` if the reader may not have it.
pub type FileUrl<'a> = &'a dyn Fn(FileId) -> Option<String>;

/// How links show a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// Where the reader finds it.
    pub address: String,
    /// What the link says.
    pub title: String,
    /// What is shown in front of the title.
    pub emoji: Option<String>,
}

/// What a document shows of the things that its blocks only name, and which tags its headings get.
pub trait Presentation {
    /// The address of a file; `None` if the reader may not have it.
    fn file_url(&self, file: FileId) -> Option<String>;

    /// A page; `None` if the reader may not see it.
    fn page(&self, page: PageId) -> Option<PageLink>;

    /// The beginning of a database as markup, which is written unescaped, in one of its views; `None` shows only that there
    /// is a database.
    fn database(&self, _database: DatabaseId, _view: Option<ViewId>) -> Option<String> {
        None
    }

    /// An equation as markup, which is written unescaped; `None` shows its source. `is_block` is false for an equation
    /// within a text.
    fn equation(&self, latex: &str, is_block: bool) -> Option<String>;

    /// Code with tags for its colours, which is written unescaped; `None` shows it without colours.
    fn code(&self, language: &str, code: &str) -> Option<String>;

    /// Whether a link to this path, without scheme and host, works where the document is read.
    fn follows_path(&self, _path: &str) -> bool {
        false
    }

    /// Whether the document around the blocks has a title as its only `h1`. The headings of the blocks are then one
    /// level lower.
    fn has_title(&self) -> bool;
}

/// An exported document. It links to no pages, because it can be read anywhere.
pub(super) struct Alone<'a>(pub(super) FileUrl<'a>);

impl Presentation for Alone<'_> {
    fn file_url(&self, file: FileId) -> Option<String> {
        (self.0)(file)
    }

    fn page(&self, _: PageId) -> Option<PageLink> {
        None
    }

    /// Programs that import the document read the source.
    fn equation(&self, _: &str, _: bool) -> Option<String> {
        None
    }

    fn code(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn has_title(&self) -> bool {
        false
    }
}
