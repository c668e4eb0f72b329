//! Days in a time zone.

use crate::column::Point;
use chrono::{Datelike, NaiveDate, Offset, TimeZone};
use chrono_tz::Tz;
use std::{cell::RefCell, cmp::Ordering};

const DAY: i64 = 86_400_000;
/// No place is further from UTC than this.
const FARTHEST: i64 = 26 * 3_600_000;
/// The span of time for which it is remembered whether the offset changes.
const BLOCK: i64 = 8 * DAY;
/// How many blocks are remembered.
const REMEMBERED: i64 = 1024;

/// Days in a time zone, as numbers of days since 1970. Looking up the offset of a time is slow compared to everything
/// else that a query does with a date, so the offsets of blocks of days are remembered where they do not change.
#[derive(Debug)]
pub(crate) struct Zone {
    zone: Tz,
    blocks: RefCell<Vec<(i64, Option<i64>)>>,
}

impl Zone {
    pub(crate) fn new(zone: Tz) -> Self {
        Self { zone, blocks: RefCell::new(Vec::new()) }
    }

    /// The day in the zone.
    #[inline]
    pub(crate) fn day(&self, point: Point) -> i64 {
        if point.is_day {
            return point.own_day();
        }
        if self.zone == Tz::UTC {
            return point.millis.div_euclid(DAY);
        }
        let offset = self.constant_offset(point.millis).unwrap_or_else(|| self.offset_at(point.millis));
        (point.millis + offset).div_euclid(DAY)
    }

    /// A point in time; for a day when it begins in the zone.
    #[inline]
    pub(crate) fn instant(&self, point: Point) -> i64 {
        if !point.is_day || self.zone == Tz::UTC {
            return point.millis;
        }
        let (before, after) = (point.millis - FARTHEST, point.millis + FARTHEST);
        match (self.constant_offset(before), self.constant_offset(after)) {
            (Some(before), Some(after)) if before == after => point.millis - before,
            _ => self.midnight(point.millis),
        }
    }

    /// The order of the day of a point and another day.
    #[inline]
    pub(crate) fn compare_day(&self, point: Point, day: i64) -> Ordering {
        if !point.is_day {
            // Most times are too far away for the zone to matter.
            if point.millis < day * DAY - FARTHEST {
                return Ordering::Less;
            }
            if point.millis >= (day + 1) * DAY + FARTHEST {
                return Ordering::Greater;
            }
        }
        self.day(point).cmp(&day)
    }

    /// The offset, if it is the same all through the block of this time.
    fn constant_offset(&self, millis: i64) -> Option<i64> {
        let block = millis.div_euclid(BLOCK);
        let mut blocks = self.blocks.borrow_mut();
        if blocks.is_empty() {
            blocks.resize(usize::try_from(REMEMBERED).unwrap_or_default(), (i64::MIN, None));
        }
        let at = usize::try_from(block.rem_euclid(REMEMBERED)).unwrap_or_default();
        if blocks[at].0 != block {
            let first = self.offset_at(block * BLOCK);
            let is_same = (1..=8).all(|day| self.offset_at(block * BLOCK + day * DAY) == first);
            blocks[at] = (block, is_same.then_some(first));
        }
        blocks[at].1
    }

    fn offset_at(&self, millis: i64) -> i64 {
        let time = chrono::DateTime::from_timestamp_millis(millis).unwrap_or_default().naive_utc();
        i64::from(self.zone.offset_from_utc_datetime(&time).fix().local_minus_utc()) * 1000
    }

    /// The first moment of a day, from its midnight in UTC. A day that begins with an hour that is skipped begins after
    /// it.
    pub(super) fn midnight(&self, in_utc: i64) -> i64 {
        let local = chrono::DateTime::from_timestamp_millis(in_utc).unwrap_or_default().naive_utc();
        let earliest = self.zone.from_local_datetime(&local).earliest();
        earliest.map_or_else(|| in_utc - self.offset_at(in_utc - FARTHEST), |time| time.timestamp_millis())
    }
}

/// The first and the last day of the week of a day; weeks begin on Monday.
pub(crate) fn week_of(day: i64) -> (i64, i64) {
    // The first day of 1970 was a Thursday.
    let monday = day - (day + 3).rem_euclid(7);
    (monday, monday + 6)
}

/// The first and the last day of the month of a day.
pub(crate) fn month_of(day: i64) -> (i64, i64) {
    let date = date_of(day);
    let first = day - i64::from(date.day0());
    let (year, month) = (date.year(), date.month());
    let next =
        if month == 12 { NaiveDate::from_ymd_opt(year + 1, 1, 1) } else { NaiveDate::from_ymd_opt(year, month + 1, 1) };
    let last = next.map_or(first + 30, |next| number_of(next) - 1);
    (first, last)
}

/// The date of a day.
pub(crate) fn date_of(day: i64) -> NaiveDate {
    chrono::DateTime::from_timestamp_millis(day.saturating_mul(DAY)).unwrap_or_default().date_naive()
}

/// The day of a date.
pub(crate) fn number_of(date: NaiveDate) -> i64 {
    date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis().div_euclid(DAY)
}
