//! Files and external content.

use super::{Writer, string};
use crate::{
    Body,
    html::text::{escape, is_followed, link},
};
use serde_json::Value;

impl Writer<'_> {
    fn source(&self, body: &Body) -> Option<String> {
        string(body, "fileId").parse().ok().and_then(self.file_url)
    }

    pub(super) fn image(&mut self, body: &Body) {
        let source = self.source(body);
        self.tagged("figure", "", |writer| {
            if let Some(source) = source {
                writer.out.push_str("<img src=\"");
                escape(&source, &mut writer.out);
                writer.out.push_str("\" alt=\"");
                writer.plain(body, "caption");
                writer.out.push_str("\">");
            }
            writer.caption(body);
        });
    }

    fn caption(&mut self, body: &Body) {
        if !string(body, "caption").is_empty() {
            self.tagged("figcaption", "", |writer| writer.plain(body, "caption"));
        }
    }

    pub(super) fn media(&mut self, tag: &str, body: &Body) {
        let Some(source) = self.source(body) else {
            self.address(body);
            return self.caption(body);
        };
        self.tagged("figure", "", |writer| {
            writer.out.extend(["<", tag, " controls src=\""]);
            escape(&source, &mut writer.out);
            writer.out.extend(["\"></", tag, ">"]);
            writer.caption(body);
        });
    }

    pub(super) fn file(&mut self, body: &Body) {
        let source = self.source(body);
        let name = if string(body, "name").is_empty() { "File" } else { string(body, "name") };
        self.tagged("p", "file", |writer| match source {
            Some(source) => {
                writer.out.push_str("<a href=\"");
                escape(&source, &mut writer.out);
                writer.out.push_str("\" rel=\"noopener noreferrer nofollow\">");
                escape(name, &mut writer.out);
                writer.out.push_str("</a>");
            }
            None => escape(name, &mut writer.out),
        });
        if let Some(caption) = body.properties().get("caption").and_then(Value::as_str) {
            self.tagged("p", "", |writer| escape(caption, &mut writer.out));
        }
    }

    /// A link to an external address, with its details.
    pub(super) fn address(&mut self, body: &Body) {
        let url = string(body, "url");
        if url.is_empty() && string(body, "title").is_empty() && string(body, "description").is_empty() {
            return;
        }
        let title = if string(body, "title").is_empty() { url } else { string(body, "title") };
        self.tagged("p", "", |writer| {
            if is_followed(url) {
                link(url, &mut writer.out);
                escape(title, &mut writer.out);
                writer.out.push_str("</a>");
            } else {
                escape(title, &mut writer.out);
            }
            if !string(body, "description").is_empty() {
                writer.out.push_str("<br>");
                writer.plain(body, "description");
            }
        });
    }
}
