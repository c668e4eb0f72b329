//! Forms that are bound by a token: each is accepted only from the browser that it was shown to, and only with the
//! values that it showed.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_core_model::Token;
use octavo_sealing::Keyring;

const PURPOSE: &str = "form";

/// A form and the values that its token binds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundForm<'a> {
    /// The name of the form, so that a token of one form is not valid for another.
    name: &'static str,
    /// Names and values that the form must send back unchanged.
    parameters: &'a [(&'a str, &'a str)],
}

impl<'a> BoundForm<'a> {
    /// The field that contains the token.
    pub(super) const TOKEN_FIELD: &'static str = "csrf_token";

    pub(crate) const fn new(name: &'static str, parameters: &'a [(&'a str, &'a str)]) -> Self {
        Self { name, parameters }
    }

    /// The token for a browser with this cookie.
    pub(crate) fn token(self, keyring: &Keyring, cookie: &Token) -> String {
        URL_SAFE_NO_PAD.encode(keyring.authenticate(PURPOSE, &self.digest(cookie)))
    }

    /// Whether the token is that of this form for a browser with this cookie.
    pub(crate) fn accepts(self, keyring: &Keyring, cookie: &Token, token: &str) -> bool {
        let Ok(code) = URL_SAFE_NO_PAD.decode(token) else { return false };
        keyring.verify(PURPOSE, &self.digest(cookie), &code)
    }

    fn digest(self, cookie: &Token) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let parameters = self.parameters.iter().flat_map(|(name, value)| [*name, *value]);
        for part in [cookie.reveal(), self.name].into_iter().chain(parameters) {
            // The lengths separate the parts.
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        hasher.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::TokenKind;

    fn cookie(bits: u8) -> Token {
        Token::new(TokenKind::Browser, [bits; 32])
    }

    #[test]
    fn a_form_counts_for_its_browser_and_its_parameters_only() {
        let keyring = Keyring::new(&[[7; 32]]).unwrap();
        let shown = BoundForm::new("consent", &[("scope", "pages:read"), ("state", "")]);
        let token = shown.token(&keyring, &cookie(1));
        assert!(shown.accepts(&keyring, &cookie(1), &token));
        assert!(!shown.accepts(&keyring, &cookie(2), &token), "another browser");
        for other in [
            BoundForm::new("login", &[("scope", "pages:read"), ("state", "")]),
            BoundForm::new("consent", &[("scope", "pages:write"), ("state", "")]),
            BoundForm::new("consent", &[("scope", "pages:read")]),
            BoundForm::new("consent", &[("scope", "pages:reads"), ("tate", "")]),
            BoundForm::new("consent", &[("state", ""), ("scope", "pages:read")]),
        ] {
            assert!(!other.accepts(&keyring, &cookie(1), &token), "{other:?}");
        }
        for wrong in ["", "x", &token[1..], &token.replace(|_| true, "A")] {
            assert!(!shown.accepts(&keyring, &cookie(1), wrong), "{wrong}");
        }
    }

    #[test]
    fn a_new_deployment_secret_does_not_void_the_forms_on_screen() {
        let before = Keyring::new(&[[7; 32]]).unwrap();
        let after = Keyring::new(&[[8; 32], [7; 32]]).unwrap();
        let form = BoundForm::new("login", &[]);
        let token = form.token(&before, &cookie(1));
        assert!(form.accepts(&after, &cookie(1), &token));
        let foreign = Keyring::new(&[[8; 32]]).unwrap();
        assert!(!form.accepts(&foreign, &cookie(1), &token));
    }
}
