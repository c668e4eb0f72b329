//! `/oauth/logout`: signing out on a page.

use super::{FormText, answer};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Cookie, ReturnTarget, Screen},
    v1::screen_paths::{LOGIN, api_address},
    wire::body,
};
use octavo_app::{Call, Draft, browser_sessions};
use octavo_core_model::Secret;

body! {
    /// The form of a sign-out button.
    pub(crate) LogoutForm {
        example: { "csrf_token": "q83vEjRWeJq83vEjRWeJq8" };
        /// The path of this origin at which to continue. Anything else is ignored.
        return_to "returnTo": optional FormText = "/api/v1/oauth/authorize?client_id=cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Signs a browser out.
    ///
    /// Ends the session of the cookie and deletes the cookie. A browser that is not signed in is redirected as well.
    POST "/oauth/logout" as submitLogout => sign_out {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, form: Body<LogoutForm>),
        answers: { 303: Redirect },
        refusals: [],
        events: [UserLogout],
        surface: Surface::Screen,
    }
}

/// The form of a sign-out button, with the values that it sends back.
pub(crate) const fn sign_out_form<'a>(parameters: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
    BoundForm::new("logout", parameters)
}

async fn sign_out(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LogoutForm>) -> Answer {
    answer(end(dispatcher, call, browser, form).await)
}

async fn end(dispatcher: Dispatcher, call: Call, browser: Browser, form: Draft<LogoutForm>) -> Result<Screen, Refusal> {
    let form = form?;
    let target = form.return_to.and_then(|text| ReturnTarget::parse(&text.0));
    let shown = [("returnTo", target.as_ref().map_or("", ReturnTarget::as_str))];
    browser.check(sign_out_form(&shown), form.csrf_token.as_ref())?;
    if let Some(cookie) = browser.cookie().cloned() {
        let end = move |engine: std::sync::Arc<octavo_app::Engine>, call| async move {
            engine.change(call, move |unit| Box::pin(browser_sessions::sign_out(unit, cookie))).await
        };
        dispatcher.ask(call, end).await?;
    }
    let address = target.map_or_else(|| api_address(LOGIN), ReturnTarget::into_string);
    Ok(Screen::see_other(address).with_cookie(Some(Cookie::Gone)))
}
