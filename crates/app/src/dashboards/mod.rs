//! Dashboards on pages and in databases: listing, creating, changing and deleting them, and what their widgets show.
//!
//! A dashboard has the access of the page or database that it is on. Each widget also needs that of what it shows.

mod access;
mod change;
mod check;
mod create;
mod data;
mod delete;
mod read;

pub use change::{DashboardUpdate, change};
pub use create::{NewDashboard, create};
pub use data::{DashboardAnswer, WidgetAnswer, WidgetData, dashboard_data};
pub use delete::delete;
pub use octavo_charts::dashboards::{Content, Widget, Widgets};
pub use read::{DashboardList, get, list};
