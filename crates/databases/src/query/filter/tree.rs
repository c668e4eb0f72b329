//! The tree of conditions.

use crate::query::Comparison;
use octavo_core_model::id::PropertyId;
use serde_json::{Map, Value, json};

/// Which records a query finds: a tree of conditions, at most [`Filter::MAX_DEPTH`] deep.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// All conditions hold.
    All(Conditions),
    /// At least one condition holds.
    Any(Conditions),
    /// The condition does not hold.
    Not(Box<Self>),
    /// What the value of a property has to be.
    Leaf(Leaf),
}

/// At least one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions(Vec<Filter>);

/// What the value of a property has to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The property, which exists.
    pub property: PropertyId,
    /// With what its value is compared.
    pub comparison: Comparison,
}

impl Conditions {
    /// The conditions; `None` if there are none.
    pub fn new(conditions: Vec<Filter>) -> Option<Self> {
        (!conditions.is_empty()).then_some(Self(conditions))
    }

    /// The conditions in their order.
    pub fn as_slice(&self) -> &[Filter] {
        &self.0
    }

    fn without_property(&self, id: PropertyId) -> Option<Self> {
        Self::new(self.0.iter().filter_map(|condition| condition.without_property(id)).collect())
    }

    fn to_json(&self) -> Value {
        self.0.iter().map(Filter::to_json).collect()
    }
}

impl Filter {
    /// How deep a tree may be; a leaf alone has the depth 1.
    pub const MAX_DEPTH: usize = 16;
    /// How many leaves a tree may have.
    pub const MAX_LEAVES: usize = 200;

    /// What is left when a property is deleted. Groups that become empty disappear.
    #[must_use]
    pub fn without_property(&self, id: PropertyId) -> Option<Self> {
        match self {
            Self::All(conditions) => conditions.without_property(id).map(Self::All),
            Self::Any(conditions) => conditions.without_property(id).map(Self::Any),
            Self::Not(condition) => condition.without_property(id).map(|condition| Self::Not(Box::new(condition))),
            Self::Leaf(leaf) => (leaf.property != id).then(|| self.clone()),
        }
    }

    /// The leaves in the order of the tree.
    pub fn leaves(&self) -> Leaves<'_> {
        Leaves { rest: vec![(String::new(), self)] }
    }

    /// The filter in JSON, every operand in its shape.
    pub fn to_json(&self) -> Value {
        match self {
            Self::All(conditions) => json!({ "op": "and", "conditions": conditions.to_json() }),
            Self::Any(conditions) => json!({ "op": "or", "conditions": conditions.to_json() }),
            Self::Not(condition) => json!({ "op": "not", "conditions": [condition.to_json()] }),
            Self::Leaf(leaf) => leaf.to_json(),
        }
    }
}

impl Leaf {
    fn to_json(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("propertyId".to_owned(), json!(self.property));
        fields.insert("op".to_owned(), json!(self.comparison.operator()));
        if let Some(operand) = self.comparison.operand() {
            fields.insert("value".to_owned(), operand);
        }
        Value::Object(fields)
    }
}

/// The leaves of a filter with their paths in the tree.
#[derive(Debug)]
pub struct Leaves<'a> {
    /// What is still to visit; the last one is next.
    rest: Vec<(String, &'a Filter)>,
}

impl<'a> Iterator for Leaves<'a> {
    type Item = (String, &'a Leaf);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (path, filter) = self.rest.pop()?;
            let below: &[Filter] = match filter {
                Filter::Leaf(leaf) => return Some((path, leaf)),
                Filter::All(conditions) | Filter::Any(conditions) => conditions.as_slice(),
                Filter::Not(condition) => std::slice::from_ref(condition),
            };
            for (index, condition) in below.iter().enumerate().rev() {
                self.rest.push((below_path(&path, index), condition));
            }
        }
    }
}

/// The path of a condition of the group at this path.
pub(super) fn below_path(path: &str, index: usize) -> String {
    if path.is_empty() { format!("conditions.{index}") } else { format!("{path}.conditions.{index}") }
}
