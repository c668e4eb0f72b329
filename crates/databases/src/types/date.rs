//! `date`: a day or a point in time, possibly with an end.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, object};
use crate::{
    forms::dates,
    input::{Input, InputRules},
    read::{Fields, Flaw, boolean, text},
    value::{self, PropertyValue, Shape},
};
use octavo_core_model::{fault::Issue, text::TimeZone};
use serde_json::{Map, Value, json};

/// The configuration of `date`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DateConfig {
    /// Whether times are shown.
    pub include_time: bool,
    /// The time zone for times that are written without one.
    pub time_zone: Option<TimeZone>,
}

impl Config for DateConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let before = before.cloned().unwrap_or_default();
        let include_time = fields.optional("includeTime", boolean);
        let zone = fields.nullable("timeZone", time_zone);
        Some(Self { include_time: include_time.unwrap_or(before.include_time), time_zone: zone.or(before.time_zone) })
    }

    fn write(&self) -> Map<String, Value> {
        object([("includeTime", json!(self.include_time)), ("timeZone", json!(self.time_zone))])
    }

    fn keys() -> Map<String, Value> {
        object([("includeTime", json!({ "type": "boolean" })), ("timeZone", zone_schema())])
    }
}

fn zone_schema() -> Value {
    json!({ "type": ["string", "null"], "description": ZONE })
}

const ZONE: &str = "an IANA time zone, for example Europe/Berlin";
const SHAPE: &str = "`{ start, end, dateTimeTimezone }`; `end` and `dateTimeTimezone` can be null";

fn time_zone(sent: &Value) -> Result<TimeZone, Flaw> {
    TimeZone::parse(text(sent)?).map_err(|_| Flaw::new(Issue::InvalidFormat).ruled(&[ZONE]))
}

fn read(_: &DateConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    let zone = match sent.get("dateTimeTimezone") {
        None | Some(Value::Null) => None,
        Some(zone) => Some(time_zone(zone).map_err(|flaw| flaw.with(zone.clone()))?),
    };
    Ok(dates::read(sent, SHAPE)?.map_or(Input::Clear, |span| of_span(span, zone)))
}

fn of_span((start, end): dates::Span, time_zone: Option<TimeZone>) -> Input {
    Input::Value(PropertyValue::Date(value::Date { start, end, time_zone }))
}

pub(super) struct Date;

impl Rules for Date {
    type Config = DateConfig;

    const FACTS: Facts =
        Facts::in_bag("A day or a point in time, possibly with an end.", Shape::Date, FilterKind::Date, SortKind::Date)
            .for_boards();

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules {
        shape: SHAPE,
        read,
        parse: |config, text| Ok(of_span(dates::parse(text, config.time_zone.as_ref())?, None)),
        list: Some(|config, texts| Ok(of_span(dates::cast(texts, config.time_zone.as_ref())?, None))),
    });

    fn value_schema() -> Value {
        dates::schema(Some(("dateTimeTimezone", zone_schema())))
    }
}
