//! Who may read which event of the log: one line for every type.

use crate::world::{Calling, Device, Person, World};
use octavo_app::{
    Call, Caller,
    events::{self, CatchUp},
};
use octavo_core_model::{
    AppScope, KeyScope, Level, Role, TeamRole,
    claims::{AppClaims, PresentedApp},
    event::{Actor, Event, EventPayload, EventType},
    grant::Grantee,
    id::{ClientId, FamilyId, GrantId, PageId, RecordId, TeamId, TokenId, WorkspaceId},
    page::{Node, Page},
    record,
    team::Team,
};
use octavo_ports::store::Record;
use octavo_testkit::make;

/// Callers that may read events, each with a letter.
type Readers = Vec<(char, Call)>;

/// A workspace with the page and the team in the examples of events. Only members of the team and users with a grant
/// can see them.
struct Office {
    world: World,
    workspace: WorkspaceId,
    readers: Readers,
    guest: Person,
}

impl Office {
    async fn open() -> Self {
        let mut world = World::new().await;
        let (host, owner) = world.newcomer().await;
        let workspace = host.workspace;
        let mut joining = Vec::new();
        for role in [Role::Admin, Role::Member, Role::Member, Role::Member, Role::Guest, Role::Guest] {
            let (person, device) = world.newcomer().await;
            world.joins(&person, &host, role).await;
            joining.push((person, device));
        }
        let [admin, member, editor, insider, viewer, guest]: [(Person, Device); 6] = joining.try_into().unwrap();
        let mut unit = world.engine.store.writer().await.unwrap();
        let place = unit.workspaces().find(workspace).await.unwrap().unwrap();
        let team = Team { id: TeamId::EXAMPLE, is_private: true, ..make::team(1, &place) };
        assert!(unit.teams().insert(&team).await.unwrap());
        let inside = make::team_membership(1, &team, insider.0.id, TeamRole::Member);
        assert!(unit.teams().insert_membership(&inside).await.unwrap());
        let page = make::page(1, workspace, Node::Workspace(workspace), Node::Page(PageId::EXAMPLE));
        let page = Page { id: PageId::EXAMPLE, inherit: false, ..page };
        assert!(unit.pages().insert(&page).await.unwrap());
        for (number, person, level) in [(1, &viewer, Level::View), (2, &editor, Level::Edit)] {
            let grant = make::access_grant(number, &page, Grantee::User(person.0.id), level);
            unit.grants().put(&grant).await.unwrap();
        }
        let record = record::Record { id: RecordId::EXAMPLE, ..make::record(1, &make::database(1, workspace)) };
        unit.records().insert_many(vec![record]).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
        let by = |device: &Device| world.by(device).at(workspace);
        let readers = vec![
            ('O', by(&owner)),
            ('A', by(&admin.1)),
            ('M', by(&member.1)),
            ('E', by(&editor.1)),
            ('I', by(&insider.1)),
            ('V', by(&viewer.1)),
            ('G', by(&guest.1)),
            ('R', world.key(workspace, KeyScope::Read, &host)),
            ('K', world.key(workspace, KeyScope::Admin, &host)),
            ('P', app_of(&world, &editor.0, workspace)),
        ];
        Self { world, workspace, readers, guest: guest.0 }
    }

    /// Adds an event of every type and form to the log, all by one actor.
    async fn log_all(&self, actor: Actor) -> Vec<Event> {
        let event = |(number, payload)| Event { payload, actor, ..make::event(number, self.workspace) };
        let events: Vec<_> = (1..).zip(EventPayload::examples()).map(event).collect();
        let unit = self.world.engine.store.writer().await.unwrap();
        unit.commit(Record { events: events.clone(), ..Record::default() }).await.unwrap();
        events
    }

    /// The letters of the callers that may read each of these events.
    async fn who_reads(&self, written: &[Event]) -> Vec<String> {
        let mut seen = vec![String::new(); written.len()];
        for (letter, call) in &self.readers {
            let all = CatchUp { limit: 500, ..CatchUp::default() };
            let caught = self.world.read(call.clone(), move |view| Box::pin(events::catch_up(view, Ok(all)))).await;
            let caught = caught.unwrap().events;
            for (event, seen) in written.iter().zip(&mut seen) {
                if caught.iter().any(|found| found.logged.id == event.id) {
                    seen.push(*letter);
                }
            }
        }
        seen
    }
}

/// An app that may read pages for a user.
fn app_of(world: &World, person: &Person, workspace: WorkspaceId) -> Call {
    let claims = AppClaims {
        user: person.id,
        client: ClientId::EXAMPLE,
        grant: GrantId::EXAMPLE,
        family: FamilyId::EXAMPLE,
        scopes: vec![AppScope::PagesRead],
        id: TokenId::EXAMPLE,
        proofs: Vec::new(),
        authenticated_at: world.now,
        issued_at: world.now,
    };
    let scopes = claims.scopes.clone();
    let app = PresentedApp { claims, name: make::name("Planner"), scopes, workspaces: vec![workspace] };
    Call { caller: Caller::App(Box::new(app)), ..world.nobody() }.naming(workspace)
}

/// Whether an event lies on a page or a database. The examples have the same node.
fn lies_on_node(payload: &EventPayload) -> bool {
    let location = payload.location();
    location.page.is_some() || location.database.is_some()
}

