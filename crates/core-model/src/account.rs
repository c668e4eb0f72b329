//! Accounts.

use crate::{
    id::{UserId, WorkspaceId},
    text::{Email, Locale, Name, Theme, TimeZone, WebAddress},
    time::{Timestamp, days},
};
use std::time::Duration;

/// How long a deleted account can be restored.
pub const RESTORE_WINDOW: Duration = days(30);

/// The name that replaces that of a deleted account.
pub const FORMER_MEMBER: &str = "Former member";

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id of the account.
    pub id: UserId,
    /// The address that the person signs in with.
    pub email: Email,
    /// The full name.
    pub name: Name,
    /// The name that others see beside what the person writes.
    pub display_name: Name,
    /// The address of a picture of the person.
    pub avatar_url: Option<WebAddress>,
    /// When the address was verified; `None` before that.
    pub email_verified_at: Option<Timestamp>,
    /// Whether the account may act.
    pub status: AccountStatus,
    /// The language that the person reads.
    pub locale: Locale,
    /// The time zone that the person lives in.
    pub timezone: TimeZone,
    /// How the person wants the app to look.
    pub theme: Theme,
    /// The workspace that was made with the account and is removed with it.
    pub personal_workspace: WorkspaceId,
    /// When somebody last signed in to it; `None` if nobody has yet.
    pub last_login_at: Option<Timestamp>,
    /// When the account was registered.
    pub created_at: Timestamp,
}

/// Whether an account may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStatus {
    /// It may.
    Active,
    /// Suspended by the operator of the deployment.
    Suspended,
    /// Its owner deleted it; it can be restored until the purge.
    Deleting {
        /// When it is purged unless it is restored before.
        purge_at: Timestamp,
    },
    /// Purged: the row stays so that content still has an author, without a name.
    Deleted,
}

impl AccountStatus {
    /// The name of the status in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::Suspended => "SUSPENDED",
            Self::Deleting { .. } => "DELETING",
            Self::Deleted => "DELETED",
        }
    }
}

impl User {
    /// A new account with the defaults of its preferences.
    pub fn register(id: UserId, email: Email, name: Name, personal_workspace: WorkspaceId, now: Timestamp) -> Self {
        Self {
            id,
            email,
            display_name: name.clone(),
            name,
            avatar_url: None,
            email_verified_at: None,
            status: AccountStatus::Active,
            locale: Locale::from_stored("en-US".to_owned()),
            timezone: TimeZone::from_stored("UTC".to_owned()),
            theme: Theme::from_stored("system".to_owned()),
            personal_workspace,
            last_login_at: None,
            created_at: now,
        }
    }

    /// Whether the mailbox was proven.
    pub const fn is_verified(&self) -> bool {
        self.email_verified_at.is_some()
    }

    /// Marks the address as verified. Returns false if it already was.
    pub fn verify(&mut self, now: Timestamp) -> bool {
        let news = self.email_verified_at.is_none();
        self.email_verified_at.get_or_insert(now);
        news
    }

    /// Applies a change of profile and returns the names of the changed fields.
    pub fn apply(&mut self, change: ProfileChange) -> Vec<&'static str> {
        let mut changed = Vec::new();
        let mut set = |field, differs: bool| {
            if differs {
                changed.push(field);
            }
        };
        set("name", replace(&mut self.name, change.name));
        set("displayName", replace(&mut self.display_name, change.display_name));
        set("avatarUrl", replace(&mut self.avatar_url, change.avatar_url));
        set("locale", replace(&mut self.locale, change.locale));
        set("timezone", replace(&mut self.timezone, change.timezone));
        set("theme", replace(&mut self.theme, change.theme));
        changed
    }

    /// Starts the deletion of the account.
    pub fn schedule_deletion(&mut self, now: Timestamp) -> Timestamp {
        let purge_at = now.plus(RESTORE_WINDOW);
        self.status = AccountStatus::Deleting { purge_at };
        purge_at
    }
}

fn replace<T: PartialEq>(slot: &mut T, wanted: Option<T>) -> bool {
    match wanted {
        Some(value) if value != *slot => {
            *slot = value;
            true
        }
        _ => false,
    }
}

/// A change of a user's profile; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileChange {
    /// The full name.
    pub name: Option<Name>,
    /// The name that others see.
    pub display_name: Option<Name>,
    /// The address of a picture; `Some(None)` removes it.
    pub avatar_url: Option<Option<WebAddress>>,
    /// The language.
    pub locale: Option<Locale>,
    /// The time zone.
    pub timezone: Option<TimeZone>,
    /// How the app looks.
    pub theme: Option<Theme>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada() -> User {
        let name = Name::from_stored("Ada".to_owned());
        let email = Email::from_stored("ada@example.com".to_owned());
        User::register(UserId::new(1, [1; 10]), email, name, WorkspaceId::new(1, [2; 10]), Timestamp::from_millis(1))
    }

    #[test]
    fn a_profile_change_names_only_what_became_different() {
        let mut user = ada();
        let change = ProfileChange {
            name: Some(user.name.clone()),
            theme: Some(Theme::from_stored("dark".to_owned())),
            ..ProfileChange::default()
        };
        assert_eq!(user.apply(change), ["theme"]);
        assert_eq!(user.apply(ProfileChange::default()), Vec::<&str>::new());
    }

    #[test]
    fn the_first_proof_of_a_mailbox_keeps_its_time() {
        let mut user = ada();
        assert!(user.verify(Timestamp::from_millis(5)));
        assert!(!user.verify(Timestamp::from_millis(9)));
        assert_eq!(user.email_verified_at, Some(Timestamp::from_millis(5)));
    }
}
