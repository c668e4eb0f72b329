//! Access requests over time: how long they stay open, who decides them, and what happens to the requesters.

use crate::world::{Calling, Device, Person, World, conflict, denied};
use octavo_app::{
    Call,
    access_requests::{self, AccessRequestDetails, AccessRequestList, NewAccessRequest},
    members,
    pages::{
        self, NewPage, Place,
        permissions::{self, GranteeRef, NewGrant, PermissionChange, Permissions},
        trash,
    },
};
use octavo_core_model::{
    Fault, KeyScope, Level, Role, Timestamp,
    access_request::{AskedLevel, OPEN_FOR, RequestStatus},
    fault::{Conflict, Denial, Unprocessable},
    grant::{Grantee, MAX_GRANTS},
    id::{AccessRequestId, PageId, UserId, WorkspaceId},
    page::ParentRef,
    text::{Message, PageTitle},
    time::days,
};
use octavo_testkit::make;

struct Fixture {
    world: World,
    id: WorkspaceId,
    owner: (Person, Device),
    member: (Person, Device),
    guest: (Person, Device),
    page: PageId,
}

/// A workspace and a page of its owner that nobody else may see.
async fn fixture() -> Fixture {
    let mut world = World::new().await;
    let (owner, member, guest) = (world.newcomer().await, world.newcomer().await, world.newcomer().await);
    let id = world.creates_workspace(&owner.0).await;
    for (person, role) in [(&member.0, Role::Member), (&guest.0, Role::Guest)] {
        world.adds(world.by(&owner.1).at(id), person.id, role).await.unwrap();
    }
    let page = NewPage { title: PageTitle::parse("Pay").ok(), inherit: Some(false), ..NewPage::default() };
    let call = world.by(&owner.1).naming(id);
    let page = world
        .write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page))))
        .await
        .unwrap()
        .page
        .id;
    Fixture { world, id, owner, member, guest, page }
}

impl Fixture {
    fn by(&self, (_, device): &(Person, Device)) -> Call {
        self.world.by(device).naming(self.id)
    }

    async fn asks(&self, call: Call, level: AskedLevel) {
        let (page, wish) = (self.page, NewAccessRequest { level, message: None });
        self.world.write(call, move |unit| Box::pin(access_requests::ask(unit, Ok(page), Ok(wish)))).await.unwrap();
    }

    async fn lists(&self, call: Call, status: RequestStatus) -> Vec<AccessRequestDetails> {
        let asked = AccessRequestList { status, resource: None, before: None, limit: 100 };
        self.world.read(call, move |view| Box::pin(access_requests::list(view, Ok(asked)))).await.unwrap()
    }

    /// The only open request.
    async fn waiting(&self) -> AccessRequestDetails {
        let mut found = self.lists(self.by(&self.owner), RequestStatus::Pending).await;
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    async fn approves(
        &self,
        call: Call,
        id: AccessRequestId,
        level: Option<AskedLevel>,
    ) -> Result<AccessRequestDetails, Fault> {
        self.world.write(call, move |unit| Box::pin(access_requests::approve(unit, Ok(id), Ok(level)))).await
    }

    async fn denies(&self, call: Call, id: AccessRequestId) -> Result<AccessRequestDetails, Fault> {
        self.world.write(call, move |unit| Box::pin(access_requests::deny(unit, Ok(id)))).await
    }

    async fn sets(&self, change: PermissionChange) -> Result<Permissions, Fault> {
        let page = self.page;
        self.world
            .write(self.by(&self.owner), move |unit| Box::pin(permissions::replace(unit, Ok(page), Ok(change))))
            .await
    }

    async fn grants(&self, user: UserId, level: Level, expires_at: Option<Timestamp>) {
        let wanted = NewGrant { grantee: GranteeRef::User(user), level, expires_at };
        let (page, call) = (self.page, self.by(&self.owner));
        let granted =
            self.world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false)))));
        granted.await.unwrap();
    }

    async fn level(&self, of: &(Person, Device)) -> Result<Level, Fault> {
        let page = self.page;
        let opened =
            self.world.read(self.by(of), move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new())))).await;
        opened.map(|opened| opened.shown.level)
    }

    async fn request_events(&self) -> Vec<String> {
        let of_requests = |kind: &String| kind.starts_with("access_request.");
        self.world.events(self.id).await.into_iter().map(|(kind, ..)| kind).filter(of_requests).collect()
    }
}

