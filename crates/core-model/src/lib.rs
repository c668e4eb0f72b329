//! The types that every layer of Octavo shares: ids, time, accounts, events, faults.
//!
//! Nothing here reads a clock, generates random numbers or knows how anything is stored or sent.

pub mod access_request;
pub mod account;
pub mod api_key;
pub mod audit;
pub mod browser_session;
pub mod bucket;
pub mod cancellation;
pub mod chore;
pub mod claims;
mod emoji;
pub mod event;
pub mod fault;
pub mod grant;
pub mod id;
pub mod invitation;
pub mod job;
pub mod level;
pub mod mail;
pub mod member;
pub mod name;
pub mod network;
pub mod oauth;
pub mod one_time;
pub mod page;
pub mod position;
pub mod role;
pub mod scope;
pub mod secret;
pub mod session;
pub mod settings;
pub mod share_link;
pub mod team;
pub mod text;
pub mod time;
pub mod token;
pub mod version;
pub mod workspace;

pub use bucket::Bucket;
pub use claims::Claims;
pub use emoji::is_one_emoji;
pub use fault::{Fault, StoreError};
pub use level::Level;
pub use role::{Role, TeamRole};
pub use scope::{AppScope, KeyScope};
pub use secret::Secret;
pub use time::Timestamp;
pub use token::{Token, TokenHash, TokenKind};
