//! The representation of a dashboard.

use super::sent::{SentDashboardFilters, SentWidgets};
use crate::wire::{JsonOf, Version, body, reply};
use octavo_core_model::{
    Timestamp,
    dashboard::Dashboard,
    fault::{DataIssue, DataProblem},
    id::{DashboardId, DatabaseId, PageId, UserId, WorkspaceId},
    page::ResourceId,
    text::DashboardName,
};

/// The way in which well-formed widgets can be impossible.
pub(super) const LAYOUT: &[DataProblem] = &[DataProblem::new(DataIssue::WidgetLayout)];

body! {
    /// The part of a new dashboard that decides which right the call needs.
    pub(crate) DashboardHome {
        /// The page that it is on.
        page_id "pageId": nullable PageId,
        /// The database that it is in.
        database_id "databaseId": nullable DatabaseId,
    }
}

body! {
    /// A dashboard to be created. Exactly one of `pageId` and `databaseId` is needed.
    pub(crate) NewDashboardBody {
        example: {
            "name": "Sales",
            "databaseId": "db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "widgets": [{ "type": "text", "text": "# Sales", "x": 0, "y": 0, "w": 12, "h": 2 }],
        };
        /// Its name.
        name "name": required DashboardName,
        /// The page that it is on, whose access it has.
        page_id "pageId": nullable PageId,
        /// The database that it is in, whose access it has.
        database_id "databaseId": nullable DatabaseId,
        /// Its widgets on a grid of 12 columns; none by default.
        widgets "widgets": optional SentWidgets,
        /// What narrows the records of a database in all of its widgets; nothing by default.
        filters "filters": optional SentDashboardFilters,
    }
}

body! {
    /// A change of a dashboard. Fields that are left out stay as they are.
    pub(crate) DashboardBody {
        example: { "name": "Sales" };
        /// Its name.
        name "name": optional DashboardName,
        /// All of its widgets. Those that are left out are removed.
        widgets "widgets": optional SentWidgets,
        /// All of its filters.
        filters "filters": optional SentDashboardFilters,
        /// The version that the change is based on.
        version "version": optional Version,
    }
}

reply! {
    /// A dashboard on a page or in a database.
    pub(crate) DashboardReply {
        /// The id of the dashboard.
        id "id": required DashboardId,
        /// Its workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// Its name.
        name "name": required String = "Sales",
        /// The page that it is on; null if it is in a database.
        page_id "pageId": nullable PageId,
        /// The database that it is in; null if it is on a page.
        database_id "databaseId": nullable DatabaseId = null,
        /// Its widgets. What they name can be gone, or hidden from the caller.
        widgets "widgets": required JsonOf<SentWidgets>,
        /// What narrows the records of a database in all widgets.
        filters "filters": required JsonOf<SentDashboardFilters>,
        /// Raised by each change.
        version "version": required i64 = 1,
        /// Who created it.
        created_by "createdBy": nullable UserId,
        /// Who changed it last.
        updated_by "updatedBy": nullable UserId,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was last changed.
        updated_at "updatedAt": required Timestamp,
    }
}

impl From<Dashboard> for DashboardReply {
    fn from(dashboard: Dashboard) -> Self {
        let (page_id, database_id) = match dashboard.host {
            ResourceId::Page(id) => (Some(id), None),
            ResourceId::Database(id) => (None, Some(id)),
        };
        Self {
            id: dashboard.id,
            workspace_id: dashboard.workspace,
            name: dashboard.name.as_str().to_owned(),
            page_id,
            database_id,
            widgets: dashboard.widgets.into(),
            filters: dashboard.filters.into(),
            version: dashboard.version,
            created_by: dashboard.created_by,
            updated_by: dashboard.updated_by,
            created_at: dashboard.created_at,
            updated_at: dashboard.updated_at,
        }
    }
}
