//! Share links: managing them, what they show to programs and in a browser, and what one can do by them who has an account.

pub mod collection;
mod key;
mod link;
pub mod public;
pub mod screen;
mod screen_page;
pub mod single;
pub mod visitors;
