//! Rows of pages, visits and favorites.

use crate::{
    schema::{favorites, pages},
    stored::Stored,
};
use diesel::{
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
    sql_types::{Bool, Nullable, Text},
};
use octavo_core_model::{
    Timestamp,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{AccessNode, ChildCount, Favorite, Lock, Node, OpenPage, Page, PageKind, Step, Trash, title_key},
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = pages, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, created_by, created_at))] // what saving leaves alone
pub struct PageRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<PageId>,
    kind: Stored<PageKind>,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    container_id: Stored<Node>,
    team_id: Option<Stored<TeamId>>,
    access_id: Stored<Node>,
    inherit: bool,
    title: Stored<PageTitle>,
    title_key: String,
    icon: Option<Stored<PageIcon>>,
    cover_url: Option<Stored<WebAddress>>,
    position: Stored<Position>,
    locked_by: Option<Stored<UserId>>,
    locked_at: Option<i64>,
    trashed_by: Option<Stored<UserId>>,
    trashed_at: Option<i64>,
    trash_root_id: Option<Stored<PageId>>,
    purge_at: Option<i64>,
    grants_version: i64,
    version: i64,
    updated_by: Option<Stored<UserId>>,
    updated_at: i64,
}

impl From<&Page> for PageRow {
    fn from(page: &Page) -> Self {
        let trash = page.trash.as_ref();
        Self {
            workspace_id: Stored(page.workspace),
            id: Stored(page.id),
            kind: Stored(page.kind),
            created_by: page.created_by.map(Stored),
            created_at: page.created_at.millis(),
            container_id: Stored(page.container),
            team_id: page.team.map(Stored),
            access_id: Stored(page.access),
            inherit: page.inherit,
            title: Stored(page.title.clone()),
            title_key: title_key(&page.title),
            icon: page.icon.clone().map(Stored),
            cover_url: page.cover_url.clone().map(Stored),
            position: Stored(page.position.clone()),
            locked_by: page.lock.map(|lock| Stored(lock.by)),
            locked_at: page.lock.map(|lock| lock.at.millis()),
            trashed_by: trash.and_then(|trash| trash.by).map(Stored),
            trashed_at: trash.map(|trash| trash.at.millis()),
            trash_root_id: trash.map(|trash| Stored(trash.root)),
            purge_at: trash.map(|trash| trash.purge_at.millis()),
            grants_version: page.grants_version,
            version: page.version,
            updated_by: page.updated_by.map(Stored),
            updated_at: page.updated_at.millis(),
        }
    }
}

impl From<PageRow> for Page {
    fn from(row: PageRow) -> Self {
        let lock = row.locked_by.zip(row.locked_at);
        let trashed_by = row.trashed_by.map(|user| user.0);
        let trash = match (row.trashed_at, row.trash_root_id, row.purge_at) {
            (Some(at), Some(root), Some(purge_at)) => Some(Trash {
                by: trashed_by,
                at: Timestamp::from_millis(at),
                root: root.0,
                purge_at: Timestamp::from_millis(purge_at),
            }),
            _ => None,
        };
        Self {
            id: row.id.0,
            kind: row.kind.0,
            workspace: row.workspace_id.0,
            team: row.team_id.map(|team| team.0),
            container: row.container_id.0,
            access: row.access_id.0,
            inherit: row.inherit,
            title: row.title.0,
            icon: row.icon.map(|icon| icon.0),
            cover_url: row.cover_url.map(|address| address.0),
            position: row.position.0,
            lock: lock.map(|(by, at)| Lock { by: by.0, at: Timestamp::from_millis(at) }),
            trash,
            grants_version: row.grants_version,
            version: row.version,
            created_by: row.created_by.map(|user| user.0),
            updated_by: row.updated_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

/// A page on the way down to another one.
#[derive(Debug, Queryable)]
pub struct StepRow {
    id: Stored<PageId>,
    kind: Stored<PageKind>,
    container_id: Stored<Node>,
    access_id: Stored<Node>,
    inherit: bool,
    title: Stored<PageTitle>,
    icon: Option<Stored<PageIcon>>,
    is_private: Option<bool>,
    has_link: bool,
}

/// The types of the columns of a step.
pub type StepColumns = (Text, Text, Text, Text, Bool, Text, Nullable<Text>, Nullable<Bool>, Bool);

impl From<StepRow> for Step {
    fn from(row: StepRow) -> Self {
        Self {
            id: row.id.0,
            kind: row.kind.0,
            container: row.container_id.0,
            access: row.access_id.0,
            inherit: row.inherit,
            title: row.title.0,
            icon: row.icon.map(|icon| icon.0),
            in_private_team: row.is_private,
            has_link: row.has_link,
        }
    }
}

/// A page that has grants of its own, and the node that its parent inherits from.
#[derive(Debug, Queryable)]
pub struct AccessNodeRow {
    id: Stored<PageId>,
    container_id: Stored<Node>,
    inherit: bool,
    outer_id: Option<Stored<Node>>,
}

/// The types of the columns of a node.
pub type AccessNodeColumns = (Text, Text, Bool, Nullable<Text>);

impl From<AccessNodeRow> for AccessNode {
    fn from(row: AccessNodeRow) -> Self {
        // A root page inherits from its workspace or team.
        let outer = row.outer_id.map_or(row.container_id.0, |outer| outer.0);
        Self { id: row.id.0, container: row.container_id.0, outer, inherit: row.inherit }
    }
}

/// A page that was reached from above, and the node it takes its access from.
#[derive(Debug, Queryable)]
pub struct OpenPageRow {
    id: Stored<PageId>,
    container_id: Stored<Node>,
    inherit: bool,
    outer_id: Option<Stored<Node>>,
    access_id: Stored<Node>,
}

/// The types of the columns of such a page.
pub type OpenPageColumns = (Text, Text, Bool, Nullable<Text>, Text);

impl From<OpenPageRow> for OpenPage {
    fn from(row: OpenPageRow) -> Self {
        let OpenPageRow { id, container_id, inherit, outer_id, access_id } = row;
        Self { node: AccessNodeRow { id, container_id, inherit, outer_id }.into(), access: access_id.0 }
    }
}

#[derive(Debug, Queryable)]
pub struct ChildCountRow {
    container_id: Stored<PageId>,
    access_id: Stored<Node>,
    count: i64,
}

impl From<ChildCountRow> for ChildCount {
    fn from(row: ChildCountRow) -> Self {
        Self { parent: row.container_id.0, access: row.access_id.0, count: row.count.unsigned_abs() }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = favorites)]
pub struct FavoriteRow {
    workspace_id: Stored<WorkspaceId>,
    user_id: Stored<UserId>,
    resource_id: Stored<PageId>,
    pub position: Stored<Position>,
    created_at: i64,
}

impl From<&Favorite> for FavoriteRow {
    fn from(favorite: &Favorite) -> Self {
        Self {
            workspace_id: Stored(favorite.workspace),
            user_id: Stored(favorite.user),
            resource_id: Stored(favorite.page),
            position: Stored(favorite.position.clone()),
            created_at: favorite.created_at.millis(),
        }
    }
}

impl From<FavoriteRow> for Favorite {
    fn from(row: FavoriteRow) -> Self {
        Self {
            workspace: row.workspace_id.0,
            user: row.user_id.0,
            page: row.resource_id.0,
            position: row.position.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}
