//! Units that change many pages or blocks. They run again in a turn with others of that kind, so that short units wait
//! for one of them at most.

use super::payloads_of;
use crate::{
    teams::named,
    world::{Calling, World, fault_of},
};
use octavo_app::{
    Call, Reply, Unit,
    blocks::{self, Batch, MarkdownEdits},
    engine::Fut,
    pages::{
        self, MoveTarget, NewPage, Place, Relocation,
        permissions::{self, PermissionChange},
        trash,
    },
    teams,
};
use octavo_blocks_tree::{Body, Kind, Piece, batch::Operation, markdown::Edit};
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    page::{Node, Page, ParentRef},
};
use octavo_ports::store::Record;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many pages or blocks a unit may change at most without waiting for a turn.
const SHORT: usize = 500;

impl World {
    /// Puts pages below a page, without events.
    pub(super) async fn fills_subtree(&self, workspace: WorkspaceId, parent: PageId, count: usize) {
        let mut unit = self.engine.store.writer().await.unwrap();
        let above = unit.pages().find(workspace, parent).await.unwrap().unwrap();
        let id = |number: usize| PageId::new(1, u128::to_be_bytes(number as u128)[6..].try_into().unwrap());
        let child = |number| Page { id: id(number), container: Node::Page(parent), ..above.clone() };
        let below: Vec<_> = (0..count).map(child).collect();
        unit.pages().insert_many(&below).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    }

    /// How often the unit of a use case runs.
    async fn count_runs<T: Send>(
        &self,
        call: Call,
        run: impl for<'a> Fn(&'a mut Unit) -> Fut<'a, T> + Send + Sync,
    ) -> usize {
        let runs = AtomicUsize::new(0);
        let counted = self.engine.write_repeatably(
            call,
            |unit| {
                runs.fetch_add(1, Ordering::Relaxed);
                run(unit)
            },
            |_| Reply::nothing(),
        );
        fault_of(counted.await).unwrap();
        runs.into_inner()
    }
}

#[tokio::test]
async fn units_that_change_many_pages_wait_for_their_turn() {
    for (below, expected) in [(SHORT - 1, 1), (SHORT, 2)] {
        let mut world = World::new().await;
        let (id, owner, _) = world.team_of_two().await;
        let call = || world.by(&owner.1).naming(id);
        let (top, other) = (world.page_in(call(), None, "Top").await, world.page_in(call(), None, "Other").await);
        world.fills_subtree(id, top, below).await;

        let alone = PermissionChange { inherit: Some(false), force: true, ..PermissionChange::default() };
        let runs = world.count_runs(call(), |unit| Box::pin(permissions::replace(unit, Ok(top), Ok(alone.clone()))));
        assert_eq!(runs.await, expected, "share");

        let place = Place { parent: Some(Some(ParentRef::Page(other))), ..Place::default() };
        let relocation = Relocation::default();
        let runs = world.count_runs(call(), |unit| {
            Box::pin(pages::relocate(unit, Ok(top), Ok(MoveTarget::Place(place)), Ok(relocation.clone())))
        });
        assert_eq!(runs.await, expected, "move");

        let throws_away =
            async || world.count_runs(call(), |unit| Box::pin(trash::throw_away(unit, Ok(top), Ok(None)))).await;
        assert_eq!(throws_away().await, expected, "trash");

        let runs =
            world.count_runs(call(), |unit| Box::pin(trash::restore(unit, Ok(top), Ok(Place::default()), Ok(None))));
        assert_eq!(runs.await, expected, "restore");

        assert_eq!(throws_away().await, expected, "trash again");
        let removal = trash::Removal { confirmation: Some(top.to_string()), expected: None };
        let runs = world.count_runs(call(), |unit| Box::pin(trash::destroy(unit, Ok(top), Ok(removal.clone()))));
        assert_eq!(runs.await, expected, "delete permanently");
    }
}

#[tokio::test]
async fn deleting_a_team_with_many_pages_waits_for_its_turn() {
    for (pages, expected) in [(SHORT, 1), (SHORT + 1, 2)] {
        let mut world = World::new().await;
        let (id, owner, _) = world.team_of_two().await;
        let call = || world.by(&owner.1).naming(id);
        let team = world.write(call(), |unit| Box::pin(teams::create(unit, Ok(named("Team"))))).await.unwrap().team.id;
        let place = Place { team: Some(Some(team)), ..Place::default() };
        let page = NewPage::default();
        let top = world.write(call(), move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await.unwrap();
        world.fills_subtree(id, top.page.id, pages - 1).await;
        let runs = world.count_runs(call(), |unit| Box::pin(teams::delete(unit, Ok(team))));
        assert_eq!(runs.await, expected, "{pages} pages");
    }
}

#[tokio::test]
async fn a_unit_that_deletes_many_blocks_waits_for_its_turn() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    for (count, expected) in [(SHORT, 1), (SHORT + 1, 2)] {
        let block = BlockId::new(1, [u8::try_from(expected).unwrap(); 10]);
        let leaf = || Piece { id: None, body: Body::empty(Kind::Divider), children: Vec::new() };
        let children = (1..count).map(|_| leaf()).collect();
        let content = vec![Piece { id: Some(block), body: Body::empty(Kind::Toggle), children }];
        let place = Place { parent: Some(None), ..Place::default() };
        let page = NewPage { content, ..NewPage::default() };
        let page = world.write(call(), move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await.unwrap();
        let page = page.page.id;
        let runs = world.count_runs(call(), |unit| {
            let operations = vec![Ok(Operation::Delete { block, version: None })];
            Box::pin(blocks::write(unit, Ok(page), Ok(Batch { base: None, operations: operations.into() })))
        });
        assert_eq!(runs.await, expected, "{count} blocks");
    }
}

/// The log keeps each event for months, and many readers load it.
#[tokio::test]
async fn events_list_a_thousand_things_and_say_how_many_there_are() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let top = world.page_in(call(), None, "Top").await;
    world.fills_subtree(id, top, 1_200).await;
    world.throws_away(call(), top).await.unwrap();
    world
        .write(call(), move |unit| Box::pin(trash::restore(unit, Ok(top), Ok(Place::default()), Ok(None))))
        .await
        .unwrap();
    for (kind, count) in [("page.trashed", "trashedCount"), ("page.restored", "restoredCount")] {
        let events = payloads_of(&world, kind).await;
        assert_eq!(events.len(), 1);
        assert_eq!((events[0]["pageIds"].as_array().unwrap().len(), &events[0][count]), (1_000, &json!(1_201)));
    }
    let page = world.page_in(call(), None, "Page").await;
    let edits = vec![Edit::ReplaceAll { markdown: "word\n\n".repeat(1_200) }];
    let edits = MarkdownEdits { edits, expected: None };
    blocks::edit_markdown(&world.engine, call(), Ok(page), Ok(edits), |_| Reply::nothing()).await.unwrap();
    let changed = payloads_of(&world, "blocks.changed").await;
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0]["changes"].as_array().unwrap().len(), &changed[0]["changeCount"]), (1_000, &json!(1_200)));
}
