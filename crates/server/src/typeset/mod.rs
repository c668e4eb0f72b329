//! Typesets what blocks hold as source: equations and code. Users write the source, so nothing here trusts its length,
//! its nesting, or the markup that another crate makes of it.

mod code;
mod equation;
mod mathml;

pub(crate) use code::Highlighter;
pub(crate) use equation::Equations;
