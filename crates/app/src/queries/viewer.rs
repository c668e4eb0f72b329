//! For whom a query runs, and over what.

use crate::{
    access::{RouteAccess, WorkspaceCaller},
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access::{self, lineage},
    relations::Reader,
    scope::View,
};
use chrono_tz::Tz;
use octavo_core_model::{
    Fault,
    database::Database,
    id::{DatabaseId, UserId},
    share_link::ShareLink,
    text::PageTitle,
};
use octavo_databases::Schema;
use octavo_permissions::Authority;
use std::sync::Arc;

/// Somebody for whom a query runs.
#[derive(Clone, Debug)]
pub(crate) enum Viewer {
    Caller {
        authority: Authority,
        /// Keys are no users.
        user: Option<UserId>,
        zone: Tz,
    },
    /// Whoever holds a share link.
    Link(ShareLink),
}

impl Viewer {
    pub(crate) fn of(caller: &WorkspaceCaller, authority: Authority) -> Self {
        let user = caller.user();
        let zone = user.and_then(|user| user.timezone.as_str().parse().ok()).unwrap_or(Tz::UTC);
        Self::Caller { authority, user: user.map(|user| user.id), zone }
    }

    /// The same viewer, whose days begin elsewhere.
    pub(crate) fn in_zone(self, zone: Tz) -> Self {
        match self {
            Self::Caller { authority, user, .. } => Self::Caller { authority, user, zone },
            Self::Link(_) => self,
        }
    }

    pub(crate) const fn reader(&self) -> Reader<'_> {
        match self {
            Self::Caller { authority, .. } => Reader::Caller(authority),
            Self::Link(link) => Reader::Link(link),
        }
    }

    pub(super) const fn user(&self) -> Option<UserId> {
        match self {
            Self::Caller { user, .. } => *user,
            Self::Link(_) => None,
        }
    }

    pub(crate) const fn zone(&self) -> Tz {
        match self {
            Self::Caller { zone, .. } => *zone,
            Self::Link(_) => Tz::UTC,
        }
    }

    /// Whether persons are shown with their ids. Holders of links see what persons call themselves.
    pub(super) const fn knows_persons(&self) -> bool {
        matches!(self, Self::Caller { .. })
    }

    /// Whether any records are shown at all. A link that includes nothing below its page shows none.
    pub(super) const fn sees_records(&self) -> bool {
        match self {
            Self::Caller { .. } => true,
            Self::Link(link) => link.include_children,
        }
    }
}

/// A database that somebody may query.
#[derive(Debug)]
pub(crate) struct OpenDatabase {
    pub(crate) viewer: Viewer,
    pub(crate) title: PageTitle,
    pub(crate) database: Database,
    /// The properties that the viewer sees.
    pub(crate) schema: Arc<Schema>,
}

impl OpenDatabase {
    /// Opens a database for a caller that may see it.
    pub(super) async fn find(view: &mut View, id: &Draft<DatabaseId>) -> AppResult<Self> {
        let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
        let node = lineage::find(view, &caller, &authority, id).await?.ok_or(Fault::NotFound)?;
        let id = node.page.id.as_database();
        let database = view.tx.databases().find(caller.workspace, id).await?.ok_or(Fault::NotFound)?;
        let schema = schema_of(view, &database).await?;
        let title = node.page.title.clone();
        Ok(Self { viewer: Viewer::of(&caller, authority), title, database, schema })
    }
}
