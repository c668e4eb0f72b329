//! Reading of operands: in their shape, or the one inner value bare.

use super::{
    Comparison, DateSpan, OneOrMore, Operands, UniqueIdOperand,
    operators::{DateOperator, RelativeDate, Unfit},
    shape::Shape,
};
use crate::{
    options::{OptionId, Options},
    property::Property,
    read::Origin,
    types::{Operator, PropertyConfig},
    value::{Moment, Number},
};
use octavo_core_model::id::{FileId, RecordId, UserId};
use serde_json::Value;
use std::{cmp::Ordering, str::FromStr};

/// The largest number of elements in a list.
pub(crate) const MAX_LISTED: usize = 500;
/// The largest number of characters of a text, and of an id.
const MAX_TEXT: usize = 100_000;
const MAX_ID: usize = 100;
/// A hundred years.
pub(crate) const MAX_DAYS: u32 = 36_500;

/// Why a comparison cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The operator cannot be used with the property.
    Operator,
    /// The operand is none of this form.
    Operand(Shape),
}

impl Comparison {
    /// Reads what the value of a property is compared with.
    pub(crate) fn read(
        property: &Property,
        operator: Operator,
        sent: Option<&Value>,
        origin: Origin,
    ) -> Result<Self, Misfit> {
        let shape = Shape::of(Operands::of(&property.config), operator).ok_or(Misfit::Operator)?;
        let read = match shape {
            Shape::None => without_operand(operator),
            _ => sent.and_then(|sent| with_operand(&property.config, operator, shape, sent, origin)),
        };
        read.ok_or(Misfit::Operand(shape))
    }
}

fn without_operand(operator: Operator) -> Option<Comparison> {
    match operator {
        Operator::IsEmpty => Some(Comparison::IsEmpty),
        Operator::IsNotEmpty => Some(Comparison::IsNotEmpty),
        Operator::IsCurrentUser => Some(Comparison::IsCurrentUser),
        other => RelativeDate::try_from(other).ok().map(Comparison::Relative),
    }
}

fn with_operand(
    config: &PropertyConfig,
    operator: Operator,
    shape: Shape,
    sent: &Value,
    origin: Origin,
) -> Option<Comparison> {
    match shape {
        Shape::None => None,
        Shape::Text => text(operator, inner(sent, &["text", "value", "url"])?),
        Shape::Number => number(operator, inner(sent, &["value"])?),
        Shape::Boolean => boolean(operator, inner(sent, &["value"])?),
        Shape::Options => options(config.options()?, operator, sent, origin),
        Shape::Span => Some(Comparison::Span(fit(operator)?, span(sent)?)),
        Shape::Date => {
            let operator: DateOperator = fit(operator)?;
            moment(inner(sent, &["value", "start"])?).map(|moment| Comparison::Date(operator, moment))
        }
        Shape::Range => {
            let DateSpan { start, end } = span(sent.is_object().then_some(sent)?)?;
            Some(Comparison::Between(start, end?))
        }
        Shape::Days => days(inner(sent, &["days"])?).map(Comparison::WithinNextDays),
        Shape::Users => {
            let users = list::<UserId>(inner(sent, &["userIds", "userId"])?, parsed)?;
            Some(Comparison::Persons(fit(operator)?, users))
        }
        Shape::Records => {
            let records = list::<RecordId>(inner(sent, &["recordIds"])?, record_id)?;
            Some(Comparison::Records(fit(operator)?, records))
        }
        Shape::Files => {
            let files = list::<FileId>(inner(sent, &["fileIds"])?, parsed)?;
            Some(Comparison::Files(fit(operator)?, files))
        }
        Shape::UniqueId => Some(Comparison::UniqueId(fit(operator)?, unique_id(config, inner(sent, &["value"])?)?)),
        Shape::Scalar => {
            let inner = inner(sent, &["value", "text"])?;
            match inner {
                Value::String(_) => text(operator, inner),
                Value::Bool(_) => boolean(operator, inner),
                _ => number(operator, inner),
            }
        }
    }
}

