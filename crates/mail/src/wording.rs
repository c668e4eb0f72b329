//! The wording of each letter.

use crate::{
    html,
    letterhead::Letterhead,
    notices::{NoticeWording, word_notice},
    template::{fill, named, plain},
};
use maud::Markup;
use octavo_core_model::{
    Role, Timestamp,
    mail::{
        EMAIL_CHANGE_PAGE, EMAIL_REVERT_PAGE, INVITATION_PAGE, Letter, NEW_PASSWORD_PAGE, RESTORATION_PAGE, Topic,
        VERIFICATION_PAGE,
    },
};
use std::borrow::Cow;

/// The text of a letter.
pub(crate) struct Wording {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

/// The parts of a letter that depend on its topic.
pub(crate) struct TopicWording {
    pub(crate) subject: Cow<'static, str>,
    /// The plain text with its placeholders.
    pub(crate) text: &'static str,
    pub(crate) values: Vec<(&'static str, String)>,
    /// The HTML below the greeting.
    pub(crate) html: Markup,
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../templates/", $name, ".txt"))
    };
}

pub(crate) fn word(letter: &Letter, letterhead: &Letterhead) -> Wording {
    let TopicWording { subject, text, mut values, html } = word_topic(&letter.topic, letterhead);
    let name = plain(&letter.name);
    let greeting = if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") };
    let html = html::page(&subject, &greeting, &html);
    values.push(("greeting", greeting));
    Wording { subject: subject.into_owned(), text: fill(text, &values), html }
}

#[expect(clippy::too_many_lines, reason = "one arm for each topic, which a reader looks up alone")]
pub(crate) fn word_topic(topic: &Topic, letterhead: &Letterhead) -> TopicWording {
    match topic {
        Topic::VerifyEmail { token } => {
            let link = letterhead.link(VERIFICATION_PAGE, token);
            TopicWording {
                subject: "Confirm your email address".into(),
                text: text!("verify_email"),
                html: html::verify_email(&link),
                values: vec![("link", link)],
            }
        }
        Topic::AlreadyRegistered => TopicWording {
            subject: "You already have an account".into(),
            text: text!("already_registered"),
            html: html::already_registered(),
            values: vec![],
        },
        Topic::ResetPassword { token } => {
            let link = letterhead.link(NEW_PASSWORD_PAGE, token);
            TopicWording {
                subject: "Choose a new password".into(),
                text: text!("reset_password"),
                html: html::reset_password(&link),
                values: vec![("link", link)],
            }
        }
        Topic::PasswordChanged => TopicWording {
            subject: "Your password was changed".into(),
            text: text!("password_changed"),
            html: html::password_changed(),
            values: vec![],
        },
        Topic::NewDevice { at, address, user_agent } => {
            let (at, user_agent) = (minute(*at), plain(user_agent));
            TopicWording {
                subject: "New sign-in to your account".into(),
                text: text!("new_device"),
                html: html::new_device(&at, address, &user_agent),
                values: vec![("at", at), ("address", address.clone()), ("user_agent", user_agent)],
            }
        }
        Topic::ConfirmEmailChange { token } => {
            let link = letterhead.link(EMAIL_CHANGE_PAGE, token);
            TopicWording {
                subject: "Confirm your new email address".into(),
                text: text!("confirm_email_change"),
                html: html::confirm_email_change(&link),
                values: vec![("link", link)],
            }
        }
        Topic::EmailChangeRefused => TopicWording {
            subject: "This address is in use already".into(),
            text: text!("email_change_refused"),
            html: html::email_change_refused(),
            values: vec![],
        },
        Topic::EmailChanged { new_email, token } => {
            let (new_email, link) = (new_email.to_string(), letterhead.link(EMAIL_REVERT_PAGE, token));
            TopicWording {
                subject: "Your email address was changed".into(),
                text: text!("email_changed"),
                html: html::email_changed(&new_email, &link),
                values: vec![("new_email", new_email), ("link", link)],
            }
        }
        Topic::DeletionScheduled { purge_at, token } => {
            let (purge_at, link) = (minute(*purge_at), letterhead.link(RESTORATION_PAGE, token));
            TopicWording {
                subject: "Your account will be deleted".into(),
                text: text!("deletion_scheduled"),
                html: html::deletion_scheduled(&purge_at, &link),
                values: vec![("purge_at", purge_at), ("link", link)],
            }
        }
        Topic::Invitation { workspace, inviter, role, expires_at, token } => {
            let (workspace, inviter, role) = (named(workspace), named(inviter), with_article(*role));
            let (expires_at, link) = (minute(*expires_at), letterhead.link(INVITATION_PAGE, token));
            TopicWording {
                subject: "You are invited to a workspace".into(),
                text: text!("invitation"),
                html: html::invitation(&workspace, &inviter, role, &expires_at, &link),
                values: vec![
                    ("workspace", workspace),
                    ("inviter", inviter),
                    ("role", role.to_owned()),
                    ("expires_at", expires_at),
                    ("link", link),
                ],
            }
        }
        Topic::JoinedByLink { workspace, at, address } => {
            let (workspace, at) = (named(workspace), minute(*at));
            TopicWording {
                subject: "Your account joined a workspace".into(),
                text: text!("joined_by_link"),
                html: html::joined_by_link(&workspace, &at, address),
                values: vec![("workspace", workspace), ("at", at), ("address", address.clone())],
            }
        }
        Topic::Notification(notice) => {
            let notice = word_notice(notice, letterhead);
            TopicWording {
                subject: notice.headline.clone().into(),
                text: text!("notification"),
                html: html::notification(&notice),
                values: vec![("notice", notice.text())],
            }
        }
        Topic::Digest { notices, has_more } => {
            let notices: Vec<_> = notices.iter().map(|notice| word_notice(notice, letterhead)).collect();
            let list = notices.iter().map(NoticeWording::text).collect::<Vec<_>>().join("\n\n");
            let more = if *has_more { "\n\nThere are more in the app." } else { "" };
            TopicWording {
                subject: "What happened since yesterday".into(),
                text: text!("digest"),
                html: html::digest(&notices, *has_more),
                values: vec![("notices", list + more)],
            }
        }
    }
}

const fn with_article(role: Role) -> &'static str {
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
