//! `/favicon.svg`: the icon of the pages.

use crate::{
    answer::{Answer, Document},
    dispatcher::Dispatcher,
    route::{Place, RouteReply, routes},
    screen::FAVICON,
    wire::Documented,
};
use actix_web::web::Bytes;
use octavo_app::Call;
use serde_json::{Value, json};
use std::borrow::Cow;

routes! {
    /// Returns the icon of the pages.
    ///
    /// Not part of the API.
    GET "/favicon.svg" as getFavicon => icon {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Svg },
        refusals: [],
        events: [],
        place: Place::Origin,
        free: true,
        published: false,
        cache: "public, max-age=86400",
    }
}

/// A picture.
#[derive(Debug)]
struct Svg;

impl Documented for Svg {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "<svg/>".into()
    }
}

impl RouteReply for Svg {
    const MEDIA: &'static str = "image/svg+xml";
}

async fn icon(_: Dispatcher, _: Call) -> Answer {
    let (body, policy) = (Bytes::from_static(FAVICON.as_bytes()), Cow::Borrowed("default-src 'none'"));
    Document { media: Svg::MEDIA, body, policy, etag: None, is_brotli: false, encodings: None }.into()
}

#[cfg(test)]
mod tests {
    use super::ROUTES;
    use crate::screen::FAVICON_PATH;

    #[test]
    fn pages_name_the_path_of_the_icon() {
        assert_eq!(ROUTES[0].path, FAVICON_PATH);
    }
}
