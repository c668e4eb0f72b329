//! Views of a database: listing, creating, changing, placing and deleting them.

mod change;
mod create;
mod delete;
mod first;
mod forget;
mod locked;
mod objects;
mod order;
mod shown;

pub use change::change_view;
pub use create::create_view;
pub use delete::delete_view;
pub(super) use first::insert_first;
pub(super) use forget::forget_properties;
pub use order::reorder_view;
pub(crate) use shown::views_of;
pub use shown::{ViewDetails, list_views};
pub(super) use shown::{count_records, show};
