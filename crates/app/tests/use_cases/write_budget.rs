//! Persons that write much have to wait.

use crate::world::{Calling, World, fault_of};
use octavo_app::{
    Call, Caller, Reply,
    accounts::profile,
    blocks::{self, Batch},
    pages::{
        self, NewPage, Place,
        permissions::{self, GranteeRef, NewGrant, PermissionChange},
    },
};
use octavo_blocks_tree::{
    Body, Kind, RichText,
    batch::{Anchor, Insertion, Operation, Patch, Target},
};
use octavo_core_model::{
    Bucket, Fault, KeyScope, Level,
    account::{ProfileChange, User},
    fault::Conflict,
    id::{BlockId, PageId},
    position::Position,
    text::Email,
    workspace::Limit,
};
use octavo_testkit::make;
use serde_json::json;
use std::time::Duration;

const HOUR: Duration = Duration::from_hours(1);

async fn limited(bytes: u64) -> World {
    World::ruled(|rules| rules.written_bytes = Limit::AtMost(bytes)).await
}

impl World {
    async fn makes_page(&self, call: Call) -> Result<PageId, Fault> {
        let page = NewPage::default();
        let made = self.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page)))).await;
        made.map(|details| details.page.id)
    }

    async fn appends(&self, call: Call, page: PageId, length: usize) -> Result<(), Fault> {
        self.edits(call, page, vec![paragraph(length, Anchor::Last)]).await.map(drop)
    }

    async fn edits(&self, call: Call, page: PageId, operations: Vec<Operation>) -> Result<Vec<BlockId>, Fault> {
        let operations = operations.into_iter().map(Ok).collect();
        let batch = Batch { base: None, operations };
        let written = self.write(call, move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await?;
        Ok(written.blocks)
    }
}

fn paragraph(length: usize, anchor: Anchor) -> Operation {
    let body = Body::with_text(Kind::Paragraph, RichText::plain("x".repeat(length)));
    Operation::Insert(Insertion { id: None, body, target: Target { parent: None, anchor } })
}

const fn deletion(block: BlockId) -> Operation {
    Operation::Delete { block, version: None }
}

fn wait<T>(answer: &Result<T, Fault>) -> Option<Duration> {
    match answer {
        Err(Fault::TooMuchWritten { retry_after, bucket: Bucket::Generic }) => Some(Duration::from_secs(*retry_after)),
        _ => None,
    }
}

#[tokio::test]
async fn somebody_who_has_written_too_much_waits_until_enough_is_forgotten() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let page = world.makes_page(world.by(&device).naming(workspace)).await.unwrap();
    world.appends(world.by(&device).naming(workspace), page, 50_000).await.unwrap();
    world.appends(world.by(&device).naming(workspace), page, 98_000).await.expect("half of it is left");
    let refused = world.appends(world.by(&device).naming(workspace), page, 1).await;
    let span = wait(&refused).expect("refused");
    assert!(span > HOUR / 2 && span < HOUR, "{span:?}");
    world.pass(span.saturating_sub(Duration::from_secs(2)));
    assert!(wait(&world.appends(world.by(&device).naming(workspace), page, 1).await).is_some());
    assert!(wait(&world.makes_page(world.by(&device).naming(workspace)).await).is_some());
    world.pass(Duration::from_secs(2));
    world.appends(world.by(&device).naming(workspace), page, 1).await.unwrap();
}

/// Nothing has a key behind the greatest one, so what is put there gives all its siblings new keys. A version of the page
/// still shows them at the old ones, as copies.
#[tokio::test]
async fn what_is_copied_for_a_version_counts_even_if_only_its_place_changes() {
    let mut world = limited(400_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let call = |world: &World| world.by(&device).naming(workspace);
    let page = world.makes_page(call(&world)).await.unwrap();
    let greatest = Position::parse(&"z".repeat(Position::MAX)).unwrap();
    let large = vec![paragraph(60_000, Anchor::Last), paragraph(60_000, Anchor::Last), paragraph(0, Anchor::Last)];
    let mut last = *world.edits(call(&world), page, large).await.unwrap().last().unwrap();
    for number in 0..3 {
        let at_the_end = [paragraph(0, Anchor::At(greatest.clone())), paragraph(0, Anchor::Last), deletion(last)];
        let made = world.edits(call(&world), page, at_the_end.into()).await.expect("the limit is reached only now");
        last = made[1];
        let copies = "SELECT count(*) FROM block_states WHERE octet_length(body) > 60000";
        assert_eq!(world.database.number(copies).await, 2 * (number + 1));
    }
    assert!(wait(&world.appends(call(&world), page, 1).await).is_some());
}

#[tokio::test]
async fn a_deleted_block_counts_if_a_version_shows_it() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let call = |world: &World| world.by(&device).naming(workspace);
    let page = world.makes_page(call(&world)).await.unwrap();
    let block = world.edits(call(&world), page, vec![paragraph(60_000, Anchor::Last)]).await.unwrap()[0];
    world.edits(call(&world), page, vec![deletion(block)]).await.unwrap();
    assert!(wait(&world.appends(call(&world), page, 1).await).is_some(), "the block and its copy exceed the limit");
}

