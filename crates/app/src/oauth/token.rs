//! Exchanging a code or a refresh token for new tokens.

use super::{client::ClientProof, on_family};
use crate::{
    outcome::{AppResult, Draft, Interrupt},
    scope::Unit,
    sessions::{self, refresh::principal},
};
use octavo_core_model::{
    Fault, Secret, Token, TokenHash, TokenKind,
    account::{AccountStatus, User},
    claims::AppClaims,
    event::{Actor, EventType},
    fault::{Issue, OauthFlaw},
    id::{GrantId, TokenId},
    oauth::{App, AuthorizationCode, CodeFlaw, Family, FamilyToken, Grant, Presented, Scopes, written},
};
use serde_json::json;

const INVALID_CODE: Fault = invalid_grant("code", Issue::InvalidValue);
const INVALID_TOKEN: Fault = invalid_grant("refresh_token", Issue::InvalidValue);
const INVALID_SCOPE: Fault = Fault::Oauth(OauthFlaw::InvalidScope);

const fn invalid_grant(parameter: &'static str, issue: Issue) -> Fault {
    Fault::Oauth(OauthFlaw::InvalidGrant { parameter, issue })
}

/// The basis of a request for tokens.
#[derive(Clone, Debug)]
pub enum TokenRequest {
    Code {
        code: Secret<String>,
        redirect_uri: String,
        verifier: Option<Secret<String>>,
    },
    Refresh {
        token: Secret<String>,
        /// A subset of the granted scopes, for the access token only.
        scope: Option<String>,
    },
}

/// The tokens that an app gets.
#[derive(Clone, Debug)]
pub struct Issued {
    pub claims: AppClaims,
    pub refresh_token: Token,
}

/// Issues tokens to an app.
pub async fn issue(unit: &mut Unit, proof: ClientProof, draft: Draft<TokenRequest>) -> AppResult<Issued> {
    match draft? {
        TokenRequest::Code { code, redirect_uri, verifier } => {
            exchange(unit, &proof, &code, &redirect_uri, verifier.as_ref().map(|text| text.expose().as_str())).await
        }
        TokenRequest::Refresh { token, scope } => refresh(unit, &proof, &token, scope.as_deref()).await,
    }
}

/// Exchanges a code, once. Sending it again revokes the tokens from the first exchange, unless it is a retry and
/// those tokens have not been used.
async fn exchange(
    unit: &mut Unit,
    proof: &ClientProof,
    code: &Secret<String>,
    redirect_uri: &str,
    verifier: Option<&str>,
) -> AppResult<Issued> {
    let named = proof.named(unit).await?;
    let hash = Token::parse(TokenKind::AuthorizationCode, code.expose()).map_err(|_| INVALID_CODE)?.hash();
    let owner = unit.tx.oauth().find_code_owner(&hash).await?.ok_or(INVALID_CODE)?;
    // Lock first, then read the code: another call may have used it while this one waited.
    let user = unit.tx.accounts().lock(owner).await?.ok_or(INVALID_CODE)?;
    let mut code = unit.tx.oauth().find_code(owner, &hash).await?.ok_or(INVALID_CODE)?;
    let app = proof.of(unit, named, code.client).await?;
    act_as(unit, &app, &user);
    match code.redeem(redirect_uri, verifier, unit.call.now) {
        Ok(()) => {}
        Err(CodeFlaw::Redeemed) => return Err(reused_code(unit, &code).await?),
        Err(CodeFlaw::Expired) => return Err(INVALID_CODE.into()),
        Err(CodeFlaw::RedirectUri) => return Err(invalid_grant("redirect_uri", Issue::InvalidValue).into()),
        Err(CodeFlaw::Verifier) => {
            let issue = if verifier.is_none() { Issue::Required } else { Issue::InvalidValue };
            return Err(invalid_grant("code_verifier", issue).into());
        }
    }
    // An app that loses an address loses the codes that were sent there. Those for another port of a loopback address
    // are not found by the address.
    if app.knows(code.redirect_uri.as_str()).is_none() {
        return Err(INVALID_CODE.into());
    }
    let grant = live_grant(unit, &user, code.grant, INVALID_CODE).await?;
    let family = begin(&code, &grant, unit)?;
    unit.claim().await?;
    touch_grant(unit, &grant).await?;
    // An app can lose scopes while this unit runs. That removes the code, but cannot change a family that is not
    // written yet.
    if !unit.tx.oauth().redeem_code(&code).await? {
        return Err(INVALID_CODE.into());
    }
    let family = extended(unit, family).await?;
    unit.tx.oauth().insert_family(&family).await?;
    let scopes = family.scopes.clone();
    hand_out(unit, &grant, &family, scopes, code.hash).await
}

