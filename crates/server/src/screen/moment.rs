//! Times as people read them.

use maud::{Markup, html};
use octavo_core_model::Timestamp;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day, such as `7 March 2026`.
pub(crate) fn day(time: Timestamp) -> Markup {
    element(time, day_of)
}

/// A time to the minute, such as `7 Mar 2026, 08:09 UTC`.
pub(crate) fn moment(time: Timestamp) -> Markup {
    element(time, moment_of)
}

fn element(time: Timestamp, read: fn(&str) -> Option<String>) -> Markup {
    let whole = time.to_string();
    let readable = read(&whole).unwrap_or_else(|| whole.clone());
    html! { time datetime=(whole) { (readable) } }
}

fn day_of(time: &str) -> Option<String> {
    date_with(time, month_of(time)?)
}

fn moment_of(time: &str) -> Option<String> {
    Some(format!("{}, {} UTC", date_with(time, month_of(time)?.get(..3)?)?, time.get(11..16)?))
}

fn date_with(time: &str, month: &str) -> Option<String> {
    Some(format!("{} {month} {}", time.get(8..10)?.trim_start_matches('0'), time.get(..4)?))
}

fn month_of(time: &str) -> Option<&'static str> {
    let number: usize = time.get(5..7)?.parse().ok()?;
    MONTHS.get(number.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_with_the_name_of_the_month() {
        assert_eq!(day_of("2026-03-07T08:09:10.000Z").as_deref(), Some("7 March 2026"));
        assert_eq!(moment_of("2026-03-07T08:09:10.000Z").as_deref(), Some("7 Mar 2026, 08:09 UTC"));
        assert_eq!((day_of("2026-13-07"), moment_of("2026-03-07")), (None, None));
    }
}
