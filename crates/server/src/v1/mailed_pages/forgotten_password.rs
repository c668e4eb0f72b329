//! `/forgot-password`: requesting a reset mail.

use super::page;
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Indexing, Place, Surface, routes},
    screen::{BoundForm, Browser, Html, NO_EMAIL, Screen, email_field, error_summary, token_input},
    v1::{
        browser_sessions::{FormText, answer},
        screen_paths::{FORGOT_PASSWORD, LOGIN, api_address},
    },
    wire::body,
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::{Call, Draft, passwords};
use octavo_core_model::{Secret, text::Email};

const FORM: BoundForm<'static> = BoundForm::new("forgot-password", &[]);

body! {
    /// The address of an account, from the form on the page.
    pub(crate) ForgottenPasswordForm {
        example: { "email": "ada@example.com", "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" };
        /// The address of the account.
        email "email": optional FormText = "ada@example.com",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Asks for the address of an account whose password is forgotten.
    ///
    /// For browsers. The sign-in page links to it.
    GET "/forgot-password" as showPasswordRequest => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Requests a reset mail in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/password-reset/request`: the answer
    /// is the same whether or not the address has an account.
    POST "/forgot-password" as submitPasswordRequest => request {
        caller: Anyone,
        limits: [Screens, Credentials, PasswordReset],
        takes: (browser: Browser, form: Body<ForgottenPasswordForm>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

async fn show(_: Dispatcher, _: Call, mut browser: Browser) -> Answer {
    answer(form_page(None, &mut browser))
}

async fn request(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<ForgottenPasswordForm>) -> Answer {
    answer(try_request(dispatcher, call, browser, form).await)
}

async fn try_request(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    form: Draft<ForgottenPasswordForm>,
) -> Result<Screen, Refusal> {
    let form = form?;
    browser.check(FORM, form.csrf_token.as_ref())?;
    let entered = form.email.map(|email| email.0).unwrap_or_default();
    let Ok(email) = Email::parse(entered.trim()) else { return form_page(Some(entered.as_str()), &mut browser) };
    let content = sent(email.as_str());
    let requested = dispatcher.ask(call, move |engine, call| async move {
        engine.change(call, move |unit| Box::pin(passwords::request_reset(unit, Ok(email)))).await
    });
    requested.await?;
    Ok(page(StatusCode::OK, "Look into your mailbox", &content, &browser))
}

/// The form, empty or with an entered text that is not an address.
fn form_page(entered: Option<&str>, browser: &mut Browser) -> Result<Screen, Refusal> {
    let csrf_token = browser.token_for(FORM)?;
    let status = if entered.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    Ok(page(status, "Forgot your password?", &form(entered, &csrf_token), browser))
}

fn form(entered: Option<&str>, csrf_token: &str) -> Markup {
    let is_wrong = entered.is_some();
    html! {
        @if is_wrong { (error_summary(NO_EMAIL)) }
        p { "Enter the email address of your account. You get a mail with a link to choose a new password." }
        form method="post" action=(FORGOT_PASSWORD) {
            (token_input(csrf_token))
            (email_field(entered.unwrap_or_default(), is_wrong, true))
            button type="submit" { "Send the mail" }
        }
        p .aside { a href=(api_address(LOGIN)) { "Back to sign-in" } }
    }
}

/// The same for every address, so that it does not reveal which addresses have accounts.
fn sent(email: &str) -> Markup {
    html! {
        p { "If " strong { (email) } " has an account here, a mail with a link is on its way. The link works once, within 24 hours." }
        p .aside { "No mail after a few minutes? Look among the unwanted mails, or " a href=(FORGOT_PASSWORD) { "enter another address" } "." }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_entered_is_shown_again_as_text() {
        let text = form(Some("\"><script>alert(1)</script>"), "token").into_string();
        assert!(text.contains("role=\"alert\"") && text.contains("aria-invalid=\"true\""), "{text}");
        assert!(!text.contains("<script>") && text.contains("&quot;&gt;&lt;script&gt;"), "{text}");
        let empty = form(None, "token").into_string();
        assert!(!empty.contains("role=\"alert\"") && empty.contains("value=\"\""), "{empty}");
    }

    #[test]
    fn the_answer_promises_nothing_about_the_account() {
        let text = sent("ada@example.com").into_string();
        assert!(text.contains("If <strong>ada@example.com</strong> has an account here"), "{text}");
    }
}
