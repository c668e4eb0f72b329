//! From the tree of a formula to its program. What depends on nothing is computed here, once.

use crate::{
    check::check,
    evaluate::{DEFAULT_BUDGET, Run},
    functions::{Cost, MAX_TEXT},
    program::{Action, Clock, Program, Split, Step},
    syntax::{Choice, Expr, Node, NodeId},
    types::Types,
    value::{OwnedValue, RowError, Value},
};
use std::{collections::BTreeMap, ops::Range};

/// A longer text is computed again each time, so that a short formula does not take megabytes.
const LONGEST_CONSTANT: usize = MAX_TEXT / 64;

/// Compiles a formula.
pub fn compile(expr: &Expr) -> Program {
    let (inputs, input_of) = inputs(expr);
    let behind = behind(expr);
    let context = Context { expr, input_of: &input_of, behind: &behind };
    let parts = context.constant_parts();
    let steps = context.steps(0..expr.size(), &parts);
    Program { inputs, clock: clock(expr), result: check(expr, |_| None).result, ..steps }
}

/// What is known of the whole formula.
#[derive(Clone, Copy)]
struct Context<'a> {
    expr: &'a Expr,
    /// The input of each reference.
    input_of: &'a [usize],
    /// What follows on a node because it ends a condition or a branch.
    behind: &'a [Option<Behind>],
}

#[derive(Clone, Copy)]
enum Behind {
    Condition(Split),
    Branch,
}

/// A part of the tree whose value is known.
struct Part {
    nodes: Range<NodeId>,
    value: OwnedValue,
    cost: u32,
}

/// Each property once, and which of them each reference means.
fn inputs(expr: &Expr) -> (Vec<String>, Vec<usize>) {
    let mut inputs = Vec::new();
    let mut known = BTreeMap::new();
    let mut input_of = Vec::new();
    for named in expr.properties() {
        input_of.push(*known.entry(named).or_insert_with(|| {
            inputs.push(named.to_owned());
            inputs.len() - 1
        }));
    }
    (inputs, input_of)
}

fn behind(expr: &Expr) -> Vec<Option<Behind>> {
    let mut behind = vec![None; expr.size()];
    for node in expr.nodes() {
        if let Node::Choose { kind, condition, then, otherwise } = node {
            behind[*condition] = Some(Behind::Condition(match kind {
                Choice::If => Split::If,
                Choice::And => Split::And,
                Choice::Or => Split::Or,
            }));
            if otherwise.is_some() {
                behind[*then] = Some(Behind::Branch);
            }
        }
    }
    behind
}

impl Context<'_> {
    /// The largest parts of the tree that depend on no property and no clock, with their values.
    fn constant_parts(self) -> Vec<Part> {
        let is_variable = |node: &Node| matches!(node, Node::Property(_)) || clock_of(node) != Clock::Unused;
        // How many variable nodes there are before each one.
        let mut before = vec![0_usize];
        for node in self.expr.nodes() {
            before.push(before.last().copied().unwrap_or_default() + usize::from(is_variable(node)));
        }
        let (mut parts, mut spent, mut end) = (Vec::new(), 0_u32, self.expr.size());
        while let Some(node) = end.checked_sub(1) {
            let nodes = self.expr.part(node);
            end = node;
            // The limit is for all parts together: computing them may not take longer than evaluating a row.
            if nodes.len() > 1 && before[nodes.end] == before[nodes.start] && spent < DEFAULT_BUDGET {
                let (part, cost) = self.computed(nodes.clone());
                spent = spent.saturating_add(cost);
                if let Some(part) = part {
                    end = nodes.start;
                    parts.push(part);
                }
            }
        }
        parts.reverse();
        parts
    }

    /// A part of the tree with its value, unless that is too long or too expensive, and what it cost to compute it.
    fn computed(self, nodes: Range<NodeId>) -> (Option<Part>, u32) {
        let program = self.steps(nodes.clone(), &[]);
        let run = Run { budget: DEFAULT_BUDGET, ..Run::new(&[], 1, 0) };
        let computed = program.evaluate(&run, &mut || false).unwrap_or_default();
        let (value, cost) = (computed.values.get(0), computed.costs.get(0));
        let is_kept = match value {
            Value::Text(text) => text.len() <= LONGEST_CONSTANT,
            value => value != Value::Error(RowError::FormulaBudget),
        };
        (is_kept.then(|| Part { nodes, value: value.into(), cost }), cost)
    }

    /// The steps of some nodes, with constants in place of the parts whose values are known.
    fn steps(self, nodes: Range<NodeId>, parts: &[Part]) -> Program {
        let mut emitter = Emitter { context: self, steps: Vec::new(), constants: Vec::new(), open: Vec::new() };
        let mut parts = parts.iter().peekable();
        let mut node = nodes.start;
        while node < nodes.end {
            let part = parts.next_if(|part| part.nodes.start == node);
            match part {
                Some(part) => emitter.constant(part.value.clone(), part.cost),
                None => emitter.node(node),
            }
            let end = part.map_or(node + 1, |part| part.nodes.end);
            // What follows on the last node does not belong to these nodes.
            if end < nodes.end {
                emitter.behind(end - 1);
            }
            node = end;
        }
        let is_uniform = self.expr.nodes()[nodes].iter().all(|node| match node {
            Node::Choose { .. } => false,
            Node::Call { function, .. } => function.cost == Cost::Flat,
            _ => true,
        });
        let Emitter { steps, constants, .. } = emitter;
        Program { steps, constants, inputs: Vec::new(), clock: Clock::Unused, result: Types::ANY, is_uniform }
    }
}

