//! Pages over time, and a comparison of the resolver with lists.
// length: operations on the tree of pages, one after the other, on one fixture.

use crate::world::{Calling, Device, Person, World, denied};
use octavo_app::{
    Call,
    blocks::{self, Batch},
    chores,
    pages::{
        self, Anchor, NewPage, PageList, Place, Relocation, TreeRequest, TreeRoot,
        permissions::{self, GranteeRef, NewGrant, PermissionChange},
        trash,
    },
    queue::ChoreOutcome,
    workspaces::settings,
};
use octavo_blocks_tree::{
    Body, Kind, RichText,
    batch::{Insertion, Operation, Target},
};
use octavo_core_model::{
    Fault, Level, Role,
    event::Chain,
    fault::{Denial, Unprocessable},
    id::{BlockId, PageId, WorkspaceId},
    page::{MAX_BYTES, Node, Page, ParentRef},
    position::Position,
    settings::SettingsChange,
    text::{Email, PageTitle},
    time::days,
};
use octavo_ports::store::Record;
use proptest::{prelude::*, sample::Index};
use serde_json::{Value, json};

impl World {
    /// A page in another one or at the root.
    async fn page_in(&self, call: Call, parent: Option<PageId>, title: &str) -> PageId {
        let place = Place { parent: Some(parent.map(ParentRef::Page)), ..Place::default() };
        let page = NewPage { title: PageTitle::parse(title).ok(), ..NewPage::default() };
        self.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await.unwrap().page.id
    }

    async fn throws_away(&self, call: Call, id: PageId) -> Result<trash::Trashed, Fault> {
        self.write(call, move |unit| Box::pin(trash::throw_away(unit, Ok(id), Ok(None)))).await
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
}

#[tokio::test]
async fn trashed_pages_are_purged_when_due() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let parent = world.page_in(world.by(&owner.1).naming(id), None, "Parent").await;
    let child = world.page_in(world.by(&owner.1).naming(id), Some(parent), "Child").await;
    let thrown = world.throws_away(world.by(&owner.1).naming(id), parent).await.unwrap();
    assert_eq!((thrown.count, thrown.purge_at), (2, world.now.plus(days(30))));
    world.pass(days(29));
    assert_eq!(world.purged_pages().await, 0);
    world.pass(days(1));
    let due = chores::purge(&world.engine, &world.blobs, world.now, true).await.unwrap();
    assert_eq!((due.pages, world.purged_pages().await, world.purged_pages().await), (1, 1, 0));
    let mut view = world.engine.store.reader().await.unwrap();
    for page in [parent, child] {
        assert_eq!(view.pages().find(id, page).await.unwrap(), None);
    }
    let (kind, actor, _) = world.events(id).await.pop().unwrap();
    assert_eq!((kind.as_str(), actor.as_str()), ("page.deleted", "SYSTEM"));
    let entry = world.audit_records(Chain::Workspace(id)).await.pop().unwrap();
    assert_eq!((entry.action.as_str(), entry.reason.as_deref()), ("page.deleted", Some("retention")));
}

#[tokio::test]
async fn a_changed_retention_counts_for_what_is_in_the_trash_already() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    world.throws_away(call(), page).await.unwrap();
    let change = SettingsChange { trash_retention_days: Some(Some(2)), ..SettingsChange::default() };
    let at = world.by(&owner.1).at(id);
    world.write(at, move |unit| Box::pin(settings::update(unit, Ok(change)))).await.unwrap();
    let again = world.throws_away(call(), page).await.unwrap();
    assert_eq!(again.purge_at, world.now.plus(days(2)));
    world.pass(days(2));
    assert_eq!(world.purged_pages().await, 1);
}

/// For each root page, the number of its children and how many of them the tree returns.
async fn shown_below(world: &World, call: Call) -> Vec<(u64, usize)> {
    let asked = TreeRequest { root: TreeRoot::Workspace, depth: 3, after: None, limit: 21 };
    let tree = world.read(call, move |view| Box::pin(pages::tree(view, Ok(asked)))).await.unwrap();
    tree.into_iter().map(|branch| (branch.child_count, branch.children.len())).collect()
}

