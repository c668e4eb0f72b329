//! How many pages a workspace may have.

use super::payloads_of;
use crate::world::{Calling, World, conflict};
use octavo_app::{
    Call,
    pages::{self, CopyTarget, Duplication, NewPage, Place, trash},
};
use octavo_core_model::{
    Fault,
    fault::Conflict,
    id::{PageId, WorkspaceId},
    page::ParentRef,
    time::days,
    workspace::Limit,
};

impl World {
    async fn tries_to_create(&self, call: Call, parent: Option<PageId>) -> Result<PageId, Fault> {
        let place = Place { parent: Some(parent.map(ParentRef::Page)), ..Place::default() };
        let create = self.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(NewPage::default()))));
        create.await.map(|made| made.page.id)
    }

    /// Copies a page with everything below it, and returns the number of copies.
    async fn tries_to_copy(&self, call: Call, page: PageId) -> Result<usize, Fault> {
        let copy = self.write(call, move |unit| {
            Box::pin(pages::duplicate(unit, Ok(page), Ok(CopyTarget::default()), Ok(Duplication::default())))
        });
        copy.await.map(|copied| copied.ids.len())
    }

    /// The number that the workspace keeps, which must be the number of its pages.
    async fn page_count(&self, id: WorkspaceId) -> i64 {
        let kept = self.database.number(&format!("SELECT page_count FROM workspaces WHERE id = '{id}'")).await;
        let pages = self.database.number(&format!("SELECT count(*) FROM pages WHERE workspace_id = '{id}'")).await;
        assert_eq!(kept, pages, "the number that is kept, and the pages that there are");
        kept
    }
}

#[tokio::test]
async fn a_workspace_has_only_so_many_pages_including_the_trash() {
    let mut world = World::ruled(|rules| rules.pages = Limit::AtMost(4)).await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let full = conflict(Conflict::TooManyPages(4));
    let top = world.tries_to_create(call(), None).await.unwrap();
    let below = world.tries_to_create(call(), Some(top)).await.unwrap();
    world.tries_to_create(call(), Some(below)).await.unwrap();
    assert_eq!(world.tries_to_copy(call(), top).await, Err(full.clone()), "three copies are two too many");
    assert_eq!(world.page_count(id).await, 3, "a refused copy does not count");
    world.tries_to_create(call(), None).await.unwrap();
    assert_eq!(world.tries_to_create(call(), Some(top)).await, Err(full.clone()));
    world.throws_away(call(), below).await.unwrap();
    assert_eq!(world.tries_to_create(call(), None).await, Err(full), "pages in the trash count");
    world.destroys(call(), below).await;
    assert_eq!(world.tries_to_copy(call(), top).await, Ok(1));
    assert_eq!(world.page_count(id).await, 3);
    let elsewhere = world.by(&owner.1).naming(owner.0.workspace);
    world.tries_to_create(elsewhere, None).await.expect("each workspace has a limit of its own");
}

#[tokio::test]
async fn the_number_of_pages_follows_what_is_created_and_removed() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = |world: &World| world.by(&owner.1).naming(id);
    let before = world.page_count(id).await;
    let top = world.tries_to_create(call(&world), None).await.unwrap();
    let below = world.tries_to_create(call(&world), Some(top)).await.unwrap();
    world.tries_to_create(call(&world), Some(below)).await.unwrap();
    assert_eq!(world.tries_to_copy(call(&world), top).await, Ok(3));
    assert_eq!(world.page_count(id).await, before + 6);
    // A page in the trash goes with the one above it.
    world.throws_away(call(&world), below).await.unwrap();
    world.throws_away(call(&world), top).await.unwrap();
    assert_eq!(world.page_count(id).await, before + 6);
    world.destroys(call(&world), top).await;
    assert_eq!(world.page_count(id).await, before + 3);
    assert_eq!(payloads_of(&world, "page.deleted").await.len(), 1);
    let by_retention = world.tries_to_create(call(&world), None).await.unwrap();
    world.throws_away(call(&world), by_retention).await.unwrap();
    world.pass(days(30));
    assert_eq!(world.purged_pages().await, 1);
    assert_eq!(world.page_count(id).await, before + 3);
    let emptied = world.tries_to_create(call(&world), None).await.unwrap();
    world.throws_away(call(&world), emptied).await.unwrap();
    let (empty, confirmation) = (call(&world), Ok(Some(id.to_string())));
    world.write(empty, move |unit| Box::pin(trash::empty(unit, confirmation))).await.unwrap();
    assert_eq!(world.page_count(id).await, before + 3);
}
