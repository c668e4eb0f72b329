//! Accepting an invitation: with a new account, by the link alone, or signed in.

use super::{
    join, require_open,
    token::{self, TokenTarget},
};
use crate::{
    access,
    accounts::{self, email_verification},
    audit_entry::NewAuditEntry,
    call::{Call, Caller},
    engine::Engine,
    first_proof, mailed,
    outcome::{AppResult, Draft},
    reply::Reply,
    rules::{Rules, Signup},
    scope::Unit,
    sessions::{self, SessionStart, SignedIn},
};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    account::User,
    event::EventType,
    fault::{Conflict, Denial, Issue, Violation},
    id::{InvitationId, UserId, WorkspaceId},
    invitation::{Invitation, SESSION_LIFE, TokenDelivery},
    mail::Topic,
    member::Membership,
    session::{Ending, Proof, Session, SessionKind},
    text::{Email, Name, NewPassword},
    workspace::{Limits, Workspace},
};
use octavo_ports::passwords::PasswordHash;
use serde_json::json;
use std::time::Duration;

/// An acceptance of an invitation.
#[derive(Clone, Debug)]
pub struct Acceptance {
    pub token: Secret<String>,
    pub by: Acceptor,
}

/// The account that accepts.
#[derive(Clone, Debug)]
pub enum Acceptor {
    /// A new account. Any credential of the call is ignored.
    Newcomer { password: NewPassword, name: Name },
    /// The account with this address, on the strength of the link alone, unless a user is signed in.
    Address(Email),
    /// The signed-in user.
    Caller,
}

impl Acceptor {
    /// Whether the account with this address may accept like this.
    fn admits(&self, email: &Email) -> bool {
        match self {
            Self::Address(address) => address == email,
            Self::Newcomer { .. } | Self::Caller => true,
        }
    }
}

/// A new member and their session.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub signed_in: SignedIn,
    pub workspace: Workspace,
    pub membership: Membership,
}

/// The settings that matter for accepting.
#[derive(Clone, Copy)]
struct AcceptRules {
    session_life: Duration,
    limits: Limits,
}

impl AcceptRules {
    const fn of(rules: &Rules) -> Self {
        Self { session_life: rules.session_life, limits: rules.limits }
    }
}

/// A new member, before a session is opened for them.
pub(super) struct Joined {
    pub(super) user: User,
    pub(super) workspace: Workspace,
    pub(super) membership: Membership,
}

/// A new member who had an account before.
pub(super) struct JoinedGuest {
    pub(super) joined: Joined,
    /// The session of the caller; `None` if the link was the only proof.
    pub(super) session: Option<Session>,
    /// The token was the first proof of the address, so the account has lost its password and all sessions.
    pub(super) is_first_proof: bool,
}

/// Accepts an invitation by its token.
pub async fn accept(
    engine: &Engine,
    call: Call,
    draft: Draft<Acceptance>,
    shape: impl FnOnce(Accepted) -> Reply + Send,
) -> AppResult<Reply> {
    let terms = AcceptRules::of(&engine.rules);
    match draft {
        Ok(Acceptance { token, by: Acceptor::Newcomer { password, name } }) => {
            let call = Call { caller: Caller::Nobody, named_workspace: None, ..call };
            let password = hash_for_newcomer(engine, &call, &token, password).await?;
            engine.write(call, move |unit| Box::pin(accept_newcomer(unit, token, name, password, terms)), shape).await
        }
        draft => engine.write(call, move |unit| Box::pin(accept_with_token(unit, draft, terms.limits)), shape).await,
    }
}

/// Hashes the password of a new user, after checking that they could accept.
pub(super) async fn hash_for_newcomer(
    engine: &Engine,
    call: &Call,
    token: &Secret<String>,
    password: NewPassword,
) -> AppResult<PasswordHash> {
    if engine.rules.signup == Signup::Closed {
        return Err(Fault::Forbidden(Denial::SignupClosed).into());
    }
    let looked_at = token.clone();
    engine.look_ahead(call.clone(), move |unit| Box::pin(check_newcomer(unit, looked_at))).await?;
    engine.hash(call.work_owner(), password.into_secret()).await
}

/// Checks that a new user could accept, before their password is hashed.
async fn check_newcomer(unit: &mut Unit, token: Secret<String>) -> AppResult<()> {
    unit.claim().await?;
    let found = token::find(unit, &token, mailed::unknown_token).await?;
    if unit.tx.accounts().find_by_email(&found.invitation.email).await?.is_some() {
        return Err(Fault::Conflict(Conflict::Taken("email")).into());
    }
    token::require_current(found.delivery)?;
    require_open(unit, &found.invitation).await
}

async fn accept_newcomer(
    unit: &mut Unit,
    token: Secret<String>,
    name: Name,
    password: PasswordHash,
    terms: AcceptRules,
) -> AppResult<Accepted> {
    let Joined { user, workspace, membership } = join_newcomer(unit, &token, name, &password, terms.limits).await?;
    let signed_in = sessions::open_into(unit, user, workspace.id, vec![Proof::Password], terms.session_life).await?;
    Ok(Accepted { signed_in, workspace, membership })
}