#[tokio::test]
async fn a_level_of_the_tree_that_is_too_large_is_only_counted() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let root = world.page_in(world.by(&owner.1).naming(id), None, "Root").await;
    let root = world.engine.store.reader().await.unwrap().pages().find(id, root).await.unwrap().unwrap();
    let below = |numbers: std::ops::Range<u64>| {
        let page = |number: u64| {
            let mut bits = [9; 10];
            bits[..8].copy_from_slice(&number.to_be_bytes());
            Page { id: PageId::new(0, bits), container: Node::Page(root.id), ..root.clone() }
        };
        numbers.map(page).collect::<Vec<_>>()
    };
    for (numbers, shown) in [(0..5000, 5000), (5000..5001, 0)] {
        let end = numbers.end;
        let mut unit = world.engine.store.writer().await.unwrap();
        for some in below(numbers).chunks(500) {
            unit.pages().insert_many(some).await.unwrap();
        }
        unit.commit(Record::default()).await.unwrap();
        assert_eq!(shown_below(&world, world.by(&owner.1).naming(id)).await, [(end, shown)]);
    }
}

#[tokio::test]
async fn a_large_trash_is_emptied_part_by_part() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let mut pages = Vec::new();
    for number in 0..250 {
        let page = world.page_in(world.by(&owner.1).naming(id), None, &number.to_string()).await;
        world.throws_away(world.by(&owner.1).naming(id), page).await.unwrap();
        pages.push(page);
    }
    let left = async |world: &World| {
        let mut view = world.engine.store.reader().await.unwrap();
        view.pages().list_by_id(id, &pages).await.unwrap().len()
    };
    let confirmation = id.to_string();
    let call = world.by(&owner.1).naming(id);
    let count = world.write(call, move |unit| Box::pin(trash::empty(unit, Ok(Some(confirmation))))).await;
    assert_eq!((count, left(&world).await), (Ok(250), 150));
    // Pages that are moved to the trash meanwhile are not affected.
    world.pass(days(1));
    let later = world.page_in(world.by(&owner.1).naming(id), None, "Later").await;
    world.throws_away(world.by(&owner.1).naming(id), later).await.unwrap();
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(left(&world).await, 0);
    let opened = world.sees(world.by(&owner.1).naming(id), later).await;
    assert_eq!(opened, Ok(Level::FullAccess));
    let removals = world.events(id).await.into_iter().filter(|(kind, ..)| kind == "page.deleted");
    assert!(removals.map(|(_, actor, _)| actor).all(|actor| actor == "USER"));
}

/// Grants a level to an address.
async fn granted(world: &World, call: Call, page: PageId) -> permissions::SavedGrant {
    let grantee = GranteeRef::Email(Email::parse("zoe@example.com").unwrap());
    let wanted = NewGrant { grantee, level: Level::View, expires_at: None };
    world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false))))).await.unwrap()
}

async fn grants_of(world: &World, call: Call, page: PageId) -> permissions::Permissions {
    world.read(call, move |view| Box::pin(permissions::get(view, Ok(page)))).await.unwrap()
}

#[tokio::test]
async fn a_grant_to_an_address_is_there_again_after_its_invitation_ran_out() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    let first = granted(&world, world.by(&owner.1).naming(id), page).await;
    world.pass(days(7));
    let second = granted(&world, world.by(&owner.1).naming(id), page).await;
    assert_eq!((first.replaced, second.replaced), (false, false), "the first one went with its invitation");
    assert_eq!(grants_of(&world, world.by(&owner.1).naming(id), page).await.grants, [second.grant]);
}

#[tokio::test]
async fn a_grant_to_an_address_ends_with_its_invitation() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    granted(&world, world.by(&owner.1).naming(id), page).await;
    let before = grants_of(&world, world.by(&owner.1).naming(id), page).await;
    let released = async |world: &World, only_look| {
        chores::purge(&world.engine, &world.blobs, world.now, only_look).await.unwrap().address_grants
    };
    world.pass_almost(days(7));
    assert_eq!(released(&world, false).await, 0);
    assert_eq!(grants_of(&world, world.by(&owner.1).naming(id), page).await.grants.len(), 1);
    world.pass(days(1));
    assert_eq!((released(&world, true).await, released(&world, false).await, released(&world, false).await), (1, 1, 0));
    let after = grants_of(&world, world.by(&owner.1).naming(id), page).await;
    assert_eq!((after.grants, after.version), (Vec::new(), before.version + 1));
}

