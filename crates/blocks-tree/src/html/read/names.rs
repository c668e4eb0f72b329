//! What the names of tags mean for blocks.

use crate::{Kind, MarkKind};

/// What a tag does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It and all within is left out.
    Nothing,
    Title,
    /// It ends the text before it.
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
    /// What is within counts, the tag does not.
    Transparent,
}

pub(super) fn meaning(name: &str) -> Meaning {
    match name {
        "script" | "style" | "iframe" | "noembed" | "noframes" | "svg" => Meaning::Nothing,
        "title" => Meaning::Title,
        "h1" => Meaning::Heading(Kind::Heading1),
        "h2" => Meaning::Heading(Kind::Heading2),
        "h3" | "h4" | "h5" | "h6" => Meaning::Heading(Kind::Heading3),
        "ul" | "menu" | "dir" => Meaning::List { is_numbered: false },
        "ol" => Meaning::List { is_numbered: true },
        "li" => Meaning::Item,
        "blockquote" => Meaning::Quote,
        "details" => Meaning::Details,
        "summary" => Meaning::Summary,
        "pre" | "xmp" | "listing" => Meaning::Code,
        "table" => Meaning::Table,
        "tr" => Meaning::Row,
        "td" => Meaning::Cell { is_head: false },
        "th" => Meaning::Cell { is_head: true },
        "br" => Meaning::Break,
        "hr" => Meaning::Divider,
        "img" => Meaning::Image,
        "input" => Meaning::Checkbox,
        "a" => Meaning::Link,
        "b" | "strong" => Meaning::Mark(MarkKind::Bold),
        "i" | "em" | "cite" | "var" | "dfn" => Meaning::Mark(MarkKind::Italic),
        "u" | "ins" => Meaning::Mark(MarkKind::Underline),
        "s" | "strike" | "del" => Meaning::Mark(MarkKind::Strikethrough),
        "code" | "kbd" | "samp" | "tt" => Meaning::Mark(MarkKind::Code),
        "mark" => Meaning::Mark(MarkKind::Highlight),
        "p" | "div" | "section" | "article" | "header" | "footer" | "main" | "nav" | "aside" | "address" | "figure"
        | "figcaption" | "form" | "fieldset" | "legend" | "center" | "dl" | "dt" | "dd" | "body" | "html" | "head"
        | "caption" | "thead" | "tbody" | "tfoot" | "hgroup" | "search" | "dialog" | "option" | "textarea"
        | "button" | "select" => Meaning::Block,
        _ => Meaning::Transparent,
    }
}