fn fit<T: TryFrom<Operator, Error = Unfit>>(operator: Operator) -> Option<T> {
    T::try_from(operator).ok()
}

/// The first of these keys of an object; everything else stands for itself.
fn inner<'a>(sent: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    match sent {
        Value::Object(fields) => keys.iter().find_map(|key| fields.get(*key)),
        bare => Some(bare),
    }
}

fn text(operator: Operator, sent: &Value) -> Option<Comparison> {
    let text = sent.as_str().filter(|text| text.len() <= MAX_TEXT || text.chars().count() <= MAX_TEXT)?;
    Some(Comparison::Text(fit(operator)?, text.to_owned()))
}

fn number(operator: Operator, sent: &Value) -> Option<Comparison> {
    let number = sent.as_f64().and_then(Number::new)?;
    Some(Comparison::Number(fit(operator)?, number))
}

fn boolean(operator: Operator, sent: &Value) -> Option<Comparison> {
    Some(Comparison::Checkbox(fit(operator)?, sent.as_bool()?))
}

/// One option that is sent as such stays one, except in an operator for lists.
fn options(options: &Options, operator: Operator, sent: &Value, origin: Origin) -> Option<Comparison> {
    let option = |named: &str| {
        let known = match origin {
            Origin::Caller => options.find(named).map(|option| option.id.clone()),
            Origin::Store => None,
        };
        let is_id = !named.is_empty() && named.chars().count() <= MAX_ID;
        known.or_else(|| is_id.then(|| OptionId::from_stored(named)))
    };
    let sent = inner(sent, &["optionId", "optionIds"])?;
    match (sent, fit(operator)) {
        (Value::String(named), Some(equality)) => Some(Comparison::Option(equality, option(named)?)),
        _ => Some(Comparison::Options(fit(operator)?, list(sent, option)?)),
    }
}

/// A list with at least one text, or one text that stands for a list.
fn list<T: PartialEq>(sent: &Value, read: impl Fn(&str) -> Option<T>) -> Option<OneOrMore<T>> {
    let read = |sent: &Value| sent.as_str().and_then(&read);
    let list = match sent {
        Value::Array(list) if list.len() <= MAX_LISTED => list.iter().map(read).collect::<Option<Vec<_>>>()?,
        Value::Array(_) => return None,
        one => vec![read(one)?],
    };
    OneOrMore::new(list)
}

fn parsed<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// The id of a record, also with the prefix that answers of forms have.
fn record_id(text: &str) -> Option<RecordId> {
    parsed(text).or_else(|| {
        let body = text.strip_prefix("rec_")?;
        parsed(&format!("{}{body}", RecordId::PREFIX))
    })
}

fn moment(sent: &Value) -> Option<Moment> {
    sent.as_str().and_then(Moment::parse)
}

fn span(sent: &Value) -> Option<DateSpan> {
    let start = moment(inner(sent, &["start", "value"])?)?;
    let end = match sent.get("end") {
        None | Some(Value::Null) => None,
        Some(end) => Some(moment(end)?),
    };
    let is_ordered = end.is_none_or(|end| end.compare(start) != Ordering::Less);
    is_ordered.then_some(DateSpan { start, end })
}

fn days(sent: &Value) -> Option<u32> {
    let days = sent.as_f64().and_then(Number::new).and_then(Number::whole)?;
    u32::try_from(days).ok().filter(|days| *days <= MAX_DAYS)
}

/// The unique id as it is shown, whatever the case of the prefix, or the number alone.
fn unique_id(config: &PropertyConfig, sent: &Value) -> Option<UniqueIdOperand> {
    let text = match sent {
        Value::String(text) if text.chars().count() <= MAX_ID => text.clone(),
        Value::Number(_) => Number::new(sent.as_f64()?)?.whole()?.to_string(),
        _ => return None,
    };
    let digits = text.rsplit('-').next().unwrap_or_default();
    let number = digits.parse::<u64>().ok().filter(|number| {
        text.bytes().all(|byte| byte.is_ascii_digit()) || config.unique_id(*number).eq_ignore_ascii_case(text.trim())
    });
    Some(UniqueIdOperand { text, number })
}
