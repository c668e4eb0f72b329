//! The meaning of tags for blocks.

use crate::{Kind, MarkKind};

/// The meaning of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TagMeaning {
    /// It is left out with everything in it.
    Nothing,
    Title,
    /// It ends the preceding text.
    Block,
    Heading(Kind),
    List {
        is_numbered: bool,
    },
    Item,
    Quote,
    Details,
    Summary,
    Code,
    Table,
    Row,
    Cell {
        is_head: bool,
    },
    Break,
    Divider,
    Image,
    Checkbox,
    Link,
    Mark(MarkKind),
    /// Its content counts, the tag does not.
    Transparent,
}

pub(super) fn meaning(name: &str) -> TagMeaning {
    match name {
        "script" | "style" | "iframe" | "noembed" | "noframes" | "svg" => TagMeaning::Nothing,
        "title" => TagMeaning::Title,
        "h1" => TagMeaning::Heading(Kind::Heading1),
        "h2" => TagMeaning::Heading(Kind::Heading2),
        "h3" | "h4" | "h5" | "h6" => TagMeaning::Heading(Kind::Heading3),
        "ul" | "menu" | "dir" => TagMeaning::List { is_numbered: false },
        "ol" => TagMeaning::List { is_numbered: true },
        "li" => TagMeaning::Item,
        "blockquote" => TagMeaning::Quote,
        "details" => TagMeaning::Details,
        "summary" => TagMeaning::Summary,
        "pre" | "xmp" | "listing" => TagMeaning::Code,
        "table" => TagMeaning::Table,
        "tr" => TagMeaning::Row,
        "td" => TagMeaning::Cell { is_head: false },
        "th" => TagMeaning::Cell { is_head: true },
        "br" => TagMeaning::Break,
        "hr" => TagMeaning::Divider,
        "img" => TagMeaning::Image,
        "input" => TagMeaning::Checkbox,
        "a" => TagMeaning::Link,
        "b" | "strong" => TagMeaning::Mark(MarkKind::Bold),
        "i" | "em" | "cite" | "var" | "dfn" => TagMeaning::Mark(MarkKind::Italic),
        "u" | "ins" => TagMeaning::Mark(MarkKind::Underline),
        "s" | "strike" | "del" => TagMeaning::Mark(MarkKind::Strikethrough),
        "code" | "kbd" | "samp" | "tt" => TagMeaning::Mark(MarkKind::Code),
        "mark" => TagMeaning::Mark(MarkKind::Highlight),
        "p" | "div" | "section" | "article" | "header" | "footer" | "main" | "nav" | "aside" | "address" | "figure"
        | "figcaption" | "form" | "fieldset" | "legend" | "center" | "dl" | "dt" | "dd" | "body" | "html" | "head"
        | "caption" | "thead" | "tbody" | "tfoot" | "hgroup" | "search" | "dialog" | "option" | "textarea"
        | "button" | "select" => TagMeaning::Block,
        _ => TagMeaning::Transparent,
    }
}
