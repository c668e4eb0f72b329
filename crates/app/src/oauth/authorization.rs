//! Asking a user whether an app may act for them, and recording the answer.
//!
//! The consent screens and the route without screens both use this. Both examine the request first, and examine it
//! again when the answer arrives, under the lock of the app.

use super::{app_resource, on_grant};
use crate::{
    access,
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    rules::Rules,
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault, Timestamp, TokenKind,
    account::User,
    event::{Chain, EventType},
    fault::{Issue, Violation},
    id::{FamilyId, GrantId, UserId, WorkspaceId},
    oauth::{
        App, AuthorizationCode, AuthorizationError, AuthorizationFlaw, AuthorizationRequest, AuthorizationResponse,
        Examined, Grant, MAX_WORKSPACES, written,
    },
    session::Proof,
    workspace::OwnWorkspace,
};
use octavo_ports::store::Reads;
use serde_json::json;
use std::sync::Arc;

/// The user who answers, and how they authenticated.
#[derive(Clone, Debug)]
pub struct Consenter {
    pub user: UserId,
    pub proofs: Vec<Proof>,
    pub authenticated_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The app may act in these workspaces; `None` leaves the choice to [`preselected`].
    Approve {
        workspaces: Option<Vec<WorkspaceId>>,
    },
    /// An earlier grant covers the request: the user is not asked, and the grant does not last longer.
    AsBefore,
    Deny,
}

/// The outcome of an authorization request. Two statements.
pub async fn examine<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    request: &AuthorizationRequest,
    rules: &Rules,
) -> AppResult<Result<Examined, AuthorizationFlaw>> {
    let app = match request.client() {
        Some(id) => scope.tx.oauth().find_app(id).await?,
        None => None,
    };
    Ok(request.examine(app, &rules.origin))
}

/// The live grant that covers a request, if there is one. For confidential apps it makes the screen unnecessary.
pub async fn covering<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    user: UserId,
    examined: &Examined,
) -> AppResult<Option<Grant>> {
    let grant = scope.tx.oauth().find_grant_for(user, examined.app.id).await?;
    let now = scope.call.now;
    Ok(grant.filter(|grant| grant.is_live(now) && grant.covers(&examined.scopes) && !grant.workspaces.is_empty()))
}

/// The workspace that an app gets access to by default: the workspace of the app if the user belongs to it, otherwise
/// the user's personal one.
pub fn preselected(app: &App, user: &User, own: &[OwnWorkspace]) -> WorkspaceId {
    own.iter().map(|own| own.id).find(|id| *id == app.workspace).unwrap_or(user.personal_workspace)
}

/// Records the user's answer and returns what the app is told. The caller has claimed the idempotency key.
///
/// The app is locked before the user.
pub async fn decide(
    unit: &mut Unit,
    request: &AuthorizationRequest,
    consenter: Consenter,
    decision: Decision,
    rules: &Rules,
) -> AppResult<Result<AuthorizationResponse, AuthorizationFlaw>> {
    let app = match request.client() {
        Some(id) => unit.tx.oauth().lock_app(id).await?,
        None => None,
    };
    let examined = match request.examine(app, &rules.origin) {
        Ok(examined) => examined,
        Err(flaw) => return Ok(Err(flaw)),
    };
    let user = access::admit(unit.tx.accounts().lock(consenter.user).await?)?;
    unit.act_as(&user);
    let (grant, workspaces) = match decision {
        Decision::Deny => {
            return Ok(Ok(examined.way_back.with_error(AuthorizationError::AccessDenied, &rules.origin)));
        }
        Decision::AsBefore => match covering(unit, user.id, &examined).await? {
            Some(grant) => {
                let workspaces = grant.workspaces.clone();
                (grant, workspaces)
            }
            None => {
                return Ok(Ok(examined.way_back.with_error(AuthorizationError::ConsentRequired, &rules.origin)));
            }
        },
        Decision::Approve { workspaces } => {
            let workspaces = chosen(unit, &examined.app, &user, workspaces).await?;
            (consent(unit, &examined, &user, &workspaces, rules).await?, workspaces)
        }
    };
    let code = issue(unit, &examined, &grant, workspaces, consenter, rules).await?;
    Ok(Ok(examined.way_back.with_code(&code, &rules.origin)))
}

/// The workspaces that the user chose for an app. All of them must be the user's.
async fn chosen(
    unit: &mut Unit,
    app: &App,
    user: &User,
    chosen: Option<Vec<WorkspaceId>>,
) -> AppResult<Vec<WorkspaceId>> {
    let flaw = |issue| Violation::new("workspaceIds", issue);
    let own = unit.tx.accounts().find_with_workspaces(user.id).await?.map(|(_, own)| own).unwrap_or_default();
    let Some(mut chosen) = chosen else { return Ok(vec![preselected(app, user, &own)]) };
    if chosen.is_empty() {
        return Err(flaw(Issue::TooShort).into());
    }
    chosen.sort_unstable();
    chosen.dedup();
    if chosen.len() > MAX_WORKSPACES {
        return Err(flaw(Issue::TooLong).into());
    }
    match chosen.iter().find(|id| own.iter().all(|own| own.id != **id)) {
        Some(foreign) => Err(flaw(Issue::InvalidValue).with(json!(foreign)).into()),
        None => Ok(chosen),
    }
}

