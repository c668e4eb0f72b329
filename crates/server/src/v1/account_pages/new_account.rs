//! The fields in which new users enter their name and choose a password.

use maud::{Markup, html};
use octavo_core_model::{
    Secret,
    text::{Name, NewPassword, TextFlaw},
};

/// The rule for the characters of a password, so that browsers check it before they send the form.
const PASSWORD_PATTERN: &str = r"(?=.*\p{Uppercase})(?=.*\p{Lowercase})(?=.*[0-9]).*";

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
            Self::Password(TextFlaw::Empty | TextFlaw::TooShort) => {
                "Choose a longer password: it needs at least 8 characters."
            }
            Self::Password(TextFlaw::TooLong) => "Choose a shorter password: it can have at most 128 characters.",
            Self::Password(TextFlaw::Format) => {
                "Choose a password with an upper-case letter, a lower-case letter and a digit."
            }
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
    let about_password = if password_is_wrong { "error password-rule" } else { "password-rule" };
    html! {
        label for="name" { "Full name" }
        input #name type="text" name="name" value=(name) required maxlength="100" autocomplete="name"
            aria-invalid=[name_is_wrong.then_some("true")]
            aria-describedby=[name_is_wrong.then_some("error")]
            autofocus[name_is_wrong];
        label for="password" { "Password" }
        input #password type="password" name="password" required minlength="8" maxlength="128"
            pattern=(PASSWORD_PATTERN) title="An upper-case letter, a lower-case letter and a digit"
            autocomplete="new-password"
            aria-invalid=[password_is_wrong.then_some("true")]
            aria-describedby=(about_password)
            autofocus[password_is_wrong];
        p #password-rule .hint {
            "8 to 128 characters, with an upper-case letter, a lower-case letter and a digit."
        }
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