/// A page and a list of pages show the same level, for every caller.
#[tokio::test]
async fn a_list_shows_the_levels_that_pages_show() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    let guest = world.newcomer().await;
    world.adds(world.by(&owner.1).at(id), guest.0.id, Role::Guest).await.unwrap();
    let call = |device: &Device| world.by(device).naming(id);
    let mut made: Vec<PageId> = Vec::new();
    for number in 0..40_usize {
        // Each page has an earlier one as its parent, so that there are long and short paths.
        let parent = made.get((number * 7) % made.len().max(1)).copied().filter(|_| number % 9 > 0);
        let page = world.page_in(call(&owner.1), parent, &number.to_string()).await;
        let grantee = match number % 4 {
            0 => Some(GranteeRef::User(guest.0.id)),
            1 => Some(GranteeRef::User(member.0.id)),
            2 => Some(GranteeRef::Workspace(None)),
            _ => None,
        };
        let level = Level::ALL[(number * 3) % Level::ALL.len()];
        let grants = grantee.map(|grantee| vec![NewGrant { grantee, level, expires_at: None }]);
        let change = PermissionChange { inherit: Some(number % 5 > 0), grants, ..PermissionChange::default() };
        if number % 3 > 0 {
            world.allows(world.by(&owner.1).naming(id), page, change).await;
        }
        made.push(page);
    }
    for device in [&owner.1, &member.1, &guest.1] {
        let asked = PageList {
            parent: None,
            team: None,
            created_by: None,
            updated_after: None,
            public_access: None,
            sort: None,
            after: None,
            limit: 100,
        };
        let listed = world.read(call(device), move |view| Box::pin(pages::list(view, Ok(asked)))).await.unwrap();
        for page in &made {
            let shown = world.sees(call(device), *page).await;
            let in_list = listed.iter().find(|shown| shown.page.id == *page);
            assert_eq!(shown, in_list.map(|shown| shown.level).ok_or(Fault::NotFound), "{page}");
            let Some(in_list) = in_list else { continue };
            let alone = world.read(call(device), {
                let page = *page;
                move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new())))
            });
            assert_eq!(alone.await.unwrap().shown.child_count, in_list.child_count, "{page}");
            let user = device.claims.user;
            let effective = world.read(call(device), {
                let page = *page;
                move |view| Box::pin(permissions::effective(view, Ok(page), Ok(Some(user))))
            });
            assert_eq!(effective.await.unwrap().level, in_list.level, "{page}");
        }
    }
}

#[tokio::test]
async fn reading_a_trashed_page_takes_edit() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    let by_member = || world.by(&member.1).naming(id);
    for (level, expected) in [
        (Level::None, Err(Fault::NotFound)),
        (Level::View, Err(denied(Denial::RequiresLevel(Level::Edit)))),
        (Level::Comment, Err(denied(Denial::RequiresLevel(Level::Edit)))),
        (Level::Edit, Ok(Level::Edit)),
    ] {
        let to_member = NewGrant { grantee: GranteeRef::User(member.0.id), level, expires_at: None };
        let grants = Some(vec![to_member]);
        let change = PermissionChange { grants, ..PermissionChange::default() };
        world.allows(world.by(&owner.1).naming(id), page, change).await;
        world.throws_away(world.by(&owner.1).naming(id), page).await.unwrap();
        assert_eq!(world.sees(by_member(), page).await, expected, "{level}");
        let restored = world
            .write(by_member(), move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))));
        assert_eq!(restored.await.map(|restored| restored.shown.level), expected, "{level}");
        let by_owner = world.by(&owner.1).naming(id);
        world
            .write(by_owner, move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))))
            .await
            .unwrap();
    }
    let key = world.key(id, octavo_core_model::KeyScope::Read, &owner.0);
    world.throws_away(world.by(&owner.1).naming(id), page).await.unwrap();
    let needs_write = denied(Denial::KeyScope(octavo_core_model::KeyScope::Write));
    assert_eq!(world.sees(key, page).await, Err(needs_write));
}

