//! The cookie by which a browser is known.

use actix_web::http::header::{COOKIE, HeaderMap};
use octavo_core_model::{Token, TokenKind, browser_session};
use std::fmt;

/// Only a secure origin may set a cookie of this name, for itself and all of its paths, and nobody else for it.
const SECURE_NAME: &str = "__Host-svc_sid";
const PLAIN_NAME: &str = "svc_sid";

/// What the browser shall keep.
#[derive(Clone, Debug)]
pub(crate) enum Cookie {
    /// Somebody signed in.
    SignedIn(Token),
    /// Nobody did: the value binds forms to the browser until it is closed.
    Visiting(Token),
    /// The browser shall forget.
    Gone,
}

impl Cookie {
    /// The value of `Set-Cookie`.
    pub(crate) fn to_header(&self, is_secure: bool) -> String {
        let (value, life) = match self {
            Self::SignedIn(token) => (token.reveal(), format!("; Max-Age={}", browser_session::LIFE.as_secs())),
            Self::Visiting(token) => (token.reveal(), String::new()),
            Self::Gone => ("", "; Max-Age=0".to_owned()),
        };
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{}={value}; Path=/{secure}; HttpOnly; SameSite=Lax{life}", name(is_secure))
    }
}

/// The token in the cookie of a request. Two cookies of the name are none: somebody slipped one in.
pub(super) fn read(headers: &HeaderMap, is_secure: bool) -> Option<Token> {
    let lines = headers.get_all(COOKIE).filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(found, _)| *found == name(is_secure)).map(|(_, value)| value);
    let value = values.next()?;
    if values.next().is_some() { None } else { Token::parse(TokenKind::Browser, value).ok() }
}

const fn name(is_secure: bool) -> &'static str {
    if is_secure { SECURE_NAME } else { PLAIN_NAME }
}

/// Tells nothing of the value.
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
        assert!(!Cookie::Visiting(token()).to_header(true).contains("Max-Age"));
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
