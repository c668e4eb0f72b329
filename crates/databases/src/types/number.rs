//! `number`: a finite number. The configuration changes only how it is shown.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, object};
use crate::{
    input::{Input, InputRules},
    read::{Fields, Flaw, one_of, text, whole},
    value::{self, PropertyValue, Shape},
};
use octavo_core_model::{fault::Issue, named};
use serde_json::{Map, Value, json};

named! {
    /// How a number is shown.
    NumberFormat {
        Number = "number",
        Percent = "percent",
        Currency = "currency",
        Scientific = "scientific",
        Decimal = "decimal",
    }
}

/// Three upper-case letters, as in ISO 4217.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currency([u8; 3]);

impl Currency {
    /// What [`Self::parse`] accepts.
    pub const PATTERN: &'static str = "^[A-Z]{3}$";

    /// Parses the code of a currency.
    pub fn parse(code: &str) -> Option<Self> {
        <[u8; 3]>::try_from(code.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_uppercase)).map(Self)
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The configuration of `number`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberConfig {
    /// How the number is shown.
    pub format: NumberFormat,
    /// The currency that is shown with it.
    pub currency: Option<Currency>,
    /// How many digits are shown after the point.
    pub precision: Option<u8>,
}

impl Default for NumberConfig {
    fn default() -> Self {
        Self { format: NumberFormat::Number, currency: None, precision: None }
    }
}

/// The largest number of digits after the point.
const MAX_PRECISION: u32 = 20;

impl Config for NumberConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let before = before.cloned().unwrap_or_default();
        let format = fields.optional("format", |sent| one_of(sent, NumberFormat::ALL));
        let currency = fields.nullable("currency", currency);
        let precision = fields.nullable("precision", |sent| whole(sent, 0..=MAX_PRECISION));
        Some(Self {
            format: format.unwrap_or(before.format),
            currency: currency.or(before.currency),
            precision: precision.or(before.precision.map(u32::from)).and_then(|digits| u8::try_from(digits).ok()),
        })
    }

    fn write(&self) -> Map<String, Value> {
        object([
            ("format", json!(self.format)),
            ("currency", json!(self.currency.as_ref().map(Currency::as_str))),
            ("precision", json!(self.precision)),
        ])
    }

    fn keys() -> Map<String, Value> {
        object([
            ("format", json!({ "type": "string", "enum": NumberFormat::ALL })),
            ("currency", json!({ "type": ["string", "null"], "pattern": Currency::PATTERN })),
            ("precision", json!({ "type": ["integer", "null"], "minimum": 0, "maximum": MAX_PRECISION })),
        ])
    }
}

fn currency(sent: &Value) -> Result<Currency, Flaw> {
    Currency::parse(text(sent)?).ok_or_else(|| Flaw::of_pattern(Issue::InvalidFormat, Currency::PATTERN))
}

const SHAPE: &str = "`{ value }` with a number";

fn read(_: &NumberConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    match sent.get("value") {
        Some(Value::Null) => Ok(Input::Clear),
        Some(Value::Number(number)) => {
            let number = number.as_f64().and_then(value::Number::new);
            let number = number.ok_or_else(|| Flaw::new(Issue::InvalidValue).ruled(&["a finite number"]))?;
            Ok(Input::Value(PropertyValue::Number(number)))
        }
        _ => Err(Flaw::of_shape(SHAPE)),
    }
}

/// A number as people write it: with commas between thousands, and a percent sign.
fn parse(_: &NumberConfig, text: &str) -> Result<Input, Flaw> {
    let flaw = || Flaw::new(Issue::InvalidFormat).ruled(&["a finite number such as 12.5, 1,250 or 45%"]);
    let text = text.trim();
    let (digits, divisor) = text.strip_suffix('%').map_or((text, 1.0), |text| (text.trim_end(), 100.0));
    let digits = without_separators(digits).ok_or_else(flaw)?;
    // Words such as `inf` and `nan` are numbers to the parser.
    let looks_like_one =
        digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    let number =
        digits.parse::<f64>().ok().filter(|_| looks_like_one).and_then(|number| value::Number::new(number / divisor));
    number.map(|number| Input::Value(PropertyValue::Number(number))).ok_or_else(flaw)
}

/// The digits without commas between thousands; `None` if a comma stands anywhere else.
fn without_separators(text: &str) -> Option<String> {
    if !text.contains(',') {
        return Some(text.to_owned());
    }
    let whole = text.split('.').next().unwrap_or_default().trim_start_matches(['+', '-']);
    let mut groups = whole.split(',');
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first_fits = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && is_digits(group));
    let fits = first_fits
        && groups.all(|group| group.len() == 3 && is_digits(group))
        && !text[whole.len()..].trim_start_matches(['+', '-']).trim_start_matches(whole).contains(',');
    fits.then(|| text.replace(',', ""))
}

pub(super) struct Number;

impl Rules for Number {
    type Config = NumberConfig;

    const FACTS: Facts = Facts::in_bag("A finite number.", Shape::Number, FilterKind::Number, SortKind::Number);

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules { shape: SHAPE, read, parse, list: None });

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "number" } }, "required": ["value"] })
    }
}
