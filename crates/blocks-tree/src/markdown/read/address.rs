//! Link targets in Markdown.

use crate::{MarkKind, MentionKind, rich_text::is_link};
use octavo_core_model::id::{DatabaseId, PageId, TeamId, UserId};

pub(in crate::markdown) const MENTION: &str = "mention:";

/// The mark for an address; `None` if links must not lead there.
pub(super) fn link(url: &str) -> Option<MarkKind> {
    match url.strip_prefix(MENTION) {
        Some(id) => mention(id),
        None => is_link(url).then(|| MarkKind::Link { url: url.to_owned() }),
    }
}

/// The prefix of the id shows what is mentioned.
fn mention(id: &str) -> Option<MarkKind> {
    let kind = if id.parse::<UserId>().is_ok() {
        MentionKind::User
    } else if id.parse::<TeamId>().is_ok() {
        MentionKind::Team
    } else if id.parse::<PageId>().is_ok() {
        MentionKind::Page
    } else if id.parse::<DatabaseId>().is_ok() {
        MentionKind::Database
    } else {
        return None;
    };
    Some(MarkKind::Mention { kind, id: id.to_owned() })
}
