//! Password hashing, access tokens, signatures and the random bits of the operating system.

mod jws;
mod passwords;
mod random;
mod ring_provider;
mod signatures;
mod tokens;

pub use passwords::{Argon2Hasher, HashingCost, InvalidCost};
pub use random::OsRandom;
pub use signatures::Ed25519Signatures;
pub use tokens::{HmacTokens, KeyFlaw, RetiredKey, RsaTokens, TokenRules};
