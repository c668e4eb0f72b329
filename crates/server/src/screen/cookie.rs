//! The cookie that identifies a browser.

use crate::request::{AdmittedRequest, Inputs, Part};
use actix_web::http::header::{COOKIE, HeaderMap};
use octavo_core_model::{Secret, Token, TokenKind, browser_session, share_link::UNLOCKED_FOR};
use std::{fmt, time::Duration};

/// With this prefix only a secure origin may set the cookie, for itself and all of its paths, and no other host may
/// set it.
const SECURE_NAME: &str = "__Host-svc_sid";
const PLAIN_NAME: &str = "svc_sid";

/// A change of the browser's cookie.
#[derive(Clone, Debug)]
pub(crate) enum Cookie {
    /// A user has signed in.
    SignedIn(Token),
    /// Nobody has signed in: the value binds forms to the browser until it is closed.
    Anonymous(Token),
    /// The browser must delete the cookie.
    Gone,
    /// Proof of a share link's password, for the pages of that link.
    Unlocked { path: String, access: Secret<String> },
}

impl Cookie {
    /// The value of `Set-Cookie`.
    pub(crate) fn to_header(&self, is_secure: bool) -> String {
        let lasting = |life: Duration| format!("; Max-Age={}", life.as_secs());
        let (name, value, path, life) = match self {
            Self::SignedIn(token) => (name(is_secure), token.reveal(), "/", lasting(browser_session::LIFE)),
            Self::Anonymous(token) => (name(is_secure), token.reveal(), "/", String::new()),
            Self::Gone => (name(is_secure), "", "/", lasting(Duration::ZERO)),
            Self::Unlocked { path, access } => {
                (unlocked_name(is_secure), access.expose().as_str(), path.as_str(), lasting(UNLOCKED_FOR))
            }
        };
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{name}={value}; Path={path}{secure}; HttpOnly; SameSite=Lax{life}")
    }
}

/// The token in the cookie of a request. `None` if there are two cookies with the name, because somebody may have
/// injected one.
pub(super) fn read(headers: &HeaderMap, is_secure: bool) -> Option<Token> {
    Token::parse(TokenKind::Browser, only(headers, name(is_secure))?).ok()
}

/// The value of the cookie with this name, if there is exactly one.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value);
    let value = values.next()?;
    if values.next().is_some() { None } else { Some(value) }
}

/// The part of a call that contains the proof of a share link's password.
#[derive(Debug)]
pub(crate) struct UnlockedCookie;

impl Part for UnlockedCookie {
    type Extracted = Option<String>;

    fn extract(admitted: &mut AdmittedRequest) -> Option<String> {
        only(admitted.headers(), unlocked_name(is_secure(admitted.origin()))).map(str::to_owned)
    }

    fn describe(_: &mut Inputs) {}
}

/// Whether browsers reach the service over TLS.
pub(crate) fn is_secure(origin: &str) -> bool {
    origin.starts_with("https:")
}

const fn name(is_secure: bool) -> &'static str {
    if is_secure { SECURE_NAME } else { PLAIN_NAME }
}

/// Unlike the other cookie it is valid for some paths only, which the strictest prefix does not allow.
const fn unlocked_name(is_secure: bool) -> &'static str {
    if is_secure { "__Secure-svc_share" } else { "svc_share" }
}

/// Hides the value.
impl fmt::Display for Cookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a cookie")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn token() -> Token {
        Token::new(TokenKind::Browser, [7; 32])
    }

    fn headers(lines: &[String]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, HeaderValue::from_str(line).unwrap());
        }
        headers
    }

    #[test]
    fn a_secure_origin_says_so_in_the_name_and_beside_it() {
        let value = token().reveal().to_owned();
        assert_eq!(
            Cookie::SignedIn(token()).to_header(true),
            format!("__Host-svc_sid={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200")
        );
        assert_eq!(
            Cookie::SignedIn(token()).to_header(false),
            format!("svc_sid={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200")
        );
        assert!(!Cookie::Anonymous(token()).to_header(true).contains("Max-Age"));
        let access = Secret::new("sha_x".to_owned());
        assert_eq!(
            Cookie::Unlocked { path: "/share/shl_x".to_owned(), access }.to_header(true),
            "__Secure-svc_share=sha_x; Path=/share/shl_x; Secure; HttpOnly; SameSite=Lax; Max-Age=3600"
        );
        assert_eq!(Cookie::Gone.to_header(false), "svc_sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    }

    #[test]
    fn the_one_cookie_of_the_name_is_read() {
        let value = token().reveal().to_owned();
        let found = |lines: &[String], is_secure| read(&headers(lines), is_secure);
        assert_eq!(found(&[format!("a=b; svc_sid={value}; c=d")], false), Some(token()));
        assert_eq!(found(&["a=b".to_owned(), format!("svc_sid={value}")], false), Some(token()));
        assert_eq!(found(&[format!("__Host-svc_sid={value}")], true), Some(token()));
        assert_eq!(found(&[format!("svc_sid={value}")], true), None, "another name on a secure origin");
        assert_eq!(found(&[format!("svc_sid={value}; svc_sid={value}")], false), None, "which of the two?");
        assert_eq!(found(&["svc_sid=nonsense".to_owned()], false), None);
        assert_eq!(found(&[], false), None);
    }
}
