//! HTTP Basic authentication of apps.

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use base64::{Engine, engine::general_purpose::STANDARD};
use octavo_app::{Draft, oauth::client::ClientProof};
use octavo_core_model::{
    Fault, Secret,
    fault::{Issue, OauthFlaw},
    id::ClientId,
};
use percent_encoding::percent_decode_str;
use serde_json::Value;

const INVALID: Fault =
    Fault::Oauth(OauthFlaw::InvalidClient { parameter: "Authorization", issue: Issue::InvalidFormat });

/// Whether the header uses Basic authentication, even if it is malformed.
pub(super) fn is_sent(headers: &HeaderMap) -> bool {
    rest(headers).is_some()
}

/// The app that a call claims to come from, according to the header or the body.
pub(super) fn named(headers: &HeaderMap, body: Option<&Value>) -> Option<ClientId> {
    let in_header = read(headers).ok().flatten().and_then(|proof| proof.id);
    let in_body = || body?.get("client_id")?.as_str().map(str::to_owned);
    in_header.or_else(in_body)?.parse().ok()
}

fn rest(headers: &HeaderMap) -> Option<&str> {
    let (scheme, rest) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("basic").then(|| rest.trim())
}

/// Reads the id and secret of an app. `Ok(None)` if the header is missing or uses another scheme.
pub fn read(headers: &HeaderMap) -> Draft<Option<ClientProof>> {
    let Some(rest) = rest(headers) else { return Ok(None) };
    let bytes = STANDARD.decode(rest).map_err(|_| INVALID)?;
    let text = String::from_utf8(bytes).map_err(|_| INVALID)?;
    let (id, secret) = text.split_once(':').ok_or(INVALID)?;
    Ok(Some(ClientProof { id: Some(decoded(id)?), secret: Some(Secret::new(decoded(secret)?)) }))
}

/// Both halves are form-encoded.
fn decoded(text: &str) -> Draft<String> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().map(std::borrow::Cow::into_owned).map_err(|_| INVALID)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use actix_web::http::header::HeaderValue;
    use serde_json::json;

    fn headers(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        headers
    }

    fn header(value: &str) -> Draft<Option<(String, String)>> {
        let found = read(&headers(value))?;
        Ok(found.map(|proof| (proof.id.unwrap(), proof.secret.unwrap().expose().clone())))
    }

    #[test]
    fn basic_holds_a_form_encoded_id_and_secret() {
        let basic = |text: &str| header(&format!("Basic {}", STANDARD.encode(text)));
        assert_eq!(basic("cli_1:ocs_2"), Ok(Some(("cli_1".to_owned(), "ocs_2".to_owned()))));
        assert_eq!(basic("cli%5F1:a%3Ab+c:d"), Ok(Some(("cli_1".to_owned(), "a:b c:d".to_owned()))));
        assert_eq!(header("basic Y2xpOnNlYw=="), Ok(Some(("cli".to_owned(), "sec".to_owned()))));
        assert_eq!(header("Bearer abc"), Ok(None));
        assert_eq!(header("Basic"), Ok(None));
        assert_eq!(header("Basic ###"), Err(INVALID));
        assert_eq!(basic("no colon"), Err(INVALID));
        assert_eq!(basic("a:%ff"), Err(INVALID));
        assert_eq!(read(&HeaderMap::new()).map(|proof| proof.is_none()), Ok(true));
    }

    #[test]
    fn an_app_is_named_by_the_header_or_the_body() {
        let id = ClientId::new(1, [1; 10]);
        let body = json!({ "client_id": id });
        let basic = headers(&format!("Basic {}", STANDARD.encode(format!("{id}:x"))));
        assert_eq!(named(&basic, None), Some(id));
        assert_eq!(named(&HeaderMap::new(), Some(&body)), Some(id));
        assert_eq!(named(&headers("Bearer x"), Some(&json!({ "client_id": "nonsense" }))), None);
        assert!(is_sent(&basic) && !is_sent(&headers("Bearer x")));
    }
}
