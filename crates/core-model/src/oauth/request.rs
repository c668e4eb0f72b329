//! The request of an app to a user, which arrives through the user's browser.

use super::{
    App, AuthorizationResponse, Challenge, Parameter, RedirectUri, ResponseMode, Scopes, parameter::MAX_STATE,
};
use crate::{
    fault::{Fault, Issue, OauthFlaw, Violation},
    id::ClientId,
    name::named,
    text::has_at_most,
};
use std::collections::BTreeMap;

named! {
    /// The error that an app gets in place of a code.
    AuthorizationError {
        InvalidRequest = "invalid_request",
        UnsupportedResponseType = "unsupported_response_type",
        InvalidScope = "invalid_scope",
        InvalidTarget = "invalid_target",
        AccessDenied = "access_denied",
        LoginRequired = "login_required",
        ConsentRequired = "consent_required",
        ServerError = "server_error",
    }
}

named! {
    /// A user's answer to a request.
    Verdict {
        Approve = "approve",
        Deny = "deny",
    }
}

/// The parameters of a request, as they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorizationRequest {
    values: BTreeMap<Parameter, String>,
    repeated: Option<Parameter>,
}

/// A request that may be granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// The app that asks.
    pub app: App,
    /// Where the browser goes back to.
    pub way_back: RedirectBack,
    /// Never empty.
    pub scopes: Scopes,
    /// What the app's verifier has to match.
    pub challenge: Option<Challenge>,
    /// What the app wants its user to be asked.
    pub prompts: Prompts,
}

/// How an app wants its user to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prompts {
    /// Not at all: it prefers an error.
    pub none: bool,
    /// To sign in, even if they are signed in.
    pub login: bool,
    /// To consent, even if they have consented before.
    pub consent: bool,
}

/// The redirect address and the parameters to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectBack {
    /// The redirect URI.
    pub uri: RedirectUri,
    /// What the app sent to recognize the answer by.
    pub state: Option<String>,
    /// How the answer gets to the app.
    pub mode: ResponseMode,
}

impl RedirectBack {
    /// The answer with a code. `issuer` is the public origin of this service.
    pub fn with_code(&self, code: &str, issuer: &str) -> AuthorizationResponse {
        self.with(("code", code), &[("iss", issuer)])
    }

    /// The answer with the reason why there is no code.
    pub fn with_error(&self, error: AuthorizationError, issuer: &str) -> AuthorizationResponse {
        self.refused(error, error.description(), issuer)
    }

    /// The same for a flawed parameter: the description names it and what would have been right.
    pub fn with_flaw(
        &self,
        error: AuthorizationError,
        parameter: Parameter,
        issue: Issue,
        issuer: &str,
    ) -> AuthorizationResponse {
        self.refused(error, &parameter.describe(issue), issuer)
    }

    fn refused(&self, error: AuthorizationError, description: &str, issuer: &str) -> AuthorizationResponse {
        self.with(("error", error.name()), &[("iss", issuer), ("error_description", description)])
    }

    fn with(&self, outcome: (&'static str, &str), rest: &[(&'static str, &str)]) -> AuthorizationResponse {
        let state = self.state.as_deref().map(|state| ("state", state));
        let parameters = [outcome].into_iter().chain(state).chain(rest.iter().copied());
        let parameters = parameters.map(|(name, value)| (name, value.to_owned())).collect();
        AuthorizationResponse::new(self.uri.clone(), self.mode, parameters)
    }
}

impl AuthorizationError {
    /// What happened, for the developer of the app.
    const fn description(self) -> &'static str {
        match self {
            Self::InvalidRequest => "A parameter is missing, repeated or not valid.",
            Self::UnsupportedResponseType => "The only response_type is code.",
            Self::InvalidScope => "The app does not have all of these scopes.",
            Self::InvalidTarget => "The resource is not this service.",
            Self::AccessDenied => "The user has declined.",
            Self::LoginRequired => "The user has to sign in, and prompt forbids asking them to.",
            Self::ConsentRequired => "The user has to consent, and prompt forbids asking them to.",
            Self::ServerError => "The request could not be handled. Try again later.",
        }
    }
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorizationFlaw {
    /// It names no registered app. The browser is not redirected.
    Client,
    /// It names no address of the app. The browser is not redirected.
    RedirectUri(Issue),
    /// Reported to the app through the browser.
    Reported {
        /// Where the browser goes back to.
        way_back: RedirectBack,
        /// The error that the app gets.
        error: AuthorizationError,
        /// The parameter that is wrong.
        parameter: Parameter,
        /// What is wrong with it.
        issue: Issue,
    },
}

