//! From the text of a formula to its tree.

mod expr;
mod lexer;
mod mistake;
mod parser;
mod precedence;
mod similar;

pub use expr::Expr;
pub(crate) use expr::{Choice, Node, NodeId, Reference};
pub use mistake::{Mistake, SyntaxError};
pub use parser::parse;

/// The longest text of a formula, in bytes. Formulas in which names were replaced by ids may be longer.
pub const MAX_BYTES: usize = 10 * 1024;

/// How many brackets, calls, signs and choices may lie in one another.
pub const MAX_DEPTH: usize = 64;

/// The longest text that is parsed at all: that of a formula in which names were replaced by ids.
pub(crate) const MAX_STORED_BYTES: usize = 8 * MAX_BYTES;