/// Creates the grant, or extends the existing one to what the user consented to. Either way its life starts now.
async fn consent(
    unit: &mut Unit,
    examined: &Examined,
    user: &User,
    workspaces: &[WorkspaceId],
    rules: &Rules,
) -> AppResult<Grant> {
    let (app, now) = (&examined.app, unit.call.now);
    let before = unit.tx.oauth().find_grant_for(user.id, app.id).await?;
    if let Some(mut grant) = before.clone().filter(|grant| grant.is_live(now)) {
        let is_wider = grant.widen(&examined.scopes, workspaces);
        grant.expires_at = now.plus(rules.session_life);
        unit.tx.oauth().save_grant(&grant).await?;
        if is_wider {
            record_consent(unit, &grant, before.as_ref());
        }
        return Ok(grant);
    }
    if let Some(over) = before {
        // The old grant has expired; remove it to make room for the new one.
        unit.tx.oauth().revoke_grants(user.id, Some(over.id), now).await?;
    }
    let grant = Grant {
        id: unit.id(GrantId::new),
        user: user.id,
        app: app.into(),
        scopes: examined.scopes.clone(),
        common_scopes: examined.scopes.clone(),
        workspaces: workspaces.to_vec(),
        created_at: now,
        last_used_at: None,
        expires_at: now.plus(rules.session_life),
        revoked_at: None,
    };
    unit.tx.oauth().insert_grant(&grant).await?;
    record_consent(unit, &grant, None);
    Ok(grant)
}

fn record_consent(unit: &mut Unit, grant: &Grant, before: Option<&Grant>) {
    let changes = vec![
        json!({ "field": "scopes", "from": before.map(|grant| &grant.scopes), "to": grant.scopes }),
        json!({ "field": "workspaceIds", "from": before.map(|grant| &grant.workspaces), "to": grant.workspaces }),
    ];
    let audit_entry = on_grant(grant.user, grant.id, EventType::OauthGrantCreated);
    unit.audit(audit_entry.labelled(grant.app.name.as_str()).with_changes(changes));
}

async fn issue(
    unit: &mut Unit,
    examined: &Examined,
    grant: &Grant,
    workspaces: Vec<WorkspaceId>,
    consenter: Consenter,
    rules: &Rules,
) -> AppResult<String> {
    let (token, now) = (unit.token(TokenKind::AuthorizationCode), unit.call.now);
    let code = AuthorizationCode {
        hash: token.hash(),
        user: grant.user,
        client: examined.app.id,
        grant: grant.id,
        family: unit.id(FamilyId::new),
        redirect_uri: examined.way_back.uri.clone(),
        scopes: examined.scopes.clone(),
        workspaces,
        challenge: examined.challenge,
        proofs: consenter.proofs,
        authenticated_at: consenter.authenticated_at,
        absolute_end: grant.expires_at,
        created_at: now,
        expires_at: now.plus(rules.code_life),
        redeemed_at: None,
    };
    unit.tx.oauth().insert_code(&code).await?;
    let scopes = json!({ "field": "scopes", "from": null, "to": written(&code.scopes) });
    let audit_entry =
        NewAuditEntry::new(Chain::User(grant.user), EventType::OauthCodeIssued, app_resource(examined.app.id));
    unit.audit(audit_entry.labelled(examined.app.name.as_str()).with_changes(vec![scopes]));
    Ok(token.reveal().to_owned())
}

/// An authorization request together with its answer, sent by an app that the user trusts to ask.
#[derive(Clone, Debug)]
pub struct Answered {
    pub request: AuthorizationRequest,
    pub decision: Decision,
}

/// Handles request and answer in one call of a signed-in user, without a screen. Returns what the app is told.
pub async fn authorize(unit: &mut Unit, draft: Draft<Answered>, rules: Arc<Rules>) -> AppResult<AuthorizationResponse> {
    let user = access::user(unit).await?;
    // The resulting tokens outlive the session, so the session must be live now.
    let session = access::live_session(unit).await?;
    unit.claim().await?;
    let answered = draft?;
    let proofs = access::claims(unit)?.proofs;
    let consenter = Consenter { user: user.id, proofs, authenticated_at: session.authenticated_at };
    match decide(unit, &answered.request, consenter, answered.decision, &rules).await? {
        Ok(response) => Ok(response),
        Err(flaw) => Err(Fault::from(flaw).into()),
    }
}
