//! Databases as nodes of the tree: they have grants, links, requests and favorites like pages, and are none. The page of
//! a record stays with its record.

use super::payloads_of;
use crate::world::{Calling, Device, Person, World, fault_of, slot};
use octavo_app::{
    Call,
    access_requests::{self, AccessRequestList, NewAccessRequest},
    blocks::{self, Batch},
    events::{self, CatchUp, EventFilter},
    pages::{
        self, CopyTarget, Duplication, FavoritePlace, MoveTarget, PageList, Place, Relocation, TreeRequest, TreeRoot,
        parent_of,
        permissions::{self, GranteeRef, LevelReason, NewGrant, SourceNode},
        trash,
    },
    share_links::{self, NewShareLink},
};
use octavo_blocks_tree::{
    Body, Kind,
    batch::{Insertion, Operation, Target},
};
use octavo_core_model::{
    Fault, Level, Role,
    access_request::{AskedLevel, RequestStatus},
    event::pages::ParentType,
    fault::Unprocessable,
    id::{DatabaseId, PageId, RecordId, WorkspaceId},
    page::{Node, Page, PageKind, ParentRef, ResourceId},
    position::Position,
    share_link::ShareLevel,
    text::PageTitle,
};
use octavo_ports::store::Record;
use serde_json::json;

/// A page with a database, which has a record with a page.
struct Fixture {
    world: World,
    workspace: WorkspaceId,
    owner: (Person, Device),
    member: (Person, Device),
    guest: (Person, Device),
    host: PageId,
    database: DatabaseId,
    record: RecordId,
}

impl Fixture {
    async fn new() -> Self {
        let mut world = World::new().await;
        let (workspace, owner, member) = world.team_of_two().await;
        let guest = world.newcomer().await;
        world.adds(world.by(&owner.1).at(workspace), guest.0.id, Role::Guest).await.unwrap();
        let host = world.page_in(world.by(&owner.1).naming(workspace), None, "Host").await;
        let (database, record) = (DatabaseId::new(1, [7; 10]), RecordId::new(1, [8; 10]));
        let mut unit = world.engine.store.writer().await.unwrap();
        let plain = unit.pages().find(workspace, host).await.unwrap().unwrap();
        let node = Page {
            id: database.node(),
            kind: PageKind::Database,
            container: Node::Page(host),
            title: PageTitle::parse("Contacts").unwrap(),
            position: Position::behind_pages(),
            ..plain.clone()
        };
        let page = Page {
            id: record.page(),
            kind: PageKind::Record,
            container: Node::Page(node.id),
            title: PageTitle::parse("Ada").unwrap(),
            ..plain
        };
        for page in [node, page] {
            assert!(unit.pages().insert(&page).await.unwrap());
        }
        unit.commit(Record::default()).await.unwrap();
        Self { world, workspace, owner, member, guest, host, database, record }
    }

    fn by(&self, device: &Device) -> Call {
        self.world.by(device).naming(self.workspace)
    }

    fn call(&self) -> Call {
        self.by(&self.owner.1)
    }

    async fn grants(&self, to: &Person, level: Level) -> permissions::SavedGrant {
        let (id, grantee) = (self.database, GranteeRef::User(to.id));
        let grant = NewGrant { grantee, level, expires_at: None };
        let saved =
            self.world.write(self.call(), move |unit| Box::pin(permissions::grant(unit, Ok(id), Ok((grant, false)))));
        saved.await.unwrap()
    }

    async fn favors(&self, id: ResourceId) -> Result<ResourceId, Fault> {
        let favored = self
            .world
            .write(self.call(), move |unit| Box::pin(pages::favorite(unit, Ok(id), Ok(FavoritePlace::Last))))
            .await;
        favored.map(|favored| favored.page.resource())
    }

    async fn moves(&self, id: PageId) -> Result<(), Fault> {
        let place = Place { parent: Some(None), ..Place::default() };
        self.world
            .write(self.call(), move |unit| {
                Box::pin(pages::relocate(unit, Ok(id), Ok(MoveTarget::Place(place)), Ok(Relocation::default())))
            })
            .await
            .map(drop)
    }

    async fn copies(&self, id: PageId) -> Result<Page, Fault> {
        let (target, wanted) = (CopyTarget::default(), Duplication::default());
        let copied =
            self.world.write(self.call(), move |unit| Box::pin(pages::duplicate(unit, Ok(id), Ok(target), Ok(wanted))));
        copied.await.map(|copied| copied.shown.page)
    }

    async fn restores(&self, id: PageId) -> Result<(), Fault> {
        let restored = self
            .world
            .write(self.call(), move |unit| Box::pin(trash::restore(unit, Ok(id), Ok(Place::default()), Ok(None))));
        restored.await.map(drop)
    }

