//! Moving an account to another address, and back again.

use crate::{
    access,
    accounts::{
        deletion::{self, REVOKED_ON_LOSS},
        exclusions,
    },
    api_keys,
    audit_entry::NewAuditEntry,
    mailed, members,
    oauth::grants,
    open_invitations,
    outcome::{AppResult, Draft},
    scope::Unit,
    sessions,
};
use octavo_core_model::{
    Fault, Secret, Timestamp, Token, TokenKind,
    account::{AccountStatus, User},
    chore::Work,
    event::EventType,
    fault::Conflict,
    id::UserId,
    mail::Topic,
    member::Person,
    one_time::{OneTimeToken, TokenState},
    session::Ending,
    text::Email,
    workspace::Workspace,
};
use serde_json::{Value, json};

/// Requests a change of address. Work and answer are the same whether or not the address is taken; the queued chore
/// finds out.
pub async fn request(unit: &mut Unit, email: Draft<Email>) -> AppResult<()> {
    let user = access::locked_user(unit).await?;
    access::fresh(unit).await?;
    unit.claim().await?;
    let email = email?;
    let session = access::claims(unit)?.session;
    let token = mailed::issue(unit, TokenKind::EmailChange, &user, &email, Some(session)).await?;
    unit.enqueue(&Work::SendEmailChange { user: user.id, email, token }).await
}

/// Mails the token to the new address, or a notice to the account that already has that address.
pub(crate) async fn send(unit: &mut Unit, user: UserId, email: &Email, token: String) -> AppResult<()> {
    let Some(user) = unit.tx.accounts().lock(user).await? else { return Ok(()) };
    if user.email == *email || !is_open(unit, &user, &token).await? {
        return Ok(());
    }
    if let Some(holder) = unit.tx.accounts().find_by_email(email).await? {
        return mailed::write(unit, &holder, Topic::EmailChangeRefused).await;
    }
    mailed::write_to(unit, email, user.name.as_str(), Topic::ConfirmEmailChange { token }).await
}

async fn is_open(unit: &mut Unit, user: &User, token: &str) -> AppResult<bool> {
    let Ok(token) = Token::parse(TokenKind::EmailChange, token) else { return Ok(false) };
    let found = unit.tx.accounts().find_token(user.id, &token.hash()).await?;
    Ok(found.is_some_and(|token| token.state == TokenState::Open))
}