/// The payloads of the events of a type, oldest first.
async fn payloads_of(world: &World, kind: &str) -> Vec<Value> {
    let sql = format!("SELECT details FROM events WHERE type = '{kind}' ORDER BY sequence");
    let rows = world.database.rows(&sql).await;
    rows.iter().map(|row| serde_json::from_str(&row[0]).unwrap()).collect()
}

#[tokio::test]
async fn events_of_the_trash_name_every_page_that_their_readers_may_see_and_no_other() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    let (open, hidden) =
        (world.page_in(call(), Some(page), "Open").await, world.page_in(call(), Some(page), "Hidden").await);
    let below = world.page_in(call(), Some(hidden), "Below").await;
    let change = PermissionChange { inherit: Some(false), ..PermissionChange::default() };
    world.allows(call(), hidden, change).await;
    let thrown = world.throws_away(call(), page).await.unwrap();
    world
        .write(call(), move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))))
        .await
        .unwrap();
    assert_eq!(thrown.count, 4);
    for kind in ["page.trashed", "page.restored"] {
        let events = payloads_of(&world, kind).await;
        let named = |event: &Value| {
            let mut named: Vec<PageId> = serde_json::from_value(event["pageIds"].clone()).unwrap();
            named.sort_unstable();
            named
        };
        assert_eq!(events.len(), 2, "{kind}");
        assert_eq!((&events[0]["pageId"], named(&events[0])), (&json!(page), vec![page, open]), "{kind}");
        assert!(!events[0].to_string().contains(&below.to_string()));
        assert_eq!((&events[1]["pageId"], named(&events[1])), (&json!(hidden), vec![hidden, below]), "{kind}");
    }
    let (trashed, restored) = (payloads_of(&world, "page.trashed").await, payloads_of(&world, "page.restored").await);
    assert_eq!((&trashed[0]["trashedCount"], &trashed[1]["trashedCount"]), (&json!(4), &json!(2)));
    assert_eq!((&restored[1]["relocated"], &restored[1]["parentId"]), (&json!(false), &json!(page)));
    let (first, second) = (trashed[1]["version"].as_i64().unwrap(), restored[1]["version"].as_i64().unwrap());
    assert_eq!(second, first + 1, "the version of that page after the change");
}

impl World {
    async fn writes_blocks(&self, call: Call, page: PageId, bodies: Vec<Body>) -> Vec<BlockId> {
        let insertion = |body| Ok(Operation::Insert(Insertion { id: None, body, target: Target::default() }));
        let batch = Batch { base: None, operations: bodies.into_iter().map(insertion).collect() };
        self.write(call, move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await.unwrap().blocks
    }

    async fn destroys(&self, call: Call, page: PageId) {
        let removal = trash::Removal { confirmation: Some(page.to_string()), expected: None };
        self.write(call, move |unit| Box::pin(trash::destroy(unit, Ok(page), Ok(removal)))).await.unwrap();
    }

    /// The version of a page and the number of its blocks.
    async fn state(&self, id: WorkspaceId, page: PageId) -> (i64, usize) {
        let mut view = self.engine.store.reader().await.unwrap();
        let found = view.pages().find(id, page).await.unwrap().unwrap();
        (found.version, view.blocks().list_of_pages(id, &[page], 10_000).await.unwrap().len())
    }
}

fn showing(source: BlockId) -> Body {
    Body::read(Kind::SyncedBlock, Some(&json!({ "sourceBlockId": source })), None, "").unwrap()
}

#[tokio::test]
async fn instances_of_blocks_of_a_removed_page_are_removed_too() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    for by in ["user", "empty_trash", "retention"] {
        let call = || world.by(&owner.1).naming(id);
        let page = world.page_in(call(), None, "Page").await;
        let child = world.page_in(call(), Some(page), "Child").await;
        let elsewhere = world.page_in(call(), None, "Elsewhere").await;
        let text = || Body::with_text(Kind::Paragraph, &RichText::plain("Text"));
        let source = world.writes_blocks(call(), child, vec![text()]).await[0];
        world.writes_blocks(call(), page, vec![showing(source)]).await;
        world.writes_blocks(call(), elsewhere, vec![text(), showing(source), showing(source)]).await;
        let (version, count) = world.state(id, elsewhere).await;
        assert_eq!(count, 3);
        world.throws_away(world.by(&member.1).naming(id), page).await.unwrap();
        assert_eq!(world.state(id, elsewhere).await, (version, 3), "the source may come back");
        match by {
            "user" => world.destroys(call(), page).await,
            "empty_trash" => {
                let confirmation = Ok(Some(id.to_string()));
                world.write(call(), move |unit| Box::pin(trash::empty(unit, confirmation))).await.unwrap();
            }
            _ => {
                world.pass(days(30));
                assert_eq!(world.purged_pages().await, 1);
            }
        }
        assert_eq!(world.state(id, elsewhere).await, (version + 1, 1), "{by}");
        let changed = payloads_of(&world, "blocks.changed").await.pop().unwrap();
        assert_eq!(changed["pageId"], json!(elsewhere), "{by}");
        let updated = payloads_of(&world, "page.updated").await.pop().unwrap();
        assert_eq!((&updated["pageId"], &updated["version"]), (&json!(elsewhere), &json!(version + 1)), "{by}");
        let mut view = world.engine.store.reader().await.unwrap();
        let author = view.pages().find(id, elsewhere).await.unwrap().unwrap().updated_by;
        assert_eq!(author, Some(if by == "retention" { member.0.id } else { owner.0.id }), "{by}");
    }
}

