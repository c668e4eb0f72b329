//! `octavo user`: manages accounts, even while a server is running.

use super::offline::Offline;
use crate::{
    command::{Delivery, NamedUser, PasswordFrom, UserCommand},
    start::Ready,
    wiring,
};
use anyhow::{Context as _, Result, anyhow};
use octavo_app::{
    Call, Interrupt,
    operator::{self, Handle},
};
use octavo_core_model::{
    Fault,
    account::User,
    fault::Conflict,
    id::UserId,
    mail::NEW_PASSWORD_PAGE,
    text::{Email, Name, NewPassword, TextFlaw},
};
use serde_json::{Value, json};
use std::io::Read;

/// How many accounts one view lists.
const PAGE: u32 = 500;

pub(super) async fn run(ready: &Ready, command: &UserCommand) -> Result<String> {
    match command {
        UserCommand::Create { email, name, password } => create(ready, email, name, *password).await,
        UserCommand::List => list(ready).await,
        UserCommand::ResetPassword { user, delivery } => reset_password(ready, user, *delivery).await,
        UserCommand::Suspend(user) => {
            let offline = Offline::open(ready).await?;
            let changed = operator::suspend(&offline.engine, wiring::now(), handle(user)).await.map_err(reason)?;
            Ok(changed_line(ready, "suspended", changed, "the account is not active; nothing changed"))
        }
        UserCommand::Reinstate(user) => {
            let offline = Offline::open(ready).await?;
            let changed = operator::reinstate(&offline.engine, wiring::now(), handle(user)).await.map_err(reason)?;
            Ok(changed_line(ready, "reinstated", changed, "the account is not suspended; nothing changed"))
        }
    }
}

fn changed_line(ready: &Ready, done: &str, changed: bool, unchanged: &str) -> String {
    if ready.json {
        format!("{}\n", json!({ "data": { done: changed } }))
    } else {
        format!("{}\n", if changed { done } else { unchanged })
    }
}

async fn create(ready: &Ready, email: &Email, name: &Name, from: PasswordFrom) -> Result<String> {
    let (password, generated) = match from {
        PasswordFrom::Stdin => (read_password()?, None),
        PasswordFrom::Generator => {
            let password = generate();
            (password.clone(), Some(password))
        }
    };
    let password = NewPassword::parse(&password).map_err(weak)?;
    let offline = Offline::open_or_create(ready).await?;
    let user = operator::create_user(&offline.engine, wiring::now(), email.clone(), name.clone(), password).await;
    let user = user.map_err(reason)?;
    Ok(match (ready.json, generated) {
        (true, password) => format!("{}\n", json!({ "data": { "user": user_json(&user), "password": password } })),
        (false, Some(password)) => format!("{} {}\npassword: {password}\n", user.id, user.email),
        (false, None) => format!("{} {}\n", user.id, user.email),
    })
}

/// The first line of stdin.
fn read_password() -> Result<String> {
    let mut text = String::new();
    std::io::stdin().take(4096).read_to_string(&mut text).context("cannot read stdin")?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// 24 characters with 192 random bits; the letters before them ensure the required kinds of characters.
fn generate() -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let bits: [u8; 15] = wiring::random().bytes();
    format!("Ov7-{}", URL_SAFE_NO_PAD.encode(bits))
}

fn weak(flaw: TextFlaw) -> anyhow::Error {
    let rule = match flaw {
        TextFlaw::Empty | TextFlaw::TooShort => "has fewer than 8 characters",
        TextFlaw::TooLong => "has more than 128 characters",
        TextFlaw::Format => "needs an upper-case letter, a lower-case letter and a digit",
    };
    anyhow!("the password {rule}")
}

async fn list(ready: &Ready) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let mut users: Vec<User> = Vec::new();
    loop {
        let after: Option<UserId> = users.last().map(|user| user.id);
        let call = Call::system(wiring::now());
        let page = offline.engine.read(call, move |view| Box::pin(operator::list_users(view, after, PAGE))).await;
        let page = page.map_err(reason)?;
        let is_last = page.len() < PAGE as usize;
        users.extend(page);
        if is_last {
            break;
        }
    }
    if ready.json {
        let data: Vec<Value> = users.iter().map(user_json).collect();
        return Ok(format!("{}\n", json!({ "data": data })));
    }
    let line = |user: &User| format!("{}  {:10}  {}  {}\n", user.id, user.status.name(), user.email, user.name);
    Ok(users.iter().map(line).collect())
}

async fn reset_password(ready: &Ready, user: &NamedUser, delivery: Delivery) -> Result<String> {
    let offline = Offline::open(ready).await?;
    let send = delivery == Delivery::Mail;
    let token = operator::reset_password(&offline.engine, wiring::now(), handle(user), send).await.map_err(reason)?;
    let pages = ready.settings.pages_origin(ready.settings.listen);
    let link = format!("{pages}/{NEW_PASSWORD_PAGE}?token={token}");
    Ok(match (ready.json, send) {
        (true, true) => format!("{}\n", json!({ "data": { "sent": true } })),
        (true, false) => format!("{}\n", json!({ "data": { "link": link } })),
        (false, true) => "the mail is queued; a running server sends it\n".to_owned(),
        (false, false) => format!("{link}\n"),
    })
}

fn user_json(user: &User) -> Value {
    json!({
        "id": user.id,
        "email": user.email,
        "name": user.name,
        "displayName": user.display_name,
        "emailVerification": if user.is_verified() { "VERIFIED" } else { "PENDING" },
        "status": user.status.name(),
        "lastLoginAt": user.last_login_at,
        "createdAt": user.created_at,
    })
}

fn handle(user: &NamedUser) -> Handle {
    match user {
        NamedUser::Email(email) => Handle::Email(email.clone()),
        NamedUser::Id(id) => Handle::Id(*id),
    }
}

fn reason(interrupt: Interrupt) -> anyhow::Error {
    match interrupt {
        Interrupt::Fault(Fault::NotFound) => anyhow!("there is no such account"),
        Interrupt::Fault(Fault::Conflict(Conflict::Taken(field))) => anyhow!("this {field} is taken"),
        Interrupt::Fault(Fault::Forbidden(_)) => anyhow!("the account is not active"),
        Interrupt::Fault(Fault::Store(error)) => anyhow!("the database did not take it: {error:?}"),
        other => anyhow!("it did not work: {other:?}"),
    }
}
