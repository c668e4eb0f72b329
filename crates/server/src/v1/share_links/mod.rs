//! Share links: managing them, what they show to programs and browsers, and what signed-in users can do through them.

mod address;
mod article;
pub mod collection;
mod key;
mod label;
pub mod link;
pub mod public;
pub mod shared_database;
pub mod shared_page;
mod shared_page_view;
pub mod shared_query;
mod shared_table;
mod shared_values;
pub mod signed_in;
pub mod single;
