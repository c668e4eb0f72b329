//! Pages for signing in and out in a browser.

pub mod login;
mod login_page;
pub mod logout;

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    screen::{Browser, Screen},
    wire::Text,
};
use octavo_app::{
    Call, Signup,
    browser_sessions::{self, BrowserUser},
};

/// The value of a form field or query parameter that may contain anything. No accepted address is longer.
pub(crate) type FormText = Text<0, 8192>;

/// Whether everybody may create an account.
pub(crate) fn is_sign_up_open(dispatcher: &Dispatcher) -> bool {
    dispatcher.rules().signup == Signup::Open
}

/// The user who is signed in with the browser.
pub(crate) async fn browser_user(
    dispatcher: &Dispatcher,
    call: &Call,
    browser: &Browser,
) -> Result<Option<BrowserUser>, Refusal> {
    let Some(cookie) = browser.cookie().cloned() else { return Ok(None) };
    let find = |engine: std::sync::Arc<octavo_app::Engine>, call| async move {
        engine.read(call, move |view| Box::pin(async move { browser_sessions::find(view, &cookie).await })).await
    };
    dispatcher.ask(call.clone(), find).await
}

pub(crate) fn answer(screen: Result<Screen, Refusal>) -> Answer {
    match screen {
        Ok(screen) => screen.into(),
        Err(refusal) => refusal.into(),
    }
}
