//! The request of an app in a body.

/// Declares a body with the request of an app, whose fields are the same as in the query of the consent page, and the
/// listed fields; with an example of the whole.
macro_rules! authorization_body {
    ($(#[doc = $about:literal])+ $vis:vis $name:ident { example: $whole:tt; $($more:tt)* }) => {
        $crate::wire::body! {
            $(#[doc = $about])+
            $vis $name {
                example: $whole;
                /// `code`.
                response_type "response_type": optional $crate::v1::oauth::authorization_body::Value = "code",
                /// The app.
                client_id "client_id": optional $crate::v1::oauth::authorization_body::Value = "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
                /// The redirect address; one of those of the app.
                redirect_uri "redirect_uri": optional $crate::v1::oauth::authorization_body::Value = "https://timesheets.example/back",
                /// How the answer gets to the app: `query` (the default) or `form_post`.
                response_mode "response_mode": optional $crate::v1::oauth::authorization_body::Value = "query",
                /// The requested scopes, separated by spaces; by default all scopes of the app.
                scope "scope": optional $crate::v1::oauth::authorization_body::Value = "pages:read",
                /// Returned unchanged; at most 1024 characters.
                state "state": optional $crate::v1::oauth::authorization_body::Value = "af0ifjsldkj",
                /// The SHA-256 of the verifier, in base64url; required for public apps.
                code_challenge "code_challenge": optional $crate::v1::oauth::authorization_body::Value = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                /// `S256`.
                code_challenge_method "code_challenge_method": optional $crate::v1::oauth::authorization_body::Value = "S256",
                /// The service the tokens are for: its origin, or the base of its API.
                resource "resource": optional $crate::v1::oauth::authorization_body::Value = "https://octavo.example.com",
                /// How the app wants its user to be asked. Ignored if nobody is asked.
                prompt "prompt": optional $crate::v1::oauth::authorization_body::Value = "consent",
                $($more)*
            }
        }

        impl $name {
            fn authorization_request(self) -> octavo_core_model::oauth::AuthorizationRequest {
                use octavo_core_model::oauth::{AuthorizationRequest, Parameter};
                let sent = [
                    (Parameter::ResponseType, self.response_type),
                    (Parameter::ClientId, self.client_id),
                    (Parameter::RedirectUri, self.redirect_uri),
                    (Parameter::ResponseMode, self.response_mode),
                    (Parameter::Scope, self.scope),
                    (Parameter::State, self.state),
                    (Parameter::CodeChallenge, self.code_challenge),
                    (Parameter::CodeChallengeMethod, self.code_challenge_method),
                    (Parameter::Resource, self.resource),
                    (Parameter::Prompt, self.prompt),
                ];
                let pairs = sent.into_iter().filter_map(|(parameter, value)| Some((parameter.name(), value?.0)));
                AuthorizationRequest::from_pairs(pairs)
            }
        }
    };
}

pub(crate) use authorization_body;

/// Longer than a request line may be, so that every value from a query fits.
pub(crate) type Value = crate::wire::Text<0, 8192>;
