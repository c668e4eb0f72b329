//! Reading of filters.

use super::tree::{Conditions, Filter, Leaf, below_path};
use crate::query::{
    Columns, Comparison, QueryFault, QueryIssue, QueryRefusal, UNKNOWN_PROPERTY, comparison::Misfit, fault::Findings,
    operators_of,
};
use crate::types::Operator;
use serde_json::{Map, Value};

/// How many flaws of one tree are reported.
const MAX_REPORTED: usize = 20;

#[derive(Clone, Copy)]
enum Junction {
    And,
    Or,
    Not,
}

impl Junction {
    fn parse(op: &str) -> Option<Self> {
        match op {
            "and" => Some(Self::And),
            "or" => Some(Self::Or),
            "not" => Some(Self::Not),
            _ => None,
        }
    }
}

impl Filter {
    /// Reads a filter; null is none.
    pub fn read(sent: &Value, columns: Columns<'_>) -> Result<Option<Self>, QueryFault> {
        let mut findings = Findings::default();
        let read = Self::find(sent, columns, &mut findings);
        findings.or(Some(read))
    }

    /// The same; reports what is wrong.
    pub(crate) fn find(sent: &Value, columns: Columns<'_>, findings: &mut Findings) -> Option<Self> {
        if sent.is_null() {
            return None;
        }
        let mut reading = Reading { columns, leaves: 0, refusals: Vec::new() };
        let read = reading.node(sent, "", 1);
        if columns.is_stored() {
            return read;
        }
        findings.refusals.append(&mut reading.refusals);
        read
    }
}

struct Reading<'a> {
    columns: Columns<'a>,
    leaves: usize,
    refusals: Vec<QueryRefusal>,
}

impl Reading<'_> {
    /// Reports what is wrong with a key of a node.
    fn refuse(&mut self, path: &str, key: &str, message: impl Into<String>) {
        if self.refusals.len() < MAX_REPORTED {
            let dot = if path.is_empty() || key.is_empty() { "" } else { "." };
            self.refusals.push(QueryRefusal::new(QueryIssue::InvalidFilter, format!("{path}{dot}{key}"), message));
        }
    }

    fn node(&mut self, sent: &Value, path: &str, depth: usize) -> Option<Filter> {
        if depth > Filter::MAX_DEPTH {
            self.refuse(path, "", format!("a filter is at most {} levels deep", Filter::MAX_DEPTH));
            return None;
        }
        let Value::Object(fields) = sent else {
            self.refuse(path, "", "an object `{ op, conditions }` or `{ propertyId, op, value }`");
            return None;
        };
        let Some(op) = fields.get("op").and_then(Value::as_str) else {
            self.refuse(path, "op", "`op` is and, or, not or an operator");
            return None;
        };
        match Junction::parse(op) {
            Some(junction) => self.group(junction, fields, path, depth),
            None if self.has_room_for_leaf() => self.leaf(op, fields, path),
            None => None,
        }
    }

    fn has_room_for_leaf(&mut self) -> bool {
        self.leaves += 1;
        if self.leaves == Filter::MAX_LEAVES + 1 {
            self.refuse("", "", too_many_leaves());
        }
        self.leaves <= Filter::MAX_LEAVES
    }

    fn group(&mut self, junction: Junction, fields: &Map<String, Value>, path: &str, depth: usize) -> Option<Filter> {
        let Some(Value::Array(sent)) = fields.get("conditions") else {
            self.refuse(path, "conditions", "`conditions` is a list of groups and conditions");
            return None;
        };
        let most = if matches!(junction, Junction::Not) { 1 } else { Filter::MAX_LEAVES };
        if sent.is_empty() || sent.len() > most {
            match junction {
                Junction::Not => self.refuse(path, "conditions", "`not` has exactly one condition"),
                Junction::And | Junction::Or if sent.is_empty() => {
                    self.refuse(path, "conditions", "a group has at least one condition");
                }
                Junction::And | Junction::Or => self.refuse(path, "conditions", too_many_leaves()),
            }
            return None;
        }
        let read = sent.iter().enumerate();
        let read = read.filter_map(|(index, sent)| self.node(sent, &below_path(path, index), depth + 1));
        let mut read: Vec<_> = read.collect();
        match junction {
            Junction::And => Conditions::new(read).map(Filter::All),
            Junction::Or => Conditions::new(read).map(Filter::Any),
            Junction::Not => read.pop().map(|condition| Filter::Not(Box::new(condition))),
        }
    }

    fn leaf(&mut self, op: &str, fields: &Map<String, Value>, path: &str) -> Option<Filter> {
        let Ok(operator) = op.parse::<Operator>() else {
            self.refuse(path, "op", "`op` is and, or, not or an operator");
            return None;
        };
        let Some(named) = fields.get("propertyId") else {
            self.refuse(path, "propertyId", "the id of a property is missing");
            return None;
        };
        let Some(property) = self.columns.find_in(named) else {
            self.refuse(path, "propertyId", UNKNOWN_PROPERTY);
            return None;
        };
        match Comparison::read(property, operator, fields.get("value"), self.columns.origin) {
            Ok(comparison) => Some(Filter::Leaf(Leaf { property: property.id, comparison })),
            Err(Misfit::Operator) => {
                let fitting: Vec<_> = operators_of(&property.config).map(Operator::name).collect();
                let message = format!("a property of the type {} allows {}", property.kind(), fitting.join(", "));
                self.refuse(path, "op", message);
                None
            }
            Err(Misfit::Operand(shape)) => {
                self.refuse(path, "value", format!("`{operator}` needs {}", shape.words()));
                None
            }
        }
    }
}

fn too_many_leaves() -> String {
    format!("a filter has at most {} conditions, those of all groups together", Filter::MAX_LEAVES)
}