/// The token family that a code starts: limited to what the code was issued for and to what is still granted.
fn begin(code: &AuthorizationCode, grant: &Grant, unit: &Unit) -> AppResult<Family> {
    let limited = grant.clone().within(&code.scopes, &code.workspaces);
    if limited.scopes.is_empty() || limited.workspaces.is_empty() {
        return Err(INVALID_CODE.into());
    }
    let now = unit.call.now;
    Ok(Family {
        id: code.family,
        user: code.user,
        client: code.client,
        grant: code.grant,
        scopes: limited.scopes,
        workspaces: limited.workspaces,
        proofs: code.proofs.clone(),
        authenticated_at: code.authenticated_at,
        created_at: now,
        expires_at: now,
        absolute_end: code.absolute_end,
        revoked_at: None,
    })
}

/// Replays the answer to an earlier attempt of the same call; otherwise revokes the tokens from the code.
async fn reused_code(unit: &mut Unit, code: &AuthorizationCode) -> AppResult<Interrupt> {
    let family = unit.tx.oauth().find_family(code.user, code.family).await?;
    if let Some(interrupt) = replayed(unit, family.as_ref()).await? {
        return Ok(interrupt);
    }
    unit.tx.oauth().revoke_family(code.user, code.family, unit.call.now).await?;
    unit.audit(on_family(code.user, code.family, EventType::OauthTokenRevoked).failed("code_reuse"));
    Ok(unit.refuse(INVALID_CODE))
}

/// Rotates a refresh token. If two calls send the same token, the second one counts as reuse and ends the family,
/// unless both have the same idempotency key and the new token has not been used yet: then both get the same tokens.
async fn refresh(
    unit: &mut Unit,
    proof: &ClientProof,
    token: &Secret<String>,
    scope: Option<&str>,
) -> AppResult<Issued> {
    let named = proof.named(unit).await?;
    let hash = Token::parse(TokenKind::Refresh, token.expose()).map_err(|_| INVALID_TOKEN)?.hash();
    let owner = unit.tx.oauth().find_family_token_owner(&hash).await?.ok_or(INVALID_TOKEN)?;
    let user = unit.tx.accounts().lock(owner).await?.ok_or(INVALID_TOKEN)?;
    let token = unit.tx.oauth().find_family_token(owner, &hash).await?.ok_or(INVALID_TOKEN)?;
    let family = unit.tx.oauth().find_family(owner, token.family).await?.ok_or(INVALID_TOKEN)?;
    let app = proof.of(unit, named, family.client).await?;
    act_as(unit, &app, &user);
    match token.presented(&family, unit.call.now) {
        Presented::Expired | Presented::Revoked => Err(INVALID_TOKEN.into()),
        Presented::Reused => Err(reused_token(unit, &family).await?),
        Presented::Current => {
            let grant = live_grant(unit, &user, family.grant, INVALID_TOKEN).await?;
            let scopes = narrowed(&grant, &family, scope)?;
            unit.claim().await?;
            touch_grant(unit, &grant).await?;
            // The successor is in use, so from now on a retry of the call that created it counts as reuse.
            unit.tx.replies().forget(&principal(&token.predecessor)).await?;
            unit.tx.oauth().rotate_family_token(owner, &token.hash).await?;
            let family = extended(unit, family).await?;
            unit.tx.oauth().extend_family(&family).await?;
            hand_out(unit, &grant, &family, scopes, token.hash).await
        }
    }
}