/// The fault for calls without a browser.
impl From<AuthorizationFlaw> for Fault {
    fn from(flaw: AuthorizationFlaw) -> Self {
        match flaw {
            AuthorizationFlaw::Client => {
                let parameter = Parameter::ClientId.name();
                Self::Oauth(OauthFlaw::InvalidClient { parameter, issue: Issue::InvalidValue })
            }
            AuthorizationFlaw::RedirectUri(issue) => Violation::new(Parameter::RedirectUri.name(), issue).into(),
            AuthorizationFlaw::Reported { error: AuthorizationError::InvalidScope, .. } => {
                Self::Oauth(OauthFlaw::InvalidScope)
            }
            AuthorizationFlaw::Reported { parameter, issue, .. } => {
                Violation::new(parameter.name(), issue).hinting(parameter.hint(issue)).into()
            }
        }
    }
}

impl AuthorizationRequest {
    /// Takes the parameters of a query, and records which of them are repeated.
    pub fn from_pairs<N: AsRef<str>, V: Into<String>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut request = Self::default();
        for (name, value) in pairs {
            let Ok(parameter) = name.as_ref().parse::<Parameter>() else { continue };
            if request.values.insert(parameter, value.into()).is_some() {
                request.repeated.get_or_insert(parameter);
            }
        }
        request
    }

    /// The parameters that were sent, for a form that sends them again.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values.iter().map(|(parameter, value)| (parameter.name(), value.as_str()))
    }

    /// The same request for exactly these scopes, which the user was shown, even if the app may request others by
    /// now.
    #[must_use]
    pub fn asking_for(mut self, scopes: &Scopes) -> Self {
        self.values.insert(Parameter::Scope, super::written(scopes));
        self
    }

    /// The app that makes the request.
    pub fn client(&self) -> Option<ClientId> {
        self.get(Parameter::ClientId)?.parse().ok()
    }

    /// Checks the request. `app` is the stored app of the client; `issuer` is the public origin of this service.
    pub fn examine(&self, app: Option<App>, issuer: &str) -> Result<Examined, AuthorizationFlaw> {
        let app = app.filter(|app| self.client() == Some(app.id)).ok_or(AuthorizationFlaw::Client)?;
        let way_back = self.way_back(&app)?;
        let reported = |error, parameter, issue| AuthorizationFlaw::Reported {
            way_back: way_back.clone(),
            error,
            parameter,
            issue,
        };
        let invalid = |(parameter, issue)| reported(AuthorizationError::InvalidRequest, parameter, issue);
        if let Some(parameter) = self.repeated {
            return Err(invalid((parameter, Issue::Duplicate)));
        }
        if self.get(Parameter::ResponseMode).is_some_and(|mode| mode.parse::<ResponseMode>().is_err()) {
            return Err(invalid((Parameter::ResponseMode, Issue::InvalidValue)));
        }
        match self.get(Parameter::ResponseType) {
            Some("code") => {}
            None | Some("") => return Err(invalid((Parameter::ResponseType, Issue::Required))),
            Some(_) => {
                let error = AuthorizationError::UnsupportedResponseType;
                return Err(reported(error, Parameter::ResponseType, Issue::InvalidValue));
            }
        }
        if self.get(Parameter::State).is_some_and(|state| !has_at_most(state, MAX_STATE)) {
            return Err(invalid((Parameter::State, Issue::TooLong)));
        }
        let challenge = self.challenge(app.public).map_err(invalid)?;
        let prompts = self.prompts().map_err(invalid)?;
        if self.get(Parameter::Resource).is_some_and(|target| !is_this_service(target, issuer)) {
            return Err(reported(AuthorizationError::InvalidTarget, Parameter::Resource, Issue::InvalidValue));
        }
        let scopes = app
            .scopes_of(self.get(Parameter::Scope))
            .ok_or_else(|| reported(AuthorizationError::InvalidScope, Parameter::Scope, Issue::InvalidValue))?;
        Ok(Examined { app, way_back, scopes, challenge, prompts })
    }

    fn get(&self, parameter: Parameter) -> Option<&str> {
        self.values.get(&parameter).map(String::as_str)
    }

    /// Checked before anything else: until then no address can be trusted.
    fn way_back(&self, app: &App) -> Result<RedirectBack, AuthorizationFlaw> {
        // A repeated client or address is ambiguous.
        match self.repeated {
            Some(Parameter::ClientId) => return Err(AuthorizationFlaw::Client),
            Some(Parameter::RedirectUri) => return Err(AuthorizationFlaw::RedirectUri(Issue::Duplicate)),
            _ => {}
        }
        let sent = self.get(Parameter::RedirectUri).ok_or(AuthorizationFlaw::RedirectUri(Issue::Required))?;
        let uri = app.knows(sent).ok_or(AuthorizationFlaw::RedirectUri(Issue::InvalidValue))?;
        let fits = |state: &&str| self.repeated != Some(Parameter::State) && has_at_most(state, MAX_STATE);
        let state = self.get(Parameter::State).filter(fits).map(str::to_owned);
        let mode = self.get(Parameter::ResponseMode).filter(|_| self.repeated != Some(Parameter::ResponseMode));
        // A flawed mode is reported in the usual one.
        let mode = mode.and_then(|mode| mode.parse().ok()).unwrap_or(ResponseMode::Query);
        Ok(RedirectBack { uri, state, mode })
    }

    fn challenge(&self, required: bool) -> Result<Option<Challenge>, (Parameter, Issue)> {
        match (self.get(Parameter::CodeChallenge), self.get(Parameter::CodeChallengeMethod)) {
            (None, None) if !required => Ok(None),
            (None, _) => Err((Parameter::CodeChallenge, Issue::Required)),
            (Some(_), None) => Err((Parameter::CodeChallengeMethod, Issue::Required)),
            (Some(text), Some("S256")) => {
                Challenge::parse(text).map(Some).map_err(|_| (Parameter::CodeChallenge, Issue::InvalidFormat))
            }
            (Some(_), Some(_)) => Err((Parameter::CodeChallengeMethod, Issue::InvalidValue)),
        }
    }

    fn prompts(&self) -> Result<Prompts, (Parameter, Issue)> {
        let mut prompts = Prompts::default();
        for word in self.get(Parameter::Prompt).unwrap_or_default().split(' ').filter(|word| !word.is_empty()) {
            match word {
                "none" => prompts.none = true,
                "login" => prompts.login = true,
                "consent" => prompts.consent = true,
                _ => return Err((Parameter::Prompt, Issue::InvalidValue)),
            }
        }
        if prompts.none && (prompts.login || prompts.consent) {
            return Err((Parameter::Prompt, Issue::InvalidValue));
        }
        Ok(prompts)
    }
}

