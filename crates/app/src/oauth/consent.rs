//! The consent pages: how to continue a request that arrives in a browser, and the answer of the user.

use super::authorization::{self, Consenter, Decision};
use crate::{
    browser_sessions::{self, BrowserUser},
    call::Call,
    engine::Engine,
    outcome::AppResult,
    rules::Rules,
    scope::{Unit, View},
};
use octavo_core_model::{
    Token,
    id::WorkspaceId,
    oauth::{
        AuthorizationError, AuthorizationFlaw, AuthorizationRequest, AuthorizationResponse, Examined, RedirectUri,
    },
    text::Name,
    workspace::OwnWorkspace,
};

/// What a browser has to do next.
#[derive(Debug)]
pub enum ConsentStep {
    /// Take this answer to the app; the user is not asked.
    Respond(AuthorizationResponse),
    /// The user must sign in first, or again.
    SignIn,
    Consent(Box<ConsentQuestion>),
    /// The request is so flawed that its redirect address cannot be trusted.
    Refused(AuthorizationFlaw),
}

/// The question that a user is asked.
#[derive(Debug)]
pub struct ConsentQuestion {
    pub browser_user: BrowserUser,
    pub examined: Examined,
    /// The workspace that registered the app; `None` if it no longer exists.
    pub publisher: Option<Name>,
    pub workspaces: Vec<OwnWorkspace>,
    /// The workspace that is selected by default.
    pub preselected: WorkspaceId,
}

/// Whether to show the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompting {
    /// Unless the request can be answered without it.
    AsAsked,
    /// Always.
    Always,
}

/// Decides how to continue a request.
///
/// Two statements for a user who is not signed in, six for one who is asked. A user who has already consented to
/// everything that a confidential app requests is not asked again; that answer is recorded in a unit of its own.
pub async fn ask(
    engine: &Engine,
    call: Call,
    request: AuthorizationRequest,
    cookie: Option<Token>,
    manner: Prompting,
) -> AppResult<ConsentStep> {
    let rules = std::sync::Arc::clone(&engine.rules);
    let (asking, with) = (request.clone(), cookie.clone());
    let found = engine.read(call.clone(), move |view| {
        Box::pin(async move { look(view, &asking, with.as_ref(), manner, &rules).await })
    });
    match (found.await?, cookie) {
        (FoundRequest::ConsentStep(asked), _) => Ok(asked),
        (FoundRequest::AsBefore, Some(cookie)) => answer(engine, call, request, cookie, Decision::AsBefore).await,
        (FoundRequest::AsBefore, None) => Ok(ConsentStep::SignIn),
    }
}

enum FoundRequest {
    ConsentStep(ConsentStep),
    /// An earlier grant covers the request.
    AsBefore,
}

async fn look(
    view: &mut View,
    request: &AuthorizationRequest,
    cookie: Option<&Token>,
    manner: Prompting,
    rules: &Rules,
) -> AppResult<FoundRequest> {
    let examined = match authorization::examine(view, request, rules).await? {
        Ok(examined) => examined,
        Err(flaw) => return Ok(FoundRequest::ConsentStep(step_for_flaw(flaw, rules))),
    };
    let back =
        |error| Ok(FoundRequest::ConsentStep(ConsentStep::Respond(examined.way_back.with_error(error, &rules.origin))));
    let browser_user = match cookie {
        Some(cookie) => browser_sessions::find(view, cookie).await?,
        None => None,
    };
    let prompts = examined.prompts;
    let Some(browser_user) = browser_user.filter(|_| !prompts.login || manner == Prompting::Always) else {
        return if prompts.none {
            back(AuthorizationError::LoginRequired)
        } else {
            Ok(FoundRequest::ConsentStep(ConsentStep::SignIn))
        };
    };
    let may_skip = manner == Prompting::AsAsked && !examined.app.public && !prompts.consent;
    if may_skip && authorization::covering(view, browser_user.user.id, &examined).await?.is_some() {
        return Ok(FoundRequest::AsBefore);
    }
    if prompts.none {
        return back(AuthorizationError::ConsentRequired);
    }
    Ok(FoundRequest::ConsentStep(ConsentStep::Consent(Box::new(question(view, browser_user, examined).await?))))
}

/// Flaws that the app may learn about redirect the browser to it. For others the browser stays here.
fn step_for_flaw(flaw: AuthorizationFlaw, rules: &Rules) -> ConsentStep {
    match flaw {
        AuthorizationFlaw::Reported { way_back, error, parameter, issue } => {
            ConsentStep::Respond(way_back.with_flaw(error, parameter, issue, &rules.origin))
        }
        AuthorizationFlaw::Client | AuthorizationFlaw::RedirectUri(_) => ConsentStep::Refused(flaw),
    }
}

async fn question(view: &mut View, browser_user: BrowserUser, examined: Examined) -> AppResult<ConsentQuestion> {
    let publisher = view.tx.workspaces().find(examined.app.workspace).await?.map(|workspace| workspace.name);
    let own = view.tx.accounts().find_with_workspaces(browser_user.user.id).await?;
    let workspaces = own.map(|(_, own)| own).unwrap_or_default();
    let preselected = authorization::preselected(&examined.app, &browser_user.user, &workspaces);
    Ok(ConsentQuestion { browser_user, examined, publisher, workspaces, preselected })
}

/// The redirect address of the app, if it is one of its registered ones. One statement.
pub async fn destination(
    view: &mut View,
    request: &AuthorizationRequest,
    rules: &Rules,
) -> AppResult<Option<RedirectUri>> {
    Ok(match authorization::examine(view, request, rules).await? {
        Ok(examined) => Some(examined.way_back.uri),
        Err(AuthorizationFlaw::Reported { way_back, .. }) => Some(way_back.uri),
        Err(AuthorizationFlaw::Client | AuthorizationFlaw::RedirectUri(_)) => None,
    })
}

/// Records the answer of the user who is signed in with this cookie.
pub async fn answer(
    engine: &Engine,
    call: Call,
    request: AuthorizationRequest,
    cookie: Token,
    decision: Decision,
) -> AppResult<ConsentStep> {
    let rules = std::sync::Arc::clone(&engine.rules);
    engine
        .change(call, move |unit| Box::pin(async move { decide(unit, &request, &cookie, decision, &rules).await }))
        .await
}

async fn decide(
    unit: &mut Unit,
    request: &AuthorizationRequest,
    cookie: &Token,
    decision: Decision,
    rules: &Rules,
) -> AppResult<ConsentStep> {
    // Lock the app before the user, as everywhere, and read the session under the user's lock, because it may have
    // ended meanwhile.
    if let Some(client) = request.client() {
        unit.tx.oauth().lock_app(client).await?;
    }
    let Some(BrowserUser { user, session }) = browser_sessions::lock(unit, cookie).await? else {
        return Ok(ConsentStep::SignIn);
    };
    let consenter = Consenter { user: user.id, proofs: session.proofs, authenticated_at: session.authenticated_at };
    Ok(match authorization::decide(unit, request, consenter, decision, rules).await? {
        Ok(response) => ConsentStep::Respond(response),
        Err(flaw) => step_for_flaw(flaw, rules),
    })
}
