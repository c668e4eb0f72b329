//! Single-use tokens that are sent by mail.

use crate::{
    access,
    outcome::{AppResult, Draft},
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault, Secret, Token, TokenKind,
    account::User,
    chore::Work,
    fault::{Conflict, Issue, Violation},
    id::{SessionId, UserId},
    mail::{Letter, Topic},
    one_time::{OneTimeToken, Spent},
    text::Email,
    token::TokenHash,
};
use octavo_ports::store::Reads;

/// Issues a token for an address.
pub(crate) async fn issue(
    unit: &mut Unit,
    kind: TokenKind,
    user: &User,
    email: &Email,
    session: Option<SessionId>,
) -> AppResult<String> {
    let token = unit.token(kind);
    let mut record = OneTimeToken::issue(kind, token.hash(), user.id, email.clone(), unit.call.now);
    record.session = session;
    unit.tx.accounts().insert_token(&record).await?;
    Ok(token.reveal().to_owned())
}

/// Redeems a token. Returns its account, locked, and the token, now used. The owner becomes the actor of what the
/// unit reports.
///
/// Malformed and unknown tokens get the same answer. The caller checks the account's status, because restoring needs
/// a deleted account.
pub(crate) async fn redeem(
    unit: &mut Unit,
    kind: TokenKind,
    text: &Draft<Secret<String>>,
) -> AppResult<(User, OneTimeToken)> {
    let (owner, hash) = owner(unit, kind, text.as_ref().map_err(Clone::clone)?).await?;
    let user = unit.tx.accounts().lock(owner).await?.ok_or_else(unknown_token)?;
    let token = spend(unit, owner, &hash).await?;
    unit.tx.accounts().save_token(&token).await?;
    unit.act_as(&user);
    Ok((user, token))
}

/// The owner of a token, for callers that must take other locks before the account's.
pub(crate) async fn owner_of(unit: &mut Unit, kind: TokenKind, text: &Draft<Secret<String>>) -> AppResult<UserId> {
    Ok(owner(unit, kind, text.as_ref().map_err(Clone::clone)?).await?.0)
}

/// Checks that a token would be accepted now, without using it up: for pages that are opened before their form is
/// sent, and for flows that do slow work before they use the token.
pub async fn check_token<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    kind: TokenKind,
    text: &Secret<String>,
) -> AppResult<()> {
    let (owner, hash) = owner(scope, kind, text).await?;
    spend(scope, owner, &hash).await.map(drop)
}

/// The refusal of a token that does not exist, on routes where the token replaces a credential.
pub(crate) fn unknown_token() -> Fault {
    Violation::new("token", Issue::InvalidValue).into()
}

async fn owner<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    kind: TokenKind,
    text: &Secret<String>,
) -> AppResult<(UserId, TokenHash)> {
    let hash = Token::parse(kind, text.expose()).map_err(|_| unknown_token())?.hash();
    let owner = scope.tx.accounts().find_token_owner(kind, &hash).await?.ok_or_else(unknown_token)?;
    Ok((owner, hash))
}

/// The token marked as used; nothing is saved yet.
async fn spend<T: Reads + ?Sized>(scope: &mut Scope<T>, owner: UserId, hash: &TokenHash) -> AppResult<OneTimeToken> {
    let mut token = scope.tx.accounts().find_token(owner, hash).await?.ok_or_else(unknown_token)?;
    token.spend(scope.call.now).map_err(|spent| match spent {
        Spent::Used => Fault::Conflict(Conflict::TokenUsed),
        Spent::Revoked => Fault::Conflict(Conflict::TokenRevoked),
        Spent::Expired => Fault::TokenExpired,
    })?;
    Ok(token)
}

/// Like [`redeem`], but refuses accounts that may not act.
pub(crate) async fn redeem_active(
    unit: &mut Unit,
    kind: TokenKind,
    text: &Draft<Secret<String>>,
) -> AppResult<(User, OneTimeToken)> {
    let (user, token) = redeem(unit, kind, text).await?;
    Ok((access::admit(Some(user))?, token))
}

/// Queues a letter to an address. There is none to the placeholder of an account that lost its address.
pub(crate) async fn write_to(unit: &mut Unit, to: &Email, name: &str, topic: Topic) -> AppResult<()> {
    if to.is_placeholder() {
        return Ok(());
    }
    unit.enqueue(&Work::Deliver(Letter { to: to.clone(), name: name.to_owned(), topic })).await
}

/// Queues a letter to the account's own address.
pub(crate) async fn write(unit: &mut Unit, user: &User, topic: Topic) -> AppResult<()> {
    write_to(unit, &user.email, user.name.as_str(), topic).await
}