#[tokio::test]
async fn a_request_waits_for_thirty_days_and_is_then_made_anew() {
    let mut fixture = fixture().await;
    fixture.asks(fixture.by(&fixture.member), AskedLevel::View).await;
    let first = fixture.waiting().await.request;
    assert_eq!(first.expires_at, fixture.world.now.plus(days(30)));
    fixture.world.pass_almost(OPEN_FOR);
    assert_eq!(fixture.waiting().await.request, first);
    fixture.world.pass(std::time::Duration::from_millis(1));
    let call = || fixture.by(&fixture.owner);
    assert!(fixture.lists(call(), RequestStatus::Pending).await.is_empty());
    let expired = fixture.lists(call(), RequestStatus::Expired).await;
    assert_eq!(expired[0].request, first);
    let over = conflict(Conflict::AlreadyDecided);
    assert_eq!(fixture.approves(call(), first.id, None).await.unwrap_err(), over);
    assert_eq!(fixture.denies(call(), first.id).await.unwrap_err(), over);
    assert_eq!(fixture.level(&fixture.member).await, Err(Fault::NotFound));
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Comment).await;
    let second = fixture.waiting().await.request;
    assert_ne!(second.id, first.id);
    fixture.approves(call(), second.id, None).await.unwrap();
    assert_eq!(fixture.level(&fixture.member).await, Ok(Level::Comment));
}

#[tokio::test]
async fn asking_again_changes_only_the_requested_level() {
    let mut fixture = fixture().await;
    fixture.asks(fixture.by(&fixture.member), AskedLevel::View).await;
    let first = fixture.waiting().await.request;
    fixture.world.pass(days(3));
    let message = Message::parse("Please").ok();
    let (page, wish) = (fixture.page, NewAccessRequest { level: AskedLevel::Edit, message: message.clone() });
    let call = fixture.by(&fixture.member);
    fixture.world.write(call, move |unit| Box::pin(access_requests::ask(unit, Ok(page), Ok(wish)))).await.unwrap();
    let again = fixture.waiting().await.request;
    assert_eq!((again.level, &again.message), (AskedLevel::Edit, &message));
    assert_eq!((again.id, again.created_at, again.expires_at), (first.id, first.created_at, first.expires_at));
    assert_eq!(fixture.request_events().await, ["access_request.created"]);
}

#[tokio::test]
async fn approving_replaces_only_lower_grants() {
    let mut fixture = fixture().await;
    let to_member = |permissions: &Permissions, member: UserId| {
        permissions.grants.iter().find(|grant| grant.grantee == Grantee::User(member)).cloned()
    };
    let member = fixture.member.0.id;
    // A lower level, and only for a while.
    fixture.grants(member, Level::View, Some(fixture.world.now.plus(days(1)))).await;
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    let waiting = fixture.waiting().await.request.id;
    let approved = fixture.approves(fixture.by(&fixture.owner), waiting, Some(AskedLevel::Comment)).await.unwrap();
    assert_eq!((approved.request.level, approved.request.user), (AskedLevel::Comment, member));
    let after = fixture.sets(PermissionChange::default()).await.unwrap();
    let grant = to_member(&after, member).unwrap();
    assert_eq!((grant.level, grant.expires_at), (Level::Comment, None));
    fixture.world.pass(days(2));
    assert_eq!(fixture.level(&fixture.member).await, Ok(Level::Comment));
    // A higher level by now.
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    let waiting = fixture.waiting().await.request.id;
    fixture.grants(member, Level::FullAccess, None).await;
    fixture.approves(fixture.by(&fixture.owner), waiting, Some(AskedLevel::View)).await.unwrap();
    assert_eq!(fixture.level(&fixture.member).await, Ok(Level::FullAccess));
    // A user who already has the level creates no request.
    fixture.asks(fixture.by(&fixture.member), AskedLevel::FullAccess).await;
    assert!(fixture.lists(fixture.by(&fixture.owner), RequestStatus::Pending).await.is_empty());
}

