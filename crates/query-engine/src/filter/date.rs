//! Comparison of dates. Two points in time are compared as such. Where one side is a day, days are compared; a point in
//! time is on its day in the time zone of the caller.

use crate::{
    bits::Bits,
    column::Point,
    context::{Zone, month_of, week_of},
};
use octavo_core_model::Timestamp;
use octavo_databases::{
    query::{
        Comparison,
        comparison::{DateOperator, RelativeDate, SpanOperator},
    },
    value::Moment,
};
use std::{cmp::Ordering, rc::Rc};

/// A condition on dates.
pub(crate) struct DateTest {
    condition: Condition,
    zone: Rc<Zone>,
}

enum Condition {
    /// The start and the end.
    Span(SpanOperator, Wanted, Option<Wanted>),
    Start(DateOperator, Wanted),
    Between(Wanted, Wanted),
    /// The day of the start lies in a span of days.
    Days {
        first: i64,
        last: i64,
    },
    Past {
        today: i64,
        now: i64,
    },
    Future {
        today: i64,
        now: i64,
    },
}

/// A date that values are compared with, and its day.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    point: Point,
    day: i64,
}

impl Wanted {
    pub(crate) fn new(moment: Moment, zone: &Zone) -> Self {
        let point = Point::from(moment);
        Self { point, day: zone.day(point) }
    }

    /// The order of a point and this date.
    pub(crate) fn compare(&self, point: Point, zone: &Zone) -> Ordering {
        if point.is_day || self.point.is_day {
            zone.compare_day(point, self.day)
        } else {
            point.millis.cmp(&self.point.millis)
        }
    }
}

impl DateTest {
    /// The test for a comparison with dates; `None` for others.
    pub(crate) fn new(comparison: &Comparison, now: Timestamp, zone: &Rc<Zone>) -> Option<Self> {
        let wanted = |moment: Moment| Wanted::new(moment, zone);
        let now = now.millis();
        let today = zone.day(Point::instant(now));
        let days = |(first, last)| Condition::Days { first, last };
        let condition = match comparison {
            Comparison::Span(operator, span) => Condition::Span(*operator, wanted(span.start), span.end.map(wanted)),
            Comparison::Date(operator, moment) => Condition::Start(*operator, wanted(*moment)),
            Comparison::Between(first, last) => Condition::Between(wanted(*first), wanted(*last)),
            Comparison::WithinNextDays(count) => days((today, today + i64::from(*count))),
            Comparison::Relative(RelativeDate::IsThisWeek) => days(week_of(today)),
            Comparison::Relative(RelativeDate::IsThisMonth) => days(month_of(today)),
            Comparison::Relative(RelativeDate::IsPast) => Condition::Past { today, now },
            Comparison::Relative(RelativeDate::IsFuture) => Condition::Future { today, now },
            _ => return None,
        };
        Some(Self { condition, zone: Rc::clone(zone) })
    }

    /// Whether a date meets the condition; without a start there is no value.
    #[inline]
    pub(crate) fn meets(&self, start: Option<Point>, end: impl Fn() -> Option<Point>) -> bool {
        let zone = &*self.zone;
        let Some(start) = start else { return self.is_negated() };
        match &self.condition {
            Condition::Span(operator, wanted, wanted_end) => {
                let is_same_end = match (end(), wanted_end) {
                    (None, None) => true,
                    (Some(end), Some(wanted)) => wanted.compare(end, zone).is_eq(),
                    _ => false,
                };
                let is_same = is_same_end && wanted.compare(start, zone).is_eq();
                is_same == matches!(operator, SpanOperator::Is)
            }
            Condition::Start(operator, wanted) => {
                let order = wanted.compare(start, zone);
                match operator {
                    DateOperator::Equals => order.is_eq(),
                    DateOperator::NotEquals => order.is_ne(),
                    DateOperator::Before => order.is_lt(),
                    DateOperator::After => order.is_gt(),
                    DateOperator::OnOrBefore => order.is_le(),
                    DateOperator::OnOrAfter => order.is_ge(),
                }
            }
            Condition::Between(first, last) => first.compare(start, zone).is_ge() && last.compare(start, zone).is_le(),
            Condition::Days { first, last } => {
                zone.compare_day(start, *first).is_ge() && zone.compare_day(start, *last).is_le()
            }
            Condition::Past { today, now } => {
                let last = end().unwrap_or(start);
                if last.is_day { last.own_day() < *today } else { last.millis < *now }
            }
            Condition::Future { today, now } => {
                if start.is_day {
                    start.own_day() > *today
                } else {
                    start.millis > *now
                }
            }
        }
    }

    /// Whether the operator denies something.
    pub(crate) const fn is_negated(&self) -> bool {
        matches!(
            self.condition,
            Condition::Span(SpanOperator::IsNot, ..) | Condition::Start(DateOperator::NotEquals, _)
        )
    }

    pub(crate) fn rows_of_times(&self, times: &[i64]) -> Bits {
        Bits::collect(times.len(), |row| self.meets(Some(Point::instant(times[row])), || None))
    }
}
