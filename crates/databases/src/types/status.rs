//! `status`: one of the options, which can be in groups.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, object};
use crate::options::{Options, StatusGroup};
use crate::{
    forms::choice,
    input::InputRules,
    options::{groups, read},
    read::Fields,
    value::Shape,
};
use serde_json::{Map, Value};

/// The configuration of `status`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusConfig {
    /// The options.
    pub options: Options,
    /// Groups of the options.
    pub groups: Vec<StatusGroup>,
}

impl Config for StatusConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let before = before.cloned().unwrap_or_default();
        let options = read::read(&before.options, fields)?;
        let groups = groups::read(&before.groups, &options, fields)?;
        Some(Self { options, groups })
    }

    fn write(&self) -> Map<String, Value> {
        object([("options", self.options.to_json()), ("groups", groups::to_json(&self.groups))])
    }

    fn keys() -> Map<String, Value> {
        object([("options", read::schema()), ("groups", groups::schema())])
    }
}

pub(super) struct Status;

impl Rules for Status {
    type Config = StatusConfig;

    const FACTS: Facts = Facts::in_bag(
        "One of the options, which can be in groups.",
        Shape::Option,
        FilterKind::Choice,
        SortKind::OptionOrder,
    )
    .for_boards();

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules {
        shape: choice::ONE,
        read: |config, sent| choice::read_one(&config.options, sent),
        parse: |config, text| choice::parse_one(&config.options, text),
        list: None,
    });

    fn value_schema() -> Value {
        choice::one_schema()
    }
}