    async fn writes(&self, body: Body) -> Result<(), Fault> {
        let insertion = Operation::Insert(Insertion { id: None, body, target: Target::default() });
        let (page, batch) = (self.host, Batch { base: None, operations: vec![Ok(insertion)].into() });
        self.world.write(self.call(), move |unit| Box::pin(blocks::write(unit, Ok(page), Ok(batch)))).await.map(drop)
    }
}

const LINK: NewShareLink = NewShareLink {
    level: ShareLevel::View,
    include_children: true,
    password: None,
    expires_at: None,
    allow_duplicate: false,
    allow_indexing: false,
};

#[tokio::test]
async fn the_node_of_a_database_is_no_page() {
    let fixture = Fixture::new().await;
    let (world, node) = (&fixture.world, fixture.database.node());
    assert_eq!(world.sees(fixture.call(), node).await, Err(Fault::NotFound));
    assert_eq!(world.throws_away(fixture.call(), node).await, Err(Fault::NotFound));
    assert_eq!(fixture.moves(node).await, Err(Fault::NotFound));
    assert_eq!(fixture.copies(node).await, Err(Fault::NotFound));
    assert_eq!(fixture.restores(node).await, Err(Fault::NotFound));
    assert_eq!(fixture.favors(node.into()).await, Err(Fault::NotFound));
    let (keep, _) = slot();
    let shared = share_links::create(&world.engine, fixture.call(), Ok(node), Ok(LINK), keep).await;
    assert_eq!(fault_of(shared).map(drop), Err(Fault::NotFound));
    let grants = world.read(fixture.call(), move |view| Box::pin(permissions::get(view, Ok(node)))).await;
    assert_eq!(grants.unwrap_err(), Fault::NotFound);
    let place = Place { parent: Some(Some(ParentRef::Page(node))), ..Place::default() };
    let below = world
        .write(fixture.call(), move |unit| Box::pin(pages::create(unit, Ok(place), Ok(pages::NewPage::default()))));
    assert_eq!(below.await.unwrap_err(), Fault::UnknownId("parentId"));
    let pointer = Body::read(Kind::ChildPage, Some(json!({ "pageId": node })), None, "").unwrap();
    assert!(matches!(fixture.writes(pointer).await, Err(Fault::Blocks(_))));
}

#[tokio::test]
async fn a_database_has_grants_and_gives_them_to_the_pages_of_its_records() {
    let fixture = Fixture::new().await;
    let (world, database) = (&fixture.world, fixture.database);
    let saved = fixture.grants(&fixture.guest.0, Level::Edit).await;
    assert_eq!(saved.resource, ResourceId::Database(database));
    let [changed] = &payloads_of(world, "permission.changed").await[..] else { panic!("one event") };
    assert_eq!((&changed["resourceId"], &changed["databaseId"]), (&json!(database), &json!(database)));
    assert_eq!(changed.get("pageId"), None);
    let (by_guest, page) = (fixture.by(&fixture.guest.1), fixture.record.page());
    let own = world.read(by_guest, move |view| Box::pin(permissions::effective(view, Ok(page), Ok(None)))).await;
    let LevelReason::Entry { source, .. } = own.unwrap().because else { panic!("an entry") };
    assert_eq!(source.node, SourceNode::Resource(ResourceId::Database(database)));
    let inherited = world.read(fixture.call(), move |view| Box::pin(permissions::get(view, Ok(page)))).await.unwrap();
    let sources = inherited.inherited.iter().map(|entry| (entry.source.node.kind(), entry.source.node.to_string()));
    assert!(sources.collect::<Vec<_>>().contains(&("database", database.to_string())));
    assert_eq!(world.sees(fixture.by(&fixture.guest.1), page).await, Ok(Level::Edit));
    // Those who may edit the database read that its grants changed, and nobody else.
    for (device, count) in [(&fixture.guest.1, 1), (&fixture.member.1, 1)] {
        let asked = CatchUp {
            limit: 100,
            filter: EventFilter { database: Some(database), ..EventFilter::default() },
            ..CatchUp::default()
        };
        let call = fixture.by(device);
        let log = world.read(call, move |view| Box::pin(events::catch_up(view, Ok(asked)))).await.unwrap();
        assert_eq!(log.events.len(), count);
    }
    fixture.grants(&fixture.member.0, Level::View).await;
    let asked = CatchUp {
        limit: 100,
        filter: EventFilter { database: Some(database), ..EventFilter::default() },
        ..CatchUp::default()
    };
    let call = fixture.by(&fixture.member.1);
    let log = world.read(call, move |view| Box::pin(events::catch_up(view, Ok(asked)))).await.unwrap();
    assert_eq!(log.events.len(), 0);
}

