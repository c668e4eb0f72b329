//! What instances show if their sources are large: the first ones on the page that the reader may see.

use crate::world::{Calling, World, fault_of, slot};
use octavo_app::{
    Call,
    blocks::{self, Batch, BlockList, Branch},
    pages::permissions::PermissionChange,
    share_links::{self, Key, NewShareLink},
};
use octavo_blocks_tree::{
    Body, Kind, RichText,
    batch::{Anchor, Insertion, Operation, Target},
};
use octavo_core_model::{
    id::{BlockId, PageId},
    share_link::ShareLevel,
};
use serde_json::json;

fn text(length: usize) -> Body {
    Body::with_text(Kind::Paragraph, RichText::plain("x".repeat(length)))
}

fn showing(source: BlockId) -> Body {
    Body::read(Kind::SyncedBlock, Some(json!({ "sourceBlockId": source })), None, "").unwrap()
}

/// Whether each instance shows its source, in the order of the page.
fn synced(branches: Vec<Branch>) -> Vec<bool> {
    let of_branch = |Branch { shown, children }: Branch| {
        let properties = shown.into_appearance().properties_of_instance();
        let own = properties.map(|properties| properties["sourceSynced"] == json!(true));
        own.into_iter().chain(synced(children)).collect::<Vec<_>>()
    };
    branches.into_iter().flat_map(of_branch).collect()
}

impl World {
    async fn synced_for(&self, call: Call, page: PageId) -> Vec<bool> {
        let list = BlockList { parent: None, with_deleted: false, after: None, limit: 1000 };
        synced(self.read(call, move |view| Box::pin(blocks::list(view, Ok(page), Ok(list)))).await.unwrap())
    }

    async fn synced_by_link(&self, key: Key) -> Vec<bool> {
        let reservations = self.engine.reservations();
        let open =
            self.read(self.nobody(), move |view| Box::pin(share_links::page_to_render(view, key, None, reservations)));
        synced(open.await.unwrap().0.content.blocks)
    }

    /// A link to a page and everything below it.
    async fn link_to(&self, call: Call, page: PageId) -> Key {
        let wanted = NewShareLink {
            level: ShareLevel::View,
            include_children: true,
            password: None,
            expires_at: None,
            allow_duplicate: false,
            allow_indexing: false,
        };
        let (keep, kept) = slot();
        fault_of(share_links::create(&self.engine, call, Ok(page), Ok(wanted), keep).await).unwrap();
        let token = kept.lock().unwrap().take().unwrap().token;
        Key { token: Ok(token), access: None }
    }
}

#[tokio::test]
async fn sources_that_a_reader_may_not_see_take_no_room_from_others() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    let key = world.link_to(call(), page).await;
    let mut sources = Vec::new();
    for _ in 0..2 {
        let hidden = world.page_in(call(), None, "Hidden").await;
        let cut = PermissionChange { inherit: Some(false), ..PermissionChange::default() };
        world.allows(call(), hidden, cut).await;
        sources.extend(world.writes_blocks(call(), hidden, vec![text(140_000); 64]).await);
    }
    let open = world.page_in(call(), Some(page), "Open").await;
    sources.extend(world.writes_blocks(call(), open, vec![text(10)]).await);
    world.writes_blocks(call(), page, sources.into_iter().map(showing).collect()).await;

    let mut only_the_last = vec![false; 128];
    only_the_last.push(true);
    assert_eq!(world.synced_for(world.by(&member.1).naming(id), page).await, only_the_last);
    assert_eq!(world.synced_by_link(key).await, only_the_last);
    let for_owner = world.synced_for(call(), page).await;
    let shown = for_owner.iter().filter(|shown| **shown).count();
    assert_eq!(shown, (16 << 20) / 140_000, "as many as fit into 16 MiB");
    assert!(for_owner[..shown].iter().all(|shown| *shown), "the first ones");
}

#[tokio::test]
async fn the_order_of_the_page_decides_which_sources_are_shown() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    let key = world.link_to(call(), page).await;
    let mut sources = Vec::new();
    for _ in 0..2 {
        let elsewhere = world.page_in(call(), Some(page), "Elsewhere").await;
        sources.extend(world.writes_blocks(call(), elsewhere, vec![text(9 << 20)]).await);
    }
    let toggle = world.writes_blocks(call(), page, vec![Body::empty(Kind::Toggle)]).await[0];
    let insert = |source, target| Ok(Operation::Insert(Insertion { id: None, body: showing(source), target }));
    let inside = Target { parent: Some(Some(toggle)), anchor: Anchor::Last };
    let before = Target { parent: None, anchor: Anchor::Before(toggle) };
    let operations = [insert(sources[0], inside), insert(sources[1], before)];
    let batch = Batch { base: None, operations: operations.into() };
    world.write(call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await.unwrap();

    assert_eq!(world.synced_for(call(), page).await, [true, false]);
    assert_eq!(world.synced_by_link(key).await, [true, false]);
}