/// Creates an account for the holder of a token. Only the mailed token verifies the address.
pub(super) async fn join_newcomer(
    unit: &mut Unit,
    token: &Secret<String>,
    name: Name,
    password: &PasswordHash,
    limits: Limits,
) -> AppResult<Joined> {
    unit.claim().await?;
    let found = token::find(unit, token, mailed::unknown_token).await?;
    let (workspace, invitation, delivery) = token::lock(unit, &found).await?;
    let created = accounts::create_account(unit, invitation.email.clone(), name, Some(password)).await?;
    let (mut user, _) = created.ok_or(Fault::Conflict(Conflict::Taken("email")))?;
    require_open(unit, &invitation).await?;
    if delivery == TokenDelivery::Mailed {
        email_verification::prove(unit, &mut user).await?;
    } else {
        let token = mailed::issue(unit, TokenKind::EmailVerification, &user, &user.email, None).await?;
        mailed::write(unit, &user, Topic::VerifyEmail { token }).await?;
    }
    let membership = join::join(unit, &workspace, invitation, &user, limits).await?;
    Ok(Joined { user, workspace, membership })
}

async fn accept_with_token(unit: &mut Unit, draft: Draft<Acceptance>, limits: Limits) -> AppResult<Accepted> {
    let guest = join_with_token(unit, draft, limits).await?;
    open_session(unit, guest).await
}

/// Accepts with an existing account.
pub(super) async fn join_with_token(
    unit: &mut Unit,
    draft: Draft<Acceptance>,
    limits: Limits,
) -> AppResult<JoinedGuest> {
    let guest = match unit.call.caller {
        Caller::User(_) => Some(signed_in_user(unit).await?),
        Caller::Nobody | Caller::Key(_) | Caller::App(_) | Caller::Job(_) | Caller::System => None,
    };
    unit.claim().await?;
    let Acceptance { token, by } = draft?;
    let found = token::find(unit, &token, mailed::unknown_token).await?;
    let guest = match guest {
        Some(user) if user.email == found.invitation.email && by.admits(&user.email) => {
            Guest { user: user.id, is_signed_in: true }
        }
        Some(_) => return Err(Fault::Forbidden(Denial::EmailMismatch).into()),
        None => guest_by_link(unit, by, &found.invitation).await?,
    };
    let (home, (workspace, invitation, delivery)) = lock_with_home(unit, guest.user, &found).await?;
    admit(unit, guest, home, workspace, invitation, delivery, limits).await
}

/// Locks the inviting workspace, and also the user's personal workspace if the token may be the first proof of their
/// address, in the order of their ids.
async fn lock_with_home(
    unit: &mut Unit,
    guest: UserId,
    found: &TokenTarget,
) -> AppResult<(Option<Workspace>, (Workspace, Invitation, TokenDelivery))> {
    let user = unit.tx.accounts().find(guest).await?;
    let comes_first = user.is_some_and(|user| user.personal_workspace < found.invitation.workspace);
    if found.delivery != TokenDelivery::Mailed {
        return Ok((None, token::lock(unit, found).await?));
    }
    if comes_first {
        let home = first_proof::lock_home(unit, guest).await?;
        return Ok((home, token::lock(unit, found).await?));
    }
    let locked = token::lock(unit, found).await?;
    Ok((first_proof::lock_home(unit, guest).await?, locked))
}

/// Accepts an invitation of the signed-in user by its id.
pub async fn accept_by_id(
    engine: &Engine,
    call: Call,
    id: Draft<InvitationId>,
    shape: impl FnOnce(Accepted) -> Reply + Send,
) -> AppResult<Reply> {
    let limits = engine.rules.limits;
    engine.write(call, move |unit| Box::pin(accept_own(unit, id, limits)), shape).await
}

async fn accept_own(unit: &mut Unit, id: Draft<InvitationId>, limits: Limits) -> AppResult<Accepted> {
    let user = signed_in_user(unit).await?;
    let (place, id) = find_own(unit, &user, id).await?;
    unit.claim().await?;
    let (workspace, invitation) = token::lock_by_id(unit, place, id).await?;
    let guest = Guest { user: user.id, is_signed_in: true };
    // Without a token this verifies no address.
    let guest = admit(unit, guest, None, workspace, invitation, TokenDelivery::Shared, limits).await?;
    open_session(unit, guest).await
}

/// Finds an invitation that was sent to the verified address of a user.
pub(super) async fn find_own(
    unit: &mut Unit,
    user: &User,
    id: Draft<InvitationId>,
) -> AppResult<(WorkspaceId, InvitationId)> {
    if !user.is_verified() {
        return Err(Fault::Forbidden(Denial::EmailUnverified).into());
    }
    let place = match id {
        Ok(id) => unit.tx.invitations().find_invited_workspace(&user.email, id).await?.map(|place| (place, id)),
        Err(_) => None,
    };
    match place {
        Some(place) => Ok(place),
        None => Err(unit.absent().await),
    }
}

