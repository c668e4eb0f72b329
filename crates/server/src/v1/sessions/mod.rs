//! Sessions: signing in, refreshing, signing out, the list.

pub mod list;
pub mod login;
pub mod logout;
pub mod reauthenticate;
pub mod refresh;
pub mod session;

use octavo_core_model::claims::ACCESS_TOKEN_LIFE;

/// How many seconds an access token is valid.
pub(crate) const fn expires_in() -> i64 {
    ACCESS_TOKEN_LIFE.as_secs().cast_signed()
}
