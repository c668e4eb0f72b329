//! Reactions to comments.

use crate::{
    id::{CommentId, PageId, ReplyId, UserId, WorkspaceId},
    time::Timestamp,
};
use std::{fmt, str::FromStr};

/// An emoji with which people react.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Emoji(&'static str);

/// The text is none of the emojis with which people react.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedEmoji;

impl Emoji {
    /// All of them.
    #[rustfmt::skip]
    pub const ALL: [&'static str; 100] = [
        "👍", "👎", "👏", "🙌", "🙏", "👋", "👌", "🤝", "💪", "🤞", "✌️", "👀", "🫡", "🤔", "😀", "😃", "😄", "😁", "😆",
        "😅", "🤣", "😂", "🙂", "🙃", "😉", "😊", "😇", "🥰", "😍", "🤩", "😘", "😋", "😜", "🤪", "🤗", "🤭", "🤫", "🤨", "😐",
        "😑", "😶", "🙄", "😏", "😬", "😌", "😔", "😴", "🤒", "🤢", "🥵", "🥶", "🤯", "🤠", "🥳", "😎", "🤓", "🧐", "😕", "😟",
        "🙁", "😮", "😲", "😳", "🥺", "😢", "😭", "😱", "😩", "😤", "😡", "🤬", "💀", "💩", "👻", "🤖", "❤️", "🧡", "💛",
        "💚", "💙", "💜", "🖤", "🤍", "💔", "💯", "💥", "🔥", "⭐", "✨", "🎉", "🎊", "🎁", "🏆", "🚀", "💡", "✅", "❌", "❓",
        "❗", "⚠️",
    ];

    /// The emoji, as everybody reads it.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl FromStr for Emoji {
    type Err = UnsupportedEmoji;

    /// Whether the text ends with a variation selector does not matter.
    fn from_str(text: &str) -> Result<Self, UnsupportedEmoji> {
        Self::ALL.iter().find(|emoji| bare(emoji) == bare(text)).map(|emoji| Self(emoji)).ok_or(UnsupportedEmoji)
    }
}

impl fmt::Display for Emoji {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A text without the selector at its end that requests a picture or a plain character.
fn bare(text: &str) -> &str {
    text.strip_suffix(['\u{FE0E}', '\u{FE0F}']).unwrap_or(text)
}

/// The reaction of one person to a comment or to a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The workspace of the thread.
    pub workspace: WorkspaceId,
    /// The thread.
    pub comment: CommentId,
    /// The reply; `None` for the comment that begins the thread.
    pub reply: Option<ReplyId>,
    /// The page of the thread.
    pub page: PageId,
    /// The emoji.
    pub emoji: Emoji,
    /// Who reacted.
    pub user: UserId,
    /// When they did.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emoji::is_one_emoji;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_a_hundred_different_emojis_of_at_most_four_units() {
        let bare: BTreeSet<_> = Emoji::ALL.iter().map(|emoji| bare(emoji)).collect();
        assert_eq!(bare.len(), 100);
        for emoji in Emoji::ALL {
            assert!(is_one_emoji(emoji), "{emoji}");
            assert!((1..=4).contains(&emoji.encode_utf16().count()), "{emoji}");
        }
    }

    #[test]
    fn a_selector_at_the_end_does_not_matter() {
        for text in ["\u{2764}", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0E}"] {
            assert_eq!(text.parse().map(Emoji::as_str), Ok("\u{2764}\u{FE0F}"));
        }
        assert_eq!("\u{1F44D}\u{FE0F}".parse().map(Emoji::as_str), Ok("\u{1F44D}"));
        for text in ["", "a", "\u{1F44D}\u{1F44D}", "\u{1F44D}\u{1F3FD}", "\u{FE0F}", "\u{1F9A0}"] {
            assert_eq!(text.parse::<Emoji>(), Err(UnsupportedEmoji), "{text:?}");
        }
    }
}