/// The whole service, by its origin or by the base address of its API.
fn is_this_service(target: &str, issuer: &str) -> bool {
    let Some(path) = target.strip_prefix(issuer) else { return false };
    ["", "/", "/api/v1", "/api/v1/"].contains(&path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{
        id::{UserId, WorkspaceId},
        scope::AppScope,
        text::Name,
        time::Timestamp,
    };

    const ISSUER: &str = "https://octavo.example";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const URI: &str = "https://planner.example/back?keep=1";

    fn app(public: bool) -> App {
        App {
            id: ClientId::new(1, [1; 10]),
            workspace: WorkspaceId::new(1, [2; 10]),
            name: Name::parse("Planner").unwrap(),
            public,
            redirect_uris: vec![RedirectUri::parse(URI).unwrap()],
            scopes: [AppScope::PagesRead, AppScope::PagesWrite].into(),
            logo_url: None,
            created_by: UserId::new(1, [3; 10]),
            created_at: Timestamp::from_millis(0),
        }
    }

    /// A valid request of a public app, with some parameters replaced; `None` removes one.
    fn request(changes: &[(&str, Option<&str>)]) -> AuthorizationRequest {
        let client = app(true).id.to_string();
        let mut pairs = vec![
            ("response_type", "code".to_owned()),
            ("client_id", client),
            ("redirect_uri", URI.to_owned()),
            ("state", "a b&c".to_owned()),
            ("code_challenge", CHALLENGE.to_owned()),
            ("code_challenge_method", "S256".to_owned()),
        ];
        for (name, value) in changes {
            pairs.retain(|(known, _)| known != name);
            pairs.extend(value.map(|value| (*name, value.to_owned())));
        }
        AuthorizationRequest::from_pairs(pairs)
    }

    fn error_and_parameter(changes: &[(&str, Option<&str>)]) -> (&'static str, &'static str) {
        match request(changes).examine(Some(app(true)), ISSUER) {
            Err(AuthorizationFlaw::Reported { error, parameter, .. }) => (error.name(), parameter.name()),
            other => panic!("{changes:?}: {other:?}"),
        }
    }

    #[test]
    fn a_proper_request_is_understood() {
        let found = request(&[]).examine(Some(app(true)), ISSUER).unwrap();
        assert_eq!(found.scopes, app(true).scopes, "all of the app's unless it says less");
        assert_eq!(
            found.way_back.with_code("oc_x", ISSUER).address(),
            "https://planner.example/back?keep=1&code=oc_x&state=a%20b%26c&iss=https%3A%2F%2Foctavo.example"
        );
        assert_eq!(
            found.way_back.with_error(AuthorizationError::AccessDenied, ISSUER).address(),
            "https://planner.example/back?keep=1&error=access_denied&state=a%20b%26c&iss=https%3A%2F%2Foctavo.example\
             &error_description=The%20user%20has%20declined."
        );
        let flaw = found.way_back.with_flaw(
            AuthorizationError::InvalidRequest,
            Parameter::Prompt,
            Issue::InvalidValue,
            ISSUER,
        );
        let flaw = flaw.address();
        assert!(flaw.contains("error=invalid_request&") && flaw.contains("The%20parameter%20prompt%20has"), "{flaw}");
        let plain =
            request(&[("state", None), ("scope", Some("pages:read"))]).examine(Some(app(true)), ISSUER).unwrap();
        assert_eq!(plain.scopes, [AppScope::PagesRead].into());
        assert!(!plain.way_back.with_code("oc_x", ISSUER).address().contains("state"));
    }

    #[test]
    fn an_app_chooses_how_it_gets_the_answer() {
        let mode = |sent| request(&[("response_mode", sent)]).examine(Some(app(true)), ISSUER).unwrap().way_back.mode;
        assert_eq!(mode(None), ResponseMode::Query);
        assert_eq!(mode(Some("query")), ResponseMode::Query);
        assert_eq!(mode(Some("form_post")), ResponseMode::FormPost);
        for wrong in ["fragment", "FORM_POST", ""] {
            match request(&[("response_mode", Some(wrong))]).examine(Some(app(true)), ISSUER) {
                Err(AuthorizationFlaw::Reported { way_back, error, parameter, .. }) => {
                    let found = (error.name(), parameter.name(), way_back.mode);
                    assert_eq!(found, ("invalid_request", "response_mode", ResponseMode::Query));
                }
                other => panic!("{wrong}: {other:?}"),
            }
        }
        match request(&[("response_mode", Some("form_post")), ("scope", Some("files:read"))])
            .examine(Some(app(true)), ISSUER)
        {
            Err(AuthorizationFlaw::Reported { way_back, .. }) => assert_eq!(way_back.mode, ResponseMode::FormPost),
            other => panic!("errors are posted too: {other:?}"),
        }
    }

    #[test]
    fn what_was_shown_is_what_is_granted() {
        let shown = [AppScope::PagesRead].into();
        let found = request(&[]).asking_for(&shown).examine(Some(app(true)), ISSUER).unwrap();
        assert_eq!(found.scopes, shown, "whatever the app offers by now");
    }

    #[test]
    fn no_browser_is_redirected_to_a_foreign_address() {
        let examine = |changes: &[_]| request(changes).examine(Some(app(true)), ISSUER).unwrap_err();
        for (uri, issue) in [
            (None, Issue::Required),
            (Some("https://planner.example/back?keep=1&x=2"), Issue::InvalidValue),
            (Some("https://planner.example/back"), Issue::InvalidValue),
            (Some("https://planner.example/back?keep=1#x"), Issue::InvalidValue),
            (Some("https://Planner.example/back?keep=1"), Issue::InvalidValue),
            (Some("https://planner.example/%62ack?keep=1"), Issue::InvalidValue),
        ] {
            assert_eq!(examine(&[("redirect_uri", uri)]), AuthorizationFlaw::RedirectUri(issue), "{uri:?}");
        }
        let twice =
            AuthorizationRequest::from_pairs(request(&[]).pairs().chain([("redirect_uri", "https://evil.test/")]));
        assert_eq!(twice.examine(Some(app(true)), ISSUER), Err(AuthorizationFlaw::RedirectUri(Issue::Duplicate)));
        assert_eq!(request(&[]).examine(None, ISSUER), Err(AuthorizationFlaw::Client));
        assert_eq!(examine(&[("client_id", Some("planner"))]), AuthorizationFlaw::Client);
    }

    #[test]
    fn every_other_fault_is_reported_to_the_app() {
        for (changes, expected) in [
            (("response_type", Some("token")), ("unsupported_response_type", "response_type")),
            (("response_type", None), ("invalid_request", "response_type")),
            (("scope", Some("files:read")), ("invalid_scope", "scope")),
            (("code_challenge", None), ("invalid_request", "code_challenge")),
            (("code_challenge", Some("short")), ("invalid_request", "code_challenge")),
            (("code_challenge_method", Some("plain")), ("invalid_request", "code_challenge_method")),
            (("code_challenge_method", None), ("invalid_request", "code_challenge_method")),
            (("prompt", Some("none login")), ("invalid_request", "prompt")),
            (("prompt", Some("dance")), ("invalid_request", "prompt")),
            (("resource", Some("https://other.example")), ("invalid_target", "resource")),
            (("resource", Some("https://octavo.example.evil.test")), ("invalid_target", "resource")),
            (("resource", Some("https://octavo.example/api/v1/workspaces/wks_1/mcp")), ("invalid_target", "resource")),
        ] {
            assert_eq!(error_and_parameter(&[changes]), expected, "{changes:?}");
        }
        let long = "s".repeat(MAX_STATE + 1);
        assert_eq!(error_and_parameter(&[("state", Some(&long))]), ("invalid_request", "state"));
        for target in [ISSUER, "https://octavo.example/", "https://octavo.example/api/v1"] {
            assert!(request(&[("resource", Some(target))]).examine(Some(app(true)), ISSUER).is_ok(), "{target}");
        }
    }

    #[test]
    fn a_repeated_parameter_is_a_fault_and_a_repeated_state_is_not_sent_back() {
        let repeat = |name: &'static str| {
            let request = AuthorizationRequest::from_pairs(request(&[]).pairs().chain([(name, "x")]));
            match request.examine(Some(app(true)), ISSUER) {
                Err(AuthorizationFlaw::Reported { way_back, error, issue, .. }) => {
                    (error.name(), issue, way_back.state)
                }
                other => panic!("{other:?}"),
            }
        };
        let state = Some("a b&c".to_owned());
        assert_eq!(repeat("response_type"), ("invalid_request", Issue::Duplicate, state));
        assert_eq!(repeat("state"), ("invalid_request", Issue::Duplicate, None));
        let other = AuthorizationRequest::from_pairs(request(&[]).pairs().chain([("x", "1"), ("x", "2")]));
        assert!(other.examine(Some(app(true)), ISSUER).is_ok(), "what nobody knows is nobody's business");
    }

    #[test]
    fn a_confidential_app_may_omit_the_challenge_but_not_half_of_it() {
        let examine = |changes: &[_]| request(changes).examine(Some(app(false)), ISSUER);
        let without = examine(&[("code_challenge", None), ("code_challenge_method", None)]).unwrap();
        assert_eq!(without.challenge, None);
        assert!(examine(&[("code_challenge", None)]).is_err());
        assert!(examine(&[("code_challenge_method", None)]).is_err());
        assert!(examine(&[("code_challenge_method", Some("plain"))]).is_err());
        assert!(examine(&[]).unwrap().challenge.is_some());
    }
}
