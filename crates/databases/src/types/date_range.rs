//! `date_range`: from one day or point in time to another.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{
    forms::dates,
    input::{Input, InputRules},
    value::{self, PropertyValue, Shape},
};
use serde_json::Value;

const SHAPE: &str = "`{ start, end }`; `end` can be null";

fn of_span((start, end): dates::Span) -> Input {
    Input::Value(PropertyValue::Range(value::DateRange { start, end }))
}

pub(super) struct DateRange;

impl Rules for DateRange {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::in_bag("From one day or point in time to another.", Shape::Range, FilterKind::Date, SortKind::Date);

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules {
        shape: SHAPE,
        read: |_, sent| Ok(dates::read(sent, SHAPE)?.map_or(Input::Clear, of_span)),
        parse: |_, text| Ok(of_span(dates::parse(text, None)?)),
        list: Some(|_, texts| Ok(of_span(dates::cast(texts, None)?))),
    });

    fn value_schema() -> Value {
        dates::schema(None)
    }
}
