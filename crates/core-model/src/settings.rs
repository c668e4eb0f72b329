//! The settings of a workspace.

use crate::{name::named, text::Locale};
use serde::{Deserialize, Serialize};

named! {
    /// The initial theme of new members.
    WorkspaceTheme {
        Light = "light",
        Dark = "dark",
        System = "system",
    }
}

/// The values that were set; those that are `None` follow the default, even if it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// The language of the workspace.
    pub language: Option<Locale>,
    /// The theme that new members start with.
    pub theme: Option<WorkspaceTheme>,
    /// Whether everybody who may open a page to the world can do so with a link.
    pub share_links_allowed: Option<bool>,
    /// How many days pages stay in the trash.
    pub trash_retention_days: Option<u32>,
    /// How many days the audit trail is kept.
    pub audit_log_retention_days: Option<u32>,
    /// How many days a session of a member lives without activity.
    pub session_timeout_days: Option<u32>,
}

impl Settings {
    /// The default of `trash_retention_days`.
    pub const TRASH_RETENTION_DAYS: u32 = 30;
    /// The default of `audit_log_retention_days`.
    pub const AUDIT_LOG_RETENTION_DAYS: u32 = 365;
    /// The smallest allowed value.
    pub const LEAST_AUDIT_LOG_RETENTION_DAYS: u32 = 30;
    /// The default of `session_timeout_days`.
    pub const SESSION_TIMEOUT_DAYS: u32 = 30;

    /// The language that holds, set or not.
    pub fn language(&self) -> &str {
        self.language.as_ref().map_or("en-US", Locale::as_str)
    }

    /// The theme that holds, set or not.
    pub fn theme(&self) -> WorkspaceTheme {
        self.theme.unwrap_or(WorkspaceTheme::System)
    }

    /// Whether share links are allowed. They are by default.
    pub fn are_share_links_allowed(&self) -> bool {
        self.share_links_allowed.unwrap_or(true)
    }

    /// The retention of the trash that holds, set or not.
    pub fn trash_retention_days(&self) -> u32 {
        self.trash_retention_days.unwrap_or(Self::TRASH_RETENTION_DAYS)
    }

    /// The retention of the audit trail that holds, set or not.
    pub fn audit_log_retention_days(&self) -> u32 {
        self.audit_log_retention_days.unwrap_or(Self::AUDIT_LOG_RETENTION_DAYS)
    }

    /// The timeout of sessions that holds, set or not.
    pub fn session_timeout_days(&self) -> u32 {
        self.session_timeout_days.unwrap_or(Self::SESSION_TIMEOUT_DAYS)
    }
}

/// A merge patch of settings: absent fields stay as they are, null restores the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsChange {
    /// Changes `language`.
    pub language: Option<Option<Locale>>,
    /// Changes `theme`.
    pub theme: Option<Option<WorkspaceTheme>>,
    /// Changes `share_links_allowed`.
    pub share_links_allowed: Option<Option<bool>>,
    /// Changes `trash_retention_days`.
    pub trash_retention_days: Option<Option<u32>>,
    /// Changes `audit_log_retention_days`.
    pub audit_log_retention_days: Option<Option<u32>>,
    /// Changes `session_timeout_days`.
    pub session_timeout_days: Option<Option<u32>>,
}

impl Settings {
    /// Applies the change and returns the keys of the changed settings.
    pub fn apply(&mut self, change: SettingsChange) -> Vec<&'static str> {
        let mut changed = Vec::new();
        let mut put = |differs: bool, name: &'static str| {
            if differs {
                changed.push(name);
            }
        };
        put(set(&mut self.language, change.language), "language");
        put(set(&mut self.theme, change.theme), "theme");
        put(set(&mut self.share_links_allowed, change.share_links_allowed), "shareLinks.allowed");
        put(set(&mut self.trash_retention_days, change.trash_retention_days), "trashRetentionDays");
        put(set(&mut self.audit_log_retention_days, change.audit_log_retention_days), "auditLogRetentionDays");
        put(set(&mut self.session_timeout_days, change.session_timeout_days), "sessionTimeoutDays");
        changed
    }
}

/// Applies a value that was sent, and returns whether it changed anything.
#[expect(clippy::option_option, reason = "sent at all, then null or a value")]
fn set<T: PartialEq>(held: &mut Option<T>, sent: Option<Option<T>>) -> bool {
    match sent {
        Some(value) if value != *held => {
            *held = value;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn null_goes_back_to_the_default_and_absent_keeps() {
        let mut settings = Settings::default();
        let change = SettingsChange {
            theme: Some(Some(WorkspaceTheme::Dark)),
            trash_retention_days: Some(Some(7)),
            ..SettingsChange::default()
        };
        assert_eq!(settings.apply(change), ["theme", "trashRetentionDays"]);
        let change = SettingsChange { theme: Some(None), ..SettingsChange::default() };
        assert_eq!(settings.apply(change.clone()), ["theme"]);
        assert!(settings.apply(change).is_empty());
        assert_eq!((settings.theme(), settings.trash_retention_days()), (WorkspaceTheme::System, 7));
    }

    #[test]
    fn settings_read_back_from_what_was_stored() {
        let settings = Settings {
            language: Some(Locale::parse("de-CH").unwrap()),
            theme: Some(WorkspaceTheme::Light),
            share_links_allowed: Some(false),
            ..Settings::default()
        };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        assert_eq!(serde_json::from_str::<Settings>("{}").unwrap(), Settings::default());
    }
}
