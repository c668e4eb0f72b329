//! What is computed over all records that a query finds.

use super::{Columns, QueryIssue, QueryRefusal, fault::Findings};
use crate::{
    property::Property,
    read::{Flaw, one_of},
    types::{Aggregate as RollupFunction, FilterKind, PropertyConfig},
};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::PropertyId,
    named,
};
use serde_json::{Value, json};

named! {
    /// How values become one.
    AggregateFunction {
        Count = "COUNT",
        Sum = "SUM",
        Average = "AVERAGE",
        Min = "MIN",
        Max = "MAX",
        Unique = "UNIQUE",
    }
}

/// Something that is computed over all records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// How many records there are.
    CountRecords,
    /// A function of the values of a property, which it fits.
    OfProperty(PropertyId, AggregateFunction),
}

/// How many there may be in one query.
pub const MAX_AGGREGATES: usize = 8;

/// What stands for all records in place of a property.
const ALL_RECORDS: &str = "*";

impl Aggregate {
    /// The function.
    pub const fn function(self) -> AggregateFunction {
        match self {
            Self::CountRecords => AggregateFunction::Count,
            Self::OfProperty(_, function) => function,
        }
    }

    /// The property; `None` for all records.
    pub const fn property(self) -> Option<PropertyId> {
        match self {
            Self::CountRecords => None,
            Self::OfProperty(property, _) => Some(property),
        }
    }

    /// The aggregate in JSON.
    pub fn to_json(self) -> Value {
        let property = self.property().map_or_else(|| json!(ALL_RECORDS), |property| json!(property));
        json!({ "propertyId": property, "fn": self.function() })
    }

    /// Reads the field `aggregate`.
    pub(crate) fn read_all(sent: &Value, columns: Columns<'_>, findings: &mut Findings) -> Vec<Self> {
        let list = match sent {
            Value::Null => return Vec::new(),
            Value::Array(list) if list.len() <= MAX_AGGREGATES => list,
            other => {
                let flaw =
                    if other.is_array() { Flaw::too_long(MAX_AGGREGATES) } else { Flaw::new(Issue::InvalidType) };
                findings.violations.push(flaw.at("aggregate", Some(other.clone())));
                return Vec::new();
            }
        };
        let read = |(index, entry)| Self::read(entry, &format!("aggregate.{index}"), columns, findings);
        list.iter().enumerate().filter_map(read).collect()
    }

    fn read(sent: &Value, at: &str, columns: Columns<'_>, findings: &mut Findings) -> Option<Self> {
        let Value::Object(entry) = sent else {
            findings.violations.push(Violation::new(at, Issue::InvalidType).with(sent.clone()));
            return None;
        };
        let mut flaw = |name: &str, flaw: Flaw, sent: Option<&Value>| {
            findings.violations.push(flaw.at(format!("{at}.{name}"), sent.cloned()));
        };
        let function = entry.get("fn").ok_or_else(|| Flaw::new(Issue::Required));
        let function = function.and_then(|sent| one_of(sent, AggregateFunction::ALL));
        let function = function.map_err(|found| flaw("fn", found, entry.get("fn"))).ok();
        let named = match entry.get("propertyId") {
            Some(Value::String(named)) => named.as_str(),
            Some(other) => {
                flaw("propertyId", Flaw::new(Issue::InvalidType), Some(other));
                return None;
            }
            None => {
                flaw("propertyId", Flaw::new(Issue::Required), None);
                return None;
            }
        };
        if named == ALL_RECORDS {
            if function? == AggregateFunction::Count {
                return Some(Self::CountRecords);
            }
            flaw("propertyId", Flaw::new(Issue::InvalidValue).ruled(&["* only with COUNT"]), Some(&json!(named)));
            return None;
        }
        let Some(property) = columns.find(named) else {
            let unknown = Flaw::new(Issue::InvalidValue).ruled(&[super::UNKNOWN_PROPERTY]);
            flaw("propertyId", unknown, Some(&json!(named)));
            return None;
        };
        let function = function?;
        if let Err(needed) = check(property, function) {
            let message = format!("{function} needs {needed}, and the property is of the type {}", property.kind());
            findings.refusals.push(QueryRefusal::new(QueryIssue::AggregateType, format!("{at}.propertyId"), message));
            return None;
        }
        Some(Self::OfProperty(property.id, function))
    }
}

/// Checks that a function fits the values of a property, or returns what it needs.
fn check(property: &Property, function: AggregateFunction) -> Result<(), &'static str> {
    let filter = property.kind().facts().filter;
    let is_list = matches!(
        &property.config,
        PropertyConfig::Rollup(config) if config.aggregate == RollupFunction::Unique
    );
    let (fits, needed) = match function {
        AggregateFunction::Count | AggregateFunction::Unique => (true, "any values"),
        AggregateFunction::Sum | AggregateFunction::Average => {
            (matches!(filter, FilterKind::Number | FilterKind::Computed) && !is_list, "numbers")
        }
        AggregateFunction::Min | AggregateFunction::Max => (
            matches!(filter, FilterKind::Number | FilterKind::Date | FilterKind::Computed) && !is_list,
            "numbers or dates",
        ),
    };
    if fits { Ok(()) } else { Err(needed) }
}