/// Who may read an event that the deployment caused.
fn readers_of(payload: &EventPayload) -> &'static str {
    use EventType as T;
    const IN_CHARGE: &str = "OAK";
    const MEMBERS: &str = "OAMEIRKP";
    const OF_TEAM: &str = "OAIRK";
    const OF_PAGE: &str = "OAEVRKP";
    const OF_DATABASE: &str = "OAEVRK";
    const OF_GRANTS: &str = "OAEK";
    match payload.kind() {
        T::UserProfileUpdated
        | T::UserRegistered
        | T::WorkspaceCreated
        | T::WorkspaceDeleted
        | T::WorkspaceInvitationAccepted
        | T::WorkspaceInvitationRevoked
        | T::WorkspaceInvitationSent
        | T::WorkspaceMemberAdded
        | T::WorkspaceMemberRemoved
        | T::WorkspaceMemberUpdated
        | T::WorkspaceSettingsUpdated
        | T::WorkspaceUpdated => MEMBERS,
        T::TeamCreated
        | T::TeamDeleted
        | T::TeamMemberAdded
        | T::TeamMemberRemoved
        | T::TeamMemberUpdated
        | T::TeamUpdated => OF_TEAM,
        T::PageImported if payload.location().page.is_none() => OF_DATABASE,
        T::BlocksChanged
        | T::CommentCreated
        | T::CommentDeleted
        | T::CommentMentioned
        | T::CommentReactionAdded
        | T::CommentReactionRemoved
        | T::CommentReopened
        | T::CommentReplyCreated
        | T::CommentReplyDeleted
        | T::CommentResolved
        | T::CommentUpdated
        | T::PageCreated
        | T::PageDeleted
        | T::PageImported
        | T::PageMoved
        | T::PageRestored
        | T::PageTrashed
        | T::PageUpdated
        | T::PageVersionCreated
        | T::PageVersionRestored => OF_PAGE,
        // The node of the database in these examples is the page of the others.
        T::ChartCreated
        | T::ChartDeleted
        | T::ChartUpdated
        | T::DashboardCreated
        | T::DashboardDeleted
        | T::DashboardUpdated
        | T::DatabaseCreated
        | T::DatabaseUpdated
        | T::RecordArchived
        | T::RecordCreated
        | T::RecordDeleted
        | T::RecordUnarchived
        | T::RecordUpdated => OF_DATABASE,
        T::PermissionChanged if !lies_on_node(payload) => IN_CHARGE,
        T::AccessRequestApproved
        | T::AccessRequestCreated
        | T::AccessRequestDenied
        | T::PermissionChanged
        | T::ShareLinkCreated
        | T::ShareLinkJoined
        | T::ShareLinkRevoked
        | T::ShareLinkUpdated => OF_GRANTS,
        T::JobFailed | T::JobSucceeded => IN_CHARGE,
        T::ApiKeyCreated
        | T::ApiKeyRevoked
        | T::ApiKeyRotated
        | T::ApiKeyUpdated
        | T::AuditExported
        | T::AuthRefresh
        | T::OauthAppCreated
        | T::OauthAppDeleted
        | T::OauthAppUpdated
        | T::OauthCodeIssued
        | T::OauthGrantCreated
        | T::OauthGrantRevoked
        | T::OauthSecretRotated
        | T::OauthTokenIssued
        | T::OauthTokenRevoked
        | T::SessionRevoked
        | T::UserDeleted
        | T::UserDeletionScheduled
        | T::UserEmailChanged
        | T::UserEmailReverted
        | T::UserEmailVerified
        | T::UserLogin
        | T::UserLoginFailed
        | T::UserLogout
        | T::UserNewDevice
        | T::UserPasswordChanged
        | T::UserPasswordReset
        | T::UserRegistrationRejected
        | T::UserReinstated
        | T::UserRestored
        | T::UserSuspended
        | T::WorkspaceInvitationDeclined => unreachable!("it stands in the audit trail only"),
    }
}

#[tokio::test]
async fn every_event_is_read_by_its_audience_only() {
    let office = Office::open().await;
    let events = office.log_all(Actor::System).await;
    for (event, readers) in events.iter().zip(office.who_reads(&events).await) {
        assert_eq!(readers, readers_of(&event.payload), "{:?}", event.payload);
    }
}

/// A guest caused all of these events. They still see those about hidden or deleted things, but not those on pages
/// that they may not see.
#[tokio::test]
async fn the_actor_reads_events_whose_audience_cannot_be_checked() {
    let office = Office::open().await;
    let events = office.log_all(Actor::User(office.guest.id)).await;
    for (event, readers) in events.iter().zip(office.who_reads(&events).await) {
        let name = event.payload.kind().name();
        let is_own = name.starts_with("team.") || name.starts_with("job.");
        assert_eq!(readers.contains('G'), is_own, "{name}");
    }
    office.world.database.execute(&format!("DELETE FROM pages WHERE id = '{}'", PageId::EXAMPLE)).await;
    for (event, readers) in events.iter().zip(office.who_reads(&events).await) {
        if lies_on_node(&event.payload) {
            assert_eq!(readers, "OAGK", "{:?}", event.payload);
        }
    }
}

#[tokio::test]
async fn events_of_a_newer_release_are_read_by_owners_and_admins() {
    let office = Office::open().await;
    let events = office.log_all(Actor::System).await;
    office.world.database.execute("UPDATE events SET type = 'page.exploded'").await;
    assert!(office.who_reads(&events).await.iter().all(|readers| readers == "OAK"));
}
