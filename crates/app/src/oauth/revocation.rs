//! Revoking a token of an app, and checking whether one is valid.

use super::{client::ClientProof, on_family};
use crate::{
    outcome::{AppResult, Draft, Interrupt},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, Timestamp, Token, TokenHash, TokenKind,
    claims::AppClaims,
    event::{Chain, EventType, Resource},
    fault::OauthFlaw,
    id::{ClientId, UserId},
    oauth::{App, Family, FamilyToken, Presented, Scopes},
    time::days,
};
use octavo_ports::store::Reads;

/// A token that an app submits.
#[derive(Clone, Debug)]
pub enum SubmittedToken {
    /// An access token of an app, signed by this service and not expired.
    Access(AppClaims),
    Refresh(TokenHash),
    /// Not a token that this service issued to an app.
    Other,
}

impl SubmittedToken {
    /// Reads a text that is not an access token.
    pub fn read(text: &str) -> Self {
        Token::parse(TokenKind::Refresh, text).map_or(Self::Other, |token| Self::Refresh(token.hash()))
    }
}

/// Revokes an access token, or a refresh token together with its family and the access tokens of that family. If the
/// caller does not prove to be the app that the token was issued to, nothing is revoked, and the answer does not
/// reveal that.
pub async fn revoke(unit: &mut Unit, proof: ClientProof, given: Draft<SubmittedToken>) -> AppResult<()> {
    unit.claim().await?;
    let given = given?;
    match given {
        SubmittedToken::Access(claims) => {
            if find_calling_app(unit, &proof, claims.client).await?.is_some() {
                revoke_access(unit, &claims).await?;
            }
            Ok(())
        }
        SubmittedToken::Refresh(hash) => {
            let Some((owner, _, family)) = find(unit, &hash).await? else { return Ok(()) };
            if find_calling_app(unit, &proof, family.client).await?.is_some() {
                unit.tx.accounts().lock(owner).await?;
                if unit.tx.oauth().revoke_family(owner, family.id, unit.call.now).await? {
                    unit.audit(on_family(owner, family.id, EventType::OauthTokenRevoked));
                }
            }
            Ok(())
        }
        SubmittedToken::Other => Ok(()),
    }
}

async fn revoke_access(unit: &mut Unit, claims: &AppClaims) -> AppResult<()> {
    // An account that no longer exists has no tokens.
    if unit.tx.accounts().lock(claims.user).await?.is_none() {
        return Ok(());
    }
    // Kept longer than the token lives, so that different clocks on other nodes do not matter.
    let forget_at = unit.call.now.plus(days(1));
    if unit.tx.oauth().revoke_access_token(claims.user, claims.id, forget_at).await? {
        let token = Resource::OauthToken(claims.id);
        unit.audit(crate::audit_entry::NewAuditEntry::new(
            Chain::User(claims.user),
            EventType::OauthTokenRevoked,
            token,
        ));
    }
    Ok(())
}

/// The app that a token was issued to, if it is the calling app.
async fn find_calling_app<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    proof: &ClientProof,
    owner: ClientId,
) -> AppResult<Option<App>> {
    let named = match proof.named(scope).await {
        Ok(named) => named,
        Err(interrupt) => return unknown(interrupt),
    };
    proof.of(scope, named, owner).await.map(Some).or_else(unknown)
}

fn unknown(interrupt: Interrupt) -> AppResult<Option<App>> {
    match interrupt {
        Interrupt::Fault(Fault::Oauth(OauthFlaw::InvalidClient { .. } | OauthFlaw::OtherClient)) => Ok(None),
        interrupt => Err(interrupt),
    }
}

async fn find<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    hash: &TokenHash,
) -> AppResult<Option<(UserId, FamilyToken, Family)>> {
    let Some(owner) = scope.tx.oauth().find_family_token_owner(hash).await? else { return Ok(None) };
    let Some(token) = scope.tx.oauth().find_family_token(owner, hash).await? else { return Ok(None) };
    let family = scope.tx.oauth().find_family(owner, token.family).await?;
    Ok(family.map(|family| (owner, token, family)))
}

/// A valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidToken {
    Access { claims: AppClaims, scopes: Scopes },
    Refresh { user: UserId, client: ClientId, scopes: Scopes, issued_at: Timestamp, expires_at: Timestamp },
}

/// Whether a token is valid, for the confidential app that owns it. For every other token and caller the answer is that
/// of an invalid token.
pub async fn introspect(
    view: &mut View,
    proof: ClientProof,
    given: Draft<SubmittedToken>,
) -> AppResult<Option<ValidToken>> {
    let given = given?;
    let app = match proof.named(view).await {
        Ok(app) => app,
        Err(interrupt) => unknown(interrupt)?,
    };
    let Some(app) = app.filter(|app| !app.public) else { return Ok(None) };
    match given {
        SubmittedToken::Access(claims) if claims.client == app.id => access(view, claims).await,
        SubmittedToken::Refresh(hash) => match find(view, &hash).await? {
            Some((_, token, family)) if family.client == app.id => refresh(view, &token, family).await,
            _ => Ok(None),
        },
        SubmittedToken::Access(_) | SubmittedToken::Other => Ok(None),
    }
}

async fn access(view: &mut View, claims: AppClaims) -> AppResult<Option<ValidToken>> {
    let now = view.call.now;
    let found = view.tx.oauth().find_app_access(claims.user, claims.grant, claims.family, claims.id, now).await?;
    let live = found.filter(|access| access.is_live && access.user_may_act);
    Ok(live.and_then(|access| {
        let scopes: Scopes =
            claims.scopes.iter().copied().filter(|scope| access.grant.scopes.contains(scope)).collect();
        // A token without a scope is useless.
        (!scopes.is_empty()).then_some(ValidToken::Access { claims, scopes })
    }))
}

async fn refresh(view: &mut View, token: &FamilyToken, family: Family) -> AppResult<Option<ValidToken>> {
    let now = view.call.now;
    if token.presented(&family, now) != Presented::Current {
        return Ok(None);
    }
    let grant = view.tx.oauth().find_grant(family.user, family.grant).await?;
    let scopes = grant.filter(|grant| grant.is_live(now)).map(|grant| &grant.scopes & &family.scopes);
    Ok(scopes.filter(|scopes| !scopes.is_empty()).map(|scopes| ValidToken::Refresh {
        user: family.user,
        client: family.client,
        scopes,
        issued_at: family.created_at,
        expires_at: token.expires_at,
    }))
}
