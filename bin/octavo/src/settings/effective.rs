//! The output of `check-config`: every effective setting and its source, without secrets.

use super::{
    Settings,
    row::{Fallback, Row},
    source::Source,
    sources::Offers,
};

/// An effective setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effective {
    /// The name of the variable.
    pub name: String,
    /// The value, with secrets masked; `None` if there is none.
    pub value: Option<String>,
    pub source: Source,
}

pub(super) fn of(rows: &[Row], offers: &Offers, settings: &Settings) -> Vec<Effective> {
    let one = |row: &Row| {
        let (value, source) = match offers.strongest(&row.name) {
            Some((source, raw)) => (Some(row.secrecy.masked(&String::from_utf8_lossy(&raw.bytes))), source.clone()),
            None => (unset(row, settings), Source::Default),
        };
        Effective { name: row.variable(), value: value.filter(|value| !value.is_empty()), source }
    };
    rows.iter().map(one).collect()
}

fn unset(row: &Row, settings: &Settings) -> Option<String> {
    match &row.fallback {
        Fallback::None => None,
        Fallback::Value(text) => Some(text.clone()),
        Fallback::Derived(_) => settings.derived(&row.name),
        Fallback::Generated if row.name == "JWT_SECRET" && !settings.jwt_key.is_generated() => None,
        Fallback::Generated => Some("generated on first start".to_owned()),
    }
}