#[tokio::test]
async fn approving_makes_an_expiring_level_permanent() {
    for temporary in [Level::Edit, Level::FullAccess] {
        let mut fixture = fixture().await;
        let member = fixture.member.0.id;
        fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
        let waiting = fixture.waiting().await.request.id;
        fixture.grants(member, temporary, Some(fixture.world.now.plus(days(1)))).await;
        fixture.approves(fixture.by(&fixture.owner), waiting, None).await.unwrap();
        fixture.world.pass(days(2));
        assert_eq!(fixture.level(&fixture.member).await, Ok(Level::Edit), "{temporary}");
    }
}

#[tokio::test]
async fn an_approved_level_outlasts_a_later_temporary_one_that_is_higher() {
    let mut fixture = fixture().await;
    let mut path = Vec::new();
    for title in ["Top", "Middle", "Page"] {
        let place = Place { parent: path.last().map(|parent| Some(ParentRef::Page(*parent))), ..Place::default() };
        let page = NewPage { title: PageTitle::parse(title).ok(), ..NewPage::default() };
        let call = fixture.by(&fixture.owner);
        let made = fixture.world.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await;
        path.push(made.unwrap().page.id);
    }
    for (page, level, lasts) in [(path[0], Level::None, 9), (path[1], Level::FullAccess, 3), (path[2], Level::View, 1)]
    {
        fixture.page = page;
        fixture.grants(fixture.member.0.id, level, Some(fixture.world.now.plus(days(lasts)))).await;
    }
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Comment).await;
    let request = fixture.waiting().await;
    fixture.approves(fixture.by(&fixture.owner), request.request.id, None).await.unwrap();
    for (day, level) in [(1, Level::Comment), (3, Level::Comment), (9, Level::Edit)] {
        fixture.world.now = make::NOW.plus(days(day));
        assert_eq!(fixture.level(&fixture.member).await, Ok(level), "after {day} days");
    }
}

#[tokio::test]
async fn an_expiring_level_may_be_requested() {
    let fixture = fixture().await;
    fixture.grants(fixture.member.0.id, Level::Edit, Some(fixture.world.now.plus(days(1)))).await;
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    assert_eq!(fixture.waiting().await.request.level, AskedLevel::Edit);
}

#[tokio::test]
async fn making_ones_own_full_access_expire_counts_as_a_lockout() {
    let mut fixture = fixture().await;
    let (page, member) = (fixture.page, fixture.member.0.id);
    fixture.grants(member, Level::FullAccess, None).await;
    let end = fixture.world.now.plus(days(1));
    let grants = async |fixture: &Fixture, user: UserId, level: Level, expires_at: Option<Timestamp>, force: bool| {
        let wanted = NewGrant { grantee: GranteeRef::User(user), level, expires_at };
        let call = fixture.by(&fixture.member);
        fixture.world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, force))))).await
    };
    let refused = grants(&fixture, member, Level::FullAccess, Some(end), false).await;
    assert_eq!(refused.unwrap_err(), Fault::Unprocessable(Unprocessable::SelfLockout));
    grants(&fixture, member, Level::FullAccess, Some(end), true).await.unwrap();
    // A grant to somebody else does not remove an access that ends by itself.
    grants(&fixture, fixture.guest.0.id, Level::View, None, false).await.unwrap();
    fixture.world.pass(days(1));
    assert_eq!(fixture.level(&fixture.member).await, Err(Fault::NotFound));
}

