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
        @if let Some(origin) = &problem.open_instead {
            p { "You opened this page at another address. " a href={ (origin) "/" } { "Open " (origin) " instead" } }
        } @else if problem.status == StatusCode::FORBIDDEN {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Refusal;

    #[test]
    fn a_form_of_another_address_leads_to_the_public_one() {
        let problem = Refusal::FormOfOtherAddress("https://octavo.test".to_owned()).problem();
        let page = of_problem(&problem, RequestId::new(1, [1; 10])).render("nonce");
        assert!(page.contains("<a href=\"https://octavo.test/\">Open https://octavo.test instead</a>"), "{page}");
        assert!(!page.contains("reload"), "reloading the other address would not help: {page}");
    }
}
