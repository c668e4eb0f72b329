//! Charts: how the records of a database are counted and drawn.

use crate::{
    id::{ChartId, DatabaseId, UserId, WorkspaceId},
    text::ChartName,
    time::Timestamp,
};
use serde_json::Value;

/// A chart as the store holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The id of the chart.
    pub id: ChartId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The database that it belongs to.
    pub database: DatabaseId,
    /// What people see.
    pub name: ChartName,
    /// What it shows, and how. `octavo-charts` reads it.
    pub settings: Value,
    /// Raised by each change.
    pub version: i64,
    /// Who created it; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// Who changed it last; `None` if the user is unknown.
    pub updated_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Chart {
    /// How many a database has at most.
    pub const MOST_PER_DATABASE: u32 = 100;
}
