//! Forms of values that several types share.

pub(crate) mod choice;
pub(crate) mod dates;
pub(crate) mod lists;
pub(crate) mod rich;
