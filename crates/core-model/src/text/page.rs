//! Titles and icons of pages; titles and descriptions of databases; comments.

use super::{
    CommentText, DatabaseDescription, DatabaseTitle, PageIcon, PageTitle, TextFlaw, WebAddress, has_at_most,
    is_overriding, lines,
};
use crate::{emoji::is_one_emoji, id::FileId};

impl PageTitle {
    /// How many characters it has at most.
    pub const MAX: usize = 300;

    /// Reads a title that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        if text.chars().any(is_overriding) { Err(TextFlaw::Format) } else { Ok(Self(text.to_owned())) }
    }

    /// The title of a copy, cut to the length of a title.
    #[must_use]
    pub fn of_copy(&self) -> Self {
        const SUFFIX: &str = " (copy)";
        let room = Self::MAX - SUFFIX.chars().count();
        let stem: String = self.0.chars().take(room).collect();
        Self(format!("{stem}{SUFFIX}"))
    }
}

impl DatabaseTitle {
    /// How many characters it has at most.
    pub const MAX: usize = 200;

    /// Reads a title that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        PageTitle::parse(text).map(|title| Self(title.0))
    }

    /// The title of the node of the database.
    pub fn of_node(self) -> PageTitle {
        PageTitle(self.0)
    }
}

impl DatabaseDescription {
    /// How many characters it has at most.
    pub const MAX: usize = 2000;

    /// Reads a description that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        lines(text, Self::MAX).map(Self)
    }
}

impl CommentText {
    /// How many characters it has at most.
    pub const MAX: usize = 5000;

    /// Reads what somebody wrote. Blanks count as text.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if text.is_empty() {
            return Err(TextFlaw::Empty);
        }
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        Ok(Self(text.to_owned()))
    }
}

impl PageIcon {
    /// How many characters it has at most.
    pub const MAX: usize = 2048;

    /// Reads an icon that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        let fits = is_one_emoji(text) || text.parse::<FileId>().is_ok() || WebAddress::parse(text).is_ok();
        if fits { Ok(Self(text.to_owned())) } else { Err(TextFlaw::Format) }
    }

    /// The emoji, if it is one.
    pub fn emoji(&self) -> Option<&str> {
        is_one_emoji(&self.0).then_some(self.as_str())
    }

    /// The file, if the icon is one.
    pub fn file(&self) -> Option<FileId> {
        self.0.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Name, *};

    #[test]
    fn a_title_may_hold_direction_marks() {
        for title in ["", "\u{200F}\u{5e9}\u{5dc}\u{5d5}\u{5dd}\u{200E}!", "\u{61C}1"] {
            assert_eq!(PageTitle::parse(title).map(|title| title.to_string()), Ok(title.to_owned()));
        }
        for wrong in ["A\nB", "A\u{202E}", "A\u{2067}", "A\u{7}"] {
            assert_eq!(PageTitle::parse(wrong), Err(TextFlaw::Format));
        }
        assert_eq!(Name::parse("Ada\u{200F}"), Err(TextFlaw::Format), "people are told apart by their names");
    }
}
