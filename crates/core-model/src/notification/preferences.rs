//! What a user wants to get by mail.

use super::NotificationType;
use crate::{name::named, time::Timestamp};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

named! {
    /// When a mail about a notification is sent.
    MailChoice {
        /// At once.
        Instant = "instant",
        /// With the others of the day.
        Daily = "daily",
        /// Never.
        Off = "off",
    }
}

/// A time of the day, to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct DailyTime {
    minutes: u16,
}

/// The text is not `HH:mm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time of the day as HH:mm")]
pub struct InvalidDailyTime;

impl DailyTime {
    /// Eight in the morning.
    pub const DEFAULT: Self = Self { minutes: 8 * 60 };

    /// The hour.
    pub const fn hour(self) -> u16 {
        self.minutes / 60
    }

    /// The minute of the hour.
    pub const fn minute(self) -> u16 {
        self.minutes % 60
    }
}

impl FromStr for DailyTime {
    type Err = InvalidDailyTime;

    fn from_str(text: &str) -> Result<Self, InvalidDailyTime> {
        let two_digits = |part: &str| {
            let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { part.parse::<u16>().ok() } else { None }
        };
        let (hour, minute) = text.split_once(':').ok_or(InvalidDailyTime)?;
        match (two_digits(hour), two_digits(minute)) {
            (Some(hour @ 0..24), Some(minute @ 0..60)) => Ok(Self { minutes: hour * 60 + minute }),
            _ => Err(InvalidDailyTime),
        }
    }
}

impl fmt::Display for DailyTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour(), self.minute())
    }
}

impl From<DailyTime> for String {
    fn from(time: DailyTime) -> Self {
        time.to_string()
    }
}

impl TryFrom<String> for DailyTime {
    type Error = InvalidDailyTime;

    fn try_from(text: String) -> Result<Self, InvalidDailyTime> {
        text.parse()
    }
}

/// What a user wants to get by mail, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailPreferences {
    /// What they decided about types; others have their default.
    choices: BTreeMap<NotificationType, MailChoice>,
    /// When the mail of the day is sent, in their time zone.
    pub daily_at: DailyTime,
    /// Until then no mail is sent.
    pub paused_until: Option<Timestamp>,
}

impl Default for MailPreferences {
    fn default() -> Self {
        Self { choices: BTreeMap::new(), daily_at: DailyTime::DEFAULT, paused_until: None }
    }
}

impl MailPreferences {
    /// When mails about this type are sent.
    pub fn choice(&self, kind: NotificationType) -> MailChoice {
        let by_default = if kind.is_mailed() { MailChoice::Instant } else { MailChoice::Off };
        self.choices.get(&kind).copied().unwrap_or(by_default)
    }

    /// The same as far as mails are sent at this time: none while they are paused.
    pub fn choice_at(&self, kind: NotificationType, now: Timestamp) -> MailChoice {
        if self.paused_until.is_some_and(|until| until > now) { MailChoice::Off } else { self.choice(kind) }
    }

    /// Decides about a type; `None` for its default.
    pub fn decide(&mut self, kind: NotificationType, choice: Option<MailChoice>) {
        match choice {
            Some(choice) => drop(self.choices.insert(kind, choice)),
            None => drop(self.choices.remove(&kind)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_time_of_the_day_has_two_digits_each() {
        for (text, expected) in [("08:00", Some((8, 0))), ("23:59", Some((23, 59))), ("00:05", Some((0, 5)))] {
            let time: Option<DailyTime> = text.parse().ok();
            assert_eq!(time.map(|time| (time.hour(), time.minute())), expected);
            assert_eq!(time.map(|time| time.to_string()).as_deref(), Some(text));
        }
        for text in ["8:00", "24:00", "12:60", "1200", "12:00:00", "+1:00", "", ":"] {
            assert_eq!(text.parse::<DailyTime>(), Err(InvalidDailyTime), "{text}");
        }
    }

    #[test]
    fn nothing_is_mailed_while_mails_are_paused() {
        let now = Timestamp::from_millis(1_000);
        let mut preferences = MailPreferences::default();
        assert_eq!(preferences.choice_at(NotificationType::Mention, now), MailChoice::Instant);
        assert_eq!(preferences.choice_at(NotificationType::Reaction, now), MailChoice::Off);
        preferences.decide(NotificationType::Reaction, Some(MailChoice::Daily));
        assert_eq!(preferences.choice_at(NotificationType::Reaction, now), MailChoice::Daily);
        preferences.paused_until = Some(Timestamp::from_millis(1_001));
        assert_eq!(preferences.choice_at(NotificationType::Mention, now), MailChoice::Off);
        assert_eq!(
            preferences.choice_at(NotificationType::Mention, Timestamp::from_millis(1_001)),
            MailChoice::Instant
        );
        preferences.decide(NotificationType::Reaction, None);
        assert_eq!(preferences.choice(NotificationType::Reaction), MailChoice::Off);
    }

    #[test]
    fn preferences_read_back() {
        let mut preferences = MailPreferences::default();
        preferences.decide(NotificationType::Mention, Some(MailChoice::Daily));
        preferences.paused_until = Some(Timestamp::from_millis(5));
        let text = serde_json::to_string(&preferences).unwrap();
        assert_eq!(serde_json::from_str::<MailPreferences>(&text).unwrap(), preferences);
    }
}
