//! The table that is printed.

use crate::rounds::{Comparison, Ratio};
use crate::sample::Series;
use std::fmt;
use std::time::Duration;

/// The target of a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    Within(Duration),
    /// In bytes.
    Below(u64),
    /// No target; the figure is only printed.
    None,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Figure {
    Ratio(Ratio),
    Time(Duration),
    Bytes(u64),
}

#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) work: String,
    pub(crate) engine: &'static str,
    pub(crate) target: Target,
    pub(crate) figure: Figure,
    /// The absolute figures.
    pub(crate) detail: String,
}

impl Row {
    fn verdict(&self) -> &'static str {
        let reached = match (self.target, self.figure) {
            (Target::AtLeast(least), Figure::Ratio(ratio)) => ratio.median >= least,
            (Target::AtMost(most), Figure::Ratio(ratio)) => ratio.median <= most,
            (Target::Within(limit), Figure::Time(time)) => time <= limit,
            (Target::Below(limit), Figure::Bytes(bytes)) => bytes <= limit,
            (Target::None, _) => return "",
            // A figure of another kind than its target never reaches it.
            _ => false,
        };
        if reached { "ok" } else { "short" }
    }
}

pub(crate) fn markdown(rows: &[Row]) -> String {
    let head = "| work | engine | target | measured | figures | verdict |\n|---|---|---|---|---|---|\n";
    let line = |row: &Row| {
        let Row { work, engine, target, figure, detail } = row;
        format!("| {work} | {engine} | {target} | {figure} | {detail} | {} |\n", row.verdict())
    };
    rows.iter().fold(head.to_owned(), |table, row| table + &line(row))
}

/// `octavo 9,000/s p50 1.70 p95 2.90 ms; bare 30,000/s p50 0.50 p95 0.90 ms`
pub(crate) fn against(measured: &str, reference: &str, duel: &Comparison) -> String {
    format!("{measured} {}; {reference} {}", Speed(&duel.measured), Speed(&duel.reference))
}

pub(crate) fn alone(series: &Series) -> String {
    Speed(series).to_string()
}

struct Speed<'a>(&'a Series);

impl fmt::Display for Speed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |share| self.0.percentile(share).as_secs_f64() * 1000.0;
        write!(f, "{}/s p50 {:.2} p95 {:.2} ms", thousands(self.0.per_second()), millis(0.5), millis(0.95))
    }
}

fn thousands(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::AtMost(most) => write!(f, "at most {most}"),
            Self::Within(limit) => write!(f, "at most {} ms", limit.as_millis()),
            Self::Below(limit) => write!(f, "at most {} MB", limit / MEGABYTE),
            Self::None => f.write_str("none"),
        }
    }
}

pub(crate) const MEGABYTE: u64 = 1_000_000;

impl fmt::Display for Figure {
    #[expect(clippy::cast_precision_loss, reason = "one digit behind the point is shown")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ratio(Ratio { median, low, high }) => write!(f, "{median:.2} ({low:.2} to {high:.2})"),
            Self::Time(time) => write!(f, "{:.0} ms", time.as_secs_f64() * 1000.0),
            Self::Bytes(bytes) => write!(f, "{:.1} MB", *bytes as f64 / MEGABYTE as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Round;

    fn row(target: Target, figure: Figure) -> Row {
        Row { work: "w".to_owned(), engine: "SQLite", target, figure, detail: "d".to_owned() }
    }

    fn ratio(median: f64) -> Figure {
        Figure::Ratio(Ratio { median, low: median - 0.01, high: median + 0.01 })
    }

    #[test]
    fn a_row_that_falls_short_says_so() {
        let rows = [
            row(Target::AtLeast(0.25), ratio(0.25)),
            row(Target::AtLeast(0.25), ratio(0.24)),
            row(Target::AtMost(1.2), ratio(1.3)),
            row(Target::Within(Duration::from_millis(200)), Figure::Time(Duration::from_millis(35))),
            row(Target::Below(40 * MEGABYTE), Figure::Bytes(41_250_000)),
            row(Target::None, Figure::Bytes(12_000_000)),
        ];
        assert_eq!(
            markdown(&rows).lines().skip(2).collect::<Vec<_>>(),
            [
                "| w | SQLite | at least 0.25 | 0.25 (0.24 to 0.26) | d | ok |",
                "| w | SQLite | at least 0.25 | 0.24 (0.23 to 0.25) | d | short |",
                "| w | SQLite | at most 1.2 | 1.30 (1.29 to 1.31) | d | short |",
                "| w | SQLite | at most 200 ms | 35 ms | d | ok |",
                "| w | SQLite | at most 40 MB | 41.2 MB | d | short |",
                "| w | SQLite | none | 12.0 MB | d |  |",
            ]
        );
    }

    #[test]
    fn speeds_are_written_with_their_latencies() {
        let millis = |figure| Duration::from_millis(figure);
        let series = Series(vec![Round { elapsed: millis(2), latencies: vec![millis(1), millis(2), millis(3)] }]);
        let duel = Comparison { measured: series.clone(), reference: series };
        let speed = "1,500/s p50 2.00 p95 3.00 ms";
        assert_eq!(against("octavo", "bare", &duel), format!("octavo {speed}; bare {speed}"));
        assert_eq!([0.0, 999.0, 12_345_678.0].map(thousands), ["0", "999", "12,345,678"]);
    }
}
