//! Setting what blocks hold as source: equations and code. The source is that of users, so nothing here trusts it: not its
//! length, not its depth, and not what the crate that parses it makes of it.

mod code;
mod equation;
mod markup;

pub(crate) use code::Codes;
pub(crate) use equation::Equations;
