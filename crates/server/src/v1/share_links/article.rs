//! The blocks of a shared page, as a browser shows them.

use super::{address::shared_page_address, label::name, shared_table::embedded};
use crate::typeset::{Equations, Highlighter};
use octavo_app::{
    Draft,
    blocks::{Branch, readable, refused},
    share_links::{Node, SharedPage},
};
use octavo_blocks_tree::{
    Kind, RichText,
    html::{PageLink, Presentation, export_body},
};
use octavo_core_model::{
    cancellation::Cancellation,
    id::{DatabaseId, FileId, PageId, ViewId},
    page::ResourceId,
    text::PageIcon,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The most characters of a description.
const DESCRIPTION: usize = 200;

/// How a shared page shows its blocks. It links to the pages that its link shows.
#[derive(Debug)]
pub(super) struct ArticlePresentation {
    links: BTreeMap<PageId, PageLink>,
    databases: BTreeMap<(DatabaseId, Option<ViewId>), String>,
    equations: Equations,
    highlighter: Highlighter,
}

impl ArticlePresentation {
    pub(super) fn of(token: &str, shown: &SharedPage) -> Self {
        let link = |id: PageId, title: &str, icon: Option<&PageIcon>| {
            let address = shared_page_address(token, (id != shown.link.page).then_some(id.into()));
            let emoji = icon.and_then(PageIcon::emoji).map(str::to_owned);
            (id, PageLink { address, title: name(title).to_owned(), emoji })
        };
        let others = shown.ancestors.iter().chain(&shown.children).chain(&shown.named);
        let others = others.filter_map(|node: &Node| match node.id {
            ResourceId::Page(id) => Some(link(id, node.title.as_str(), node.icon.as_ref())),
            ResourceId::Database(_) => None,
        });
        let page = &shown.page;
        let links = others.chain([link(page.id, page.title.as_str(), page.icon.as_ref())]).collect();
        let databases = shown.tables.iter().map(|(named, table)| (*named, embedded(table, token).into_string()));
        let (equations, highlighter) = (Equations::default(), Highlighter::default());
        Self { links, databases: databases.collect(), equations, highlighter }
    }
}

impl Presentation for ArticlePresentation {
    fn file_url(&self, _: FileId) -> Option<String> {
        None
    }

    fn page(&self, page: PageId) -> Option<PageLink> {
        self.links.get(&page).cloned()
    }

    fn database(&self, database: DatabaseId, view: Option<ViewId>) -> Option<String> {
        self.databases.get(&(database, view)).cloned()
    }

    fn equation(&self, latex: &str, is_block: bool) -> Option<String> {
        self.equations.set(latex, is_block)
    }

    fn code(&self, language: &str, code: &str) -> Option<String> {
        self.highlighter.highlight(language, code)
    }

    fn has_title(&self) -> bool {
        true
    }
}

/// The content of a page as HTML; `None` if there are no blocks. This can take long.
pub(super) fn text_of(
    blocks: Vec<Branch>,
    presentation: &ArticlePresentation,
    cancellation: &Cancellation,
) -> Draft<Option<String>> {
    if blocks.is_empty() {
        return Ok(None);
    }
    export_body(&readable(blocks), presentation, cancellation).map(Some).map_err(refused)
}

/// The beginning of the text of a page, for programs that show links to it.
pub(super) fn description_of(blocks: &[Branch]) -> String {
    let texts = blocks.iter().filter_map(|branch| branch.shown.block.body.text()).map(RichText::text);
    let words = texts.flat_map(str::split_whitespace);
    let (mut description, mut length) = (String::new(), 0);
    for word in words {
        length += word.chars().count() + 1;
        if length > DESCRIPTION {
            description.push('…');
            break;
        }
        if !description.is_empty() {
            description.push(' ');
        }
        description.push_str(word);
    }
    description
}

/// The pages and databases for which there is a block.
pub(super) fn shown_children(blocks: &[Branch], found: &mut BTreeSet<PageId>) {
    for Branch { shown, children } in blocks {
        if shown.block.kind() == Kind::ChildPage {
            let page = shown.block.body.fields().get("pageId").and_then(Value::as_str);
            found.extend(page.and_then(|page| page.parse::<PageId>().ok()));
        }
        found.extend(shown.block.body.shown_database().map(|(database, _)| database.node()));
        shown_children(children, found);
    }
}
