//! Searching with a number of steps that is known beforehand.
//!
//! The engines of the crate `regex` are linear too, but a short pattern (`[ab]*a[ab]{1000}c`) makes each character cost
//! thousands of steps; they do not say so, and nobody can interrupt them. Here each step is counted.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

/// How many steps a search may take for each byte of the text.
const STEPS_PER_BYTE: usize = 64;
/// How many more it may take, so that short texts can be searched for long patterns.
const MORE_STEPS: usize = 100_000;

/// How many steps a search of this text may take.
pub(super) const fn budget(text: &str) -> usize {
    text.len() * STEPS_PER_BYTE + MORE_STEPS
}

/// Whether some part of the text matches; `None` if that takes more steps.
pub(super) fn search(nfa: &NFA, text: &str, budget: usize) -> Option<bool> {
    let mut search = Search { nfa, text: text.as_bytes(), left: budget, stack: Vec::new() };
    let (mut now, mut next) = (States::new(nfa.states().len()), States::new(nfa.states().len()));
    let is_anchored = nfa.is_always_start_anchored();
    for at in 0..=text.len() {
        // A match begins at a character.
        let can_begin = if is_anchored { at == 0 } else { text.is_char_boundary(at) };
        if can_begin && search.reach(nfa.start_anchored(), at, &mut now)? {
            return Some(true);
        }
        let Some(byte) = search.text.get(at) else { break };
        if now.list.is_empty() && is_anchored {
            break;
        }
        for index in 0..now.list.len() {
            search.left = search.left.checked_sub(1)?;
            let target = match nfa.state(now.list[index]) {
                State::ByteRange { trans } => trans.matches_byte(*byte).then_some(trans.next),
                State::Sparse(transitions) => transitions.matches_byte(*byte),
                State::Dense(transitions) => transitions.matches_byte(*byte),
                _ => None,
            };
            if let Some(target) = target
                && search.reach(target, at + 1, &mut next)?
            {
                return Some(true);
            }
        }
        std::mem::swap(&mut now, &mut next);
        next.clear();
    }
    Some(false)
}

struct Search<'a> {
    nfa: &'a NFA,
    text: &'a [u8],
    left: usize,
    stack: Vec<StateID>,
}

impl Search<'_> {
    /// Adds all states that can be reached from one without a further character. Returns whether one of them is a match.
    fn reach(&mut self, from: StateID, at: usize, states: &mut States) -> Option<bool> {
        self.stack.clear();
        self.stack.push(from);
        while let Some(id) = self.stack.pop() {
            self.left = self.left.checked_sub(1)?;
            if !states.visit(id) {
                continue;
            }
            match self.nfa.state(id) {
                State::Match { .. } => return Some(true),
                State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) => states.list.push(id),
                State::Look { look, next } if self.nfa.look_matcher().matches(*look, self.text, at) => {
                    self.stack.push(*next);
                }
                State::Union { alternates } => self.stack.extend(alternates),
                State::BinaryUnion { alt1, alt2 } => self.stack.extend([alt1, alt2]),
                State::Capture { next, .. } => self.stack.push(*next),
                State::Look { .. } | State::Fail => {}
            }
        }
        Some(false)
    }
}

/// A set of states.
struct States {
    /// Those that wait for a character.
    list: Vec<StateID>,
    /// The round in which each state was last visited.
    visited: Vec<u32>,
    round: u32,
}

impl States {
    fn new(count: usize) -> Self {
        Self { list: Vec::new(), visited: vec![0; count], round: 1 }
    }

    /// Whether the state was not visited yet.
    fn visit(&mut self, id: StateID) -> bool {
        std::mem::replace(&mut self.visited[id.as_usize()], self.round) != self.round
    }

    fn clear(&mut self) {
        self.list.clear();
        self.round += 1;
    }
}
