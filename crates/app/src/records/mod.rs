//! Records of databases: creating, reading, changing, archiving and deleting them.

mod access;
mod archive;
pub mod bulk;
mod create;
mod delete;
mod links;
mod list;
mod lookups;
mod nesting;
mod own_page;
mod shown;
mod update;

pub(crate) use access::{HeldDatabase, Hold};
pub use archive::{archive, unarchive};
pub use create::{NewRecord, create};
pub use delete::{Deletion, delete};
pub use links::{ChangedLinks, LinkChange, LinkList, LinkMark, LinkedRecord, change_links, list_linked};
pub use list::{RecordList, list};
pub(crate) use shown::Extent;
pub use shown::{RecordDetails, facts_of, get};
pub use update::{RecordUpdate, update};