/// Redeems the token from the new mailbox: the account moves, and the old mailbox gets a link that undoes this.
pub async fn confirm(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<User> {
    unit.claim().await?;
    let (user, token) = mailed::redeem_active(unit, TokenKind::EmailChange, &token).await?;
    if was_revoked(unit, &token).await? {
        return Err(Fault::Conflict(Conflict::TokenRevoked).into());
    }
    let old = user.email.clone();
    let user = relocate(unit, user, token.email, Direction::New).await?;
    let ended = unit.tx.sessions().end(user.id, token.session, Ending::SessionRevoked, unit.call.now).await?;
    sessions::record_revoked(unit, user.id, &ended);
    let revert = mailed::issue(unit, TokenKind::EmailRevert, &user, &old, None).await?;
    let topic = Topic::EmailChanged { new_email: user.email.clone(), token: revert };
    mailed::write_to(unit, &old, user.name.as_str(), topic).await?;
    Ok(user)
}

/// Whether the owner revoked the session that requested the token. Merely signing out afterwards does not withdraw
/// the request.
async fn was_revoked(unit: &mut Unit, token: &OneTimeToken) -> AppResult<bool> {
    let Some(id) = token.session else { return Ok(false) };
    let asked = unit.tx.sessions().find(token.user, id).await?;
    Ok(asked.and_then(|session| session.end).is_some_and(|end| end.how == Ending::SessionRevoked))
}

/// Redeems the token that was sent to the old mailbox, so that whoever moved the account loses it.
///
/// The old address is free in the meantime. Whoever moved the account may have registered it to keep the owner out, but
/// only the owner of the mailbox can verify it; so an account that has not done so gives the address up.
///
/// This also works while the account waits for its purge, because the intruder may have requested that too; the
/// restored mailbox then gets a token to restore the account.
pub async fn revert(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<()> {
    unit.claim().await?;
    let owner = mailed::owner_of(unit, TokenKind::EmailRevert, &token).await?;
    let own = access::lock_own(unit, owner).await?;
    let (user, token) = mailed::redeem(unit, TokenKind::EmailRevert, &token).await?;
    let (user, purge_at) = match user.status {
        AccountStatus::Deleting { purge_at } => (user, Some(purge_at)),
        _ => (access::admit(Some(user))?, None),
    };
    let user = relocate(unit, user, token.email, Direction::Back).await?;
    // Tokens that undo later changes lead to mailboxes that the account moved to later, and those moves are
    // being undone. Older ones stay valid: their owners may want to undo more.
    unit.tx.accounts().revoke_tokens_since(user.id, TokenKind::EmailRevert, token.created_at).await?;
    let ended = unit.tx.sessions().end(user.id, None, Ending::SessionRevoked, unit.call.now).await?;
    sessions::record_revoked(unit, user.id, &ended);
    close_ways_in(unit, &user, &own, token.created_at).await?;
    unit.tx.accounts().save_password(user.id, None).await?;
    match purge_at {
        Some(purge_at) => deletion::offer_restore(unit, &user, purge_at).await,
        None => Ok(()),
    }
}

/// Closes the ways in that whoever moved the account may have kept, apart from sessions and password: access of apps,
/// and in the personal workspace API keys, open invitations and members who joined since. Nobody but their maker knows
/// who has a key or a link, and new ones are easily made; members are people whom the owner may have known for long.
///
/// In other workspaces, which are not the account's alone, it revokes the keys that the account created since.
/// `own` are the workspaces of the account, which must be locked.
async fn close_ways_in(unit: &mut Unit, user: &User, own: &[Workspace], since: Timestamp) -> AppResult<()> {
    const REASON: &str = "email_reverted";
    grants::revoke_all(unit, user, REASON).await?;
    for workspace in own {
        if workspace.id == user.personal_workspace {
            api_keys::revoke_all(unit, workspace.id, REASON).await?;
            open_invitations::revoke_all(unit, workspace.id).await?;
            members::expel_newer(unit, workspace, since).await?;
        } else {
            api_keys::revoke_created(unit, workspace.id, user.id, since, REASON).await?;
        }
    }
    Ok(())
}

/// Which way an account moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    New,
    Back,
}

/// Changes the address of the account and marks it as verified. Tokens that were sent to another mailbox become
/// invalid.
async fn relocate(unit: &mut Unit, mut user: User, to: Email, direction: Direction) -> AppResult<User> {
    if user.email != to {
        take_address(unit, &user, &to, direction).await?;
        exclusions::pass_on(unit, &user).await?;
    }
    let from = std::mem::replace(&mut user.email, to);
    user.email_verified_at = Some(unit.call.now);
    unit.tx.accounts().save(&user).await?;
    exclusions::pass_on(unit, &user).await?;
    unit.tx.accounts().revoke_tokens(user.id, &REVOKED_ON_LOSS).await?;
    update_copies(unit, &user).await?;
    let event = match direction {
        Direction::New => EventType::UserEmailChanged,
        Direction::Back => EventType::UserEmailReverted,
    };
    unit.audit(NewAuditEntry::on_account(&user, event).with_changes(vec![change(&from, &user.email)]));
    Ok(user)
}

async fn take_address(unit: &mut Unit, user: &User, to: &Email, direction: Direction) -> AppResult<()> {
    if unit.tx.accounts().change_email(user.id, &user.email, to).await? {
        return Ok(());
    }
    // The first attempt has waited for a registration that was about to be committed, so its account is found.
    let is_free = direction == Direction::Back && displace_unverified(unit, to).await?;
    if is_free && unit.tx.accounts().change_email(user.id, &user.email, to).await? {
        return Ok(());
    }
    Err(Fault::Conflict(Conflict::Taken("email")).into())
}

/// Frees an address that an account has not verified. Returns false if it has, because then two people have read mail
/// to this address, and nobody can say which of them it belongs to.
///
/// The account keeps everything else, its sessions too, so that an honest holder can change to another address. It gets
/// a placeholder, with which nobody can sign in who has not seen it.
///
/// No account that has not verified its address has a token to undo a change, so two units never wait for each other
/// here.
async fn displace_unverified(unit: &mut Unit, email: &Email) -> AppResult<bool> {
    let Some(holder) = unit.tx.accounts().find_by_email(email).await? else { return Ok(true) };
    let Some(mut holder) = unit.tx.accounts().lock(holder.id).await? else { return Ok(true) };
    // Checked under the lock: the account may have been moved or verified in the meantime.
    if holder.email != *email || holder.is_verified() {
        return Ok(holder.email != *email);
    }
    let placeholder = Email::placeholder(unit.id(UserId::new));
    if !unit.tx.accounts().change_email(holder.id, email, &placeholder).await? {
        return Ok(false);
    }
    holder.email = placeholder;
    unit.tx.accounts().revoke_tokens(holder.id, &REVOKED_ON_LOSS).await?;
    update_copies(unit, &holder).await?;
    let entry = NewAuditEntry::on_account(&holder, EventType::UserEmailChanged).because("mailbox_reclaimed");
    unit.audit(entry.impersonal().with_changes(vec![change(email, &holder.email)]));
    Ok(true)
}

/// Updates the details of the user by which the members of their workspaces are searched.
async fn update_copies(unit: &mut Unit, user: &User) -> AppResult<()> {
    let own: Vec<_> = unit.tx.workspaces().list_own(user.id).await?.iter().map(|own| own.id).collect();
    Ok(unit.tx.members().save_person(&own, &Person::from(user)).await?)
}

fn change(from: &Email, to: &Email) -> Value {
    json!({ "field": "email", "from": from, "to": to })
}
