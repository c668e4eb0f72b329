//! The page that shows a refusal.

use super::{Card, Page};
use crate::refusal::Problem;
use actix_web::http::StatusCode;
use maud::html;
use octavo_core_model::id::RequestId;

/// Shows what is wrong, and the request id with which the operator can find the request.
pub(crate) fn of_problem(problem: &Problem, id: RequestId) -> Page {
    let title = title(problem.status);
    let content = html! {
        h1 { (title) }
        p { (problem.message) }
        @if problem.status == StatusCode::FORBIDDEN {
            p { "Go back to where you came from, reload that page and try again." }
        }
        p { a href="/" { "Start page of this server" } }
        p .reference { "Request " code { (id) } }
    };
    Card { title: title.into(), is_error: true, content }.into()
}

fn title(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "You are not signed in",
        StatusCode::FORBIDDEN => "This is not possible",
        StatusCode::NOT_FOUND => "There is nothing here",
        StatusCode::GONE => "This link no longer works",
        StatusCode::TOO_MANY_REQUESTS => "That was too often",
        status if status.is_server_error() => "This does not work right now",
        _ => "This request cannot be used",
    }
}
