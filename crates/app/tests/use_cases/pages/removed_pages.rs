//! Favorites of pages that are being deleted permanently. On SQLite units run one after the other anyway.

use crate::world::{Calling, World, fault_of};
use octavo_app::{
    Reply,
    pages::{self, FavoritePlace},
};
use octavo_core_model::Fault;
use octavo_ports::store::Record;
use std::pin::pin;

#[tokio::test]
async fn a_favorite_of_a_page_that_is_being_deleted_is_refused() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (id, _, (_, device)) = world.team_of_two().await;
    let parent = world.page_in(world.by(&device).at(id), None, "Plans").await;
    let page = world.page_in(world.by(&device).at(id), Some(parent), "Details").await;
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.workspaces().lock(id).await.unwrap();
    unit.pages().remove(id, parent).await.unwrap();
    let mut adding = pin!(world.engine.write_repeatably(
        world.by(&device).at(id),
        move |unit| Box::pin(pages::favorite(unit, Ok(page.into()), Ok(FavoritePlace::Last))),
        |_| Reply::nothing(),
    ));
    tokio::select! {
        added = &mut adding => panic!("the page is being deleted: {added:?}"),
        () = world.waits_for_a_blocked_call() => {}
    }
    unit.commit(Record::default()).await.unwrap();
    assert_eq!(fault_of(adding.await).err(), Some(Fault::NotFound));
    assert_eq!(world.database.number("SELECT count(*) FROM favorites").await, 0);
}