/// Changes nothing and gets an answer of this size, which cannot be compressed.
async fn is_answered(world: &World, call: Call, bytes: usize) -> Result<(), Fault> {
    let shape = move |_: User| {
        let mut body = vec![0; bytes];
        blake3::Hasher::new().finalize_xof().fill(&mut body);
        Reply { status: 200, body, ..Reply::default() }
    };
    let change = ProfileChange::default();
    let answer = world.engine.write(call, |unit| Box::pin(profile::update(unit, Ok(change))), shape).await;
    fault_of(answer).map(drop)
}

#[tokio::test]
async fn an_answer_that_is_kept_for_its_key_counts() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let call = |world: &World, key: &str| world.by(&device).keyed(key, "body");
    for _ in 0..3 {
        is_answered(&world, world.by(&device), 60_000).await.expect("no key");
    }
    is_answered(&world, call(&world, "first"), 60_000).await.unwrap();
    is_answered(&world, call(&world, "second"), 60_000).await.unwrap();
    assert!(wait(&is_answered(&world, call(&world, "third"), 60_000).await).is_some());
    assert!(wait(&world.makes_page(world.by(&device).naming(workspace)).await).is_some());
    is_answered(&world, call(&world, "fourth"), 1_000).await.expect("a small answer");
    is_answered(&world, world.by(&device), 60_000).await.expect("nothing is kept");
}

fn address(number: usize) -> GranteeRef {
    GranteeRef::Email(Email::parse(&format!("guest-{number}@{}example", "long.".repeat(10))).unwrap())
}

/// The log and the audit trail repeat all grants of a page with each change of one.
#[tokio::test]
async fn a_list_of_grants_counts_with_what_is_logged_about_it() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let call = |world: &World| world.by(&device).naming(workspace);
    let page = world.makes_page(call(&world)).await.unwrap();
    let shares = async |world: &World, guests: usize, level| {
        let grants = (0..guests).map(|number| NewGrant { grantee: address(number), level, expires_at: None }).collect();
        let change = PermissionChange { grants: Some(grants), ..PermissionChange::default() };
        world.write(call(world), move |unit| Box::pin(permissions::replace(unit, Ok(page), Ok(change)))).await
    };
    let mut saved = Vec::new();
    let refused = loop {
        let level = if saved.len() % 2 == 0 { Level::View } else { Level::Edit };
        match shares(&world, 100, level).await {
            Ok(permissions) if saved.len() < 10 => saved.push(permissions),
            end => break end,
        }
    };
    assert!(wait(&refused).is_some(), "after {} changes: {refused:?}", saved.len());
    assert!(wait(&world.makes_page(call(&world)).await).is_some());
    let grant = saved.pop().expect("the first change fits").grants[0].id;
    let run = world
        .write(call(&world), move |unit| Box::pin(permissions::revoke(unit, Ok(page), Ok(grant), Ok(false))))
        .await;
    run.expect("access can always be taken away");
    assert_eq!(shares(&world, 0, Level::View).await.expect("all of it").grants, []);
}

/// How often pages and blocks have changed, and how many versions and earlier states are kept.
async fn changes_so_far(world: &World) -> Vec<i64> {
    let mut counts = Vec::new();
    for sql in [
        "SELECT CAST(SUM(version) AS BIGINT) FROM pages",
        "SELECT CAST(SUM(version) AS BIGINT) FROM blocks",
        "SELECT COUNT(*) FROM page_versions",
        "SELECT COUNT(*) FROM block_states",
    ] {
        counts.push(world.database.number(sql).await);
    }
    counts
}

#[tokio::test]
async fn a_change_to_the_present_state_writes_nothing() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let call = |world: &World| world.by(&device).naming(workspace);
    let page = world.makes_page(call(&world)).await.unwrap();
    let block = world.edits(call(&world), page, vec![paragraph(10_000, Anchor::Last)]).await.unwrap()[0];
    world.edits(call(&world), page, vec![paragraph(0, Anchor::Last)]).await.unwrap();
    world.pass(HOUR);
    let before = changes_so_far(&world).await;
    for _ in 0..20 {
        let patch = Patch { properties: Some(json!({})), ..Patch::default() };
        let (rest, kind) = (blocks::ExpectedVersions::default(), blocks::ChangeKind::Update(patch));
        let change = blocks::Change { rest, kind, beside_return: None };
        let run = world.write(call(&world), move |unit| Box::pin(blocks::change(unit, Ok(block), Ok(change))));
        run.await.expect("nothing is written, so nothing counts");
    }
    assert_eq!(changes_so_far(&world).await, before);
}

