//! PostgreSQL's planner chooses how to look up which pages are public.

use crate::support::{owner, read, write};
use octavo_core_model::page::{Node, PageFilter, PageSort, PublicAccess};
use octavo_testkit::{
    fresh_postgres,
    make::{self, NOW},
};

/// If each page were looked for in the whole list of public pages, a statement would run into its timeout.
#[tokio::test]
async fn pages_that_are_not_public_are_found_among_many_that_are() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let home = Node::Workspace(workspace.id);
    let (shared, separate) = (make::page(1, workspace.id, home, home), make::page(2, workspace.id, home, home));
    for page in [&shared, &separate] {
        assert!(write!(store, unit => unit.pages().insert(page).await));
    }
    write!(store, unit => unit.share_links().insert(&make::share_link(1, &shared)).await);
    // The planner has to know that there are many.
    database
        .execute(&format!(
            "INSERT INTO pages (workspace_id, id, container_id, access_id, inherit, title, title_key, position,
                                grants_version, version, created_at, updated_at)
             SELECT workspace_id, id || n, id, access_id, true, title, title_key, position,
                    grants_version, version, created_at, updated_at
             FROM pages, generate_series(1, 20000) AS n WHERE id = '{}';
             INSERT INTO share_links (workspace_id, id, resource_id, token_hash, sealed_token, level, include_children,
                                      allow_duplicate, allow_indexing, view_count, created_by, created_at, updated_at)
             SELECT workspace_id, id || n, resource_id || n, token_hash || n, sealed_token, level, include_children,
                    allow_duplicate, allow_indexing, view_count, created_by, created_at, updated_at
             FROM share_links, generate_series(1, 20000) AS n;
             ANALYZE pages, share_links",
            shared.id
        ))
        .await;
    for (access, expected) in [(PublicAccess::None, vec![separate.id]), (PublicAccess::Inherited, Vec::new())] {
        let filter = PageFilter { public: Some((access, NOW)), ..PageFilter::default() };
        let listed =
            read!(store, view => view.pages().list(workspace.id, &filter, PageSort::NEWEST_CHANGE, None, 100).await);
        assert_eq!(listed.into_iter().map(|page| page.id).collect::<Vec<_>>(), expected, "{access}");
    }
}
