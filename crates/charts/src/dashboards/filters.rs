//! The filters of a dashboard.

use super::DashboardFault;
use octavo_core_model::{
    fault::{Issue, Violation},
    id::DatabaseId,
};
use octavo_databases::read::{Fields, Flaw, Origin, id};
use serde_json::{Map, Value, json};

/// What narrows the records of one database in all widgets.
#[derive(Clone, Debug, PartialEq)]
pub struct DashboardFilter {
    /// The database.
    pub database: DatabaseId,
    /// A filter on it.
    pub filter: Value,
}

impl DashboardFilter {
    /// How many a dashboard has at most.
    pub const MOST: usize = 10;

    /// Reads the field `filters`. Whether the filters fit their databases is checked elsewhere.
    pub fn read_all(sent: &Value) -> Result<Vec<Self>, DashboardFault> {
        let list = match sent {
            Value::Array(list) if list.len() <= Self::MOST => list,
            Value::Array(_) => return Err(invalid(Flaw::too_long(Self::MOST).at("filters", None))),
            other => return Err(invalid(Flaw::new(Issue::InvalidType).at("filters", Some(other.clone())))),
        };
        let mut flaws = Vec::new();
        let read = |(index, sent): (usize, &Value)| {
            let at = format!("filters.{index}");
            match sent {
                Value::Object(sent) => Self::read(sent.clone(), &at, &mut flaws),
                other => {
                    flaws.push(Flaw::new(Issue::InvalidType).at(at, Some(other.clone())));
                    None
                }
            }
        };
        let filters: Vec<_> = list.iter().enumerate().filter_map(read).collect();
        if flaws.is_empty() { Ok(filters) } else { Err(DashboardFault::Invalid(flaws)) }
    }

    fn read(sent: Map<String, Value>, at: &str, flaws: &mut Vec<Violation>) -> Option<Self> {
        let mut fields = Fields::new(sent, at, Origin::Caller, flaws);
        let database = fields.required("databaseId", None, |sent| id(sent, DatabaseId::PREFIX));
        let filter = fields.required("filter", None, |sent| match sent {
            Value::Object(_) => Ok(sent.clone()),
            _ => Err(Flaw::new(Issue::InvalidType)),
        });
        Some(Self { database: database?, filter: filter? })
    }

    /// Filters from the store.
    pub fn from_stored(stored: &Value) -> Vec<Self> {
        Self::read_all(stored).unwrap_or_default()
    }

    /// The filters as they are shown and stored.
    pub fn to_json(filters: &[Self]) -> Value {
        filters.iter().map(|Self { database, filter }| json!({ "databaseId": database, "filter": filter })).collect()
    }
}

fn invalid(flaw: Violation) -> DashboardFault {
    DashboardFault::Invalid(vec![flaw])
}
