//! The meaning of the parser's tags for blocks.

use pulldown_cmark::{CodeBlockKind, Tag, TagEnd};

/// The first word of the info string; the rest is for other programs.
pub(super) fn language(kind: &CodeBlockKind<'_>) -> String {
    const PLAIN: &str = "plain";
    const MOST: usize = 50;
    let word = match kind {
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or(PLAIN),
        CodeBlockKind::Indented => PLAIN,
    };
    word.chars().take(MOST).collect()
}

pub(super) const fn is_block(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
    )
}

pub(super) const fn is_block_end(tag: TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
    )
}