async fn reused_token(unit: &mut Unit, family: &Family) -> AppResult<Interrupt> {
    if let Some(interrupt) = replayed(unit, Some(family)).await? {
        return Ok(interrupt);
    }
    unit.tx.oauth().revoke_family(family.user, family.id, unit.call.now).await?;
    unit.audit(on_family(family.user, family.id, EventType::OauthTokenRevoked).failed("reuse_detected"));
    Ok(unit.refuse(INVALID_TOKEN))
}

/// The kept answer if the call repeats an earlier one under its idempotency key; never for a family that was revoked.
async fn replayed(unit: &mut Unit, family: Option<&Family>) -> AppResult<Option<Interrupt>> {
    if unit.call.key.is_none() || family.is_none_or(|family| family.revoked_at.is_some()) {
        return Ok(None);
    }
    match unit.claim().await {
        Ok(()) | Err(Interrupt::Fault(Fault::KeyReused)) => Ok(None),
        Err(interrupt) => Ok(Some(interrupt)),
    }
}

fn act_as(unit: &mut Unit, app: &App, user: &User) {
    unit.act_for(Actor::App { client: app.id, user: user.id }, app.name.to_string());
}

/// The live grant of a user, who must be allowed to act; otherwise `flaw`.
async fn live_grant(unit: &mut Unit, user: &User, id: GrantId, flaw: Fault) -> AppResult<Grant> {
    let grant = unit.tx.oauth().find_grant(user.id, id).await?;
    let is_live = |grant: &Grant| user.status == AccountStatus::Active && grant.is_live(unit.call.now);
    grant.filter(is_live).ok_or_else(|| flaw.into())
}

/// The scopes of the next access token: the family's scopes that are still granted, or the requested subset.
fn narrowed(grant: &Grant, family: &Family, asked: Option<&str>) -> AppResult<Scopes> {
    let held = &grant.scopes & &family.scopes;
    if held.is_empty() {
        return Err(INVALID_TOKEN.into());
    }
    let Some(asked) = asked else { return Ok(held) };
    let words = asked.split(' ').filter(|word| !word.is_empty());
    let asked: Scopes = words.map(str::parse).collect::<Result<_, _>>().map_err(|_| INVALID_SCOPE)?;
    match asked.is_empty() {
        true => Ok(held),
        false if asked.is_subset(&held) => Ok(asked),
        false => Err(INVALID_SCOPE.into()),
    }
}

/// Records that a grant is used. Call it before other changes: units that take something from an app do not lock the
/// user, and also change its grants first, then codes and families.
async fn touch_grant(unit: &mut Unit, grant: &Grant) -> AppResult<()> {
    Ok(unit.tx.oauth().touch_grant(grant.user, grant.id, unit.call.now).await?)
}

async fn extended(unit: &mut Unit, mut family: Family) -> AppResult<Family> {
    let inactivity = sessions::inactivity(unit, family.user).await?;
    family.extend(unit.call.now, inactivity);
    Ok(family)
}

/// Creates the pair of tokens that an app gets in exchange for `given`.
async fn hand_out(
    unit: &mut Unit,
    grant: &Grant,
    family: &Family,
    scopes: Scopes,
    given: TokenHash,
) -> AppResult<Issued> {
    let refresh_token = unit.token(TokenKind::Refresh);
    let record = FamilyToken {
        hash: refresh_token.hash(),
        user: family.user,
        family: family.id,
        predecessor: given,
        expires_at: family.expires_at,
        rotated: false,
    };
    unit.tx.oauth().insert_family_token(&record).await?;
    let granted = json!({ "field": "scopes", "from": null, "to": written(&scopes) });
    let audit_entry = on_family(family.user, family.id, EventType::OauthTokenIssued).labelled(grant.app.name.as_str());
    unit.audit(audit_entry.with_changes(vec![granted]));
    let claims = AppClaims {
        user: family.user,
        client: family.client,
        grant: family.grant,
        family: family.id,
        scopes: scopes.into_iter().collect(),
        id: unit.id(TokenId::new),
        proofs: family.proofs.clone(),
        authenticated_at: family.authenticated_at,
        issued_at: unit.call.now,
    };
    Ok(Issued { claims, refresh_token })
}
