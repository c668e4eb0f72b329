//! Setting what blocks hold as source: equations. The source is that of users, so nothing here trusts it: not its
//! length, not its depth, and not what the crate that parses it makes of it.

mod equation;
mod markup;

pub(crate) use equation::Equations;
