//! Types of formulas, as far as they are known before one runs.
//!
//! Nothing that is found here keeps a formula from being saved: an operand of a wrong type is an error of the rows in
//! which it is evaluated. A formula may have an operand of another type in a branch that no row needs.

use crate::{
    functions::Function,
    operators::{Operator, OperatorKind},
    position::Position,
    syntax::{Choice, Expr, Node, NodeId},
    types::Types,
};
use std::fmt;

/// More of them help nobody.
const MOST_MISMATCHES: usize = 20;

/// What is known of the types of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The types that its results can have.
    pub result: Types,
    /// Operands that no row can work with, at most twenty.
    pub mismatches: Vec<Mismatch>,
}

/// An operand of a wrong type: each row that evaluates it has the error `invalid_argument`, unless it is null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where the operand begins.
    pub position: Position,
    /// The operator or function.
    pub of: &'static str,
    /// What it takes.
    pub takes: Types,
    /// What the operand is.
    pub found: Types,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, of, takes, found } = self;
        write!(f, "`{of}` takes {takes} and gets {found} (at {position})")
    }
}

/// Infers the types of a formula from those of the properties that it names; `types_of` returns `None` for a property
/// whose type is not known.
pub fn check(expr: &Expr, types_of: impl Fn(&str) -> Option<Types>) -> Checked {
    let mut inference = Inference { expr, types: Vec::with_capacity(expr.size()), mismatches: Vec::new() };
    for node in expr.nodes() {
        let types = inference.node(node, &types_of);
        inference.types.push(types);
    }
    let result = inference.types.last().copied().unwrap_or(Types::NONE);
    Checked { result, mismatches: inference.mismatches }
}

struct Inference<'a> {
    expr: &'a Expr,
    types: Vec<Types>,
    mismatches: Vec<Mismatch>,
}

impl Inference<'_> {
    fn node(&mut self, node: &Node, types_of: impl Fn(&str) -> Option<Types>) -> Types {
        match node {
            Node::Number(_) => Types::NUMBER,
            Node::Text(_) => Types::TEXT,
            Node::Boolean(_) => Types::BOOLEAN,
            Node::Property(reference) => {
                let named = self.expr.references().get(*reference);
                named.and_then(|reference| types_of(&reference.named)).unwrap_or(Types::ANY)
            }
            Node::Negate(operand) => self.takes("-", Types::NUMBER, *operand),
            Node::Not(operand) => self.takes("not", Types::BOOLEAN, *operand),
            Node::Binary { operator, left, right } => self.binary(*operator, *left, *right),
            Node::Choose { kind, condition, then, otherwise } => {
                let of = match kind {
                    Choice::If => "if",
                    Choice::And => "and",
                    Choice::Or => "or",
                };
                self.takes(of, Types::BOOLEAN, *condition);
                match otherwise {
                    Some(otherwise) => self.types[*then] | self.types[*otherwise],
                    None => self.takes(of, Types::BOOLEAN, *then),
                }
            }
            Node::Call { function, arguments } => self.call(function, arguments),
        }
    }

    fn binary(&mut self, operator: Operator, left: NodeId, right: NodeId) -> Types {
        let of = operator.symbol();
        match operator.kind() {
            OperatorKind::Arithmetic => {
                self.takes(of, Types::NUMBER, left);
                self.takes(of, Types::NUMBER, right)
            }
            OperatorKind::Comparison => {
                if !self.types[left].is_empty() {
                    self.takes(of, self.types[left], right);
                }
                Types::BOOLEAN
            }
        }
    }

    fn call(&mut self, function: &Function, arguments: &[NodeId]) -> Types {
        let mut given = Types::NONE;
        for (index, argument) in arguments.iter().enumerate() {
            given = given | self.types[*argument];
            if let Some(parameter) = function.parameter(index) {
                self.takes(function.name, parameter.types, *argument);
            }
        }
        function.result.unwrap_or(given)
    }

    /// Notes an operand that has none of the types that it should have. Returns those types.
    fn takes(&mut self, of: &'static str, takes: Types, operand: NodeId) -> Types {
        let found = self.types[operand];
        let is_noted = self.mismatches.len() < MOST_MISMATCHES;
        if is_noted && !found.is_empty() && found.and(takes).is_empty() {
            let position = self.expr.beginning(operand);
            self.mismatches.push(Mismatch { position, of, takes, found });
        }
        takes
    }
}
