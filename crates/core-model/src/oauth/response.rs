//! The answer to an authorization request, on its way to the app.

use super::RedirectUri;
use crate::name::named;

named! {
    /// How an answer gets from the browser to the app.
    ResponseMode {
        Query = "query",
        FormPost = "form_post",
    }
}

/// The answer to a request: the browser is redirected with it, or posts it as a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationResponse {
    uri: RedirectUri,
    mode: ResponseMode,
    parameters: Vec<(&'static str, String)>,
}

impl AuthorizationResponse {
    /// The answer with these parameters.
    pub(super) const fn new(uri: RedirectUri, mode: ResponseMode, parameters: Vec<(&'static str, String)>) -> Self {
        Self { uri, mode, parameters }
    }

    /// The address of the app.
    pub const fn uri(&self) -> &RedirectUri {
        &self.uri
    }

    /// The fields of the form that the browser posts to the address; `None` if it is redirected instead.
    pub fn form(&self) -> Option<&[(&'static str, String)]> {
        match self.mode {
            ResponseMode::Query => None,
            ResponseMode::FormPost => Some(&self.parameters),
        }
    }

    /// Where the browser goes: the address of the app, with the parameters in its query unless they are posted.
    pub fn address(&self) -> String {
        match self.mode {
            ResponseMode::Query => {
                let parameters: Vec<_> = self.parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
                self.uri.with(&parameters)
            }
            ResponseMode::FormPost => self.uri.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn parameters_are_in_the_query_or_in_the_form() {
        let uri = RedirectUri::parse("https://planner.example/back?keep=1").unwrap();
        let parameters = vec![("code", "oc_x".to_owned()), ("state", "a b".to_owned())];
        let redirect = AuthorizationResponse::new(uri.clone(), ResponseMode::Query, parameters.clone());
        assert_eq!(redirect.address(), "https://planner.example/back?keep=1&code=oc_x&state=a%20b");
        assert_eq!(redirect.form(), None);
        let post = AuthorizationResponse::new(uri, ResponseMode::FormPost, parameters.clone());
        assert_eq!(post.address(), "https://planner.example/back?keep=1");
        assert_eq!(post.form(), Some(&parameters[..]));
    }
}
