//! The engine as its users see it, and compared with a reference that goes through records one by one.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(clippy::float_cmp, reason = "the sums are exact")]

mod agreement;
mod changes;
mod dice;
mod limits;
mod operators;
mod pages;
mod random;
mod reference;
mod rollups;
mod sample;
mod visibility;
