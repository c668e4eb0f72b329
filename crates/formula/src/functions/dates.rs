//! Functions of dates. All of them count in UTC.

use super::{Action, Cost, Function, Nulls, Output, Parameter, Scope, arguments, one, optional, pattern};
use crate::{
    types::Types,
    value::{Date, RowError, Value},
};
use std::fmt::Write;

const DATE: &[Parameter] = &[one("date", Types::DATE_OR_TEXT)];
const SHIFT: &[Parameter] = &[one("date", Types::DATE_OR_TEXT), one("amount", Types::NUMBER), one("unit", Types::TEXT)];

type Run = fn(&[Value<'_>], &mut Scope<'_>) -> Result<Output, RowError>;

const fn dated(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Types,
    description: &'static str,
    examples: &'static [(&'static str, &'static str)],
    run: Run,
) -> Function {
    let (result, action) = (Some(result), Action::General(run));
    Function { name, parameters, result, description, examples, nulls: Nulls::Spread, cost: Cost::Flat, action }
}

pub(super) const FUNCTIONS: &[Function] = &[
    dated(
        "now",
        &[],
        Types::DATE,
        "The present point in time.",
        &[("now()", "2024-05-15T12:00:00.000Z")],
        |_, scope| date(Date::at(scope.now)),
    ),
    dated("today", &[], Types::DATE, "The present day in UTC.", &[("today()", "2024-05-15")], |_, scope| {
        date(Date::day_of(scope.now))
    }),
    dated(
        "dateAdd",
        SHIFT,
        Types::DATE,
        "The date that is so many units later. Units are minutes, hours, days, weeks, months and years, singular or \
         plural. If a month is too short, the result is its last day. A day becomes a point in time if minutes or \
         hours are added.",
        &[
            ("dateAdd(\"2024-01-31\", 1, \"month\")", "2024-02-29"),
            ("dateAdd(\"2024-05-15\", 90, \"minutes\")", "2024-05-15T01:30:00.000Z"),
            ("dateAdd(today(), 1, \"fortnight\")", "invalid_argument"),
        ],
        |given, _| shift(given, 1),
    ),
    dated(
        "dateSubtract",
        SHIFT,
        Types::DATE,
        "The date that is so many units earlier; like `dateAdd` otherwise.",
        &[
            ("dateSubtract(\"2024-03-31\", 1, \"months\")", "2024-02-29"),
            ("dateSubtract(today(), 2, \"weeks\")", "2024-05-01"),
        ],
        |given, _| shift(given, -1),
    ),
    dated(
        "dateBetween",
        &[one("a", Types::DATE_OR_TEXT), one("b", Types::DATE_OR_TEXT), one("unit", Types::TEXT)],
        Types::NUMBER,
        "How many whole units `a` is later than `b`; negative if it is earlier.",
        &[
            ("dateBetween(\"2024-05-15\", \"2024-05-01\", \"days\")", "14"),
            ("dateBetween(\"2024-05-01\", today(), \"weeks\")", "-2"),
            ("dateBetween(\"2024-02-29\", \"2024-01-31\", \"months\")", "1"),
        ],
        |given, _| {
            let (a, b) = (arguments::date(given, 0)?, arguments::date(given, 1)?);
            // At most ten thousand years in minutes.
            #[expect(clippy::cast_precision_loss, reason = "it is below 2^53")]
            let count = a.minus(b, arguments::unit(given, 2)?) as f64;
            Ok(Output::Value(Value::Number(count)))
        },
    ),
    Function {
        cost: Cost::Texts,
        ..dated(
            "formatDate",
            &[one("date", Types::DATE_OR_TEXT), optional("pattern", Types::TEXT)],
            Types::TEXT,
            "The date as a text. In the pattern, `YYYY` and `YY` stand for the year, `MMMM`, `MMM`, `MM` and `M` for the \
             month, `DD` and `D` for the day of the month, `dddd` and `ddd` for the day of the week, `HH`, `H`, `hh` and `h` \
             for the hour of 24 or 12, `mm` and `m` for the minute, `ss` and `s` for the second, `SSS` for the millisecond, \
             and `A` and `a` for AM or PM. `yyyy`, `yy`, `dd`, `d`, `EEEE` and `EEE` are read like `YYYY`, `YY`, `DD`, `D`, \
             `dddd` and `ddd`. What is in square brackets or single quotes is written as it is. Without a pattern the date \
             is written in ISO 8601.",
            &[
                ("formatDate(\"2024-05-01\", \"D MMMM YYYY\")", "\"1 May 2024\""),
                ("formatDate(now(), \"ddd, DD.MM.YY HH:mm\")", "\"Wed, 15.05.24 12:00\""),
                ("formatDate(\"2024-05-01\", \"[Day] D\")", "\"Day 1\""),
                ("formatDate(\"2024-05-01\")", "\"2024-05-01\""),
            ],
            |given, scope| {
                let date = arguments::date(given, 0)?;
                if given.len() > 1 {
                    pattern::write(date, arguments::text(given, 1)?, scope.text);
                } else {
                    write!(scope.text, "{date}").map_err(|_| RowError::InvalidArgument)?;
                }
                Ok(Output::Text)
            },
        )
    },
    dated("year", DATE, Types::NUMBER, "The year.", &[("year(\"2024-05-01\")", "2024")], |given, _| {
        Ok(Output::Value(Value::Number(arguments::date(given, 0)?.year().into())))
    }),
    dated("month", DATE, Types::NUMBER, "The month; January is 1.", &[("month(\"2024-05-01\")", "5")], |given, _| {
        Ok(Output::Value(Value::Number(arguments::date(given, 0)?.month().into())))
    }),
    dated("day", DATE, Types::NUMBER, "The day of the month.", &[("day(\"2024-05-31\")", "31")], |given, _| {
        Ok(Output::Value(Value::Number(arguments::date(given, 0)?.day_of_month().into())))
    }),
];

fn shift(given: &[Value<'_>], sign: i64) -> Result<Output, RowError> {
    let amount = arguments::whole(given, 1)?.saturating_mul(sign);
    let unit = arguments::unit(given, 2)?;
    date(arguments::date(given, 0)?.plus(amount, unit))
}

fn date(date: Option<Date>) -> Result<Output, RowError> {
    date.map(|date| Output::Value(Value::Date(date))).ok_or(RowError::InvalidArgument)
}
