//! The page on which a user authorizes an app or denies it.

use crate::{
    screen::{Card, Page, error_summary, token_input},
    v1::screen_paths::{LOGOUT, api_address},
};
use maud::{Markup, html};
use octavo_core_model::{AppScope, id::WorkspaceId};

/// What the page shows and what its forms send back.
#[derive(Debug)]
pub(super) struct ConsentPage<'a> {
    pub(super) app: &'a str,
    /// The workspace that registered the app.
    pub(super) publisher: &'a str,
    /// The host to which the browser will be redirected.
    pub(super) host: &'a str,
    pub(super) email: &'a str,
    pub(super) scopes: &'a [AppScope],
    /// How long the grant lasts.
    pub(super) days: u64,
    pub(super) workspaces: &'a [Choice],
    pub(super) problem: Option<&'static str>,
    /// The parameters of the request, which the form sends back unchanged.
    pub(super) parameters: &'a [(&'static str, &'a str)],
    pub(super) token: &'a str,
    /// Where to continue after signing out, and the token of that form.
    pub(super) elsewhere: (&'a str, &'a str),
}

/// A workspace in which the app may act.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) id: WorkspaceId,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

impl ConsentPage<'_> {
    pub(super) fn render(&self) -> Page {
        let content = html! {
            h1 { "Let " (self.app) " act for you?" }
            @if let Some(problem) = self.problem { (error_summary(problem)) }
            div .app {
                span .letter aria-hidden="true" { (self.letter()) }
                p { strong { (self.app) } " by " (self.publisher) br; "You go back to " strong { (self.host) } }
            }
            form method="post" action=(api_address("/oauth/consent")) {
                (token_input(self.token))
                @for (name, value) in self.parameters { input type="hidden" name=(name) value=(value); }
                h2 { "It will be able to" }
                ul { @for scope in self.scopes { li { (words(*scope)) } } }
                (self.choices())
                p .aside {
                    "This lasts " (self.days) " days. You can take it back before at any time."
                }
                // Deny comes first, because the Enter key in the boxes above submits the first button.
                div .choices {
                    button .second type="submit" name="decision" value="deny" { "Deny" }
                    button type="submit" name="decision" value="approve" { "Allow" }
                }
            }
            div .aside {
                "You are signed in as " strong { (self.email) } ". "
                (self.sign_out())
            }
        };
        Card { title: format!("Let {} act for you?", self.app).into(), is_error: self.problem.is_some(), content }
            .into()
    }

    fn letter(&self) -> String {
        self.app.chars().next().map(|first| first.to_uppercase().collect()).unwrap_or_default()
    }

    fn choices(&self) -> Markup {
        html! {
            fieldset aria-describedby=[self.problem.map(|_| "error")] {
                legend { "In these workspaces" }
                @for choice in self.workspaces {
                    label .option {
                        input type="checkbox" name="workspaceIds" value=(choice.id) checked[choice.is_chosen];
                        span { (choice.name) }
                    }
                }
            }
        }
    }

    fn sign_out(&self) -> Markup {
        let (target, token) = self.elsewhere;
        html! {
            form method="post" action=(api_address(LOGOUT)) {
                (token_input(token))
                input type="hidden" name="returnTo" value=(target);
                button .plain type="submit" { "Use another account" }
            }
        }
    }
}

/// What a scope means to the user who grants it.
pub(crate) const fn words(scope: AppScope) -> &'static str {
    match scope {
        AppScope::PagesRead => "See pages and what is on them",
        AppScope::PagesWrite => "Create, change and remove pages",
        AppScope::DatabasesRead => "See databases and their records",
        AppScope::DatabasesWrite => "Create, change and remove databases and their records",
        AppScope::FilesRead => "See and download files",
        AppScope::FilesWrite => "Upload, change and remove files",
    }
}
