//! Creating an account with its personal workspace.

use crate::{
    access, browser_sessions,
    call::{Call, Caller},
    engine::Engine,
    mailed,
    outcome::{AppResult, Draft, Interrupt},
    reply::Reply,
    rules::{Rules, Signup},
    scope::Unit,
    sessions::{self, SignedIn},
    workspaces,
};
use octavo_core_model::{
    Fault, Token, TokenKind,
    account::User,
    event::{EventPayload, users::UserRegistered},
    fault::{Conflict, Denial},
    id::{UserId, WorkspaceId},
    mail::Topic,
    session::Proof,
    text::{Email, Name, NewPassword, Slug},
    workspace::Workspace,
};
use octavo_ports::passwords::PasswordHash;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Registration {
    pub email: Email,
    pub password: NewPassword,
    pub name: Name,
}

/// The result of registering.
#[derive(Clone, Debug)]
pub enum Registered {
    Account {
        signed_in: Box<SignedIn>,
        workspace: Box<Workspace>,
    },
    /// The answer is the same whether or not the address was known.
    Concealed,
}

/// A registration after hashing its password.
struct Prepared {
    email: Email,
    name: Name,
    password: PasswordHash,
}

/// Registers an account, signs it in and mails a link to verify the address.
pub async fn register(
    engine: &Engine,
    call: Call,
    draft: Draft<Registration>,
    shape: impl FnOnce(Registered) -> Reply + Send,
) -> AppResult<Reply> {
    open_to_all(&engine.rules)?;
    if call.key.is_some() {
        // Registration that conceals known addresses must not look the address up before hashing, or its duration
        // would reveal the result.
        let email = draft.as_ref().ok().map(|form| form.email.clone()).filter(|_| !engine.rules.conceal_registration);
        engine.look_ahead(call.clone(), move |unit| Box::pin(claim(unit, email))).await?;
    }
    let prepared = match draft {
        Ok(form) => {
            let password = engine.hash(call.work_owner(), form.password.into_secret()).await?;
            Ok(Prepared { email: form.email, name: form.name, password })
        }
        Err(fault) => Err(fault),
    };
    let (conceal, life) = (engine.rules.conceal_registration, engine.rules.session_life);
    engine.write(call, move |unit| Box::pin(create(unit, prepared, conceal, life)), shape).await
}

/// Claims the call's idempotency key. An earlier answer is not replayed if the account that it created may no longer
/// act; it is certainly the caller's own account, because the password was the same. `email` is `None` if nobody may
/// learn whether the address is known.
async fn claim(unit: &mut Unit, email: Option<Email>) -> AppResult<()> {
    let claimed = unit.claim().await;
    if let (Err(Interrupt::Replay(_)), Some(email)) = (&claimed, email)
        && let Some(user) = unit.tx.accounts().find_by_email(&email).await?
    {
        access::admit(Some(user))?;
    }
    claimed
}

fn open_to_all(rules: &Rules) -> AppResult<()> {
    match rules.signup {
        Signup::Open => Ok(()),
        Signup::Invite | Signup::Closed => Err(Fault::Forbidden(Denial::SignupClosed).into()),
    }
}

async fn create(unit: &mut Unit, prepared: Draft<Prepared>, conceal: bool, life: Duration) -> AppResult<Registered> {
    let revealed = prepared.as_ref().ok().map(|prepared| prepared.email.clone()).filter(|_| !conceal);
    claim(unit, revealed).await?;
    let Some((user, workspace)) = create_and_mail(unit, prepared?, conceal).await? else {
        return Ok(Registered::Concealed);
    };
    let signed_in = Box::new(sessions::open(unit, user, vec![Proof::Password], life).await?);
    Ok(Registered::Account { signed_in, workspace: Box::new(workspace) })
}

/// Registers an account on the page for it, and returns the value of the cookie that signs the browser in; `None` if
/// the answer must be the same whether or not the address was known.
pub async fn register_in_browser(engine: &Engine, call: Call, form: Registration) -> AppResult<Option<Token>> {
    open_to_all(&engine.rules)?;
    let password = engine.hash(call.work_owner(), form.password.into_secret()).await?;
    let prepared = Prepared { email: form.email, name: form.name, password };
    let (conceal, life) = (engine.rules.conceal_registration, engine.rules.session_life);
    engine.change(call, move |unit| Box::pin(create_in_browser(unit, prepared, conceal, life))).await
}

async fn create_in_browser(
    unit: &mut Unit,
    prepared: Prepared,
    conceal: bool,
    life: Duration,
) -> AppResult<Option<Token>> {
    let Some((mut user, _)) = create_and_mail(unit, prepared, conceal).await? else { return Ok(None) };
    browser_sessions::open(unit, &mut user, life).await.map(Some)
}

/// Creates an account with its personal workspace and mails a link to verify the address. `None` if nobody may learn
/// whether the address was known; the owner of a known one is notified.
async fn create_and_mail(unit: &mut Unit, prepared: Prepared, conceal: bool) -> AppResult<Option<(User, Workspace)>> {
    let Prepared { email, name, password } = prepared;
    let Some((user, workspace)) = create_account(unit, email.clone(), name, Some(&password)).await? else {
        if !conceal {
            return Err(Fault::Conflict(Conflict::Taken("email")).into());
        }
        if let Some(owner) = unit.tx.accounts().find_by_email(&email).await? {
            mailed::write(unit, &owner, Topic::AlreadyRegistered).await?;
        }
        return Ok(None);
    };
    let token = mailed::issue(unit, TokenKind::EmailVerification, &user, &user.email, None).await?;
    mailed::write(unit, &user, Topic::VerifyEmail { token }).await?;
    if conceal {
        sessions::remember_origin(unit, user.id).await?;
        return Ok(None);
    }
    Ok(Some((user, workspace)))
}

/// Creates an account and its personal workspace; `None` if the address is taken.
pub(crate) async fn create_account(
    unit: &mut Unit,
    email: Email,
    name: Name,
    password: Option<&PasswordHash>,
) -> AppResult<Option<(User, Workspace)>> {
    let now = unit.call.now;
    let workspace_id = unit.id(WorkspaceId::new);
    let user = User::register(unit.id(UserId::new), email, name, workspace_id, now);
    if !unit.tx.accounts().insert(&user, password).await? {
        return Ok(None);
    }
    let title = user.name.of_personal_workspace();
    let slug = Slug::from_name(title.as_str(), "workspace");
    let mut workspace = Workspace { is_personal: true, ..Workspace::create(workspace_id, title, slug, user.id, now) };
    workspaces::slugs::insert_near_slug(unit, &mut workspace).await?;
    if matches!(unit.call.caller, Caller::Nobody) {
        unit.act_as(&user);
    }
    workspaces::join_founder(unit, &workspace, &user).await?;
    let registered = UserRegistered { user_id: user.id, name: user.name.clone() };
    unit.emit(workspace_id, EventPayload::UserRegistered(registered));
    workspaces::emit_created(unit, &workspace);
    Ok(Some((user, workspace)))
}
