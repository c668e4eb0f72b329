//! `/open`: to which mails about notifications link, for products without pages of their own.

use super::page;
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Indexing, Place, Surface, routes},
    screen::{Browser, Html},
    v1::browser_sessions::answer,
};
use actix_web::http::StatusCode;
use maud::html;
use octavo_app::Call;

routes! {
    /// Says where to find what a notification is about.
    ///
    /// For browsers. Mails about notifications link to it with the ids of the workspace and the thing in the query
    /// (`workspace`, `type`, `id`). A product that has pages of its own serves this path itself, at the address of
    /// `OCTAVO_PAGES_URL`, and opens the thing.
    GET "/open" as showOpening => show {
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
}

async fn show(_: Dispatcher, _: Call, browser: Browser) -> Answer {
    let content = html! {
        p { "What the mail is about is among your notifications in the app that you use. This server has no pages for reading and writing." }
        p .aside {
            "In the app you can also choose which notifications are mailed. Programs find both at "
            code { "GET /notifications" } " and " code { "GET /notifications/preferences" } "."
        }
    };
    answer(Ok(page(StatusCode::OK, "Open it in your app", &content, &browser)))
}
