//! `/reset-password`: setting a new password with a mailed token.

use super::{
    link::{LinkQuery, MailedLink, missing},
    link_problem::LinkProblem,
    page, sign_in,
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Indexing, Place, Query, Surface, routes},
    screen::{Browser, Html, Screen, error_summary, new_password_advice, new_password_field},
    v1::{browser_sessions::answer, screen_paths::FORGOT_PASSWORD},
    wire::body,
};
use actix_web::http::StatusCode;
use maud::{Markup, html};
use octavo_app::{
    Call, Draft, Reply,
    passwords::{self, Reset},
};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    fault::Denial,
    text::{NewPassword, TextFlaw},
};

const RESET: MailedLink =
    MailedLink { target: "/reset-password", kind: TokenKind::PasswordReset, next_step: after_reset };

body! {
    /// A new password, from the form on the page.
    pub(crate) NewPasswordForm {
        example: {
            "token": "pwrt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
            "password": "Correct-Horse-7",
            "passwordAgain": "Correct-Horse-7",
            "csrf_token": "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80"
        };
        /// The token in the link of the mail.
        token "token": optional Secret<String> = "pwrt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// 8 to 128 characters with an upper-case letter, a lower-case letter and a digit.
        password "password": optional Secret<String> = "Correct-Horse-7",
        /// The same password, to notice slips.
        repeated "passwordAgain": optional Secret<String> = "Correct-Horse-7",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Asks for a new password.
    ///
    /// For browsers: reset mails, and the links that `octavo user reset-password` prints, lead to this page. Opening
    /// the page leaves the link valid. A link that does not work is answered with 400, and the page says why and what
    /// to do.
    GET "/reset-password" as showPasswordReset => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<LinkQuery>),
        answers: { 200: Html },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Sets a new password in a browser.
    ///
    /// Accepts the form of the page from that page only. Otherwise like `POST /auth/password-reset/confirm`.
    POST "/reset-password" as submitPasswordReset => set {
        caller: Anyone,
        limits: [Screens, Credentials],
        takes: (browser: Browser, form: Body<NewPasswordForm>),
        answers: { 200: Html },
        refusals: [
            Fault::Forbidden(Denial::AccountSuspended),
            Fault::Forbidden(Denial::AccountDeleting),
            Fault::HasherBusy,
        ],
        events: [UserPasswordReset],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

/// Why a password is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PasswordProblem {
    Flawed(TextFlaw),
    /// The two fields differ.
    Different,
}

impl PasswordProblem {
    const fn message(self) -> &'static str {
        match self {
            Self::Flawed(flaw) => new_password_advice(flaw),
            Self::Different => "The two passwords differ. Enter the same one twice.",
        }
    }
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<LinkQuery>) -> Answer {
    answer(RESET.explain(render(dispatcher, call, browser, query).await))
}

async fn render(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<LinkQuery>,
) -> Result<Screen, Refusal> {
    let token = RESET.open(&dispatcher, call, query).await?;
    form_page(&token, None, &mut browser)
}

async fn set(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<NewPasswordForm>) -> Answer {
    answer(RESET.explain(try_set(dispatcher, call, browser, form).await))
}

async fn try_set(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    form: Draft<NewPasswordForm>,
) -> Result<Screen, Refusal> {
    let NewPasswordForm { token, password, repeated, csrf_token } = form?;
    let token = token.ok_or_else(missing)?;
    RESET.check(&browser, &token, csrf_token.as_ref())?;
    let password = match read(password.as_ref(), repeated.as_ref()) {
        Ok(password) => password,
        Err(problem) => return form_page(&token, Some(problem), &mut browser),
    };
    let reset = dispatcher.ask(call, move |engine, call| async move {
        passwords::reset(&engine, call, Ok(Reset { token, password }), |()| Reply::nothing()).await
    });
    reset.await?;
    let content = html! {
        p { "Everybody who was signed in to your account has to sign in again, within 15 minutes at the latest." }
        p { "Sign in with the new password." }
        (sign_in())
    };
    Ok(page(StatusCode::OK, "Your new password is set", &content, &browser))
}

