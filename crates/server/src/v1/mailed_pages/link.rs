//! A mailed link: its token is checked when the page opens, and redeemed by the form of the page.

use super::{
    link_problem::{LinkProblem, TOKEN},
    page,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    screen::{BoundForm, Browser, Card, Screen, error_summary, token_input},
    v1::browser_sessions::answer,
    wire::{body, query},
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::{Call, Draft, Unit, engine::Fut, mailed};
use octavo_core_model::{
    Secret, TokenKind,
    fault::{Issue, Violation},
};
use serde_json::{Value, json};

query! {
    /// What a mailed link contains.
    pub(crate) LinkQuery {
        /// The token in the link of the mail.
        token "token": optional Secret<String> = "evt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

body! {
    /// The form of a button that redeems the token of a mailed link.
    pub(crate) LinkForm {
        example: { "token": "evt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80", "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" };
        /// The token in the link of the mail.
        token "token": optional Secret<String> = "evt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

/// An example of the form with another kind of token.
pub(super) fn form_example(token: &str) -> Value {
    json!({ "token": token, "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" })
}

/// A link in a mail.
#[derive(Debug)]
pub(super) struct MailedLink {
    /// The path to which its form is sent. It also names the form, so that no form of another link is accepted there.
    pub(super) target: &'static str,
    pub(super) kind: TokenKind,
    /// What people can do if another link might work.
    pub(super) next_step: fn(LinkProblem) -> Markup,
}

/// The title of a page and what is below it.
pub(super) type Content = (&'static str, Markup);

/// The refusal of a link or form without a token.
pub(super) fn missing() -> Refusal {
    Violation::new(TOKEN, Issue::Required).into()
}

impl MailedLink {
    /// Answers an opened link with the content for its token, or with what is wrong with the link. The link stays
    /// valid.
    pub(super) async fn show(
        &self,
        (dispatcher, call): (Dispatcher, Call),
        mut browser: Browser,
        query: Draft<LinkQuery>,
        content: impl FnOnce(&Secret<String>, &mut Browser) -> Result<Content, Refusal>,
    ) -> Answer {
        let opened = self.open(&dispatcher, call, query).await;
        let shown = opened.and_then(|token| content(&token, &mut browser));
        answer(self.explain(shown.map(|(title, content)| page(StatusCode::OK, title, &content, &browser))))
    }

    /// Answers a form by redeeming its token with a use case, or with what is wrong with the link.
    pub(super) async fn redeem<T: Send + 'static>(
        &self,
        (dispatcher, call): (Dispatcher, Call),
        browser: Browser,
        form: Draft<LinkForm>,
        use_case: for<'a> fn(&'a mut Unit, Draft<Secret<String>>) -> Fut<'a, T>,
        content: impl FnOnce(T) -> Content,
    ) -> Answer {
        let done = match self.accept(&browser, form) {
            Ok(token) => {
                let redeem = dispatcher.ask(call, move |engine, call| async move {
                    engine.change(call, move |unit| use_case(unit, Ok(token))).await
                });
                redeem.await
            }
            Err(refusal) => Err(refusal),
        };
        let done = done.map(content);
        answer(self.explain(done.map(|(title, content)| page(StatusCode::OK, title, &content, &browser))))
    }

    /// Returns the token of an opened link, if its form would be accepted now. The link stays valid.
    pub(super) async fn open(
        &self,
        dispatcher: &Dispatcher,
        call: Call,
        query: Draft<LinkQuery>,
    ) -> Result<Secret<String>, Refusal> {
        let token = query?.token.ok_or_else(missing)?;
        let (kind, opened) = (self.kind, token.clone());
        let check = dispatcher.ask(call, move |engine, call| async move {
            engine.read(call, move |view| Box::pin(async move { mailed::check_token(view, kind, &opened).await })).await
        });
        check.await?;
        Ok(token)
    }

    /// Returns the token of a form that this browser was shown.
    fn accept(&self, browser: &Browser, form: Draft<LinkForm>) -> Result<Secret<String>, Refusal> {
        let LinkForm { token, csrf_token } = form?;
        let token = token.ok_or_else(missing)?;
        self.check(browser, &token, csrf_token.as_ref())?;
        Ok(token)
    }

    /// Refuses a form that was not shown to this browser, or that was shown with another token.
    pub(super) fn check(
        &self,
        browser: &Browser,
        token: &Secret<String>,
        csrf_token: Option<&Secret<String>>,
    ) -> Result<(), Refusal> {
        let shown = [(TOKEN, token.expose().as_str())];
        browser.check(BoundForm::new(self.target, &shown), csrf_token)
    }

    /// The hidden fields of the form: the token, and what binds the form to this browser.
    pub(super) fn hidden_fields(&self, token: &Secret<String>, browser: &mut Browser) -> Result<Markup, Refusal> {
        let shown = [(TOKEN, token.expose().as_str())];
        let csrf_token = browser.token_for(BoundForm::new(self.target, &shown))?;
        Ok(html! {
            (token_input(&csrf_token))
            input type="hidden" name=(TOKEN) value=(token.expose());
        })
    }

    /// A form with nothing but a button.
    pub(super) fn button(
        &self,
        label: &'static str,
        token: &Secret<String>,
        browser: &mut Browser,
    ) -> Result<Markup, Refusal> {
        self.form(&html! { button type="submit" { (label) } }, token, browser)
    }

    /// Like [`Self::button`], for what cannot be undone.
    pub(super) fn danger_button(
        &self,
        label: &'static str,
        token: &Secret<String>,
        browser: &mut Browser,
    ) -> Result<Markup, Refusal> {
        self.form(&html! { button .danger type="submit" { (label) } }, token, browser)
    }

    fn form(&self, button: &Markup, token: &Secret<String>, browser: &mut Browser) -> Result<Markup, Refusal> {
        let hidden_fields = self.hidden_fields(token, browser)?;
        Ok(html! {
            form method="post" action=(self.target) {
                (hidden_fields)
                (button)
            }
        })
    }

    /// Replaces a refusal that is about the link with a page that says what is wrong and what to do next.
    pub(super) fn explain(&self, screen: Result<Screen, Refusal>) -> Result<Screen, Refusal> {
        screen.or_else(|refusal| LinkProblem::of(&refusal).map(|problem| self.problem_page(problem)).ok_or(refusal))
    }

    fn problem_page(&self, problem: LinkProblem) -> Screen {
        let content = html! {
            h1 { (problem.title()) }
            (error_summary(problem.reason()))
            @if problem.is_about_token() { ((self.next_step)(problem)) }
        };
        let card = Card { title: problem.title().into(), is_error: true, content };
        Screen::page(problem.status(), card.into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::screen::ScreenContent;
    use octavo_core_model::{
        Fault,
        fault::{Conflict, Denial},
    };

    const LINK: MailedLink = MailedLink {
        target: "/verify-email",
        kind: TokenKind::EmailVerification,
        next_step: |_| html! { p { "Ask for another mail." } },
    };

    fn explained(refusal: Refusal) -> (u16, String) {
        let screen = LINK.explain(Err(refusal)).unwrap();
        let ScreenContent::Page(page) = &screen.content else { panic!("{screen:?}") };
        (screen.status.as_u16(), page.render("nonce"))
    }

    #[test]
    fn a_link_that_does_not_work_says_why_and_what_to_do() {
        let unknown = || Violation::new(TOKEN, Issue::InvalidValue).into();
        for (refusal, title) in [
            (missing(), "This link is not valid"),
            (unknown(), "This link is not valid"),
            (Fault::Conflict(Conflict::TokenUsed).into(), "This link was used before"),
            (Fault::Conflict(Conflict::TokenRevoked).into(), "This link is no longer valid"),
            (Fault::TokenExpired.into(), "This link has expired"),
        ] {
            let (status, text) = explained(refusal);
            assert_eq!(status, 400, "{title}");
            assert!(text.contains(&format!("<title>Error: {title} ")) && text.contains(&format!("<h1>{title}</h1>")));
            assert!(text.contains("role=\"alert\"") && text.contains("Ask for another mail."), "{text}");
        }
    }

    #[test]
    fn where_no_other_link_would_work_none_is_recommended() {
        for (fault, status, title) in [
            (Fault::Forbidden(Denial::AccountSuspended), 403, "This account is suspended"),
            (Fault::Forbidden(Denial::AccountDeleting), 403, "This account is being deleted"),
            (Fault::Conflict(Conflict::Taken("email")), 409, "This address has an account already"),
        ] {
            let (answered, text) = explained(fault.into());
            assert_eq!(answered, status, "{title}");
            assert!(text.contains(&format!("<h1>{title}</h1>")) && text.contains("role=\"alert\""), "{text}");
            assert!(!text.contains("Ask for another mail."), "{text}");
        }
    }

    #[test]
    fn other_refusals_stay_what_they_are() {
        for refusal in [Refusal::StaleForm, Fault::HasherBusy.into(), Violation::new("other", Issue::Required).into()] {
            assert_eq!(LINK.explain(Err(refusal.clone())).unwrap_err(), refusal);
        }
    }
}
