//! Charts of databases: listing, creating, changing and deleting them, and what they show.
//!
//! A chart has the access of its database. What it shows is computed like a query, when it is asked for.

mod access;
mod batch;
mod change;
mod create;
mod data;
mod delete;
mod faults;
mod input;
mod read;

pub(crate) use batch::{Answered, Batch, Task, run, too_many};
pub use change::{ChartUpdate, change};
pub use create::{NewChart, create};
pub use data::{ChartAnswer, ChartScope, Preview, chart_data, image, preview};
pub use delete::delete;
pub(crate) use faults::{of_chart, unreadable};
pub use octavo_charts::{ChartData, ChartSettings};
pub use read::{get, list};
