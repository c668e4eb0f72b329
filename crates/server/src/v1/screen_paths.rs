//! The addresses of pages for browsers to which other pages lead.

use crate::route::BASE;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The paths of the pages for signing in and out, below that of the API.
pub(crate) const LOGIN: &str = "/oauth/login";
pub(crate) const LOGOUT: &str = "/oauth/logout";

/// The paths of pages at the origin.
pub(crate) const FORGOT_PASSWORD: &str = "/forgot-password";
pub(crate) const SIGN_UP: &str = "/sign-up";

/// The characters that need no encoding in a query.
pub(crate) const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a path below that of the API.
pub(crate) fn api_address(path: &str) -> String {
    format!("{BASE}{path}")
}

/// The address of the sign-in page that leads to this path afterwards.
pub(crate) fn login_address(return_to: &str) -> String {
    format!("{}?returnTo={}", api_address(LOGIN), utf8_percent_encode(return_to, PLAIN))
}
