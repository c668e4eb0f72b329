//! The representation of what a chart shows.

use crate::wire::{Documented, Writable, reply};
use octavo_app::charts::{ChartAnswer, ChartData};
use octavo_charts::{Key, Other, Point, Total};
use octavo_core_model::Timestamp;
use octavo_databases::value::Number;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

reply! {
    /// What a chart shows.
    pub(crate) ChartDataReply {
        /// The points in their order.
        points "points": required Vec<ChartPointReply>,
        /// The series in their order; none if the chart has no series. At most the 50 with the most records are shown.
        series "series": required Vec<ChartSeriesReply>,
        /// All records that count, each once.
        total "total": required ChartTotalReply,
        /// What is not among the points because there would be too many; null if all are shown.
        other "other": nullable ChartOtherReply,
        /// The time zone in which days begin.
        timezone "timezone": required String = "Europe/London",
        /// When it was computed.
        computed_at "computedAt": required Timestamp,
    }
}

reply! {
    /// A point of a chart.
    pub(crate) ChartPointReply {
        /// What its records have in common: the id of an option, a person or a record, the first day of a span of the
        /// calendar, the start of a bin, a number, a boolean or a text; null for records without a value.
        key "key": nullable ChartKeyReply = "2026-11-01",
        /// What that is called.
        label "label": required String = "2026-11",
        /// The key of its series; null if the chart has no series, and for records without a value.
        series "series": nullable ChartKeyReply = null,
        /// What was computed; null if there was nothing to compute it of.
        value "value": nullable ChartNumberReply,
        /// How many records it has.
        count "count": required u64 = 12,
    }
}

reply! {
    /// A series of a chart.
    pub(crate) ChartSeriesReply {
        /// What its records have in common; null for records without a value.
        key "key": nullable ChartKeyReply = "opt-won",
        /// What that is called.
        label "label": required String = "Won",
    }
}

reply! {
    /// All records of a chart.
    pub(crate) ChartTotalReply {
        /// What was computed over them; null if there was nothing to compute it of.
        value "value": nullable ChartNumberReply,
        /// How many there are.
        count "count": required u64 = 240,
    }
}

reply! {
    /// Points that were merged.
    pub(crate) ChartOtherReply {
        /// What was computed over their records; null if there was nothing to compute it of.
        value "value": nullable ChartNumberReply,
        /// How many records they have. A record counts once under each of its points.
        count "count": required u64 = 30,
        /// How many points they are.
        points "points": required u64 = 7,
    }
}

/// What the records of a point have in common.
#[derive(Clone, Debug)]
pub(crate) struct ChartKeyReply(Value);

impl Documented for ChartKeyReply {
    fn schema() -> Value {
        json!({ "type": ["string", "number", "boolean"] })
    }

    fn example() -> Value {
        json!("opt-won")
    }
}

impl Writable for ChartKeyReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// What was computed.
#[derive(Clone, Debug)]
pub(crate) struct ChartNumberReply(Value);

impl Documented for ChartNumberReply {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn example() -> Value {
        json!(1200)
    }
}

impl Writable for ChartNumberReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

fn number(value: Option<f64>) -> Option<ChartNumberReply> {
    value.and_then(Number::new).map(|number| ChartNumberReply(number.to_json()))
}

fn key(key: &Key) -> Option<ChartKeyReply> {
    key.value.to_json().map(ChartKeyReply)
}

impl ChartDataReply {
    pub(crate) fn new(data: &ChartData, zone: chrono_tz::Tz, computed_at: Timestamp) -> Self {
        let point = |point: &Point| ChartPointReply {
            key: key(&point.key),
            label: point.key.label.clone(),
            series: point.series.and_then(|place| data.series.get(place)).and_then(key),
            value: number(point.value),
            count: point.count,
        };
        let Total { value, count } = data.total;
        Self {
            points: data.points.iter().map(point).collect(),
            series: data
                .series
                .iter()
                .map(|series| ChartSeriesReply { key: key(series), label: series.label.clone() })
                .collect(),
            total: ChartTotalReply { value: number(value), count },
            other: data.other.map(|Other { total, points }| ChartOtherReply {
                value: number(total.value),
                count: total.count,
                points,
            }),
            timezone: zone.name().to_owned(),
            computed_at,
        }
    }
}

impl From<ChartAnswer> for ChartDataReply {
    fn from(answer: ChartAnswer) -> Self {
        Self::new(&answer.data, answer.zone, answer.computed_at)
    }
}