#[tokio::test]
async fn large_numbers_of_instances_go_part_by_part() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    let source = world.writes_blocks(call(), page, vec![Body::empty(Kind::Paragraph)]).await[0];
    let mut others = Vec::new();
    for _ in 0..6 {
        let other = world.page_in(call(), None, "Other").await;
        world.writes_blocks(call(), other, vec![showing(source); 200]).await;
        others.push(other);
    }
    let left = async |world: &World| {
        let mut left = 0;
        for other in &others {
            left += world.state(id, *other).await.1;
        }
        left
    };
    world.throws_away(call(), page).await.unwrap();
    world.destroys(call(), page).await;
    assert_eq!(left(&world).await, 700);
    // Until they are deleted they show nothing, and copies do not contain them.
    let copied = {
        let (other, asked) = (others[5], pages::Duplication::default());
        world
            .write(call(), move |unit| {
                Box::pin(pages::duplicate(unit, Ok(other), Ok(pages::CopyTarget::default()), Ok(asked)))
            })
            .await
    };
    assert_eq!(world.state(id, copied.unwrap().shown.page.id).await.1, 0);
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(left(&world).await, 0);
    let changes =
        world.events(id).await.into_iter().filter(|(kind, actor, _)| kind == "blocks.changed" && actor == "USER");
    assert!(changes.count() > 12, "in the name of whoever removed the page");
}

#[tokio::test]
async fn one_call_copies_only_so_many_bytes() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let parent = world.page_in(call(), None, "Parent").await;
    let mut all = vec![parent];
    for title in ["First", "Second"] {
        all.push(world.page_in(call(), Some(parent), title).await);
    }
    for page in all {
        world.writes_blocks(call(), page, vec![Body::empty(Kind::Divider)]).await;
    }
    // Two full pages would do; the block of their parent is too much. Content is counted before it is read.
    let full = format!("UPDATE blocks SET body = hex(zeroblob({})) WHERE page_id <> '{parent}'", MAX_BYTES / 2);
    world.database.execute(&full).await;
    let copies = async |with_children| {
        let asked = pages::Duplication { with_children: Some(with_children), ..pages::Duplication::default() };
        let copy = world.write(call(), move |unit| {
            Box::pin(pages::duplicate(unit, Ok(parent), Ok(pages::CopyTarget::default()), Ok(asked)))
        });
        copy.await.map(|copied| copied.ids.len())
    };
    assert_eq!(copies(true).await, Err(Fault::Unprocessable(Unprocessable::TooLarge)));
    assert_eq!(copies(false).await, Ok(1));
}

/// A step of the test: inserts a new page, or moves the one with this index, before or after the one with that index.
#[derive(Clone, Debug)]
struct Put {
    moved: Option<Index>,
    anchor: Index,
    behind: bool,
}

