//! What `check-config` prints: every setting as it holds, where it came from, and no secret.

use super::{
    Settings,
    source::Source,
    sources::Offers,
    table::{Fallback, Row},
};

/// One setting as it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effective {
    /// The name of the variable.
    pub name: String,
    /// What would set it so again, secrets masked; `None` when it has no value.
    pub value: Option<String>,
    pub source: Source,
}

pub(super) fn of(rows: &[Row], offers: &Offers, settings: &Settings) -> Vec<Effective> {
    let one = |row: &Row| {
        let (value, source) = match offers.strongest(&row.name) {
            Some((source, raw)) => (Some(row.secrecy.shown(&String::from_utf8_lossy(&raw.bytes))), source.clone()),
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
