//! The intro of a form: Markdown that everybody reads as HTML.
//!
//! Only the tags that are written here are in the output. The text of raw HTML stays, its tags do not.

use octavo_blocks_tree::html::escape;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use std::fmt::Write as _;

/// The Markdown as HTML.
pub(crate) fn to_html(markdown: &str) -> String {
    let mut writer = Writer { out: String::with_capacity(markdown.len() * 2), links: Vec::new(), raw: String::new() };
    for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH) {
        writer.event(event);
    }
    writer.end_raw();
    writer.out
}

struct Writer {
    out: String,
    /// Whether each open link is written.
    links: Vec<bool>,
    /// Raw HTML whose end has not been read yet: a tag can extend over several events.
    raw: String,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Html(html) | Event::InlineHtml(html) = event {
            return self.raw.push_str(&html);
        }
        self.end_raw();
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => escape(&text, &mut self.out),
            Event::Code(text) => {
                self.out.push_str("<code>");
                escape(&text, &mut self.out);
                self.out.push_str("</code>");
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            // The parser does not look for these.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                escape(&text, &mut self.out);
            }
            Event::Html(_) | Event::InlineHtml(_) | Event::TaskListMarker(_) => {}
        }
    }

    /// Writes the text of raw HTML.
    fn end_raw(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        let mut rest = raw.as_str();
        while let Some((text, tag)) = rest.split_once('<') {
            escape(text, &mut self.out);
            let end =
                if tag.starts_with("!--") { tag.find("-->").map(|at| at + 3) } else { tag.find('>').map(|at| at + 1) };
            rest = end.and_then(|end| tag.get(end..)).unwrap_or_default();
        }
        escape(rest, &mut self.out);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Link { link_type, dest_url, .. } => {
                let url = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}"),
                    _ => dest_url.to_string(),
                };
                self.links.push(is_allowed(&url));
                if is_allowed(&url) {
                    self.out.push_str("<a href=\"");
                    escape(&url, &mut self.out);
                    self.out.push_str("\" rel=\"noopener noreferrer nofollow\">");
                }
            }
            Tag::List(Some(start)) if *start != 1 => {
                // Writing to a text cannot fail.
                let _ = write!(self.out, "<ol start=\"{start}\">");
            }
            other => {
                if let Some(name) = name(other.to_end()) {
                    self.out.extend(["<", name, ">"]);
                }
                if matches!(other, Tag::CodeBlock(_)) {
                    self.out.push_str("<code>");
                }
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link => {
                if self.links.pop() == Some(true) {
                    self.out.push_str("</a>");
                }
            }
            other => {
                if other == TagEnd::CodeBlock {
                    self.out.push_str("</code>");
                }
                if let Some(name) = name(other) {
                    self.out.extend(["</", name, ">"]);
                }
            }
        }
    }
}

/// Whether a link may lead to this address.
fn is_allowed(url: &str) -> bool {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    let is_known =
        scheme.is_some_and(|scheme| ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known)));
    is_known && octavo_blocks_tree::rich_text::is_link(url)
}

/// The element for a part of the text. Of an image, which would be loaded from elsewhere, only the description is shown.
const fn name(tag: TagEnd) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Paragraph => "p",
        TagEnd::Heading(HeadingLevel::H1) => "h1",
        TagEnd::Heading(HeadingLevel::H2) => "h2",
        TagEnd::Heading(HeadingLevel::H3) => "h3",
        TagEnd::Heading(HeadingLevel::H4) => "h4",
        TagEnd::Heading(HeadingLevel::H5) => "h5",
        TagEnd::Heading(HeadingLevel::H6) => "h6",
        TagEnd::BlockQuote(_) => "blockquote",
        TagEnd::CodeBlock => "pre",
        TagEnd::List(true) => "ol",
        TagEnd::List(false) => "ul",
        TagEnd::Item => "li",
        TagEnd::Emphasis => "em",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "s",
        _ => return None,
    })
}
