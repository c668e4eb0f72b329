//! `/account/apps`: the apps with access to an account, and withdrawing it.

use super::{APPS, ButtonForm, SIGNED_OUT, apps_page::AppsPage, back_to, is_signed_out};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, CREDENTIAL_BODY, Indexing, Path, Place, Query, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Html, Screen},
    v1::{
        browser_sessions::{answer, logout},
        screen_paths::login_address,
    },
    wire::query,
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine,
    browser_account::{self, OwnApps},
    oauth::grants::GrantPage,
};
use octavo_core_model::{Fault, id::GrantId};
use std::sync::Arc;

/// How many apps a page shows.
const PAGE_SIZE: u32 = 50;

query! {
    /// Which apps to show.
    pub(crate) OwnAppsQuery {
        /// The last app of the previous page.
        after "after": optional GrantId,
    }
}

routes! {
    /// Shows the apps with access to an account.
    ///
    /// For browsers. Redirects to the sign-in page if nobody is signed in.
    GET "/account/apps" as showApps => show {
        caller: Anyone,
        limits: [Screens],
        takes: (browser: Browser, query: Query<OwnAppsQuery>),
        answers: { 200: Html, 302: Redirect },
        refusals: [],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Withdraws the access of an app in a browser.
    ///
    /// Accepts the form of the page from that page only. The app's tokens stop working. Repeating this changes
    /// nothing.
    POST "/account/apps/{grantId}" as submitAppRevocation => withdraw {
        caller: Anyone,
        limits: [Screens],
        takes: (id: Path<GrantId>, browser: Browser, form: Body<ButtonForm>),
        answers: { 303: Redirect },
        refusals: [Fault::NotFound],
        events: [OauthGrantRevoked],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
        max_body: Some(CREDENTIAL_BODY),
    }
}

const fn withdraw_form<'a>(parameters: &'a [(&'a str, &'a str)]) -> BoundForm<'a> {
    BoundForm::new("withdraw-app", parameters)
}

async fn show(dispatcher: Dispatcher, call: Call, browser: Browser, query: Draft<OwnAppsQuery>) -> Answer {
    answer(render(dispatcher, call, browser, query).await)
}

async fn render(
    dispatcher: Dispatcher,
    call: Call,
    mut browser: Browser,
    query: Draft<OwnAppsQuery>,
) -> Result<Screen, Refusal> {
    let page = GrantPage { before: query?.after, limit: PAGE_SIZE + 1 };
    let Some(cookie) = browser.cookie().cloned() else { return Ok(Screen::found(login_address(APPS))) };
    let list = move |engine: Arc<Engine>, call| async move {
        engine.read(call, move |view| Box::pin(browser_account::list_apps(view, cookie, page))).await
    };
    match dispatcher.ask(call, list).await {
        Ok(own) => screen(own, &mut browser),
        Err(refusal) if is_signed_out(&refusal) => Ok(Screen::found(login_address(APPS))),
        Err(refusal) => Err(refusal),
    }
}

fn screen(OwnApps { user, mut grants, workspaces }: OwnApps, browser: &mut Browser) -> Result<Screen, Refusal> {
    let size = PAGE_SIZE as usize;
    let has_more = grants.len() > size;
    grants.truncate(size);
    let next = grants.last().map(|grant| grant.id).filter(|_| has_more);
    let mut apps = Vec::with_capacity(grants.len());
    for grant in grants {
        let token = browser.token_for(withdraw_form(&[("grant", &grant.id.to_string())]))?;
        apps.push((grant, token));
    }
    let sign_out_token = browser.token_for(logout::sign_out_form(&[("returnTo", SIGNED_OUT)]))?;
    let email = user.email.as_str();
    let page = AppsPage { email, apps: &apps, workspaces: &workspaces, next, sign_out_token: &sign_out_token };
    Ok(Screen::page(StatusCode::OK, page.render()))
}

async fn withdraw(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<GrantId>,
    browser: Browser,
    form: Draft<ButtonForm>,
) -> Answer {
    answer(try_withdraw(dispatcher, call, id, browser, form).await)
}

async fn try_withdraw(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<GrantId>,
    browser: Browser,
    form: Draft<ButtonForm>,
) -> Result<Screen, Refusal> {
    let (id, form) = (id?, form?);
    browser.check(withdraw_form(&[("grant", &id.to_string())]), form.csrf_token.as_ref())?;
    let Some(cookie) = browser.cookie().cloned() else { return Err(Refusal::StaleForm) };
    let end = move |engine: Arc<Engine>, call| async move {
        engine.change(call, move |unit| Box::pin(browser_account::withdraw_app(unit, cookie, Ok(id)))).await
    };
    back_to(APPS, dispatcher.ask(call, end).await)
}
