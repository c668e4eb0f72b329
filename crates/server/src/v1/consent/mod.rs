//! `/oauth/authorize` and `/oauth/consent` in a browser: authorizing an app.

pub mod authorize;
mod page;
mod respond;

pub(crate) use page::words;

use crate::v1::{
    oauth::authorization_query::AUTHORIZE,
    screen_paths::{PLAIN, api_address, login_address},
};
use octavo_core_model::oauth::{AuthorizationRequest, Parameter};
use percent_encoding::utf8_percent_encode;

/// The address that repeats a request after the user has signed in.
fn retry_address(request: &AuthorizationRequest) -> String {
    let pairs = request.pairs().filter_map(|(name, value)| {
        let value = if name == Parameter::Prompt.name() { without_login(value) } else { value.to_owned() };
        let is_left_out = name == Parameter::Prompt.name() && value.is_empty();
        (!is_left_out).then(|| format!("{name}={}", utf8_percent_encode(&value, PLAIN)))
    });
    format!("{}?{}", api_address(AUTHORIZE), pairs.collect::<Vec<_>>().join("&"))
}

/// Removes `login` from the prompts, because the user has just signed in.
fn without_login(prompt: &str) -> String {
    prompt.split(' ').filter(|word| *word != "login").collect::<Vec<_>>().join(" ")
}

/// The sign-in page that continues with this request.
fn sign_in_for(request: &AuthorizationRequest) -> String {
    login_address(&retry_address(request))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_asked_again_without_asking_to_sign_in_again() {
        let request = AuthorizationRequest::from_pairs([
            ("client_id", "cli_1"),
            ("state", "a b&c=\u{e9}"),
            ("prompt", "login consent"),
        ]);
        assert_eq!(
            retry_address(&request),
            "/api/v1/oauth/authorize?client_id=cli_1&state=a%20b%26c%3D%C3%A9&prompt=consent"
        );
        let request = AuthorizationRequest::from_pairs([("client_id", "cli_1"), ("prompt", "login")]);
        assert_eq!(retry_address(&request), "/api/v1/oauth/authorize?client_id=cli_1");
        assert_eq!(
            sign_in_for(&request),
            "/api/v1/oauth/login?returnTo=%2Fapi%2Fv1%2Foauth%2Fauthorize%3Fclient_id%3Dcli_1"
        );
    }
}
