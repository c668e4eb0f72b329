//! Use cases on the tree of pages.

mod batches;
mod copies;
mod databases;
mod grants;
mod instances;
mod levels;
mod limits;
mod long_units;
mod places;
mod removals;
mod removed_members;
mod removed_pages;
mod sources;
mod trash;
mod tree;

use crate::world::{Calling, Device, Person, World};
use octavo_app::{
    Call,
    blocks::{self, Batch},
    chores,
    pages::{
        self, NewPage, Place,
        permissions::{self, PermissionChange},
    },
};
use octavo_blocks_tree::{
    Body,
    batch::{Insertion, Operation, Target},
};
use octavo_core_model::{
    Fault, Level, Role,
    id::{BlockId, PageId, WorkspaceId},
    page::ParentRef,
    text::PageTitle,
};
use serde_json::Value;

impl World {
    /// A page in another one or at the root.
    async fn page_in(&self, call: Call, parent: Option<PageId>, title: &str) -> PageId {
        let place = Place { parent: Some(parent.map(ParentRef::Page)), ..Place::default() };
        let page = NewPage { title: PageTitle::parse(title).ok(), ..NewPage::default() };
        self.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await.unwrap().page.id
    }

    async fn throws_away(&self, call: Call, id: PageId) -> Result<pages::trash::Trashed, Fault> {
        self.write(call, move |unit| Box::pin(pages::trash::throw_away(unit, Ok(id), Ok(None)))).await
    }

    /// Deletes a page in the trash permanently.
    async fn destroys(&self, call: Call, page: PageId) {
        let removal = pages::trash::Removal { confirmation: Some(page.to_string()), expected: None };
        self.write(call, move |unit| Box::pin(pages::trash::destroy(unit, Ok(page), Ok(removal)))).await.unwrap();
    }

    async fn sees(&self, call: Call, id: PageId) -> Result<Level, Fault> {
        let opened = self.read(call, move |view| Box::pin(pages::get(view, Ok(id), Ok(Vec::new())))).await;
        opened.map(|opened| opened.shown.level)
    }

    async fn allows(&self, call: Call, id: PageId, change: PermissionChange) {
        self.write(call, move |unit| Box::pin(permissions::replace(unit, Ok(id), Ok(change)))).await.unwrap();
    }

    async fn team_of_two(&mut self) -> (WorkspaceId, (Person, Device), (Person, Device)) {
        let (owner, member) = (self.newcomer().await, self.newcomer().await);
        let id = self.creates_workspace(&owner.0).await;
        self.adds(self.by(&owner.1).at(id), member.0.id, Role::Member).await.unwrap();
        (id, owner, member)
    }

    async fn purged_pages(&self) -> u64 {
        chores::purge(&self.engine, &self.blobs, self.now, false).await.unwrap().pages
    }

    async fn writes_blocks(&self, call: Call, page: PageId, bodies: Vec<Body>) -> Vec<BlockId> {
        let insertion = |body| Ok(Operation::Insert(Insertion { id: None, body, target: Target::default() }));
        let batch = Batch { base: None, operations: bodies.into_iter().map(insertion).collect() };
        self.write(call, move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await.unwrap().blocks
    }
}

/// The payloads of the events of a type, oldest first.
async fn payloads_of(world: &World, kind: &str) -> Vec<Value> {
    let sql = format!("SELECT details FROM events WHERE type = '{kind}' ORDER BY sequence");
    let rows = world.database.rows(&sql).await;
    rows.iter().map(|row| serde_json::from_str(&row[0]).unwrap()).collect()
}
