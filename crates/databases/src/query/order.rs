//! By what records are sorted and grouped.

use super::{Columns, QueryIssue, QueryRefusal, fault::Findings};
use crate::{property::Property, read::Flaw};
use octavo_core_model::{fault::Issue, id::PropertyId, named};
use serde_json::{Value, json};

named! {
    /// In which direction records are sorted.
    Direction {
        Ascending = "asc",
        Descending = "desc",
    }
}

/// A key by which records are sorted or grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The property, which can be used like this.
    pub property: PropertyId,
    /// In which direction.
    pub direction: Direction,
}

/// The keys by which records are sorted: the first one decides, ties are decided by the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sort(Vec<SortKey>);

/// The levels by which records are grouped, from the outermost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group(Vec<SortKey>);

/// What differs between sorting and grouping.
struct Rules {
    field: &'static str,
    issue: QueryIssue,
    max: usize,
    fits: fn(&Property) -> bool,
    misfit: &'static str,
}

const SORT: Rules = Rules {
    field: "sort",
    issue: QueryIssue::InvalidSort,
    max: Sort::MAX,
    fits: |property| property.kind().facts().sort.is_some(),
    misfit: "cannot be sorted by",
};

const GROUP: Rules = Rules {
    field: "group",
    issue: QueryIssue::InvalidGroup,
    max: Group::MAX,
    fits: |property| property.kind().facts().can_group(),
    misfit: "cannot be grouped by",
};

macro_rules! lists {
    ($($set:ident by $rules:ident at most $max:literal;)*) => {$(
        impl $set {
            /// The largest number of entries.
            pub const MAX: usize = $max;

            /// The entries.
            pub fn keys(&self) -> &[SortKey] {
                &self.0
            }

            /// Whether there are none.
            pub const fn is_empty(&self) -> bool {
                self.0.is_empty()
            }

            /// Reads what was sent; null is an empty list. Nothing that does not fit is in the result.
            pub(crate) fn read(sent: &Value, at: &str, columns: Columns<'_>, findings: &mut Findings) -> Self {
                Self($rules.read(sent, at, columns, findings))
            }

            /// The entries in JSON.
            pub fn to_json(&self) -> Value {
                self.0.iter().map(|key| json!({ "propertyId": key.property, "direction": key.direction })).collect()
            }

            /// What is left when a property is deleted.
            #[must_use]
            pub fn without_property(&self, id: PropertyId) -> Self {
                Self(self.0.iter().copied().filter(|key| key.property != id).collect())
            }
        }
    )*};
}

lists! {
    Sort by SORT at most 8;
    Group by GROUP at most 3;
}

impl Rules {
    fn read(&self, sent: &Value, at: &str, columns: Columns<'_>, findings: &mut Findings) -> Vec<SortKey> {
        let field = format!("{at}{}", self.field);
        let list = match sent {
            Value::Null => return Vec::new(),
            Value::Array(list) if list.len() <= self.max => list,
            other => {
                let flaw = if other.is_array() { Flaw::too_long(self.max) } else { Flaw::new(Issue::InvalidType) };
                findings.violations.push(flaw.at(field, Some(other.clone())));
                return Vec::new();
            }
        };
        let mut keys = Vec::with_capacity(list.len());
        for (index, entry) in list.iter().enumerate() {
            match self.key(entry, columns) {
                Ok(key) => keys.push(key),
                Err((name, message)) => {
                    let dot = if name.is_empty() { "" } else { "." };
                    findings.refusals.push(QueryRefusal::new(
                        self.issue,
                        format!("{field}.{index}{dot}{name}"),
                        message,
                    ));
                }
            }
        }
        keys
    }

    /// The key, or the part that is flawed and what is wrong with it.
    fn key(&self, entry: &Value, columns: Columns<'_>) -> Result<SortKey, (&'static str, String)> {
        let Value::Object(entry) = entry else {
            return Err(("", "an entry is an object `{ propertyId, direction }`".to_owned()));
        };
        let property = match entry.get("propertyId") {
            None => return Err(("propertyId", "the id of a property is missing".to_owned())),
            Some(sent) => columns.find_in(sent),
        };
        let property = property.ok_or_else(|| ("propertyId", super::UNKNOWN_PROPERTY.to_owned()))?;
        if !(self.fits)(property) {
            return Err(("propertyId", format!("records {} a property of the type {}", self.misfit, property.kind())));
        }
        let direction = match entry.get("direction") {
            None | Some(Value::Null) => Some(Direction::Ascending),
            Some(sent) => sent.as_str().and_then(|name| name.parse().ok()),
        };
        let direction = direction.ok_or_else(|| ("direction", "the direction is asc or desc".to_owned()))?;
        Ok(SortKey { property: property.id, direction })
    }
}

impl Group {
    /// Levels by these properties, from the outermost, in ascending order. Records can be grouped by all of them.
    pub fn ascending(properties: impl IntoIterator<Item = PropertyId>) -> Self {
        let key = |property| SortKey { property, direction: Direction::Ascending };
        Self(properties.into_iter().map(key).collect())
    }

    /// Checks that a board can have these groups as its columns.
    pub(crate) fn check_board(&self, at: &str, columns: Columns<'_>, findings: &mut Findings) {
        let mut refuse = |path: String, message: &str| {
            findings.refusals.push(QueryRefusal::new(QueryIssue::InvalidGroup, path, message));
        };
        if self.0.len() > 1 {
            refuse(format!("{at}group.1"), "a board is grouped by one property");
        }
        let makes_board = |key: &SortKey| {
            columns.schema().property(key.property).is_some_and(|property| property.kind().facts().can_make_board())
        };
        if let Some(index) = self.0.iter().position(|key| !makes_board(key)) {
            refuse(
                format!("{at}group.{index}.propertyId"),
                "a board is grouped by a property of the type select, status, multi_select, person or date",
            );
        }
    }

    /// The levels that a board can still show.
    pub(crate) fn for_board(self, columns: Columns<'_>) -> Self {
        let makes_board = |key: &SortKey| {
            columns.schema().property(key.property).is_some_and(|property| property.kind().facts().can_make_board())
        };
        Self(self.0.into_iter().filter(makes_board).take(1).collect())
    }
}
