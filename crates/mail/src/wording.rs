//! The wording of each letter.

use crate::{
    letterhead::Letterhead,
    template::{escape_html, fill, plain},
};
use octavo_core_model::{
    Role, Timestamp,
    mail::{INVITATION_PAGE, Letter, Topic},
};

/// The text of a letter.
pub(crate) struct Wording {
    pub(crate) subject: &'static str,
    pub(crate) text: String,
    pub(crate) html: String,
}

const PAGE: &str = include_str!("../templates/page.html");

/// The two forms of a letter before values are inserted.
pub(crate) struct Forms {
    pub(crate) subject: &'static str,
    pub(crate) text: &'static str,
    pub(crate) html: &'static str,
}

macro_rules! forms {
    ($subject:literal, $name:literal) => {
        Forms {
            subject: $subject,
            text: include_str!(concat!("../templates/", $name, ".txt")),
            html: include_str!(concat!("../templates/", $name, ".html")),
        }
    };
}

pub(crate) fn word(letter: &Letter, letterhead: &Letterhead) -> Wording {
    let (forms, mut values) = choose(&letter.topic, letterhead);
    let name = plain(&letter.name);
    values.push(("greeting", if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") }));
    values.push(("subject", forms.subject.to_owned()));
    let page = PAGE.replacen("{{content}}", forms.html.trim_end(), 1);
    Wording {
        subject: forms.subject,
        text: fill(forms.text, &values, str::to_owned),
        html: fill(&page, &values, escape_html),
    }
}

/// The forms for a topic and its values.
pub(crate) fn choose(topic: &Topic, letterhead: &Letterhead) -> (Forms, Vec<(&'static str, String)>) {
    let link = |page, token: &str| ("link", letterhead.link(page, token));
    match topic {
        Topic::VerifyEmail { token } => {
            (forms!("Confirm your email address", "verify_email"), vec![link("verify-email", token)])
        }
        Topic::AlreadyRegistered => (forms!("You already have an account", "already_registered"), vec![]),
        Topic::ResetPassword { token } => {
            (forms!("Choose a new password", "reset_password"), vec![link("reset-password", token)])
        }
        Topic::PasswordChanged => (forms!("Your password was changed", "password_changed"), vec![]),
        Topic::NewDevice { at, address, user_agent } => (
            forms!("New sign-in to your account", "new_device"),
            vec![("at", minute(*at)), ("address", address.clone()), ("user_agent", plain(user_agent))],
        ),
        Topic::ConfirmEmailChange { token } => (
            forms!("Confirm your new email address", "confirm_email_change"),
            vec![link("confirm-email-change", token)],
        ),
        Topic::EmailChangeRefused => (forms!("This address is in use already", "email_change_refused"), vec![]),
        Topic::EmailChanged { new_email, token } => (
            forms!("Your email address was changed", "email_changed"),
            vec![("new_email", new_email.to_string()), link("revert-email-change", token)],
        ),
        Topic::DeletionScheduled { purge_at, token } => (
            forms!("Your account will be deleted", "deletion_scheduled"),
            vec![("purge_at", minute(*purge_at)), link("restore-account", token)],
        ),
        Topic::Invitation { workspace, inviter, role, expires_at, token } => (
            forms!("You are invited to a workspace", "invitation"),
            vec![
                ("workspace", named(workspace)),
                ("inviter", named(inviter)),
                ("role", standing(*role).to_owned()),
                ("expires_at", minute(*expires_at)),
                link(INVITATION_PAGE, token),
            ],
        ),
        Topic::JoinedByLink { workspace, at, address } => (
            forms!("Your account joined a workspace", "joined_by_link"),
            vec![("workspace", named(workspace)), ("at", minute(*at)), ("address", address.clone())],
        ),
    }
}

/// A name that somebody chose, without links; replaced if nothing else is left.
fn named(name: &str) -> String {
    let name = plain(name);
    if name.is_empty() { "(no name)".to_owned() } else { name }
}

const fn standing(role: Role) -> &'static str {
    match role {
        Role::Guest => "a guest",
        Role::Member => "a member",
        Role::Admin => "an admin",
        Role::Owner => "an owner",
    }
}

/// A time to the minute, for people.
fn minute(time: Timestamp) -> String {
    let text = time.to_string();
    format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
}