#[tokio::test]
async fn a_guest_gets_no_more_than_edit() {
    let fixture = fixture().await;
    fixture.asks(fixture.by(&fixture.guest), AskedLevel::FullAccess).await;
    let waiting = fixture.waiting().await.request.id;
    fixture.approves(fixture.by(&fixture.owner), waiting, None).await.unwrap();
    assert_eq!(fixture.level(&fixture.guest).await, Ok(Level::Edit));
    assert!(
        fixture.lists(fixture.by(&fixture.guest), RequestStatus::Approved).await.is_empty(),
        "guests decide nothing"
    );
}

#[tokio::test]
async fn a_full_page_keeps_the_request_waiting() {
    let fixture = fixture().await;
    fixture.asks(fixture.by(&fixture.member), AskedLevel::View).await;
    let waiting = fixture.waiting().await.request.id;
    let addresses = (0..MAX_GRANTS).map(|number| NewGrant {
        grantee: GranteeRef::Email(crate::world::email(&format!("outside{number}@example.com"))),
        level: Level::View,
        expires_at: None,
    });
    // The owner's own grant is one of them.
    let own = NewGrant { grantee: GranteeRef::User(fixture.owner.0.id), level: Level::FullAccess, expires_at: None };
    let grants = Some(addresses.skip(1).chain([own]).collect());
    fixture.sets(PermissionChange { grants, ..PermissionChange::default() }).await.unwrap();
    let refused = fixture.approves(fixture.by(&fixture.owner), waiting, None).await.unwrap_err();
    assert_eq!(refused, conflict(Conflict::LimitReached(200)));
    assert_eq!(fixture.waiting().await.request.id, waiting);
    assert_eq!(fixture.level(&fixture.member).await, Err(Fault::NotFound));
    fixture.denies(fixture.by(&fixture.owner), waiting).await.unwrap();
}

#[tokio::test]
async fn deciding_takes_full_access_and_hidden_requests_are_not_found() {
    let mut fixture = fixture().await;
    let other = fixture.world.newcomer().await;
    fixture.world.adds(fixture.world.by(&fixture.owner.1).at(fixture.id), other.0.id, Role::Member).await.unwrap();
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    let waiting = fixture.waiting().await.request.id;
    let absent = AccessRequestId::new(1, [7; 10]);
    for level in [None, Some(Level::View), Some(Level::Edit)] {
        let refused = match level {
            None => Fault::NotFound,
            Some(level) => {
                fixture.grants(other.0.id, level, None).await;
                denied(Denial::RequiresLevel(Level::FullAccess))
            }
        };
        assert_eq!(fixture.approves(fixture.by(&other), waiting, None).await.unwrap_err(), refused);
        assert_eq!(fixture.denies(fixture.by(&other), waiting).await.unwrap_err(), refused);
        assert_eq!(fixture.denies(fixture.by(&other), absent).await.unwrap_err(), Fault::NotFound);
        assert!(fixture.lists(fixture.by(&other), RequestStatus::Pending).await.is_empty());
    }
    assert_eq!(
        fixture.denies(fixture.by(&fixture.member), waiting).await.unwrap_err(),
        Fault::NotFound,
        "not one's own"
    );
    fixture.grants(other.0.id, Level::FullAccess, None).await;
    assert_eq!(fixture.lists(fixture.by(&other), RequestStatus::Pending).await.len(), 1);
    fixture.denies(fixture.by(&other), waiting).await.unwrap();
    let denied = fixture.lists(fixture.by(&other), RequestStatus::Denied).await;
    assert_eq!(denied[0].request.decision.map(|decision| decision.by), Some(other.0.id));
}

