//! Password hashing, access tokens and the random bits of the operating system.

mod passwords;
mod random;
mod tokens;

pub use passwords::{Argon2Hasher, HashingCost, InvalidCost};
pub use random::OsRandom;
pub use tokens::{HmacTokens, KeyFlaw, RetiredKey, RsaTokens, TokenRules};