struct Emitter<'a> {
    context: Context<'a>,
    steps: Vec<Step>,
    constants: Vec<OwnedValue>,
    /// The steps whose `next` is not known yet.
    open: Vec<usize>,
}

impl Emitter<'_> {
    fn node(&mut self, node: NodeId) {
        match &self.context.expr.nodes()[node] {
            Node::Number(number) => self.constant(OwnedValue::Number(*number), 1),
            Node::Text(text) => self.constant(OwnedValue::Text(text.clone()), 1),
            Node::Boolean(boolean) => self.constant(OwnedValue::Boolean(*boolean), 1),
            Node::Property(reference) => self.step(Action::Input(self.context.input_of[*reference]), 1),
            Node::Negate(_) => self.step(Action::Negate, 1),
            Node::Not(_) => self.step(Action::Not, 1),
            Node::Binary { operator, .. } => self.step(Action::Binary(*operator), 1),
            Node::Call { function, arguments } => {
                self.step(Action::Call { function, arguments: arguments.len() }, 1);
            }
            // Its operation was counted where it split.
            Node::Choose { .. } => {
                self.land();
                self.step(Action::Join, 0);
            }
        }
    }

    fn behind(&mut self, node: NodeId) {
        match self.context.behind[node] {
            Some(Behind::Condition(choice)) => {
                self.open.push(self.steps.len());
                self.step(Action::Split { choice, next: 0 }, 1);
            }
            Some(Behind::Branch) => {
                self.land();
                self.open.push(self.steps.len());
                self.step(Action::Otherwise { next: 0 }, 0);
            }
            None => {}
        }
    }

    /// Lets the last open step go on at the step that comes next.
    fn land(&mut self) {
        let here = self.steps.len();
        let step = self.open.pop().and_then(|open| self.steps.get_mut(open));
        if let Some(Action::Split { next, .. } | Action::Otherwise { next }) = step.map(|step| &mut step.action) {
            *next = here;
        }
    }

    fn constant(&mut self, value: OwnedValue, cost: u32) {
        self.constants.push(value);
        self.step(Action::Constant(self.constants.len() - 1), cost);
    }

    fn step(&mut self, action: Action, cost: u32) {
        self.steps.push(Step { action, cost });
    }
}

fn clock(expr: &Expr) -> Clock {
    expr.nodes().iter().map(clock_of).max().unwrap_or(Clock::Unused)
}

fn clock_of(node: &Node) -> Clock {
    match node {
        Node::Call { function, .. } if function.name == "now" => Clock::Time,
        Node::Call { function, .. } if function.name == "today" => Clock::Day,
        _ => Clock::Unused,
    }
}
