//! Password hashing and access tokens.
