//! Letters as their readers and mail servers see them.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod address;
mod file;
mod letters;
mod smtp;
mod smtp_server;

use crate::Letterhead;
use octavo_core_model::{
    Role, Timestamp,
    id::{CommentId, JobId, WorkspaceId},
    mail::{Letter, Notice, Topic},
    notification::{NotificationType, SubjectType},
    text::Email,
};

const TOKEN: &str = "evt_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

fn letterhead() -> Letterhead {
    Letterhead::new("Octavo <no-reply@octavo.example>", "https://octavo.example").unwrap()
}

fn job() -> JobId {
    JobId::new(1_800_000_000_000, [5; 10])
}

fn letter_to(name: &str, topic: Topic) -> Letter {
    Letter { to: Email::parse("ada@example.com").unwrap(), name: name.to_owned(), topic }
}

fn verification(name: &str) -> Letter {
    letter_to(name, Topic::VerifyEmail { token: TOKEN.to_owned() })
}

fn every_topic() -> Vec<Topic> {
    let token = || TOKEN.to_owned();
    let at = Timestamp::from_millis(1_800_000_000_000);
    vec![
        Topic::VerifyEmail { token: token() },
        Topic::AlreadyRegistered,
        Topic::ResetPassword { token: token() },
        Topic::PasswordChanged,
        Topic::NewDevice { at, address: "192.0.2.7".to_owned(), user_agent: "Mozilla/5.0 (X11; Linux)".to_owned() },
        Topic::ConfirmEmailChange { token: token() },
        Topic::EmailChangeRefused,
        Topic::EmailChanged { new_email: Email::parse("eve@example.com").unwrap(), token: token() },
        Topic::DeletionScheduled { purge_at: at, token: token() },
        Topic::Invitation {
            workspace: "Acme".to_owned(),
            inviter: "Eve".to_owned(),
            role: Role::Admin,
            expires_at: at,
            token: token(),
        },
        Topic::JoinedByLink { workspace: "Acme".to_owned(), at, address: "192.0.2.7".to_owned() },
        Topic::Notification(notice(NotificationType::Mention)),
        Topic::Digest { notices: vec![notice(NotificationType::Comment)], has_more: true },
    ]
}

fn notice(kind: NotificationType) -> Notice {
    Notice {
        kind,
        actor: Some("Eve".to_owned()),
        title: Some("Roadmap".to_owned()),
        preview: Some("Look at this".to_owned()),
        workspace: WorkspaceId::EXAMPLE,
        subject: SubjectType::Comment,
        id: CommentId::EXAMPLE.to_string(),
    }
}
