//! The page for creating an account, and the pages that follow it.

use super::{
    account_menu,
    new_account::{self, EntryProblem},
};
use crate::{
    refusal::Refusal,
    screen::{BoundForm, Card, NO_EMAIL, Page, ReturnTarget, email_field, error_summary, token_input},
    v1::screen_paths::{LOGIN, SIGN_UP, api_address, login_address},
};
use maud::html;
use octavo_core_model::{Fault, fault::Conflict};

/// What the page shows.
#[derive(Debug, Default)]
pub(super) struct SignUpPage {
    pub(super) target: Option<ReturnTarget>,
    /// What was entered before.
    pub(super) email: String,
    pub(super) name: String,
    pub(super) problem: Option<SignUpProblem>,
}

/// Why there is no account yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignUpProblem {
    Email,
    Entry(EntryProblem),
    Taken,
}

impl SignUpProblem {
    /// The problem, for refusals after which the form is shown again.
    pub(super) const fn of(refusal: &Refusal) -> Option<Self> {
        match refusal {
            Refusal::Fault(Fault::Conflict(Conflict::Taken(_))) => Some(Self::Taken),
            _ => None,
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Email => NO_EMAIL,
            Self::Entry(problem) => problem.message(),
            Self::Taken => {
                "This address has an account already. Sign in with it; if you forgot the password, you can choose a \
                 new one there."
            }
        }
    }

    const fn entry(self) -> Option<EntryProblem> {
        match self {
            Self::Entry(problem) => Some(problem),
            Self::Email | Self::Taken => None,
        }
    }
}

impl SignUpPage {
    pub(super) const fn bound_form<'a>(parameters: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
        BoundForm::new("sign-up", parameters)
    }

    /// `token` is that of the form.
    pub(super) fn render(&self, token: &str) -> Page {
        let email_is_wrong = matches!(self.problem, Some(SignUpProblem::Email | SignUpProblem::Taken));
        let sign_in = self.target.as_ref().map_or_else(|| api_address(LOGIN), |target| login_address(target.as_str()));
        let content = html! {
            h1 { "Create an account" }
            @if let Some(problem) = self.problem { (error_summary(problem.message())) }
            form method="post" action=(SIGN_UP) {
                (token_input(token))
                @if let Some(target) = &self.target {
                    input type="hidden" name="returnTo" value=(target.as_str());
                }
                (email_field(&self.email, email_is_wrong, self.email.is_empty() || email_is_wrong))
                (new_account::fields(&self.name, self.problem.and_then(SignUpProblem::entry)))
                button type="submit" { "Create account" }
            }
            p .aside { "You have an account? " a href=(sign_in) { "Sign in" } }
        };
        Card { title: "Create an account".into(), is_error: self.problem.is_some(), content }.into()
    }
}

/// The page where nobody can create an account without an invitation, or at all.
pub(super) fn closed_page() -> Page {
    const TITLE: &str = "You cannot create an account here";
    let content = html! {
        h1 { (TITLE) }
        (error_summary("This server does not let everybody create an account."))
        p { "If you were invited, open the link in the mail about it. Otherwise ask the operator of this server." }
        p { a href=(api_address(LOGIN)) { "Sign in" } " if you have an account." }
    };
    Card { title: TITLE.into(), is_error: true, content }.into()
}

/// The page for a new user, who is signed in.
pub(super) fn welcome_page(name: &str, email: &str) -> Page {
    let content = html! {
        h1 { "Welcome, " (name) }
        p { "Your account is ready, and this browser is signed in." }
        p { "We sent a mail to " strong { (email) } ". Open the link in it to verify your address." }
        (account_menu())
    };
    Card { title: "Welcome".into(), is_error: false, content }.into()
}

/// The page where nobody may learn whether the address was known.
pub(super) fn mail_sent_page(email: &str, target: Option<&ReturnTarget>) -> Page {
    let sign_in = target.map_or_else(|| api_address(LOGIN), |target| login_address(target.as_str()));
    let content = html! {
        h1 { "Look into your mailbox" }
        p { "We sent a mail to " strong { (email) } ". It says how to go on." }
        p { "Then " a href=(sign_in) { "sign in" } "." }
    };
    Card { title: "Look into your mailbox".into(), is_error: false, content }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::text::TextFlaw;

    fn page_with(problem: Option<SignUpProblem>) -> String {
        let page = SignUpPage { email: "\"><b>@x".to_owned(), name: "<i>".to_owned(), problem, target: None };
        page.render("token").render("nonce")
    }

    #[test]
    fn what_was_entered_is_shown_as_text() {
        let page = page_with(None);
        assert!(!page.contains("<b>") && !page.contains("<i>"), "{page}");
        assert!(page.contains("<title>Create an account · Octavo</title>"), "{page}");
    }

    #[test]
    fn a_problem_is_announced_and_its_field_is_marked() {
        for (problem, field, sentence) in [
            (SignUpProblem::Email, "id=\"email\"", "Enter an email address"),
            (SignUpProblem::Taken, "id=\"email\"", "has an account already"),
            (SignUpProblem::Entry(EntryProblem::Name(TextFlaw::Empty)), "id=\"name\"", "Enter your name."),
        ] {
            let page = page_with(Some(problem));
            assert!(page.contains("<title>Error: ") && page.contains(sentence), "{page}");
            let marked = page.split("<input ").skip(1).find(|input| input.contains("aria-invalid")).unwrap_or_default();
            assert!(marked.starts_with(field), "{marked}");
        }
    }

    #[test]
    fn signing_in_instead_leads_to_the_same_place() {
        let target = ReturnTarget::parse("/docs?a=b");
        let page = SignUpPage { target, ..SignUpPage::default() }.render("token").render("nonce");
        assert!(page.contains("/oauth/login?returnTo=%2Fdocs%3Fa%3Db\""), "{page}");
        assert!(page.contains("name=\"returnTo\" value=\"/docs?a=b\""), "{page}");
    }
}
