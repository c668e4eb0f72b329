//! The routes of version 1, one file an area.

pub mod accounts;
pub mod discovery;
pub mod docs;
pub mod health;
pub mod operations;
pub mod passwords;
pub mod sessions;

use crate::route::Area;

/// Every area, in the order of the description.
pub static AREAS: &[&Area] = &[
    &accounts::register::AREA,
    &sessions::login::AREA,
    &sessions::refresh::AREA,
    &sessions::logout::AREA,
    &sessions::reauthenticate::AREA,
    &sessions::list::AREA,
    &accounts::email_verification::AREA,
    &passwords::AREA,
    &accounts::profile::AREA,
    &accounts::email_change::AREA,
    &accounts::deletion::AREA,
    &accounts::security_events::AREA,
    &discovery::AREA,
    &operations::AREA,
    &docs::AREA,
    &health::AREA,
];
