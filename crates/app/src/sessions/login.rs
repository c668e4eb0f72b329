//! Signing in with a password.

use crate::{
    access,
    audit_entry::NewAuditEntry,
    call::Call,
    engine::Engine,
    mailed, origin,
    outcome::{AppResult, Draft, Interrupt},
    reply::Reply,
    scope::{Unit, View},
    sessions::{self, SignedIn},
};
use octavo_core_model::{
    Fault, Secret, Timestamp,
    account::User,
    event::{Chain, EventType, Resource},
    fault::Unknown,
    id::UserId,
    mail::Topic,
    session::Proof,
    text::Email,
    time::days,
};
use octavo_ports::{
    counters::{LimitDecision, LimitRequest, LimitState},
    passwords::PasswordHash,
};
use std::time::Duration;

/// How long an origin counts as known, for the notice about new devices.
const DEVICE_MEMORY: Duration = days(90);
/// How long a network counts as known while an address is under attack.
const NETWORK_MEMORY: Duration = days(30);
const FAILURE_WINDOW: Duration = Duration::from_mins(15);

#[derive(Clone, Debug)]
pub struct Login {
    pub email: Email,
    pub password: Secret<String>,
}

/// The result of checking the password before the unit opens.
pub(crate) struct CheckedLogin {
    email: Email,
    user: Option<User>,
    /// The hash that the password was compared with; the unit checks that it is still the stored one.
    compared: Option<PasswordHash>,
    matches: bool,
    /// A new hash, if the stored one was made with other parameters.
    renewed: Option<PasswordHash>,
}

/// Signs in. An unknown address takes as long as a wrong password and gets the same answer.
pub async fn login(
    engine: &Engine,
    call: Call,
    draft: Draft<Login>,
    shape: impl FnOnce(SignedIn) -> Reply + Send,
) -> AppResult<Reply> {
    let checked = check_password(engine, &call, draft?).await?;
    let life = engine.rules.session_life;
    engine.write(call, move |unit| Box::pin(open(unit, checked, life)), shape).await
}

async fn open(unit: &mut Unit, checked: CheckedLogin, life: Duration) -> AppResult<SignedIn> {
    let user = begin_session(unit, checked).await?;
    sessions::open(unit, user, vec![Proof::Password], life).await
}

/// Compares the password while no unit is open.
pub(crate) async fn check_password(
    engine: &Engine,
    call: &Call,
    Login { email, password }: Login,
) -> AppResult<CheckedLogin> {
    let wanted = email.clone();
    let found = engine.read(call.clone(), move |view| Box::pin(look_up(view, wanted))).await?;
    let is_concealed = engine.rules.conceal_registration && found.user.as_ref().is_some_and(|user| !user.is_verified());
    let is_stranger = is_concealed || !found.known_network;
    let guard = Guard { engine, email: &email, now: call.now, is_stranger };
    guard.admit().await?;
    // A busy hasher ends the attempt here: nothing was compared, so nothing is counted.
    let comparison = engine.compare(call.work_owner(), password.clone(), found.password.clone()).await?;
    // Where registration is concealed, signing in with the password that was just registered would show whether the
    // address had an account. So until it is verified, every password counts as wrong.
    let matches = comparison.matches && !is_concealed;
    guard.count(matches).await?;
    let renewed = if matches && comparison.outdated { renew(engine, call, password).await? } else { None };
    Ok(CheckedLogin { email, user: found.user, compared: found.password, matches, renewed })
}

/// Hashes a password again. If the hasher is busy, the old hash stays until the next sign-in: the password was right.
async fn renew(engine: &Engine, call: &Call, password: Secret<String>) -> AppResult<Option<PasswordHash>> {
    match engine.hash(call.work_owner(), password).await {
        Ok(hash) => Ok(Some(hash)),
        Err(Interrupt::Fault(Fault::HasherBusy)) => Ok(None),
        Err(interrupt) => Err(interrupt),
    }
}

/// What the store knows about an address.
struct AddressOwner {
    user: Option<User>,
    password: Option<PasswordHash>,
    /// Whether its user recently signed in from the network of the call.
    known_network: bool,
}

async fn look_up(view: &mut View, email: Email) -> AppResult<AddressOwner> {
    let user = view.tx.accounts().find_by_email(&email).await?;
    let id = id_or_unknown(user.as_ref());
    if user.is_none() {
        view.tx.accounts().find(id).await?;
    }
    let password = view.tx.accounts().find_password(id).await?;
    let since = view.call.now.minus(NETWORK_MEMORY);
    let known_network = match view.call.client.as_ref().map(origin::of) {
        Some(origin) => view.tx.origins().knows_network(id, &origin.network, since).await?,
        None => false,
    };
    Ok(AddressOwner { user, password, known_network })
}

