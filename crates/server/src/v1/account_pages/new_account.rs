//! The fields in which new users enter their name and choose a password.

use crate::screen::{new_password_advice, new_password_field};
use maud::{Markup, html};
use octavo_core_model::{
    Secret,
    text::{Name, NewPassword, TextFlaw},
};

/// What is wrong with a name or a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryProblem {
    Name(TextFlaw),
    Password(TextFlaw),
}

impl EntryProblem {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::Name(TextFlaw::Empty | TextFlaw::TooShort) => "Enter your name.",
            Self::Name(TextFlaw::TooLong) => "Shorten your name: it can have at most 100 characters.",
            Self::Name(TextFlaw::Format) => "Type your name again: it contains characters that cannot be shown.",
            Self::Password(flaw) => new_password_advice(flaw),
        }
    }
}

/// The entered name and password, or the first thing that is wrong with them.
pub(super) fn read(name: &str, password: Option<&Secret<String>>) -> Result<(Name, NewPassword), EntryProblem> {
    let name = Name::parse(name).map_err(EntryProblem::Name)?;
    let password = password.map_or("", |password| password.expose());
    Ok((name, NewPassword::parse(password).map_err(EntryProblem::Password)?))
}

/// The fields. An error message with the id `error` is above them if there is a problem.
pub(super) fn fields(name: &str, problem: Option<EntryProblem>) -> Markup {
    let name_is_wrong = matches!(problem, Some(EntryProblem::Name(_)));
    let password_is_wrong = matches!(problem, Some(EntryProblem::Password(_)));
    html! {
        label for="name" { "Full name" }
        input #name type="text" name="name" value=(name) required maxlength="100" autocomplete="name"
            aria-invalid=[name_is_wrong.then_some("true")]
            aria-describedby=[name_is_wrong.then_some("error")]
            autofocus[name_is_wrong];
        (new_password_field("Password", password_is_wrong, password_is_wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str, password: &str) -> Option<&'static str> {
        read(name, Some(&Secret::new(password.to_owned()))).err().map(EntryProblem::message)
    }

    #[test]
    fn every_problem_says_what_to_do() {
        assert_eq!(message("Ada", "Correct-Horse-7"), None);
        for (name, password, expected) in [
            (" ", "Correct-Horse-7", "Enter your name."),
            (&*"x".repeat(101), "Correct-Horse-7", "Shorten your name: it can have at most 100 characters."),
            ("a\u{202E}b", "", "Type your name again: it contains characters that cannot be shown."),
            ("Ada", "", "Choose a longer password: it needs at least 8 characters."),
            ("Ada", &*"aB3".repeat(43), "Choose a shorter password: it can have at most 128 characters."),
            ("Ada", "all-small-7", "Choose a password with an upper-case letter, a lower-case letter and a digit."),
        ] {
            assert_eq!(message(name, password), Some(expected), "{name:?} {password:?}");
        }
        assert_eq!(read("Ada", None), Err(EntryProblem::Password(TextFlaw::TooShort)));
    }

    #[test]
    fn a_wrong_field_is_marked_and_focused_and_a_password_is_never_shown_again() {
        let page = fields("<Ada>", Some(EntryProblem::Password(TextFlaw::Format))).into_string();
        assert!(page.contains("value=\"&lt;Ada&gt;\""), "{page}");
        assert!(page.contains("aria-invalid=\"true\" aria-describedby=\"error password-rule\" autofocus"), "{page}");
        assert_eq!((page.matches("aria-invalid").count(), page.matches("autofocus").count()), (1, 1));
        assert_eq!(page.matches(" value=").count(), 1, "only the name");
    }
}
