//! The page for signing in.

use super::logout;
use crate::{
    refusal::Refusal,
    screen::{BoundForm, Browser, Card, NO_EMAIL, ReturnTarget, Screen, email_field, error_summary, token_input},
    v1::screen_paths::{FORGOT_PASSWORD, LOGIN, LOGOUT, PLAIN, SIGN_UP, api_address},
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::browser_sessions::BrowserUser;
use octavo_core_model::{
    Fault,
    fault::{Denial, Unknown},
};
use percent_encoding::utf8_percent_encode;

/// What the page shows.
#[derive(Debug, Default)]
pub(super) struct LoginPage {
    pub(super) target: Option<ReturnTarget>,
    /// The user who is signed in.
    pub(super) browser_user: Option<BrowserUser>,
    /// The address that was entered before.
    pub(super) email: String,
    pub(super) problem: Option<SignInProblem>,
    /// Everybody may create an account.
    pub(super) is_sign_up_open: bool,
}

/// Why the user is not signed in yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignInProblem {
    Email,
    Password,
    /// The address or the password is wrong; the page does not reveal which.
    Wrong,
    Suspended,
    Deleting,
}

impl SignInProblem {
    /// The problem, for refusals after which the form is shown again.
    pub(super) const fn of(refusal: &Refusal) -> Option<Self> {
        match refusal {
            Refusal::Fault(Fault::Unauthenticated(Unknown::Login)) => Some(Self::Wrong),
            Refusal::Fault(Fault::Forbidden(Denial::AccountSuspended)) => Some(Self::Suspended),
            Refusal::Fault(Fault::Forbidden(Denial::AccountDeleting)) => Some(Self::Deleting),
            _ => None,
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Email => NO_EMAIL,
            Self::Password => "Enter your password.",
            Self::Wrong => "The email address or the password is wrong.",
            Self::Suspended => "This account is suspended.",
            Self::Deleting => "This account is being deleted. The mail about it says how to restore it.",
        }
    }

    const fn is_about_email(self) -> bool {
        matches!(self, Self::Email | Self::Wrong)
    }

    const fn is_about_password(self) -> bool {
        matches!(self, Self::Password | Self::Wrong)
    }
}

impl LoginPage {
    pub(super) fn screen(&self, status: StatusCode, browser: &mut Browser) -> Result<Screen, Refusal> {
        let target = self.target.as_ref().map_or("", ReturnTarget::as_str);
        let token = browser.token_for(BoundForm::new("login", &[("returnTo", target)]))?;
        let form = self.form(target, &token);
        let content = match (&self.browser_user, &self.target) {
            (Some(browser_user), None) => {
                let out = browser.token_for(logout::sign_out_form(&[("returnTo", "")]))?;
                signed_in(browser_user, &out, &form)
            }
            (browser_user, _) => html! {
                h1 { "Sign in" }
                @if let Some(browser_user) = browser_user {
                    p { "You are signed in as " strong { (browser_user.user.email.as_str()) } ". Sign in again to go on." }
                }
                (form)
                (self.other_ways())
            },
        };
        let card = Card { title: "Sign in".into(), is_error: self.problem.is_some(), content };
        Ok(Screen::page(status, card.into()).with_cookie(browser.fresh_cookie()))
    }

    /// For people who cannot sign in yet.
    fn other_ways(&self) -> Markup {
        html! {
            p .aside {
                a href=(FORGOT_PASSWORD) { "Forgot your password?" }
                @if self.is_sign_up_open { " · " a href=(self.sign_up_address()) { "Create an account" } }
            }
        }
    }

    /// The page for new accounts, which leads to where the user came from afterwards.
    fn sign_up_address(&self) -> String {
        match &self.target {
            Some(target) => format!("{SIGN_UP}?returnTo={}", utf8_percent_encode(target.as_str(), PLAIN)),
            None => SIGN_UP.to_owned(),
        }
    }

    fn form(&self, target: &str, token: &str) -> Markup {
        let email_is_wrong = self.problem.is_some_and(SignInProblem::is_about_email);
        let password_is_wrong = self.problem.is_some_and(SignInProblem::is_about_password);
        // Puts the cursor in the first field that must be filled in.
        let begins_with_email = self.email.is_empty() || self.problem == Some(SignInProblem::Email);
        let is_alone = self.browser_user.is_none() || self.target.is_some();
        html! {
            @if let Some(problem) = self.problem { (error_summary(problem.message())) }
            form method="post" action=(api_address(LOGIN)) {
                (token_input(token))
                @if !target.is_empty() { input type="hidden" name="returnTo" value=(target); }
                (email_field(&self.email, email_is_wrong, is_alone && begins_with_email))
                label for="password" { "Password" }
                input #password type="password" name="password" required autocomplete="current-password"
                    aria-invalid=[password_is_wrong.then_some("true")]
                    aria-describedby=[password_is_wrong.then_some("error")]
                    autofocus[is_alone && !begins_with_email];
                button type="submit" { "Sign in" }
            }
        }
    }
}

/// The page for a user who is already signed in and was not sent here by another page.
fn signed_in(browser_user: &BrowserUser, token: &str, form: &Markup) -> Markup {
    html! {
        h1 { "You are signed in" }
        p { "as " strong { (browser_user.user.email.as_str()) } ". You can close this page, or go back to the app that sent you here." }
        form method="post" action=(api_address(LOGOUT)) {
            (token_input(token))
            button .second type="submit" { "Sign out" }
        }
        details {
            summary { "Sign in as somebody else" }
            (form)
        }
    }
}