/// An account that accepts. It is locked after the workspace.
#[derive(Clone, Copy)]
struct Guest {
    user: UserId,
    /// If false, the link is the only proof.
    is_signed_in: bool,
}

/// The caller, whose session must be live: accepting issues tokens that outlive the caller's present one.
async fn signed_in_user(unit: &mut Unit) -> AppResult<User> {
    let user = access::user(unit).await?;
    access::live_session(unit).await?;
    unit.act_as(&user);
    Ok(user)
}

async fn guest_by_link(unit: &mut Unit, by: Acceptor, invitation: &Invitation) -> AppResult<Guest> {
    let Acceptor::Address(email) = by else {
        // The body does not name an account, so a credential would have had to.
        return Err(match (&unit.call.caller, unit.call.rejected) {
            (Caller::Key(_) | Caller::App(_), _) => Fault::Forbidden(Denial::RequiresUser),
            (_, Some(flaw)) => Fault::Unauthenticated(flaw),
            (_, None) => Violation::new("email", Issue::Required).into(),
        }
        .into());
    };
    if email != invitation.email {
        return Err(Fault::Forbidden(Denial::EmailMismatch).into());
    }
    let unregistered = || Violation::new("email", Issue::InvalidValue).with(email.as_str().into());
    let user = unit.tx.accounts().find_by_email(&email).await?.ok_or_else(unregistered)?;
    let user = access::admit(Some(user))?;
    unit.act_as(&user);
    Ok(Guest { user: user.id, is_signed_in: false })
}

/// `home` is the user's personal workspace, which is locked if this call may verify their address.
async fn admit(
    unit: &mut Unit,
    guest: Guest,
    home: Option<Workspace>,
    workspace: Workspace,
    invitation: Invitation,
    delivery: TokenDelivery,
    limits: Limits,
) -> AppResult<JoinedGuest> {
    require_open(unit, &invitation).await?;
    // Check the account again now that it is locked.
    let mut user = access::admit(unit.tx.accounts().lock(guest.user).await?)?;
    if user.email != invitation.email {
        return Err(Fault::Forbidden(Denial::EmailMismatch).into());
    }
    let session = if guest.is_signed_in { Some(access::live_session(unit).await?) } else { None };
    let is_first_proof = delivery == TokenDelivery::Mailed && !user.is_verified();
    if is_first_proof {
        disown_before_proof(unit, &mut user, home.as_ref()).await?;
    }
    let membership = join::join(unit, &workspace, invitation, &user, limits).await?;
    Ok(JoinedGuest { joined: Joined { user, workspace, membership }, session, is_first_proof })
}

async fn open_session(unit: &mut Unit, guest: JoinedGuest) -> AppResult<Accepted> {
    let JoinedGuest { joined: Joined { user, workspace, membership }, session, .. } = guest;
    let signed_in = match session {
        Some(session) => sessions::begin(unit, user, with_same_proofs(&session, workspace.id)).await?,
        None => open_by_link(unit, user, &workspace).await?,
    };
    Ok(Accepted { signed_in, workspace, membership })
}

/// The first proof of an address: the account may have been registered with somebody else's address.
async fn disown_before_proof(unit: &mut Unit, user: &mut User, home: Option<&Workspace>) -> AppResult<()> {
    accounts::close_down(unit, user, Ending::SessionRevoked).await?;
    first_proof::close_ways_in(unit, user, home).await?;
    unit.tx.accounts().save_password(user.id, None).await?;
    email_verification::prove(unit, user).await
}

/// A session in the workspace with the same proofs and the same end as the caller's.
pub(super) fn with_same_proofs(session: &Session, workspace: WorkspaceId) -> SessionStart {
    SessionStart {
        kind: session.kind,
        workspace,
        proofs: session.proofs.clone(),
        authenticated_at: session.authenticated_at,
        absolute_end: session.absolute_end,
    }
}

/// Opens a session that reaches this workspace only. The owner of the account is notified, and the origin does not
/// count as known afterwards.
async fn open_by_link(unit: &mut Unit, user: User, workspace: &Workspace) -> AppResult<SignedIn> {
    let now = unit.call.now;
    let change = json!({ "field": "amr", "from": null, "to": [Proof::Invitation] });
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserLogin).with_changes(vec![change]));
    let address = unit.call.client.as_ref().map(|client| client.address.to_string()).unwrap_or_default();
    let topic = Topic::JoinedByLink { workspace: workspace.name.to_string(), at: now, address };
    mailed::write(unit, &user, topic).await?;
    let opening = SessionStart {
        kind: SessionKind::Invitation,
        workspace: workspace.id,
        proofs: vec![Proof::Invitation],
        authenticated_at: now,
        absolute_end: now.plus(SESSION_LIFE),
    };
    sessions::begin(unit, user, opening).await
}

/// Declining by id requires a signed-in user; other callers are refused.
pub(super) async fn caller(unit: &mut Unit) -> AppResult<User> {
    if let (Caller::Nobody, Some(flaw)) = (&unit.call.caller, unit.call.rejected) {
        return Err(Fault::Unauthenticated(flaw).into());
    }
    let user = access::user(unit).await?;
    unit.act_as(&user);
    Ok(user)
}
