//! What letters say of notifications.

use crate::{
    letterhead::Letterhead,
    template::{named, plain},
};
use octavo_core_model::{mail::Notice, notification::NotificationType};

/// How many characters of a title are shown.
const MAX_TITLE: usize = 100;

/// A notification in words.
pub(crate) struct NoticeWording {
    /// What happened, in one line.
    pub(crate) headline: String,
    /// The beginning of the text that it is about, if there is one.
    pub(crate) preview: Option<String>,
    pub(crate) link: String,
}

impl NoticeWording {
    pub(crate) fn text(&self) -> String {
        let Self { headline, preview, link } = self;
        match preview {
            Some(preview) => format!("{headline}:\n\n> {preview}\n\n{link}"),
            None => format!("{headline}.\n\n{link}"),
        }
    }
}

pub(crate) fn word_notice(notice: &Notice, letterhead: &Letterhead) -> NoticeWording {
    let preview = notice.preview.as_deref().map(plain).filter(|preview| !preview.is_empty());
    NoticeWording { headline: headline(notice), preview, link: letterhead.opening_link(notice) }
}

fn headline(notice: &Notice) -> String {
    let actor = notice.actor.as_deref().map_or_else(|| "Somebody".to_owned(), named);
    let title = notice.title.as_deref().map(|title| {
        let title = plain(title);
        if title.is_empty() { "Untitled".to_owned() } else { title.chars().take(MAX_TITLE).collect() }
    });
    let at = |before: &str| title.as_ref().map_or_else(String::new, |title| format!("{before}{title}"));
    let or = |other: &str| title.clone().unwrap_or_else(|| other.to_owned());
    match notice.kind {
        NotificationType::Mention => format!("{actor} mentioned you{}", at(" in ")),
        NotificationType::Comment => format!("{actor} commented{}", at(" on ")),
        NotificationType::Reaction => format!("{actor} reacted to your comment{}", at(" on ")),
        NotificationType::Assigned => format!("{actor} assigned {} to you", or("something")),
        NotificationType::PageUpdated => format!("{actor} changed {}", or("a page")),
        NotificationType::PageShared => format!("{actor} shared {} with you", or("a page")),
        NotificationType::AccessRequest => format!("{actor} asks for access{}", at(" to ")),
        NotificationType::AccessDecided => format!("{actor} answered your request for access{}", at(" to ")),
        NotificationType::MemberAdded => format!("{actor} added you to {}", or("a workspace")),
        NotificationType::FormSubmission => format!("Your form was answered{}", at(": ")),
        NotificationType::JobFinished => format!("Your background job has ended{}", at(": ")),
        NotificationType::Automation | NotificationType::System => or("There is a notice for you"),
    }
}
