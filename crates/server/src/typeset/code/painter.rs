//! Writes highlighted code: escaped text, with tags for the colours.

use octavo_blocks_tree::html::escape;

/// What a part of code is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Comment,
    String,
    Keyword,
    Number,
    Type,
    Function,
    Removed,
}

impl Color {
    /// The class in the style sheet.
    const fn class(self) -> &'static str {
        match self {
            Self::Comment => "c",
            Self::String => "s",
            Self::Keyword => "k",
            Self::Number => "n",
            Self::Type => "t",
            Self::Function => "f",
            Self::Removed => "r",
        }
    }
}

pub(super) struct Painter {
    out: String,
}

impl Painter {
    pub(super) fn of_length(length: usize) -> Self {
        Self { out: String::with_capacity(length * 2) }
    }

    pub(super) fn plain(&mut self, text: &str) {
        escape(text, &mut self.out);
    }

    pub(super) fn paint(&mut self, color: Color, text: &str) {
        if text.is_empty() {
            return;
        }
        self.out.extend(["<span class=\"", color.class(), "\">"]);
        escape(text, &mut self.out);
        self.out.push_str("</span>");
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}
