//! The tree of a formula.

use crate::{functions::Function, operators::Operator, position::Position};
use std::ops::Range;

/// A formula that was parsed. Its nodes are in a list, operands before operators, so that nothing has to recurse:
/// a sum of a thousand terms is a tree a thousand levels deep.
#[derive(Clone, Debug)]
pub struct Expr {
    pub(super) text: Box<str>,
    pub(super) nodes: Vec<Node>,
    /// Where each node begins in the text; for an operator, where the operator is.
    pub(super) bytes: Vec<usize>,
    /// The first node of what each node is made of. All nodes from it to the node belong to it.
    pub(super) firsts: Vec<NodeId>,
    pub(super) references: Vec<Reference>,
}

/// The index of a node.
pub(crate) type NodeId = usize;

/// A property that a formula names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The name or the id.
    pub(crate) named: String,
    /// Whether it is in `prop("...")`; otherwise it is an id that stands alone.
    pub(crate) is_quoted: bool,
    /// The part of the text that it takes.
    pub(crate) span: Range<usize>,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Number(f64),
    Text(Box<str>),
    Boolean(bool),
    /// A property: the index of its reference.
    Property(usize),
    Negate(NodeId),
    Not(NodeId),
    Binary {
        operator: Operator,
        left: NodeId,
        right: NodeId,
    },
    Choose {
        kind: Choice,
        condition: NodeId,
        then: NodeId,
        otherwise: Option<NodeId>,
    },
    Call {
        function: &'static Function,
        arguments: Vec<NodeId>,
    },
}

/// Operators and functions that leave operands unevaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// `if(a, b, c)` and `a ? b : c`.
    If,
    /// `a and b`; `b` is the branch.
    And,
    /// `a or b`.
    Or,
}

impl Expr {
    /// The text that was parsed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many literals, properties, operators and calls the formula has.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The names and ids of properties in the formula, as they are written, each as often as it occurs.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.references.iter().map(|reference| reference.named.as_str())
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn references(&self) -> &[Reference] {
        &self.references
    }

    /// All nodes that a node is made of, itself last.
    pub(crate) fn part(&self, node: NodeId) -> Range<NodeId> {
        self.firsts[node]..node + 1
    }

    /// Where an operand begins.
    pub(crate) fn beginning(&self, node: NodeId) -> Position {
        let bytes = self.bytes[self.part(node)].iter();
        self.at(bytes.min().copied().unwrap_or_default())
    }

    /// The position of a byte of the text.
    pub(crate) fn at(&self, byte: usize) -> Position {
        Position::of(&self.text, byte)
    }
}
