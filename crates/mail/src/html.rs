//! The letters as HTML. maud escapes every value in an element or an attribute.
//!
//! Each block ends its line, because a line of a message has at most 998 bytes.

use crate::notices::NoticeWording;
use maud::{DOCTYPE, Markup, html};

/// A whole letter: the greeting, and the text of its topic below it.
pub(crate) fn page(subject: &str, greeting: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width"; "\n"
                title { (subject) } "\n"
            } "\n"
            body style="margin: 2em; font-family: sans-serif; line-height: 1.5" { "\n"
                p { (greeting) } "\n"
                (content)
            } "\n"
        } "\n"
    };
    page.into_string()
}

pub(crate) fn verify_email(link: &str) -> Markup {
    html! {
        p { "Please confirm that this is your email address:" } "\n"
        (action(link, "Confirm my address"))
        p { "The link works once, within 24 hours. If you did not sign up, ignore this message: without the link nobody can confirm \
             this address." } "\n"
    }
}

pub(crate) fn already_registered() -> Markup {
    html! {
        p { "Somebody, perhaps you, tried to sign up with this email address. It has an account already, so no new one was created. \
             You can sign in with your password, or ask for a new password if you forgot it." } "\n"
        (nothing_to_do())
    }
}

pub(crate) fn reset_password(link: &str) -> Markup {
    html! {
        p { "You can choose a new password here:" } "\n"
        (action(link, "Choose a new password"))
        p { "The link works once, within 24 hours. If you did not ask for it, ignore this message: your password stays as it is." }
        "\n"
    }
}

pub(crate) fn password_changed() -> Markup {
    html! {
        p { "The password of your account was changed." } "\n"
        (ask_for_a_password())
    }
}

pub(crate) fn new_device(at: &str, address: &str, user_agent: &str) -> Markup {
    html! {
        p { "Somebody signed in to your account from a place or program that we have not seen before:" } "\n"
        ul { "\n"
            li { "Time: " (at) } "\n"
            li { "Address: " (address) } "\n"
            li { "Program: " (user_agent) } "\n"
        } "\n"
        (ask_for_a_password())
    }
}

pub(crate) fn confirm_email_change(link: &str) -> Markup {
    html! {
        p { "Please confirm that your account is to use this email address:" } "\n"
        (action(link, "Use this address"))
        p { "The link works once, within 24 hours. If you did not ask for it, ignore this message: the account keeps its address." }
        "\n"
    }
}

pub(crate) fn email_change_refused() -> Markup {
    html! {
        p { "Somebody, perhaps you, tried to move an account to this email address. It has an account already, so nothing was \
             changed." } "\n"
        (nothing_to_do())
    }
}

pub(crate) fn email_changed(new_email: &str, link: &str) -> Markup {
    html! {
        p { "Your account now uses another email address: " (new_email) } "\n"
        p { "If it was not you, take your account back within 7 days:" } "\n"
        (action(link, "Take my account back"))
        p { "That brings this address back, signs everybody out and asks you to choose a new password." } "\n"
    }
}

pub(crate) fn deletion_scheduled(purge_at: &str, link: &str) -> Markup {
    html! {
        p { "Your account and everything that is yours alone will be deleted permanently on " (purge_at) ". Until then you can keep it:" } "\n"
        (action(link, "Keep my account"))
    }
}

pub(crate) fn invitation(workspace: &str, inviter: &str, role: &str, expires_at: &str, link: &str) -> Markup {
    html! {
        p { "You are invited to a workspace as " (role) "." } "\n"
        p { "Workspace: " (workspace) br; "\nInvited by: " (inviter) } "\n"
        (action(link, "Join the workspace"))
        p { "The link works once, until " (expires_at) ". If you do not know who invited you, ignore this message: nothing happens \
             without you." } "\n"
    }
}

pub(crate) fn joined_by_link(workspace: &str, at: &str, address: &str) -> Markup {
    html! {
        p { "Somebody accepted an invitation for your account by its link alone, without your password." } "\n"
        p { "Workspace: " (workspace) br; "\nTime: " (at) br; "\nAddress: " (address) } "\n"
        p { "For 24 hours they can act as you in that workspace, and nowhere else. If it was not you, sign in and leave the \
             workspace." } "\n"
    }
}

pub(crate) fn notification(notice: &NoticeWording) -> Markup {
    html! {
        (entry(notice))
        (preferences())
    }
}

pub(crate) fn digest(notices: &[NoticeWording], has_more: bool) -> Markup {
    html! {
        p { "This happened since the last mail of this kind, and you have not read it yet:" } "\n"
        @for notice in notices {
            (entry(notice))
        }
        @if has_more {
            p { "There are more in the app." } "\n"
        }
        (preferences())
    }
}

fn entry(notice: &NoticeWording) -> Markup {
    html! {
        p { (notice.headline) @if notice.preview.is_some() { ":" } @else { "." } } "\n"
        @if let Some(preview) = &notice.preview {
            blockquote { (preview) } "\n"
        }
        (action(&notice.link, "Open it"))
    }
}

fn preferences() -> Markup {
    html! {
        p { "You get this because of your notification preferences. There you can choose, for each kind of notification, mails at once, \
             once a day or none." } "\n"
    }
}

fn action(link: &str, what: &str) -> Markup {
    html! { p { a href=(link) { (what) } } "\n" }
}

fn nothing_to_do() -> Markup {
    html! { p { "If it was not you, you need not do anything." } "\n" }
}

fn ask_for_a_password() -> Markup {
    html! {
        p { "If it was not you, ask for a new password at once: choosing one signs out everybody who is signed in to your account." }
        "\n"
    }
}