/// The entered password, or what is wrong with it.
fn read(password: Option<&Secret<String>>, repeated: Option<&Secret<String>>) -> Result<NewPassword, PasswordProblem> {
    let password = password.map_or("", |password| password.expose().as_str());
    let parsed = NewPassword::parse(password).map_err(PasswordProblem::Flawed)?;
    let is_same = repeated.is_some_and(|repeated| repeated.expose() == password);
    if is_same { Ok(parsed) } else { Err(PasswordProblem::Different) }
}

fn form_page(
    token: &Secret<String>,
    problem: Option<PasswordProblem>,
    browser: &mut Browser,
) -> Result<Screen, Refusal> {
    let hidden_fields = RESET.hidden_fields(token, browser)?;
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    Ok(page(status, "Choose a new password", &form(problem, &hidden_fields), browser))
}

fn form(problem: Option<PasswordProblem>, hidden_fields: &Markup) -> Markup {
    let is_flawed = matches!(problem, Some(PasswordProblem::Flawed(_)));
    let is_different = problem == Some(PasswordProblem::Different);
    html! {
        @if let Some(problem) = problem { (error_summary(problem.message())) }
        form method="post" action=(RESET.target) {
            (hidden_fields)
            (new_password_field("New password", is_flawed, true))
            label for="again" { "New password again" }
            input #again type="password" name="passwordAgain" required autocomplete="new-password"
                aria-invalid=[is_different.then_some("true")]
                aria-describedby=[is_different.then_some("error")];
            p .aside {
                "Everybody who is signed in to your account, you included, then has to sign in with the new password, within 15 minutes at the latest."
            }
            button type="submit" { "Set the password" }
        }
    }
}

fn after_reset(problem: LinkProblem) -> Markup {
    html! {
        @if problem == LinkProblem::Used {
            p { "If you used it yourself, sign in with your new password." }
            (sign_in())
            p { a .button.second href=(FORGOT_PASSWORD) { "Ask for a new link" } }
        } @else {
            p { a .button href=(FORGOT_PASSWORD) { "Ask for a new link" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_texts(password: &str, repeated: Option<&str>) -> Option<PasswordProblem> {
        let secret = |text: &str| Secret::new(text.to_owned());
        read(Some(&secret(password)), repeated.map(secret).as_ref()).err()
    }

    #[test]
    fn a_password_follows_the_rules_and_is_entered_twice() {
        let good = "Correct-Horse-7";
        for (password, problem) in [
            (good, None),
            ("", Some(PasswordProblem::Flawed(TextFlaw::TooShort))),
            ("Short-1", Some(PasswordProblem::Flawed(TextFlaw::TooShort))),
            (format!("Aa1{}", "x".repeat(126)).as_str(), Some(PasswordProblem::Flawed(TextFlaw::TooLong))),
            ("no-upper-case-1", Some(PasswordProblem::Flawed(TextFlaw::Format))),
            ("No-Digit-At-All", Some(PasswordProblem::Flawed(TextFlaw::Format))),
        ] {
            assert_eq!(read_texts(password, Some(password)), problem, "{password}");
        }
        assert_eq!(read_texts(good, Some("Correct-Horse-8")), Some(PasswordProblem::Different));
        assert_eq!(read_texts(good, None), Some(PasswordProblem::Different));
        assert_eq!(read(None, None).err(), Some(PasswordProblem::Flawed(TextFlaw::TooShort)));
    }

    #[test]
    fn the_form_names_the_field_that_is_wrong() {
        let none = html! {};
        let plain = form(None, &none).into_string();
        assert!(!plain.contains("aria-invalid") && !plain.contains("role=\"alert\""), "{plain}");
        assert!(
            plain.contains("aria-describedby=\"password-rule\"") && plain.contains("id=\"password-rule\""),
            "{plain}"
        );
        for (problem, field) in [
            (PasswordProblem::Flawed(TextFlaw::TooShort), "id=\"password\""),
            (PasswordProblem::Different, "id=\"again\""),
        ] {
            let text = form(Some(problem), &none).into_string();
            assert!(text.contains(problem.message()) && text.contains("role=\"alert\""), "{text}");
            let inputs: Vec<_> = text.split("<input ").filter(|input| input.contains("aria-invalid")).collect();
            assert!(inputs.len() == 1 && inputs[0].starts_with(field), "{text}");
        }
    }
}
