//! Favorites and visits of members who are being removed. On SQLite units run one after the other anyway.

use crate::world::{Calling, World, denied, fault_of};
use octavo_app::{
    Reply,
    pages::{self, FavoritePlace},
};
use octavo_core_model::{fault::Denial, page::Visit};
use octavo_ports::store::Record;

#[tokio::test]
async fn a_member_who_is_removed_while_adding_a_favorite_is_refused() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (id, _, (person, device)) = world.team_of_two().await;
    let page = world.page_in(world.by(&device).at(id), None, "Plans").await;
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.members().remove(id, person.id).await.unwrap();
    let meanwhile = async {
        world.waits_for_a_blocked_call().await;
        unit.commit(Record::default()).await.unwrap();
    };
    let adding = world.engine.write_repeatably(
        world.by(&device).at(id),
        move |unit| Box::pin(pages::favorite(unit, Ok(page.into()), Ok(FavoritePlace::Last))),
        |_| Reply::nothing(),
    );
    let (added, ()) = tokio::join!(adding, meanwhile);
    assert_eq!(fault_of(added).err(), Some(denied(Denial::WorkspaceMismatch)));
}

#[tokio::test]
async fn visits_of_others_are_stored_while_a_visitor_is_removed() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (workspace, (owner, at_owner), (member, at_member)) = world.team_of_two().await;
    let page = world.page_in(world.by(&at_member).at(workspace), None, "Plans").await;
    let at = world.now;
    let visits = [member.id, owner.id].map(|user| Visit { workspace, user, page, at }).to_vec();
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.members().remove(workspace, member.id).await.unwrap();
    let meanwhile = async {
        world.waits_for_a_blocked_call().await;
        unit.commit(Record::default()).await.unwrap();
    };
    let (noted, ()) = tokio::join!(pages::note_visits(&world.engine, at, visits), meanwhile);
    fault_of(noted).unwrap();
    let call = world.by(&at_owner).at(workspace);
    let recent = world.read(call, |view| Box::pin(pages::recent(view))).await.unwrap();
    assert_eq!(recent.len(), 1);
}
