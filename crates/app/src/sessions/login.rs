//! Signing in with a password.

use crate::{
    access,
    call::Call,
    engine::{AppResult, Draft, Engine, Stop},
    origin,
    reply::Reply,
    scope::{Deed, Unit},
    sessions::{self, SignedIn},
};
use octavo_core_model::{
    Fault, Secret, Timestamp,
    account::User,
    event::{Actor, Chain, EventType, Resource},
    fault::Unknown,
    job::Work,
    mail::{Letter, Topic},
    session::Proof,
    text::Email,
    time::days,
};
use octavo_ports::{
    counters::{Charge, Ruling},
    passwords::PasswordHash,
};
use std::time::Duration;

/// How long an origin counts as known for the notice about new devices.
const DEVICE_MEMORY: Duration = days(90);
/// How long a network counts as known while an address is under attack.
const NETWORK_MEMORY: Duration = days(30);
const FAILURE_WINDOW: Duration = Duration::from_mins(15);

#[derive(Clone, Debug)]
pub struct Login {
    pub email: Email,
    pub password: Secret<String>,
}

/// What was found out about the caller before the unit opens.
struct Judged {
    user: Option<User>,
    /// The hash the password was compared with; the unit makes sure that it still stands.
    compared: Option<PasswordHash>,
    matches: bool,
    /// A new hash, when the stored one was made with other parameters.
    renewed: Option<PasswordHash>,
}

/// Signs in. An unknown address costs as much as a wrong password and is answered like one.
pub async fn login(
    engine: &Engine,
    call: Call,
    draft: Draft<Login>,
    shape: impl FnOnce(SignedIn) -> Reply + Send,
) -> AppResult<Reply> {
    let Login { email, password } = draft?;
    let judged = judge(engine, &call, &email, password).await?;
    if !judged.matches {
        count_failure(engine, &email, call.now).await?;
    }
    let life = engine.rules.session_life;
    engine.write(call, move |unit| Box::pin(settle(unit, email, judged, life)), shape).await
}

async fn judge(engine: &Engine, call: &Call, email: &Email, password: Secret<String>) -> AppResult<Judged> {
    let wanted = email.clone();
    let network = call.client.as_ref().map(|client| origin::of(client).network);
    let (user, compared, known_network) = engine
        .read(call.clone(), move |view| {
            Box::pin(async move {
                let Some(user) = view.tx.find_user_by_email(&wanted).await? else { return Ok((None, None, false)) };
                let hash = view.tx.find_password(user.id).await?;
                let known = match network {
                    Some(network) => {
                        view.tx.knows_network(user.id, &network, view.call.now.minus(NETWORK_MEMORY)).await?
                    }
                    None => false,
                };
                Ok((Some(user), hash, known))
            })
        })
        .await?;
    if !known_network {
        refuse_strangers(engine, email, call.now).await?;
    }
    let comparison = engine.compare(password.clone(), compared.clone()).await?;
    let renewed = if comparison.matches && comparison.outdated { Some(engine.hash(password).await?) } else { None };
    Ok(Judged { user, compared, matches: comparison.matches, renewed })
}

async fn settle(unit: &mut Unit, email: Email, judged: Judged, life: Duration) -> AppResult<SignedIn> {
    let found = match &judged.user {
        Some(user) => unit.tx.lock_user(user.id).await?.filter(|user| user.email == email),
        None => None,
    };
    // Read again under the lock: the password may have changed while it was compared.
    let stands = match &found {
        Some(user) => judged.matches && unit.tx.find_password(user.id).await? == judged.compared,
        None => false,
    };
    let Some(user) = found.clone().filter(|_| stands) else {
        return Err(refuse(
            unit,
            found.as_ref(),
            &email,
            "invalid_credentials",
            Fault::Unauthenticated(Unknown::Login),
        ));
    };
    let mut user = match access::admit(Some(user)) {
        Ok(user) => user,
        Err(Stop::Fault(fault)) => {
            return Err(refuse(unit, found.as_ref(), &email, "account_not_active", fault));
        }
        Err(stop) => return Err(stop),
    };
    unit.claim().await?;
    if let Some(hash) = &judged.renewed {
        unit.tx.save_password(user.id, Some(hash)).await?;
    }
    user.last_login_at = Some(unit.call.now);
    unit.tx.save_user(&user).await?;
    greet_new_device(unit, &user).await?;
    let deed = Deed::new(Chain::User(user.id), EventType::UserLogin, Resource::new("user", user.id));
    unit.audit(deed.by(Actor::User(user.id), user.name.as_str()));
    sessions::open(unit, user, vec![Proof::Password], life).await
}

/// Records a failed sign-in. One with an unknown address is written too, so that both cost the same.
fn refuse(unit: &mut Unit, user: Option<&User>, email: &Email, reason: &'static str, fault: Fault) -> Stop {
    let deed = match user {
        Some(user) => {
            Deed::new(Chain::User(user.id), EventType::UserLoginFailed, Resource::new("user", user.id)).failed(reason)
        }
        None => Deed::new(Chain::Deployment, EventType::UserLoginFailed, Resource::new("user", "unknown"))
            .failed("unknown_address"),
    };
    unit.audit(deed.labelled(email.as_str()));
    unit.refuse(fault)
}

/// Tells the user about a sign-in from where nobody signed in for a while.
async fn greet_new_device(unit: &mut Unit, user: &User) -> AppResult<()> {
    let Some(client) = unit.call.client.clone() else { return Ok(()) };
    let now = unit.call.now;
    if unit.tx.knows_origin(user.id, &origin::of(&client), now.minus(DEVICE_MEMORY)).await? {
        return Ok(());
    }
    let deed = Deed::new(Chain::User(user.id), EventType::UserNewDevice, Resource::new("user", user.id));
    unit.audit(deed.by(Actor::User(user.id), user.name.as_str()));
    let topic =
        Topic::NewDevice { at: now, address: client.address.to_string(), user_agent: super::cut(&client.user_agent) };
    unit.enqueue(&Work::Deliver(Letter { to: user.email.clone(), name: user.name.to_string(), topic })).await
}

fn failures(engine: &Engine, email: &Email) -> Option<Charge> {
    engine.rules.login_failures.map(|limit| Charge {
        bucket: "login_failures",
        subject: email.to_string(),
        limit,
        window: FAILURE_WINDOW,
    })
}

/// After many failures for one address only networks that signed in to it lately are served, whether or not the address is known.
async fn refuse_strangers(engine: &Engine, email: &Email, now: Timestamp) -> AppResult<()> {
    let Some(charge) = failures(engine, email) else { return Ok(()) };
    let standings = engine.counters.peek(&[charge], now).await?;
    match standings.first() {
        Some(standing) if standing.remaining == 0 => {
            let wait = standing.oldest_leaves_at.since(now) + Duration::from_millis(999);
            Err(Fault::TooManyFailures { retry_after: wait.as_secs().max(1) }.into())
        }
        _ => Ok(()),
    }
}

async fn count_failure(engine: &Engine, email: &Email, now: Timestamp) -> AppResult<()> {
    if let Some(charge) = failures(engine, email) {
        let (Ruling::Admitted(_) | Ruling::Refused(_)) = engine.counters.charge(&[charge], now).await?;
    }
    Ok(())
}
