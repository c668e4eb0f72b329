//! Functions that choose between values.

use super::{Action, Cost, Function, Nulls, Output, one, several};
use crate::{types::Types, value::Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "if",
        parameters: &[one("condition", Types::BOOLEAN), one("then", Types::ANY), one("otherwise", Types::ANY)],
        result: None,
        description: "`then` if the condition is true and `otherwise` if it is false; the other one is not evaluated. \
                      Without a condition the result is null.",
        examples: &[("if(2 > 1, \"yes\", \"no\")", "\"yes\""), ("if(true, 1, 1 / 0)", "1")],
        nulls: Nulls::Given,
        cost: Cost::Flat,
        action: Action::Choice,
    },
    Function {
        name: "empty",
        parameters: &[one("value", Types::ANY)],
        result: Some(Types::BOOLEAN),
        description: "Whether there is no value, or only a text without characters.",
        examples: &[("empty(\"\")", "true"), ("empty(\" \")", "false"), ("empty(0)", "false")],
        nulls: Nulls::Given,
        cost: Cost::Flat,
        action: Action::General(|arguments, _| {
            Ok(Output::Value(Value::Boolean(arguments.first().is_none_or(|value| value.is_empty()))))
        }),
    },
    Function {
        name: "coalesce",
        parameters: &[several("value", Types::ANY)],
        result: None,
        description: "The first argument that has a value. A text without characters is a value.",
        examples: &[("coalesce(\"\", \"none\")", "\"\""), ("coalesce(1, 2)", "1")],
        nulls: Nulls::Given,
        cost: Cost::Flat,
        action: Action::General(|arguments, _| {
            let first = arguments.iter().position(|value| *value != Value::Null);
            Ok(first.map_or(Output::Value(Value::Null), Output::Argument))
        }),
    },
];
