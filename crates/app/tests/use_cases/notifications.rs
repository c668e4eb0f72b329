//! Notifications over time and for many users: portions, folding, replays.

use crate::world::{Calling, Device, Person, World};
use octavo_app::{
    Call,
    comments::{self, NamedAnchor, NewComment},
    consumers::{self, Advance},
    follows,
    notifications::{self, MarkChange, NOTIFICATIONS, NotificationList, ShownNotification},
    pages::{self, NewPage, PageUpdate, Place},
};
use octavo_core_model::{
    Role,
    comment::Mention,
    consumer::ConsumerName,
    follow::{Follow, FollowMode, FollowTarget},
    id::{PageId, UserId, WorkspaceId},
    notification::{FOLDED_FOR, NotificationType},
    page::{PageChange, ResourceId},
    text::{CommentText, PageTitle},
    time::days,
};
use octavo_ports::{notifications::NotificationFilter, store::Record};
use octavo_testkit::make;

pub(crate) struct Fixture {
    pub(crate) world: World,
    pub(crate) id: WorkspaceId,
    pub(crate) owner: (Person, Device),
    pub(crate) member: (Person, Device),
    pub(crate) page: PageId,
}

/// A workspace with a member, and a page of its owner.
pub(crate) async fn fixture() -> Fixture {
    Fixture::over(World::new().await).await
}

impl Fixture {
    pub(crate) async fn over(mut world: World) -> Self {
        let (owner, member) = (world.newcomer().await, world.newcomer().await);
        let id = world.creates_workspace(&owner.0).await;
        world.adds(world.by(&owner.1).at(id), member.0.id, Role::Member).await.unwrap();
        let page = NewPage { title: PageTitle::parse("Plan").ok(), ..NewPage::default() };
        let call = world.by(&owner.1).naming(id);
        let made = world.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(page)))).await;
        let page = made.unwrap().page.id;
        let fixture = Self { world, id, owner, member, page };
        fixture.catch_up().await;
        fixture
    }

    pub(crate) fn by(&self, (_, device): &(Person, Device)) -> Call {
        self.world.by(device).naming(self.id)
    }

    /// Lets the consumer come to the end of the log, and returns the number of its units.
    pub(crate) async fn catch_up(&self) -> usize {
        self.world.engine.store.number_events().await.unwrap();
        let mut units = 1;
        loop {
            match consumers::advance(&self.world.engine, NOTIFICATIONS, self.id, self.world.now).await.unwrap() {
                Advance::AtEnd => return units,
                Advance::Moved => units += 1,
                failed => panic!("{failed:?}"),
            }
        }
    }

    pub(crate) async fn comments(&self, by: &(Person, Device), mentions: Vec<Mention>) {
        let anchor = NamedAnchor { page: Some(self.page), ..NamedAnchor::default() };
        let body = CommentText::parse("Look at this").unwrap();
        let new = NewComment { selection: None, body, mentions: Some(mentions), team: None };
        let call = self.by(by);
        self.world.write(call, move |unit| Box::pin(comments::create(unit, Ok(anchor), Ok(new)))).await.unwrap();
    }

    pub(crate) async fn renames(&self, by: &(Person, Device), title: &str) {
        let change = PageChange { title: PageTitle::parse(title).ok(), ..PageChange::default() };
        let update = PageUpdate { change, expected: None };
        let (call, page) = (self.by(by), self.page);
        let rename = self.world.write(call, move |unit| Box::pin(pages::update(unit, Ok(page), Ok(None), Ok(update))));
        rename.await.unwrap();
    }

    pub(crate) async fn follows(&self, by: &(Person, Device), mode: FollowMode) {
        let target = FollowTarget::Node(ResourceId::Page(self.page));
        let call = self.by(by);
        self.world.write(call, move |unit| Box::pin(follows::follow(unit, Ok(target), Ok(mode)))).await.unwrap();
    }

    pub(crate) async fn told(&self, (_, device): &(Person, Device)) -> Vec<ShownNotification> {
        let wanted = NotificationList { filter: NotificationFilter::default(), before: None, limit: 100 };
        let call = self.world.by(device);
        let list = self.world.read(call, move |view| Box::pin(notifications::list(view, Ok(wanted)))).await.unwrap();
        list.notifications
            .into_iter()
            .filter(|shown| shown.notification.kind != NotificationType::MemberAdded)
            .collect()
    }

    /// The types and counts of what somebody is told.
    pub(crate) async fn kinds(&self, who: &(Person, Device)) -> Vec<(NotificationType, u32)> {
        let told = self.told(who).await;
        told.into_iter().map(|shown| (shown.notification.kind, shown.notification.count)).collect()
    }
}

