//! Listing databases.

use super::shown::DatabaseDetails;
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, listing::list_visible, visibility::Visibility},
    scope::View,
};
use octavo_core_model::{
    database::{Database, DatabaseOrder},
    id::{DatabaseId, PageId, TeamId},
    page::{Listed, Node, Page, PageFilter, PageMark, PageOrder, PageSort, Roots},
};
use std::collections::BTreeMap;

pub use octavo_core_model::page::PageMark as DatabaseMark;

/// How many databases are examined at once if a list leaves some of them out.
const CHUNK: u32 = 200;

/// Which databases to list.
#[derive(Clone, Debug)]
pub struct DatabaseList {
    /// Only those whose title contains this text, whatever the case.
    pub title: Option<String>,
    pub team: Option<TeamId>,
    /// Only those in this page.
    pub page: Option<PageId>,
    pub with_archived: bool,
    pub order: DatabaseOrder,
    pub after: Option<DatabaseMark>,
    pub limit: u32,
}

impl DatabaseList {
    pub const fn sort(&self) -> PageSort {
        match self.order {
            DatabaseOrder::NewestChange => PageSort::NEWEST_CHANGE,
            DatabaseOrder::Title => PageSort { by: PageOrder::Title, descending: false },
        }
    }

    fn filter(&self) -> PageFilter {
        PageFilter {
            listed: Listed::Databases,
            place: self.page.map(|page| Roots::In(Node::Page(page))),
            team: self.team,
            ..PageFilter::default()
        }
    }

    fn wants(&self, node: &Page, database: &Database) -> bool {
        let is_named = self.title.as_ref().is_none_or(|text| node.title.as_str().to_lowercase().contains(text));
        is_named && (self.with_archived || database.archived_at.is_none())
    }
}

/// Lists the databases that the caller may see.
pub async fn list(view: &mut View, asked: Draft<DatabaseList>) -> AppResult<Vec<DatabaseDetails>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let mut asked = asked?;
    asked.title = asked.title.map(|text| text.to_lowercase());
    let mut visibility = Visibility::of(caller.workspace, &authority);
    let (limit, sort) = (asked.limit as usize, asked.sort());
    let mut after: Option<PageMark> = asked.after.clone();
    let mut found = Vec::new();
    let chunk = asked.limit.max(CHUNK);
    while found.len() < limit {
        let nodes = list_visible(view, &mut visibility, asked.filter(), sort, after.clone(), chunk).await?;
        after = nodes.last().map(|node| node.mark(sort)).or(after);
        let is_end = nodes.len() < chunk as usize;
        let ids: Vec<_> = nodes.iter().map(|node| node.id.as_database()).collect();
        let databases = view.tx.databases().list_by_id(caller.workspace, &ids).await?.into_iter();
        let mut databases: BTreeMap<DatabaseId, Database> = databases.map(|database| (database.id, database)).collect();
        let pairs = nodes.into_iter().filter_map(|node| {
            let database = databases.remove(&node.id.as_database())?;
            Some((node, database))
        });
        found.extend(pairs.filter(|(node, database)| asked.wants(node, database)));
        if is_end {
            break;
        }
    }
    found.truncate(limit);
    let ids: Vec<_> = found.iter().map(|(_, database)| database.id).collect();
    let counts: BTreeMap<_, _> = if ids.is_empty() {
        BTreeMap::new()
    } else {
        view.tx.databases().count_records(caller.workspace, &ids).await?.into_iter().collect()
    };
    let details = |(node, database): (Page, Database)| DatabaseDetails {
        level: visibility.level(node.access),
        record_count: counts.get(&database.id).copied().unwrap_or(0),
        schema: None,
        views: None,
        node,
        database,
    };
    Ok(found.into_iter().map(details).collect())
}