fn puts() -> impl Strategy<Value = Put> {
    (any::<Option<Index>>(), any::<Index>(), any::<bool>()).prop_map(|(moved, anchor, behind)| Put {
        moved,
        anchor,
        behind,
    })
}

impl World {
    async fn page_at(&self, call: Call, anchor: Anchor) -> PageId {
        let page = NewPage { anchor, ..NewPage::default() };
        self.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page))))
            .await
            .unwrap()
            .page
            .id
    }

    async fn puts(&self, call: Call, id: PageId, anchor: Anchor) {
        let wanted = Relocation { anchor, expected: None };
        self.write(call, move |unit| Box::pin(pages::relocate(unit, Ok(id), Ok(Place::default()), Ok(wanted))))
            .await
            .unwrap();
    }

    async fn root_pages(&self, call: Call) -> Vec<PageId> {
        let asked = TreeRequest { root: TreeRoot::Workspace, depth: 1, after: None, limit: 100 };
        let tree = self.read(call, move |view| Box::pin(pages::tree(view, Ok(asked)))).await.unwrap();
        tree.into_iter().map(|branch| branch.page.id).collect()
    }
}

async fn every_page_lands_next_to_its_anchor(keys: Vec<&'static str>, puts: Vec<Put>) {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    for key in keys {
        world.page_at(call(), Anchor::At(Position::parse(key).unwrap())).await;
    }
    let mut expected = world.root_pages(call()).await;
    for put in puts {
        let moved = put.moved.map(|index| *index.get(&expected));
        let others: Vec<_> = expected.iter().copied().filter(|page| Some(*page) != moved).collect();
        if others.is_empty() {
            continue;
        }
        let beside = put.anchor.index(others.len());
        let anchor = if put.behind { Anchor::After(others[beside]) } else { Anchor::Before(others[beside]) };
        let page = match moved {
            Some(page) => {
                world.puts(call(), page, anchor).await;
                page
            }
            None => world.page_at(call(), anchor).await,
        };
        expected = others;
        expected.insert(beside + usize::from(put.behind), page);
        assert_eq!(world.root_pages(call()).await, expected, "{put:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_page_lands_next_to_its_anchor_whatever_keys_stand_there(
        keys in prop::collection::vec(prop::sample::select(KEYS), 1..6),
        puts in prop::collection::vec(puts(), 1..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(every_page_lands_next_to_its_anchor(keys, puts));
    }
}

/// Equal keys, and keys without room between, before or after them.
const KEYS: &[&str] = &["a5", "a0", "a00", "0", "00", "zz", "zz0", LAST_KEY];
const LAST_KEY: &str =
    concat!("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");

#[tokio::test]
async fn a_page_made_without_an_anchor_is_last_even_behind_the_last_key_there_is() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let first = world.page_at(call(), Anchor::Last).await;
    let second = world.page_at(call(), Anchor::At(Position::parse(LAST_KEY).unwrap())).await;
    let third = world.page_at(call(), Anchor::Last).await;
    assert_eq!(world.root_pages(call()).await, [first, second, third]);
}

#[tokio::test]
async fn pages_that_make_room_keep_their_version_and_their_place_beside_those_in_the_trash() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let key = |text: &str| Anchor::At(Position::parse(text).unwrap());
    let first = world.page_at(call(), key("a0")).await;
    let thrown = world.page_at(call(), key("a00")).await;
    let last = world.page_at(call(), key("a000")).await;
    world.throws_away(call(), thrown).await.unwrap();
    let events = world.events(id).await.len();
    let between = world.page_at(call(), Anchor::After(first)).await;
    assert_eq!(world.events(id).await.len(), events + 1, "only the new page is an event");
    let mut view = world.engine.store.reader().await.unwrap();
    for page in [first, last] {
        assert_eq!(view.pages().find(id, page).await.unwrap().unwrap().version, 1);
    }
    drop(view);
    let restored =
        world.write(call(), move |unit| Box::pin(trash::restore(unit, Ok(thrown), Ok(Place::default()), Ok(None))));
    restored.await.unwrap();
    assert_eq!(world.root_pages(call()).await, [first, between, thrown, last]);
}
