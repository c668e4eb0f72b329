//! Days and points in time.

use octavo_core_model::Timestamp;
use octavo_databases::value::{Day, Moment};

const DAY_MILLIS: i64 = 86_400_000;

/// A day, as its midnight in UTC, or a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) millis: i64,
    pub(crate) is_day: bool,
}

impl Point {
    /// The day of a point that is one, in days since 1970.
    pub(crate) const fn own_day(self) -> i64 {
        self.millis.div_euclid(DAY_MILLIS)
    }

    pub(crate) const fn instant(millis: i64) -> Self {
        Self { millis, is_day: false }
    }

    pub(crate) fn moment(self) -> Moment {
        if self.is_day {
            let date = chrono::DateTime::from_timestamp_millis(self.millis).unwrap_or_default().date_naive();
            if let Some(day) = Day::new(date) {
                return Moment::Day(day);
            }
        }
        Moment::Instant(Timestamp::from_millis(self.millis))
    }
}

impl From<Moment> for Point {
    fn from(moment: Moment) -> Self {
        match moment {
            Moment::Day(day) => Self { millis: day.midnight().millis(), is_day: true },
            Moment::Instant(time) => Self::instant(time.millis()),
        }
    }
}

const FILLED: u8 = 1;
const START_IS_DAY: u8 = 2;
const HAS_END: u8 = 4;
const END_IS_DAY: u8 = 8;

/// Dates of a chunk with their ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dates {
    starts: Vec<i64>,
    /// Empty while no date has an end.
    ends: Vec<i64>,
    marks: Vec<u8>,
}

impl Dates {
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    #[inline]
    pub(crate) fn start(&self, row: usize) -> Option<Point> {
        let marks = self.marks[row];
        (marks & FILLED != 0).then(|| Point { millis: self.starts[row], is_day: marks & START_IS_DAY != 0 })
    }

    #[inline]
    pub(crate) fn end(&self, row: usize) -> Option<Point> {
        let marks = self.marks[row];
        (marks & HAS_END != 0).then(|| Point { millis: self.ends[row], is_day: marks & END_IS_DAY != 0 })
    }

    pub(crate) fn is_filled(&self, row: usize) -> bool {
        self.marks[row] & FILLED != 0
    }

    pub(crate) fn push(&mut self, start: Option<Point>, end: Option<Point>) {
        let end = end.filter(|_| start.is_some());
        let mark = |point: Option<Point>, is_there: u8, is_day: u8| {
            point.map_or(0, |point| is_there | if point.is_day { is_day } else { 0 })
        };
        if end.is_some() && self.ends.is_empty() {
            self.ends.resize(self.starts.len(), 0);
        }
        let has_ends = end.is_some() || !self.ends.is_empty();
        self.starts.push(start.map_or(0, |point| point.millis));
        if has_ends {
            self.ends.push(end.map_or(0, |point| point.millis));
        }
        self.marks.push(mark(start, FILLED, START_IS_DAY) | mark(end, HAS_END, END_IS_DAY));
    }

    pub(crate) fn shrink(&mut self) {
        self.starts.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.ends.capacity()) * 8 + self.marks.capacity()
    }
}
