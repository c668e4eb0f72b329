//! What a user wants to get by mail.

use super::NotificationType;
use crate::{name::named, text::TimeZone, time::Timestamp};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone as _};
use chrono_tz::Tz;
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

    /// When it is next this time in a zone, after the given moment. A time that a day has twice counts the first time; one
    /// that a day skips is as much later as the clocks were put forward.
    pub fn next(self, zone: &TimeZone, after: Timestamp) -> Timestamp {
        let zone: Tz = zone.as_str().parse().unwrap_or(Tz::UTC);
        let now = DateTime::from_timestamp_millis(after.millis()).unwrap_or_default().naive_utc();
        let today = zone.from_utc_datetime(&now).date_naive();
        let days = (0..3).filter_map(|days| today.checked_add_days(Days::new(days)));
        days.map(|day| self.on(day, zone)).find(|at| *at > after).unwrap_or(after)
    }

    fn on(self, day: NaiveDate, zone: Tz) -> Timestamp {
        let time = NaiveTime::from_num_seconds_from_midnight_opt(u32::from(self.minutes) * 60, 0);
        let local = day.and_time(time.unwrap_or_default());
        let in_utc = zone.from_local_datetime(&local).earliest().map(|time| time.naive_utc());
        // With the offset of the day before, for a time that is skipped.
        let skipped = || {
            let before = zone.from_utc_datetime(&(local - TimeDelta::days(1)));
            local - (before.naive_local() - before.naive_utc())
        };
        Timestamp::from_millis(in_utc.unwrap_or_else(skipped).and_utc().timestamp_millis())
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

    /// Whether mails that are due at this time are dropped.
    pub fn is_paused(&self, at: Timestamp) -> bool {
        self.paused_until.is_some_and(|until| until > at)
    }

    /// The types that come with the mail of the day.
    pub fn daily(&self) -> Vec<NotificationType> {
        NotificationType::ALL.iter().copied().filter(|kind| self.choice(*kind) == MailChoice::Daily).collect()
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
    fn the_next_time_of_the_day_follows_the_clocks_of_the_zone() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        for (time, zone, after, next) in [
            ("08:00", "UTC", "2026-11-28T07:59:59.999Z", "2026-11-28T08:00:00Z"),
            ("08:00", "UTC", "2026-11-28T08:00:00Z", "2026-11-29T08:00:00Z"),
            ("08:00", "Asia/Tokyo", "2026-11-28T12:00:00Z", "2026-11-28T23:00:00Z"),
            ("23:30", "America/New_York", "2026-11-28T04:29:00Z", "2026-11-28T04:30:00Z"),
            // The clocks are put forward by an hour, at two.
            ("08:00", "Europe/Berlin", "2027-03-27T08:00:00Z", "2027-03-28T06:00:00Z"),
            ("02:30", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:30:00Z"),
            ("02:30", "Europe/Berlin", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"),
            // They are put back by an hour, at three.
            ("02:30", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
            ("02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
            // A whole day was skipped.
            ("08:00", "Pacific/Apia", "2011-12-29T19:00:00Z", "2011-12-30T18:00:00Z"),
            ("08:00", "Pacific/Apia", "2011-12-30T18:00:00Z", "2011-12-31T18:00:00Z"),
        ] {
            let time: DailyTime = time.parse().unwrap();
            assert_eq!(time.next(&TimeZone::parse(zone).unwrap(), at(after)), at(next), "{time} {zone} {after}");
        }
    }

    #[test]
    fn nothing_is_mailed_while_mails_are_paused() {
        let now = Timestamp::from_millis(1_000);
        let mut preferences = MailPreferences::default();
        assert_eq!(preferences.choice(NotificationType::Mention), MailChoice::Instant);
        assert_eq!((preferences.choice(NotificationType::Reaction), preferences.daily()), (MailChoice::Off, vec![]));
        preferences.decide(NotificationType::Reaction, Some(MailChoice::Daily));
        assert_eq!(preferences.choice(NotificationType::Reaction), MailChoice::Daily);
        assert_eq!((preferences.daily(), preferences.is_paused(now)), (vec![NotificationType::Reaction], false));
        preferences.paused_until = Some(Timestamp::from_millis(1_001));
        assert!(preferences.is_paused(now) && !preferences.is_paused(Timestamp::from_millis(1_001)));
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
