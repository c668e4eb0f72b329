//! Texts of forms. Direction marks are allowed, as in databases.

use super::{
    FormIntro, FormName, FormSlug, FormText, Placeholder, QuestionLabel, Slug, TextFlaw, database::label, has_at_most,
    is_overriding,
};

/// A text of up to `max` characters with any number of lines, unchanged.
fn lines(text: &str, max: usize) -> Result<String, TextFlaw> {
    if !has_at_most(text, max) {
        return Err(TextFlaw::TooLong);
    }
    let is_refused = |letter| is_overriding(letter) && !matches!(letter, '\n' | '\r' | '\t');
    if text.chars().any(is_refused) { Err(TextFlaw::Format) } else { Ok(text.to_owned()) }
}

impl FormName {
    /// How many characters it has at most.
    pub const MAX: usize = 100;

    /// Reads a name that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        label(text, Self::MAX).map(Self)
    }
}

impl QuestionLabel {
    /// How many characters it has at most.
    pub const MAX: usize = 100;

    /// Reads a label that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        label(text, Self::MAX).map(Self)
    }
}

impl FormIntro {
    /// How many characters it has at most.
    pub const MAX: usize = 2000;

    /// Reads Markdown that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        lines(text, Self::MAX).map(Self)
    }
}

impl FormText {
    /// How many characters it has at most.
    pub const MAX: usize = 500;

    /// Reads a description or a message that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        lines(text, Self::MAX).map(Self)
    }
}

impl Placeholder {
    /// How many characters it has at most.
    pub const MAX: usize = 200;

    /// Reads an example that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        lines(text, Self::MAX).map(Self)
    }
}

impl FormSlug {
    /// How many characters it has at least.
    pub const MIN: usize = 2;
    /// How many characters it has at most.
    pub const MAX: usize = 50;
    /// What [`Self::parse`] accepts, apart from the length.
    pub const PATTERN: &'static str = "^[a-z0-9]+(-[a-z0-9]+)*$";
    /// What stands for a name without letters and digits.
    const NAMELESS: &'static str = "form";

    /// Parses a slug that a caller chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        if text.chars().nth(Self::MIN - 1).is_none() {
            return Err(TextFlaw::TooShort);
        }
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        };
        if text.split('-').all(is_word) { Ok(Self(text.to_owned())) } else { Err(TextFlaw::Format) }
    }

    /// A slug derived from the name of a form.
    #[must_use]
    pub fn from_name(name: &FormName) -> Self {
        let slug = Slug::from_name(name.as_str(), Self::NAMELESS).0;
        if slug.len() < Self::MIN { Self(format!("{}-{slug}", Self::NAMELESS)) } else { Self(slug) }
    }

    /// The slug with a number appended, within the maximum length.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        Self(Slug(self.0.clone()).numbered(number).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn derived(name: &str) -> String {
        FormName::parse(name).map(|name| FormSlug::from_name(&name).to_string()).unwrap_or_default()
    }

    #[test]
    fn a_slug_has_words_with_single_hyphens_between_them() {
        let longest = "a".repeat(50);
        for slug in ["ab", "a-b", "job-application-2026", &longest] {
            assert_eq!(FormSlug::parse(slug).map(|read| read.to_string()), Ok(slug.to_owned()));
        }
        for slug in ["-ab", "ab-", "a--b", "Ab", "a b", "a_b", "\u{e4}b", "a\n", "--"] {
            assert_eq!(FormSlug::parse(slug), Err(TextFlaw::Format), "{slug}");
        }
        assert_eq!(FormSlug::parse("a"), Err(TextFlaw::TooShort));
        assert_eq!(FormSlug::parse(&"a".repeat(51)), Err(TextFlaw::TooLong));
    }

    #[test]
    fn a_slug_is_derived_from_the_name() {
        assert_eq!(derived("  Job application (2026)! "), "job-application-2026");
        assert_eq!(derived("\u{65e5}\u{672c}"), "form");
        assert_eq!(derived("A"), "form-a");
        let long = FormSlug::parse(&format!("{}-bc", "a".repeat(46))).map(|slug| slug.numbered(12).to_string());
        assert_eq!(long, Ok(format!("{}-12", "a".repeat(46))), "no hyphen is left before the number");
    }

    #[test]
    fn texts_may_have_lines_and_direction_marks() {
        let text = "\u{5e9}\u{5dc}\u{200F}!\n\tb";
        assert_eq!(FormText::parse(text).map(|read| read.to_string()), Ok(text.to_owned()));
        assert_eq!(FormIntro::parse("a\0"), Err(TextFlaw::Format));
        assert_eq!(Placeholder::parse(&"a".repeat(201)), Err(TextFlaw::TooLong));
        assert_eq!(QuestionLabel::parse("a\nb"), Err(TextFlaw::Format));
    }

    proptest! {
        #[test]
        fn every_derived_slug_could_have_been_chosen(name in "\\PC{1,100}", number in 2_u64..100_000) {
            if let Ok(name) = FormName::parse(&name) {
                let slug = FormSlug::from_name(&name);
                prop_assert_eq!(FormSlug::parse(slug.as_str()), Ok(slug.clone()));
                let numbered = slug.numbered(number);
                prop_assert_eq!(FormSlug::parse(numbered.as_str()), Ok(numbered));
            }
        }
    }
}