#[tokio::test]
async fn somebody_who_has_written_too_much_may_still_delete() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let call = |world: &World| world.by(&device).naming(workspace);
    let page = world.makes_page(call(&world)).await.unwrap();
    let two = vec![paragraph(50_000, Anchor::Last), paragraph(50_000, Anchor::Last)];
    let made = world.edits(call(&world), page, two).await.unwrap();
    let more = vec![paragraph(0, Anchor::Last), deletion(made[0])];
    assert!(wait(&world.edits(call(&world), page, more).await).is_some());
    world.edits(call(&world), page, vec![deletion(made[0])]).await.unwrap();
    let before = wait(&world.appends(call(&world), page, 1).await).unwrap();
    let (second, none) = (made[1], blocks::ExpectedVersions::default());
    let delete = world.write(call(&world), move |unit| Box::pin(blocks::delete(unit, Ok(second), Ok(none))));
    delete.await.unwrap();
    let after = wait(&world.appends(call(&world), page, 1).await).unwrap();
    assert!(after > before, "the state that a version shows counts: {before:?} {after:?}");
}

#[tokio::test]
async fn a_key_writes_for_its_creator_until_they_leave() {
    for has_left in [false, true] {
        let mut world = limited(100_000).await;
        let (ada, owner) = world.newcomer().await;
        let (bob, device) = world.newcomer().await;
        let (shared, own) = (world.creates_workspace(&ada).await, world.creates_workspace(&bob).await);
        let key = |world: &World, number| {
            let mut call = world.key(shared, KeyScope::Write, &bob);
            let Caller::Key(presented) = &mut call.caller else { unreachable!() };
            (presented.key.id, presented.has_creator_left) = (make::api_key_id(number), has_left);
            call
        };
        let page = world.makes_page(key(&world, 1)).await.unwrap();
        world.appends(key(&world, 1), page, 99_000).await.unwrap();
        assert!(world.appends(key(&world, 1), page, 1).await.is_err());
        assert!(world.appends(key(&world, 2), page, 1).await.is_err(), "another key is no way out");
        assert_eq!(world.makes_page(world.by(&device).naming(own)).await.is_ok(), has_left);
        world.makes_page(world.by(&owner).naming(shared)).await.unwrap();
    }
}

#[tokio::test]
async fn others_are_not_concerned_and_may_write_as_much() {
    let mut world = limited(100_000).await;
    let (ada, adas) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    world.joins(&bob, &ada, octavo_core_model::Role::Admin).await;
    let page = world.makes_page(world.by(&adas).naming(workspace)).await.unwrap();
    world.appends(world.by(&adas).naming(workspace), page, 99_000).await.unwrap();
    assert!(wait(&world.makes_page(world.by(&adas).naming(workspace)).await).is_some());
    world.makes_page(world.by(&bobs)).await.unwrap();
}

#[tokio::test]
async fn what_is_rolled_back_was_not_written() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let page = world.makes_page(world.by(&device).naming(workspace)).await.unwrap();
    for _ in 0..3 {
        let twice = NewPage { id: Some(page), ..NewPage::default() };
        let call = world.by(&device).naming(workspace);
        let made = world.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(twice)))).await;
        assert_eq!(made.map(drop), Err(Fault::Conflict(Conflict::Taken("id"))));
    }
    world.appends(world.by(&device).naming(workspace), page, 96_000).await.unwrap();
    world.appends(world.by(&device).naming(workspace), page, 10).await.expect("the refused pages do not count");
}

#[tokio::test]
async fn a_copy_is_written_too() {
    let mut world = limited(100_000).await;
    let (ada, device) = world.newcomer().await;
    let workspace = world.creates_workspace(&ada).await;
    let page = world.makes_page(world.by(&device).naming(workspace)).await.unwrap();
    world.appends(world.by(&device).naming(workspace), page, 40_000).await.unwrap();
    let copy = || {
        let (target, copy) = (pages::CopyTarget::default(), pages::Duplication::default());
        let call = world.by(&device).naming(workspace);
        world.write(call, move |unit| Box::pin(pages::duplicate(unit, Ok(page), Ok(target), Ok(copy))))
    };
    copy().await.unwrap();
    copy().await.expect("the second exceeds the limit");
    assert!(wait(&copy().await).is_some());
}
