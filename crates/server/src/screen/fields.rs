//! Fields that several forms have.

use super::BoundForm;
use maud::{Markup, html};

/// What to do if the text in the field for an email address is none.
pub(crate) const NO_EMAIL: &str = "Enter an email address, like name@example.com.";

/// The hidden field with the token that binds a form.
pub(crate) fn token_input(token: &str) -> Markup {
    html! { input type="hidden" name=(BoundForm::TOKEN_FIELD) value=(token); }
}

/// The field for the email address of an account. An error message with the id `error` is above it if it is wrong.
pub(crate) fn email_field(entered: &str, is_wrong: bool, is_focused: bool) -> Markup {
    html! {
        label for="email" { "Email address" }
        input #email type="email" name="email" value=(entered) required maxlength="254"
            autocomplete="username" autocapitalize="none" spellcheck="false"
            aria-invalid=[is_wrong.then_some("true")]
            aria-describedby=[is_wrong.then_some("error")]
            autofocus[is_focused];
    }
}
