#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod deployment_key;
mod keyring;
mod record;
#[cfg(test)]
mod tests;

pub use keyring::{Keyring, KeyringFlaw, MIN_SECRET_BYTES};
pub use record::Unsealable;

/// How many random bytes sealing needs.
pub const RANDOM_BYTES: usize = 56;

/// How many random bytes resealing needs.
pub const RESEAL_RANDOM_BYTES: usize = 24;