#[tokio::test]
async fn a_key_decides_for_its_creator_and_cannot_request() {
    let fixture = fixture().await;
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    let waiting = fixture.waiting().await.request.id;
    let owner = fixture.owner.0.clone();
    let write = fixture.world.key(fixture.id, KeyScope::Write, &owner);
    let needs_admin = denied(Denial::KeyScope(KeyScope::Admin));
    assert_eq!(fixture.approves(write, waiting, None).await.unwrap_err(), needs_admin);
    let admin = fixture.world.key(fixture.id, KeyScope::Admin, &owner);
    let (page, wish) = (fixture.page, NewAccessRequest { level: AskedLevel::View, message: None });
    let asked =
        fixture.world.write(admin.clone(), move |unit| Box::pin(access_requests::ask(unit, Ok(page), Ok(wish)))).await;
    assert_eq!(asked.unwrap_err(), denied(Denial::RequiresUser));
    let approved = fixture.approves(admin, waiting, None).await.unwrap();
    assert_eq!(approved.request.decision.map(|decision| decision.by), Some(owner.id));
    assert_eq!(fixture.level(&fixture.member).await, Ok(Level::Edit));
}

#[tokio::test]
async fn a_request_is_removed_with_its_requester_and_hidden_with_its_page() {
    let fixture = fixture().await;
    for person in [&fixture.member, &fixture.guest] {
        fixture.asks(fixture.by(person), AskedLevel::View).await;
    }
    let call = || fixture.by(&fixture.owner);
    let gone = fixture.guest.0.id;
    let of_guest = fixture.lists(call(), RequestStatus::Pending).await.remove(0);
    assert_eq!(of_guest.person.id, gone);
    let at = fixture.world.by(&fixture.owner.1).at(fixture.id);
    fixture.world.write(at, move |unit| Box::pin(members::remove(unit, Ok(gone)))).await.unwrap();
    assert_eq!(fixture.approves(call(), of_guest.request.id, None).await.unwrap_err(), Fault::NotFound);
    let left = fixture.waiting().await.request;
    assert_eq!(left.user, fixture.member.0.id);
    let page = fixture.page;
    fixture.world.write(call(), move |unit| Box::pin(trash::throw_away(unit, Ok(page), Ok(None)))).await.unwrap();
    assert!(fixture.lists(call(), RequestStatus::Pending).await.is_empty());
    for refused in [fixture.approves(call(), left.id, None).await, fixture.denies(call(), left.id).await] {
        assert_eq!(refused.unwrap_err(), conflict(Conflict::PageTrashed));
    }
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    fixture
        .world
        .write(call(), move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))))
        .await
        .unwrap();
    assert_eq!(fixture.waiting().await.request, left, "nobody asks for what is in the trash");
}

#[tokio::test]
async fn an_ineffective_request_stores_nothing() {
    let mut fixture = fixture().await;
    let seen = NewPage { title: PageTitle::parse("Seen").ok(), ..NewPage::default() };
    let call = fixture.by(&fixture.owner);
    let seen =
        fixture.world.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(seen)))).await;
    let (seen, unknown) = (seen.unwrap().page.id, PageId::new(1, [9; 10]));
    let asks = async |fixture: &Fixture, page: Result<PageId, Fault>| {
        let (call, wish) = (fixture.by(&fixture.member), NewAccessRequest { level: AskedLevel::Edit, message: None });
        fixture.world.write(call, move |unit| Box::pin(access_requests::ask(unit, page, Ok(wish)))).await.unwrap();
    };
    for page in [Ok(seen), Ok(unknown), Err(Fault::NotFound)] {
        asks(&fixture, page).await;
    }
    assert_eq!(fixture.world.database.number("SELECT count(*) FROM access_requests").await, 0);
    assert_eq!(fixture.request_events().await, [] as [&str; 0]);
    // A user who got access in another way still has a request; a request in vain does not affect it either.
    fixture.asks(fixture.by(&fixture.member), AskedLevel::Edit).await;
    let waiting = fixture.waiting().await.request;
    fixture.grants(fixture.member.0.id, Level::Edit, None).await;
    fixture.world.pass(days(1));
    fixture.asks(fixture.by(&fixture.member), AskedLevel::View).await;
    assert_eq!(fixture.waiting().await.request, waiting);
}