/// The account to look up. For an unknown address, this is an id that cannot exist: the store does the same work as
/// for a known one, so that the time of a refusal reveals nothing.
fn id_or_unknown(user: Option<&User>) -> UserId {
    user.map_or_else(|| UserId::new(0, [0; 10]), |user| user.id)
}

/// Admits a user whose password was right, and records the sign-in or its failure. Every sign-in with a password goes
/// through here; the caller decides what kind of session to open.
pub(crate) async fn begin_session(unit: &mut Unit, checked: CheckedLogin) -> AppResult<User> {
    let email = &checked.email;
    let found =
        unit.tx.accounts().lock(id_or_unknown(checked.user.as_ref())).await?.filter(|user| user.email == *email);
    // Read again under the lock: the password may have changed while it was compared.
    let stands = match &found {
        Some(user) => checked.matches && unit.tx.accounts().find_password(user.id).await? == checked.compared,
        None => false,
    };
    let Some(user) = found.clone().filter(|_| stands) else {
        return Err(refuse(unit, found.as_ref(), email, "invalid_credentials", Fault::Unauthenticated(Unknown::Login)));
    };
    let user = match access::admit(Some(user)) {
        Ok(user) => user,
        Err(Interrupt::Fault(fault)) => {
            return Err(refuse(unit, found.as_ref(), email, "account_not_active", fault));
        }
        Err(interrupt) => return Err(interrupt),
    };
    unit.claim().await?;
    unit.act_as(&user);
    if let Some(hash) = &checked.renewed {
        unit.tx.accounts().save_password(user.id, Some(hash)).await?;
    }
    greet_new_device(unit, &user).await?;
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserLogin));
    Ok(user)
}

/// Records a failed sign-in. One for an unknown address is written too, so that both take the same time.
fn refuse(unit: &mut Unit, user: Option<&User>, email: &Email, reason: &'static str, fault: Fault) -> Interrupt {
    let audit_entry = match user {
        Some(user) => NewAuditEntry::on_account(user, EventType::UserLoginFailed).failed(reason),
        None => NewAuditEntry::new(Chain::Deployment, EventType::UserLoginFailed, Resource::UnknownUser)
            .failed("unknown_address"),
    };
    unit.audit(audit_entry.labelled(email.as_str()));
    unit.refuse(fault)
}

/// Notifies the user of a sign-in from an origin that was not used recently.
async fn greet_new_device(unit: &mut Unit, user: &User) -> AppResult<()> {
    let Some(client) = unit.call.client.clone() else { return Ok(()) };
    let now = unit.call.now;
    if unit.tx.origins().knows_origin(user.id, &origin::of(&client), now.minus(DEVICE_MEMORY)).await? {
        return Ok(());
    }
    unit.audit(NewAuditEntry::on_account(user, EventType::UserNewDevice));
    let (address, user_agent) = (client.address.to_string(), super::cut(&client.user_agent));
    mailed::write(unit, user, Topic::NewDevice { at: now, address, user_agent }).await
}

/// The limit for each address: after many failures, only networks that recently signed in to it are admitted, whether
/// or not the address is known.
struct Guard<'a> {
    engine: &'a Engine,
    email: &'a Email,
    now: Timestamp,
    is_stranger: bool,
}

impl Guard<'_> {
    fn charge(&self) -> Option<LimitRequest> {
        self.engine.rules.login_failures.map(|limit| LimitRequest {
            bucket: "login_failures",
            subject: self.email.to_string(),
            limit,
            window: FAILURE_WINDOW,
        })
    }

    /// Refuses unknown networks while there are too many failures.
    async fn admit(&self) -> AppResult<()> {
        let Some(charge) = self.charge().filter(|_| self.is_stranger) else { return Ok(()) };
        match self.engine.counters.peek(&[charge], self.now).await?.first() {
            Some(state) if state.remaining == 0 => Err(self.refusal(state)),
            _ => Ok(()),
        }
    }

    /// Counts a failure. Parallel guesses must not reveal more than sequential ones: if the limit was reached
    /// meanwhile, the caller does not learn whether the guess was right.
    async fn count(&self, matches: bool) -> AppResult<()> {
        if matches {
            return self.admit().await;
        }
        let Some(charge) = self.charge() else { return Ok(()) };
        match self.engine.counters.charge(&[charge], self.now).await? {
            LimitDecision::Refused(states) if self.is_stranger => match states.first() {
                Some(state) => Err(self.refusal(state)),
                None => Ok(()),
            },
            LimitDecision::Admitted(_) | LimitDecision::Refused(_) => Ok(()),
        }
    }

    fn refusal(&self, state: &LimitState) -> Interrupt {
        let wait = state.oldest_leaves_at.since(self.now) + Duration::from_millis(999);
        Fault::TooManyFailures { retry_after: wait.as_secs().max(1) }.into()
    }
}
