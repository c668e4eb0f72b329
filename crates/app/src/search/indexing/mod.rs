//! Keeping the index of texts up to date.
//!
//! Each node has an index of its own, which follows the event logs: from the events it is derived which units changed,
//! and their present state is loaded and indexed. An event may be handled twice, or see a state that is newer than the
//! event, so nothing is lost if a node is killed.
//!
//! What an event changes in many units is put on a list of rests, which is kept with the progress in the index and done
//! in parts beside new events. A workspace that the index does not know yet is one long rest.
//!
//! Moves, grants and the trash change no text, so they do not change the index: what a caller may view is decided when
//! they search.

mod affected;
mod follow;
mod load;
mod obstacle;
mod pages;
mod part;
mod records;
mod rest;
mod round;
mod schema_parts;
mod step;
mod verify;

pub use load::{Loaded, load};
pub use obstacle::Obstacle;
pub use round::Round;
pub use step::{list_ends, prepare};
pub use verify::{Comparison, compare};
