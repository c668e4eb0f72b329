//! The representation of a database.

use super::{property::PropertyReply, view::ViewReply};
use crate::wire::reply;
use octavo_app::databases::DatabaseDetails;
use octavo_core_model::{
    Level, Timestamp,
    id::{DatabaseId, PageId, TeamId, UserId, WorkspaceId},
    text::{DatabaseDescription, PageIcon, PageTitle},
};

reply! {
    /// A database, as the caller sees it.
    pub(crate) DatabaseReply {
        /// The id of the database.
        id "id": required DatabaseId,
        /// The id of the workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The page above it; null at the root of the workspace.
        page_id "pageId": nullable PageId,
        /// The team of the root page above it.
        team_id "teamId": nullable TeamId,
        /// Its title; it may be empty.
        title "title": required PageTitle = "Contacts",
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// What it is for.
        description "description": nullable DatabaseDescription,
        /// Increases with every change of its properties.
        schema_version "schemaVersion": required i64 = 4,
        /// Whether it is archived. Records of an archived database cannot be written.
        is_archived "isArchived": required bool = false,
        /// How many records it has that are not archived, whether the caller may see them or not.
        record_count "recordCount": required u64 = 240,
        /// The caller's level.
        access_level "accessLevel": required Level = "EDIT",
        /// The user who created it.
        created_by "createdBy": nullable UserId,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When its fields, properties or views last changed.
        updated_at "updatedAt": required Timestamp,
        /// Its properties in their order; only for single databases.
        properties "properties": optional Vec<PropertyReply>,
        /// Its views in their order; only for single databases.
        views "views": optional Vec<ViewReply>,
    }
}

impl From<DatabaseDetails> for DatabaseReply {
    fn from(shown: DatabaseDetails) -> Self {
        let DatabaseDetails { node, level, database, record_count, schema, views } = shown;
        Self {
            id: database.id,
            workspace_id: database.workspace,
            page_id: node.container.page(),
            team_id: node.team,
            title: node.title,
            icon: node.icon,
            description: database.description,
            schema_version: database.schema.version,
            is_archived: database.archived_at.is_some(),
            record_count,
            access_level: level,
            created_by: database.created_by,
            created_at: database.created_at,
            updated_at: database.updated_at,
            properties: schema.map(|schema| PropertyReply::all(&schema)),
            views: views.map(|views| views.into_iter().map(ViewReply::from).collect()),
        }
    }
}
