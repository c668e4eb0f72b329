//! The browser of a call, as identified by its cookie.

use super::{BoundForm, Cookie, cookie, is_secure, origin::comes_from_own_page};
use crate::{
    refusal::Refusal,
    request::{AdmittedRequest, Inputs, Part},
};
use octavo_core_model::{Fault, Secret, Token, TokenKind};
use octavo_sealing::Keyring;
use std::sync::Arc;

/// The part of a call that pages use: the cookie, and the tokens that bind forms to it.
#[derive(Debug)]
pub(crate) struct Browser {
    cookie: Option<Token>,
    /// Whether the browser sent no cookie and this one was generated.
    is_new: bool,
    comes_from_own_page: bool,
    keyring: Arc<Keyring>,
}

impl Part for Browser {
    type Extracted = Self;

    fn extract(admitted: &mut AdmittedRequest) -> Self {
        let cookie = cookie::read(admitted.headers(), is_secure(admitted.origin()));
        let comes_from_own_page = comes_from_own_page(admitted.headers());
        Self { cookie, is_new: false, comes_from_own_page, keyring: admitted.keyring() }
    }

    fn describe(_: &mut Inputs) {}
}

impl Browser {
    /// The cookie that the browser sent. It may have no session.
    pub(crate) const fn cookie(&self) -> Option<&Token> {
        if self.is_new { None } else { self.cookie.as_ref() }
    }

    /// Whether it came by a form or a link of a page of this service, as far as it says.
    pub(crate) const fn comes_from_own_page(&self) -> bool {
        self.comes_from_own_page
    }

    /// The token for a form. A browser without a cookie gets one, which [`fresh_cookie`](Self::fresh_cookie) returns.
    pub(crate) fn token_for(&mut self, form: BoundForm<'_>) -> Result<String, Refusal> {
        if let Some(cookie) = &self.cookie {
            return Ok(form.token(&self.keyring, cookie));
        }
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(|_| Fault::Internal("the operating system gives no random bits"))?;
        self.is_new = true;
        let cookie = self.cookie.insert(Token::new(TokenKind::Browser, bits));
        Ok(form.token(&self.keyring, cookie))
    }

    /// The cookie that was generated for the forms in this answer.
    pub(crate) fn fresh_cookie(&self) -> Option<Cookie> {
        self.cookie.clone().filter(|_| self.is_new).map(Cookie::Anonymous)
    }

    /// Refuses a form that was not shown to this browser, or that was shown with other values.
    pub(crate) fn check(&self, form: BoundForm<'_>, token: Option<&Secret<String>>) -> Result<(), Refusal> {
        let fits = match (&self.cookie, token) {
            (Some(cookie), Some(token)) => form.accepts(&self.keyring, cookie, token.expose()),
            _ => false,
        };
        if fits { Ok(()) } else { Err(Refusal::StaleForm) }
    }
}
