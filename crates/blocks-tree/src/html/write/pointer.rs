//! Blocks that stand for something elsewhere: pages, databases, charts and forms.

use super::{Classes, Writer, string};
use crate::{Body, html::text::escape};
use octavo_core_model::id::PageId;

impl Writer<'_> {
    pub(super) fn pointer(&mut self, class: &str, what: &str, body: &Body) {
        let title = if string(body, "title").is_empty() { what } else { string(body, "title") };
        self.tagged("p", &Classes::of("pointer").with(class), |writer| escape(title, &mut writer.out));
    }

    pub(super) fn database(&mut self, body: &Body) {
        let shown = body.shown_database().and_then(|(database, view)| self.presentation.database(database, view));
        match shown {
            Some(markup) => self.out.push_str(&markup),
            None => self.pointer("database", "Database", body),
        }
    }

    /// Of a page that the reader may not see, only the word "Page" is shown.
    pub(super) fn child_page(&mut self, body: &Body) {
        let page = string(body, "pageId").parse().ok().and_then(|page: PageId| self.presentation.page(page));
        let Some(page) = page else { return self.pointer("page", "Page", body) };
        let mut classes = Classes::of("pointer page");
        if page.emoji.is_some() {
            classes = classes.with("with-emoji");
        }
        self.tagged("p", &classes, |writer| {
            writer.out.push_str("<a href=\"");
            escape(&page.address, &mut writer.out);
            writer.out.push_str("\">");
            if let Some(emoji) = &page.emoji {
                writer.out.push_str("<span class=\"emoji\" aria-hidden=\"true\">");
                escape(emoji, &mut writer.out);
                writer.out.push_str("</span> ");
            }
            escape(&page.title, &mut writer.out);
            writer.out.push_str("</a>");
        });
    }
}
