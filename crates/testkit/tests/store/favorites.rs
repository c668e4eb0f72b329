//! Favorites.

use crate::{
    pages::chain,
    support::{owner, read, write},
};
use octavo_core_model::{
    page::{Favorite, Trash},
    position::Position,
};
use octavo_testkit::{Database, make};

pub(crate) async fn favorites_come_in_their_order(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 4).await;
    let favorite = |page: usize, position: &str| Favorite {
        workspace: workspace.id,
        user: user.id,
        page: pages[page].id,
        position: Position::parse(position).unwrap(),
        created_at: make::NOW,
    };
    for (page, position) in [(0, "a1"), (1, "A0"), (2, "a1"), (3, "a0"), (0, "a2")] {
        write!(store, unit => unit.favorites().put(&favorite(page, position)).await);
    }
    let trash = Trash { by: None, at: make::NOW, root: pages[3].id, purge_at: make::NOW };
    write!(store, unit => unit.pages().trash(&pages[3], &trash).await);
    let list = async || {
        let found = read!(store, view => view.favorites().list(workspace.id, user.id).await);
        found.into_iter().map(|(favorite, page)| (favorite.page == page.id, page.id)).collect::<Vec<_>>()
    };
    assert_eq!(list().await, [1, 2, 0].map(|page| (true, pages[page].id)));
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let mut found = read!(store, view => view.favorites().find_many(workspace.id, user.id, &ids[..2]).await);
    found.sort_unstable();
    assert_eq!(found, ids[..2]);
    let kept = read!(store, view => view.favorites().find(workspace.id, user.id, ids[0]).await);
    assert_eq!(kept, Some(favorite(0, "a2")));
    let places = write!(store, unit => unit.favorites().list_places(workspace.id, user.id, ids[1]).await);
    assert_eq!(places.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [ids[3], ids[2], ids[0]]);
    write!(store, unit => unit.favorites().remove(workspace.id, user.id, ids[2]).await);
    assert_eq!(list().await.len(), 2);
}
