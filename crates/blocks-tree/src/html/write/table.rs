//! Tables.

use super::{Classes, Writer, align};
use crate::{Body, body::Cells, html::text::rich};
use serde_json::Value;
use std::fmt::Write as _;

impl Writer<'_> {
    /// A wide table scrolls within its own box, which can be reached with the keyboard.
    pub(super) fn table(&mut self, body: &Body) {
        let has_head = body.fields().get("headerRow") == Some(&Value::Bool(true));
        self.out.push_str("<div");
        Classes::of("scroll").with(align(body)).write(&mut self.out);
        self.out.push_str(" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table>\n");
        self.column_widths(body);
        for (index, row) in body.cells().into_iter().flat_map(Cells::rows).enumerate() {
            let tag = if has_head && index == 0 { "th" } else { "td" };
            self.out.push_str("<tr>");
            for cell in row {
                self.out.extend(["<", tag, ">"]);
                rich(cell, self.presentation, &mut self.out);
                self.out.extend(["</", tag, ">"]);
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</table></div>\n");
    }

    /// The attribute `width` is no style, so the policy of pages for browsers allows it.
    fn column_widths(&mut self, body: &Body) {
        let Some(Value::Array(widths)) = body.properties().get("columnWidths") else { return };
        let most = body.cells().map_or(0, Cells::width);
        if widths.is_empty() || most == 0 {
            return;
        }
        self.out.push_str("<colgroup>");
        for width in widths.iter().take(most).map(|width| width.as_u64().unwrap_or(0)) {
            if width == 0 {
                self.out.push_str("<col>");
            } else {
                let _ = write!(self.out, "<col width=\"{width}\">");
            }
        }
        self.out.push_str("</colgroup>\n");
    }
}
