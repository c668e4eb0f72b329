//! Files and media.

use super::{Classes, Writer, align, property, string};
use crate::{Body, html::text::escape};
use serde_json::Value;

impl Writer<'_> {
    fn source(&self, body: &Body) -> Option<String> {
        string(body, "fileId").parse().ok().and_then(|file| self.presentation.file_url(file))
    }

    /// A figure with a caption below its content.
    fn figure(&mut self, classes: &Classes, caption: &str, content: impl FnOnce(&mut Self)) {
        self.tagged("figure", classes, |writer| {
            content(writer);
            if !caption.is_empty() {
                writer.tagged("figcaption", &Classes::default(), |writer| escape(caption, &mut writer.out));
            }
        });
    }

    pub(super) fn image(&mut self, body: &Body) {
        let source = self.source(body);
        let classes = Classes::of("media").with(align(body)).wide(body);
        self.figure(&classes, string(body, "caption"), |writer| match source {
            Some(source) => {
                writer.out.push_str("<img src=\"");
                escape(&source, &mut writer.out);
                writer.out.push_str("\" alt=\"");
                writer.plain(body, "caption");
                writer.out.push_str("\" loading=\"lazy\">");
            }
            None => {
                writer.out.push_str("<div class=\"absent\" role=\"img\" aria-label=\"Image that is not shown\"></div>");
            }
        });
    }

    /// A player, or a card if the content is external: pages load nothing from the addresses in their blocks.
    pub(super) fn media(&mut self, tag: &str, body: &Body) {
        let source = self.source(body);
        let classes = Classes::of("media").with(align(body)).wide(body);
        self.figure(&classes, string(body, "caption"), |writer| match source {
            Some(source) => {
                writer.out.extend(["<", tag, " controls src=\""]);
                escape(&source, &mut writer.out);
                writer.out.extend(["\"></", tag, ">"]);
            }
            None => writer.card(tag, body),
        });
    }

    pub(super) fn file(&mut self, body: &Body) {
        let source = self.source(body);
        let name = if string(body, "name").is_empty() { "File" } else { string(body, "name") };
        let size = body.fields().get("size").and_then(Value::as_u64);
        self.figure(&Classes::of("media"), property(body, "caption").unwrap_or_default(), |writer| {
            writer.out.push_str("<p class=\"file\"");
            if let Some(size) = size {
                writer.out.extend([" data-size=\"", &readable(size), "\""]);
            }
            writer.out.push('>');
            match source {
                Some(source) => {
                    writer.out.push_str("<a href=\"");
                    escape(&source, &mut writer.out);
                    writer.out.push_str("\" rel=\"noopener noreferrer nofollow\">");
                    escape(name, &mut writer.out);
                    writer.out.push_str("</a>");
                }
                None => escape(name, &mut writer.out),
            }
            writer.out.push_str("</p>\n");
        });
    }
}

/// A size as people read it, such as `1.2 MB`.
fn readable(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} bytes");
    }
    let (mut unit, mut rest) = (0, bytes);
    while rest >= 1_000_000 && unit + 1 < UNITS.len() {
        rest /= 1000;
        unit += 1;
    }
    format!("{}.{} {}", rest / 1000, rest % 1000 / 100, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_in_the_unit_that_fits() {
        for (bytes, text) in
            [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 KB"), (1_250_000, "1.2 MB"), (3_000_000_000, "3.0 GB")]
        {
            assert_eq!(readable(bytes), text);
        }
    }
}