#[tokio::test]
async fn a_fan_out_to_thousands_goes_in_portions() {
    let fixture = fixture().await;
    let target = FollowTarget::Node(ResourceId::Page(fixture.page));
    let mut unit = fixture.world.engine.store.writer().await.unwrap();
    let workspace = unit.workspaces().lock(fixture.id).await.unwrap().unwrap();
    let mut followers: Vec<UserId> = Vec::new();
    for number in 10_000..12_100 {
        let user = make::user(number);
        assert!(unit.accounts().insert(&user, None).await.unwrap());
        let membership = make::membership(number, &workspace, &user, Role::Member);
        unit.members().insert(&membership, &workspace, &(&user).into()).await.unwrap();
        let (id, created_at) = (fixture.id, make::NOW);
        let follow = Follow { workspace: id, user: user.id, target, mode: FollowMode::Comments, created_at };
        unit.follows().put(&follow).await.unwrap();
        followers.push(user.id);
    }
    unit.commit(Record::default()).await.unwrap();
    fixture.comments(&fixture.member, vec![Mention::User(followers[7])]).await;
    assert!(fixture.catch_up().await >= 3, "2,100 followers and the creator of the page");
    let mut view = fixture.world.engine.store.reader().await.unwrap();
    for (number, user) in followers.iter().enumerate() {
        let told = view.notifications().list(*user, &NotificationFilter::default(), None, 10).await.unwrap();
        let expected = if number == 7 { NotificationType::Mention } else { NotificationType::Comment };
        assert_eq!(told.iter().map(|told| told.kind).collect::<Vec<_>>(), [expected], "follower {number}");
    }
    drop(view);
    assert_eq!(fixture.kinds(&fixture.owner).await, [(NotificationType::Comment, 1)], "created the page");
    assert_eq!(fixture.kinds(&fixture.member).await, [], "wrote it");
}

#[tokio::test]
async fn a_replay_tells_nobody_twice_and_brings_back_what_is_missing() {
    let fixture = fixture().await;
    fixture.follows(&fixture.owner, FollowMode::All).await;
    for _ in 0..2 {
        fixture.comments(&fixture.member, vec![Mention::User(fixture.owner.0.id)]).await;
        fixture.renames(&fixture.member, "Other plan").await;
    }
    fixture.catch_up().await;
    let before: Vec<_> = fixture.told(&fixture.owner).await.into_iter().map(|shown| shown.notification).collect();
    assert_eq!(before.len(), 3, "two mentions, and one for both changes: {before:?}");
    let replay = async || {
        consumers::rewind(&fixture.world.engine, ConsumerName::Notifications, fixture.world.now).await.unwrap();
        fixture.catch_up().await;
        fixture.told(&fixture.owner).await.into_iter().map(|shown| shown.notification).collect::<Vec<_>>()
    };
    assert_eq!(replay().await, before);
    fixture.world.database.execute("DELETE FROM notifications WHERE kind = 'MENTION'").await;
    assert_eq!(replay().await.len(), 3);
}

#[tokio::test]
async fn changes_of_a_page_are_folded_for_ten_minutes() {
    let mut fixture = fixture().await;
    fixture.follows(&fixture.owner, FollowMode::All).await;
    let updates = |count| (NotificationType::PageUpdated, count);
    for (number, title) in (1..=3).zip(["A", "B", "C"]) {
        fixture.renames(&fixture.member, title).await;
        fixture.catch_up().await;
        assert_eq!(fixture.kinds(&fixture.owner).await, [updates(number)]);
        fixture.world.pass(FOLDED_FOR / 4);
    }
    fixture.renames(&fixture.owner, "Mine").await;
    fixture.catch_up().await;
    assert_eq!(fixture.kinds(&fixture.owner).await, [updates(3)], "nobody is told of their own doings");
    fixture.world.pass(FOLDED_FOR / 4);
    fixture.renames(&fixture.member, "D").await;
    fixture.catch_up().await;
    assert_eq!(fixture.kinds(&fixture.owner).await, [updates(1), updates(3)], "the window began with the first");
    let newest = fixture.told(&fixture.owner).await[0].notification.id;
    let (call, change) = (fixture.world.by(&fixture.owner.1), MarkChange { read: Some(true), archived: None });
    let mark = fixture.world.write(call, move |unit| Box::pin(notifications::mark(unit, Ok(newest), Ok(change)))).await;
    assert!(mark.unwrap().notification.read_at.is_some());
    fixture.world.pass(FOLDED_FOR / 4);
    fixture.renames(&fixture.member, "E").await;
    fixture.catch_up().await;
    assert_eq!(fixture.kinds(&fixture.owner).await.len(), 3, "nothing is folded into what was read");
}

#[tokio::test]
async fn old_notifications_are_removed() {
    let mut fixture = fixture().await;
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.catch_up().await;
    let first = fixture.told(&fixture.owner).await[0].notification.id;
    let (call, change) = (fixture.world.by(&fixture.owner.1), MarkChange { read: Some(true), archived: None });
    fixture.world.write(call, move |unit| Box::pin(notifications::mark(unit, Ok(first), Ok(change)))).await.unwrap();
    for (passed, left) in [(89, 2), (2, 1), (273, 1), (2, 0)] {
        fixture.world.pass(days(passed));
        octavo_app::chores::sweep(&fixture.world.engine, fixture.world.now).await.unwrap();
        let mut view = fixture.world.engine.store.reader().await.unwrap();
        let filter =
            NotificationFilter { kinds: Some(vec![NotificationType::Comment]), ..NotificationFilter::default() };
        let found = view.notifications().list(fixture.owner.0.id, &filter, None, 10).await.unwrap();
        assert_eq!(found.len(), left, "after {passed} more days");
    }
}
