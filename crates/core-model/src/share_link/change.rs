//! Changes of share links.

use super::{LinkToken, ShareLevel, ShareLink, ShareStatus};
use crate::{secret::Secret, time::Timestamp};

/// A change of a link; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareChange {
    /// The new level.
    pub level: Option<ShareLevel>,
    /// Whether it is to show what is below the page.
    pub include_children: Option<bool>,
    /// The hash of the new password; the inner `None` removes the password.
    pub password: Option<Option<Secret<String>>>,
    /// The new end; `Some(None)` removes it.
    pub expires_at: Option<Option<Timestamp>>,
    /// Whether its holders may copy what it shows.
    pub allow_duplicate: Option<bool>,
    /// Whether search engines may list it.
    pub allow_indexing: Option<bool>,
    /// A new token, with which the old address stops working.
    pub token: Option<LinkToken>,
}

impl ShareLink {
    /// Applies the change and returns the names of the changed fields.
    pub fn apply(&mut self, change: ShareChange, now: Timestamp) -> Vec<&'static str> {
        let mut changed = Vec::new();
        let mut note = |differs: bool, field| {
            if differs {
                changed.push(field);
            }
        };
        note(replace(&mut self.level, change.level), "level");
        note(replace(&mut self.include_children, change.include_children), "includeChildren");
        // A password that is set again counts as new, even if it is the same.
        note(replace(&mut self.password, change.password), "password");
        note(replace(&mut self.expires_at, change.expires_at), "expiresAt");
        note(replace(&mut self.allow_duplicate, change.allow_duplicate), "allowDuplicate");
        note(replace(&mut self.allow_indexing, change.allow_indexing), "allowIndexing");
        note(replace(&mut self.token, change.token), "token");
        if !changed.is_empty() {
            self.updated_at = now;
        }
        changed
    }

    /// Whether its holders could do more, see more or see it for longer than with the link as it was.
    pub fn is_wider_than(&self, before: &Self, now: Timestamp) -> bool {
        let lasts_longer = match (before.expires_at, self.expires_at) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(before), Some(after)) => after > before,
        };
        let revived = before.status(now) != ShareStatus::Active && self.status(now) == ShareStatus::Active;
        self.level > before.level
            || (self.include_children && !before.include_children)
            || (self.allow_duplicate && !before.allow_duplicate)
            || (self.password.is_none() && before.password.is_some())
            || lasts_longer
            || revived
    }
}

fn replace<T: PartialEq>(value: &mut T, change: Option<T>) -> bool {
    match change {
        Some(new) if new != *value => {
            *value = new;
            true
        }
        _ => false,
    }
}