#[tokio::test]
async fn a_database_has_links_requests_and_favorites() {
    let fixture = Fixture::new().await;
    let (world, database) = (&fixture.world, fixture.database);
    let is_it = ResourceId::Database(database);
    let (keep, kept) = slot();
    fault_of(share_links::create(&world.engine, fixture.call(), Ok(database), Ok(LINK), keep).await).unwrap();
    assert_eq!(kept.lock().unwrap().take().unwrap().resource, is_it);
    let links = world.read(fixture.call(), move |view| Box::pin(share_links::list_of(view, Ok(database)))).await;
    assert_eq!(links.unwrap().iter().map(|shown| shown.resource).collect::<Vec<_>>(), [is_it]);
    let wish = NewAccessRequest { level: AskedLevel::FullAccess, message: None };
    let by_member = fixture.by(&fixture.member.1);
    world.write(by_member, move |unit| Box::pin(access_requests::ask(unit, Ok(database), Ok(wish)))).await.unwrap();
    let lists = async |resource: ResourceId| {
        let status = RequestStatus::Pending;
        let asked = AccessRequestList { status, resource: Some(resource), before: None, limit: 10 };
        world.read(fixture.call(), move |view| Box::pin(access_requests::list(view, Ok(asked)))).await.unwrap()
    };
    let [request] = &lists(is_it).await[..] else { panic!("one request") };
    assert_eq!(request.resource, is_it);
    assert!(lists(database.node().into()).await.is_empty());
    let id = request.request.id;
    let approved =
        world.write(fixture.call(), move |unit| Box::pin(access_requests::approve(unit, Ok(id), Ok(None)))).await;
    assert_eq!(approved.unwrap().resource, is_it);
    assert_eq!(fixture.favors(is_it).await, Ok(is_it));
    let favorites = world.read(fixture.call(), |view| Box::pin(pages::favorites(view))).await.unwrap();
    assert_eq!(favorites.iter().map(|shown| shown.page.resource()).collect::<Vec<_>>(), [is_it]);
}

#[tokio::test]
async fn the_page_of_a_record_moves_and_goes_only_with_its_record() {
    let fixture = Fixture::new().await;
    let page = fixture.record.page();
    let refused = || Fault::Unprocessable(Unprocessable::RecordPage);
    assert_eq!(fixture.moves(page).await, Err(refused()));
    assert_eq!(fixture.world.throws_away(fixture.call(), page).await, Err(refused()));
    assert_eq!(fixture.restores(page).await, Ok(()), "it is not in the trash");
    let copy = fixture.copies(page).await.unwrap();
    assert_eq!((copy.kind, copy.container), (PageKind::Page, Node::Page(fixture.host)));
}

#[tokio::test]
async fn databases_are_in_the_tree_and_pages_of_records_in_lists_on_request() {
    let fixture = Fixture::new().await;
    let asked = TreeRequest { root: TreeRoot::Page(fixture.host), depth: 5, after: None, limit: 21 };
    let tree = fixture.world.read(fixture.call(), move |view| Box::pin(pages::tree(view, Ok(asked)))).await.unwrap();
    let shown: Vec<_> = tree.iter().map(|branch| (branch.page.resource(), branch.children.len())).collect();
    assert_eq!(shown, [(ResourceId::Database(fixture.database), 0)]);
    for (include_record_pages, count) in [(false, 1), (true, 2)] {
        let asked = PageList {
            parent: None,
            team: None,
            created_by: None,
            updated_after: None,
            public_access: None,
            include_record_pages,
            sort: None,
            after: None,
            limit: 100,
        };
        let listed = fixture.world.read(fixture.call(), move |view| Box::pin(pages::list(view, Ok(asked)))).await;
        assert_eq!(listed.unwrap().len(), count);
    }
    let page = fixture.record.page();
    let opened = fixture.world.read(fixture.call(), move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new()))));
    let shown = opened.await.unwrap().shown;
    assert_eq!(parent_of(&shown.page), (ParentType::Database, Some(ResourceId::Database(fixture.database))));
    assert_eq!(shown.page.record(), Some(fixture.record));
    let above: Vec<_> = shown.ancestors.unwrap().into_iter().map(|above| above.id).collect();
    assert_eq!(above, [ResourceId::Page(fixture.host), ResourceId::Database(fixture.database)]);
}

#[tokio::test]
async fn blocks_name_databases_that_the_writer_may_see() {
    let fixture = Fixture::new().await;
    let pointer = |id| Body::read(Kind::Database, Some(json!({ "databaseId": id })), None, "").unwrap();
    assert_eq!(fixture.writes(pointer(fixture.database)).await, Ok(()));
    assert!(matches!(fixture.writes(pointer(DatabaseId::new(1, [9; 10]))).await, Err(Fault::Blocks(_))));
    assert!(matches!(fixture.writes(pointer(fixture.host.as_database())).await, Err(Fault::Blocks(_))));
}
