//! The request of an app in the query of the consent page.

use crate::{
    request::{AdmittedRequest, Inputs, Part},
    route::BASE,
    screen::ReturnTarget,
    wire::{Documented, ParameterDoc, Parameters, Text},
};
use octavo_core_model::oauth::{AuthorizationRequest, Parameter};
use serde_json::json;

/// The path of the consent page.
pub(crate) const AUTHORIZE: &str = "/oauth/authorize";

/// The whole query. Its flaws are checked together with the app that it names, because the app decides to whom they
/// are reported.
#[derive(Debug)]
pub(crate) struct AuthorizationQuery;

impl Part for AuthorizationQuery {
    type Extracted = AuthorizationRequest;

    fn extract(admitted: &mut AdmittedRequest) -> AuthorizationRequest {
        of_query(admitted.query())
    }

    fn describe(inputs: &mut Inputs) {
        inputs.query.extend(Parameter::ALL.iter().map(|parameter| {
            let (about, required, example) = about(*parameter);
            let schema = Text::<0, 8192>::schema();
            let about = about.to_owned();
            ParameterDoc { name: parameter.name(), about, required, schema, example: json!(example) }
        }));
    }
}

/// The authorization request to which a sign-in page leads, if it leads to one.
pub(crate) fn request_of(target: &ReturnTarget) -> Option<AuthorizationRequest> {
    let path = target.as_str().strip_prefix(BASE)?;
    Some(of_query(path.strip_prefix(AUTHORIZE)?.strip_prefix('?')?))
}

fn of_query(query: &str) -> AuthorizationRequest {
    AuthorizationRequest::from_pairs(Parameters::parse(query).into_pairs())
}

const fn about(parameter: Parameter) -> (&'static str, bool, &'static str) {
    match parameter {
        Parameter::ResponseType => ("`code`.", true, "code"),
        Parameter::ClientId => ("The app.", true, "cli_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"),
        Parameter::RedirectUri => {
            ("The redirect address; one of those of the app.", true, "https://timesheets.example/back")
        }
        Parameter::ResponseMode => {
            ("How the answer gets to the app: `query` (the default) or `form_post`.", false, "query")
        }
        Parameter::Scope => {
            ("The requested scopes, separated by spaces; by default all scopes of the app.", false, "pages:read")
        }
        Parameter::State => ("Returned unchanged; at most 1024 characters.", false, "af0ifjsldkj"),
        Parameter::CodeChallenge => (
            "The SHA-256 of the verifier, in base64url; required for public apps.",
            false,
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ),
        Parameter::CodeChallengeMethod => ("`S256`.", false, "S256"),
        Parameter::Resource => {
            ("The service the tokens are for: its origin, or the base of its API.", false, "https://octavo.example.com")
        }
        Parameter::Prompt => (
            "`none`: show nothing, and send an error instead; `login`: require a new sign-in; `consent`: ask again, even after consent was given.",
            false,
            "consent",
        ),
    }
}
