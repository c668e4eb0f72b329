//! `/share/{token}`: what a link shows in a browser.

use super::{
    address::shared_page_address,
    article::{ArticlePresentation, description_of, shown_children, text_of},
    key::LinkToken,
    shared_page_view::{PasswordPage, SharedPageView},
};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, Indexing, Path, Place, Redirect, Surface, routes},
    screen::{BoundForm, Browser, Cookie, Html, Screen, UnlockedCookie},
    v1::browser_sessions::{FormText, answer},
    wire::body,
};
use actix_web::http::StatusCode;
use octavo_app::{
    Call, Draft, Engine,
    share_links::{self, Key, Node, SharedPage, Unlocked},
};
use octavo_core_model::{
    Fault, Secret, Token,
    cancellation::Cancellation,
    fault::{ComputeFault, Unknown},
    id::PageId,
    page::ResourceId,
};
use std::{collections::BTreeSet, sync::Arc};

body! {
    /// The password of a link, from the form on the page.
    pub(crate) UnlockForm {
        example: { "password": "open sesame", "csrf_token": "q83vEjRWeJq83vEjRWeJq8" };
        /// The password, compared as it was sent.
        password "password": optional Secret<String> = "open sesame",
        /// The page to show afterwards.
        page "page": optional FormText = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The value of this field in the page's form.
        csrf_token "csrf_token": optional Secret<String> = "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

routes! {
    /// Shows the page or database of a share link.
    ///
    /// For browsers: this is the `url` of the link. A database is shown as a table of its first records. The page works without scripts and loads nothing from other
    /// origins but its cover. A link with a password shows a form for it.
    GET "/share/{token}" as showShare => show {
        caller: Anyone,
        limits: [Share],
        takes: (token: LinkToken, browser: Browser, unlocked: UnlockedCookie),
        answers: { 200: Html },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Shows a descendant of the page or database of a share link.
    ///
    /// For browsers, if the link includes it: a page, a database, or the page of a record with its values.
    GET "/share/{token}/{pageId}" as showSharedPage => show_below {
        caller: Anyone,
        limits: [Share],
        takes: (token: LinkToken, page: Path<ResourceId>, browser: Browser, unlocked: UnlockedCookie),
        answers: { 200: Html },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }

    /// Unlocks a share link in a browser.
    ///
    /// Accepts the form of the page from that page only, and sets a cookie that opens this link for an hour. No other
    /// route reads the cookie.
    POST "/share/{token}" as submitSharePassword => unlock {
        caller: Anyone,
        limits: [Share, ShareUnlock],
        takes: (token: LinkToken, browser: Browser, form: Body<UnlockForm>),
        answers: { 303: Redirect },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordWrong),
            Fault::HasherBusy,
        ],
        events: [],
        place: Place::Origin,
        surface: Surface::Screen,
        indexing: Indexing::Excluded,
    }
}

async fn show(
    dispatcher: Dispatcher,
    call: Call,
    token: Draft<Token>,
    browser: Browser,
    unlocked: Option<String>,
) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    let now = call.now;
    let screen = render(dispatcher, call, token, None, browser, unlocked).await;
    answer(screen.map(|(screen, shown)| {
        if let Some(shown) = shown {
            backend.activity.note_view(&shown.link, now);
        }
        screen
    }))
}

async fn show_below(
    dispatcher: Dispatcher,
    call: Call,
    token: Draft<Token>,
    page: Draft<ResourceId>,
    browser: Browser,
    unlocked: Option<String>,
) -> Answer {
    answer(render(dispatcher, call, token, Some(page), browser, unlocked).await.map(|(screen, _)| screen))
}

/// What is shown of the blocks of a page.
struct ShownBlocks {
    text: Option<String>,
    description: String,
    /// The children that have a block.
    linked: BTreeSet<PageId>,
}

/// Renders a page that the link shows, or the form for its password.
async fn render(
    dispatcher: Dispatcher,
    call: Call,
    token: Draft<Token>,
    page: Option<Draft<ResourceId>>,
    mut browser: Browser,
    unlocked: Option<String>,
) -> Result<(Screen, Option<SharedPage>), Refusal> {
    let backend = Arc::clone(dispatcher.backend());
    let key = Key { token: token.clone(), access: unlocked };
    let wanted = page.clone();
    let text_token = token.clone();
    let find = |engine: Arc<Engine>, call: Call| async move {
        let reservations = engine.reservations();
        let load =
            engine.read(call, move |view| Box::pin(share_links::page_to_render(view, key, wanted, reservations)));
        let (mut shown, reservation) = load.await?;
        let branches = std::mem::take(&mut shown.content.blocks);
        let presentation = ArticlePresentation::of(text_token?.reveal(), &shown);
        let description = description_of(&branches);
        let mut linked = BTreeSet::new();
        shown_children(&branches, &mut linked);
        let write = move |cancellation: &Cancellation| text_of(branches, &presentation, cancellation);
        let (text, _) = engine.compute_reserved(reservation, write).await?;
        Ok((shown, ShownBlocks { text: text?, description, linked }))
    };
    let token = match dispatcher.computing().ask(call, find).await {
        Ok((shown, blocks)) => {
            let token = token?;
            let screen = {
                let listed = |child: &&Node| !blocks.linked.contains(&child.id.node());
                let children: Vec<_> = shown.children.iter().filter(listed).collect();
                let page = SharedPageView {
                    token: token.reveal(),
                    origin: &backend.settings.origin,
                    shown: &shown,
                    text: blocks.text.as_deref(),
                    description: &blocks.description,
                    children: &children,
                };
                page.screen()
            };
            return Ok((screen, Some(shown)));
        }
        Err(Refusal::Fault(Fault::Unauthenticated(Unknown::SharePasswordRequired))) => token?,
        Err(refusal) => return Err(refusal),
    };
    let page = page.and_then(Draft::ok);
    let form = PasswordPage { token: token.reveal(), page, is_wrong: false };
    Ok((form.screen(StatusCode::OK, &mut browser)?, None))
}

async fn unlock(
    dispatcher: Dispatcher,
    call: Call,
    token: Draft<Token>,
    browser: Browser,
    form: Draft<UnlockForm>,
) -> Answer {
    answer(try_unlock(dispatcher, call, token, browser, form).await)
}

async fn try_unlock(
    dispatcher: Dispatcher,
    call: Call,
    token: Draft<Token>,
    mut browser: Browser,
    form: Draft<UnlockForm>,
) -> Result<Screen, Refusal> {
    let (token, form) = (token?, form?);
    let page: Option<ResourceId> = form.page.and_then(|page| page.0.parse().ok());
    let shown = PasswordPage { token: token.reveal(), page, is_wrong: true };
    browser.check(BoundForm::new(PasswordPage::FORM, &shown.parameters()), form.csrf_token.as_ref())?;
    let (link, password) = (Ok(token.clone()), Ok(form.password.unwrap_or(Secret::new(String::new()))));
    let open = |engine: Arc<Engine>, call| async move { share_links::unlock(&engine, call, link, password).await };
    match dispatcher.ask(call, open).await {
        Ok(Unlocked { access, .. }) => {
            let cookie = Cookie::Unlocked { path: shared_page_address(token.reveal(), None), access };
            Ok(Screen::see_other(shared_page_address(token.reveal(), page)).with_cookie(Some(cookie)))
        }
        Err(Refusal::Fault(Fault::Unauthenticated(Unknown::SharePasswordWrong))) => {
            shown.screen(StatusCode::UNAUTHORIZED, &mut browser)
        }
        Err(refusal) => Err(refusal),
    }
}
