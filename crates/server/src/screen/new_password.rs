//! The field in which users choose a password.

use maud::{Markup, html};
use octavo_core_model::text::{NewPassword, TextFlaw};

/// The rule for the characters of a password, so that browsers check it before they send the form.
const PATTERN: &str = r"(?=.*\p{Uppercase})(?=.*\p{Lowercase})(?=.*[0-9]).*";

/// What to do if a password is not accepted.
pub(crate) const fn new_password_advice(flaw: TextFlaw) -> &'static str {
    match flaw {
        TextFlaw::Empty | TextFlaw::TooShort => "Choose a longer password: it needs at least 8 characters.",
        TextFlaw::TooLong => "Choose a shorter password: it can have at most 128 characters.",
        TextFlaw::Format => "Choose a password with an upper-case letter, a lower-case letter and a digit.",
    }
}

/// The field. An error message with the id `error` is above it if it is wrong.
pub(crate) fn new_password_field(label: &str, is_wrong: bool, is_focused: bool) -> Markup {
    let described_by = if is_wrong { "error password-rule" } else { "password-rule" };
    html! {
        label for="password" { (label) }
        input #password type="password" name="password" required
            minlength=(NewPassword::MIN) maxlength=(NewPassword::MAX)
            pattern=(PATTERN) title="An upper-case letter, a lower-case letter and a digit"
            autocomplete="new-password"
            aria-invalid=[is_wrong.then_some("true")]
            aria-describedby=(described_by)
            autofocus[is_focused];
        p #password-rule .hint {
            "8 to 128 characters, with an upper-case letter, a lower-case letter and a digit."
        }
    }
}
