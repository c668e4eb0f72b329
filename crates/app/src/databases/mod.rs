//! Databases: creating, reading and changing them, their properties and their views.

mod access;
mod additions;
mod affected;
mod change;
mod create;
mod defaults;
mod events;
pub(crate) mod faults;
mod list;
mod properties;
mod relations;
mod schemas;
mod shown;
mod targets;
mod views;

pub(crate) use access::{SeenDatabase, find as find_database, require_in_use};
pub(crate) use additions::add_properties;
pub use change::{DatabaseUpdate, update};
pub(crate) use create::{Creator, put};
pub use create::{DatabasePlace, NewDatabase, create};
pub use list::{DatabaseList, DatabaseMark, list};
pub(crate) use properties::add_named_options;
pub use properties::{
    ChangedProperty, DeletedProperty, PropertyDeletion, PropertyEdit, add_property, change_property, delete_property,
    list_properties, set_title,
};
pub use relations::{RelationDetails, add_relation, change_relation, delete_relation, list_relations};
pub use shown::{DatabaseDetails, get};
pub(crate) use views::views_of as ordered_views;
pub use views::{ViewDetails, change_view, create_view, delete_view, list_views, reorder_view};
