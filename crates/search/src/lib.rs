#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod letters;
#[cfg(test)]
mod tests;
mod tokens;

pub use tokens::{MAX_TOKEN, Token, each_token, normalize, tokens};
