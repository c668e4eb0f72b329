//! Entities for a store. The same number gives the same entity.

mod databases;

pub use databases::{
    database, database_id, database_node, property, property_id, record, record_id, record_link, view_id,
};

use octavo_core_model::{
    AppScope, KeyScope, Level, Role, Secret, TeamRole, Timestamp, TokenHash, TokenKind,
    access_request::{AccessRequest, AskedLevel, OPEN_FOR},
    account::User,
    api_key::{ApiKey, KeySecret, PresentedKey},
    audit::AuditSearch,
    browser_session::BrowserSession,
    chore::{Chore, Queue},
    event::{
        Actor, AuditEntry, Chain, Event, EventPayload, EventType, FieldChanges, Outcome, Personal, Resource,
        users::ProfileUpdated,
    },
    grant,
    id::{
        AccessGrantId, AccessRequestId, ApiKeyId, AuditId, ClientId, EventId, FamilyId, GrantId, InvitationId, JobId,
        MembershipId, PageId, RequestId, SessionId, ShareLinkId, TeamId, TeamMembershipId, TokenId, UserId,
        WorkspaceId,
    },
    invitation::{Invitation, InvitationState},
    job::{AuditExport, ExportFormat, Job, JobOwner, Task},
    member::Membership,
    oauth::{App, AuthorizationCode, Challenge, Family, FamilyToken, Grant, RedirectUri},
    one_time::OneTimeToken,
    page::{Node, Page, PageKind},
    position::Position,
    session::{Proof, RefreshToken, Session, SessionKind},
    share_link::{LinkToken, ShareLevel, ShareLink, Views},
    team::{Team, TeamMembership},
    text::{Color, Description, Email, Name, PageTitle, Slug, TeamName, WebAddress},
    time::days,
    workspace::Workspace,
};
use octavo_ports::{passwords::PasswordHash, replies::ReplyKey};
use serde_json::json;

/// The time of everything.
pub const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

/// An id for this number; larger numbers give later ids.
pub fn id<T>(number: u64, make: impl FnOnce(i64, [u8; 10]) -> T) -> T {
    let mut random = [0; 10];
    random[..8].copy_from_slice(&number.to_be_bytes());
    make(NOW.millis(), random)
}

pub fn user_id(number: u64) -> UserId {
    id(number, UserId::new)
}

pub fn workspace_id(number: u64) -> WorkspaceId {
    id(number, WorkspaceId::new)
}

pub fn session_id(number: u64) -> SessionId {
    id(number, SessionId::new)
}

pub fn api_key_id(number: u64) -> ApiKeyId {
    id(number, ApiKeyId::new)
}

pub fn job_id(number: u64) -> JobId {
    id(number, JobId::new)
}

pub fn audit_id(number: u64) -> AuditId {
    id(number, AuditId::new)
}

pub fn email(text: &str) -> Email {
    Email::parse(text).expect("an address")
}

pub fn name(text: &str) -> Name {
    Name::parse(text).expect("a name")
}

pub fn slug(text: &str) -> Slug {
    Slug::from_name(text, "workspace")
}

pub fn user(number: u64) -> User {
    let email = email(&format!("person{number}@example.com"));
    User::register(user_id(number), email, name(&format!("Person {number}")), workspace_id(number), NOW)
}

pub fn password(text: &str) -> PasswordHash {
    PasswordHash(Secret::new(text.to_owned()))
}

/// A workspace of the person with this number.
pub fn workspace(number: u64, owner: &User) -> Workspace {
    let (name, slug) = (name(&format!("Workspace {number}")), slug(&format!("workspace-{number}")));
    Workspace::create(workspace_id(number), name, slug, owner.id, NOW)
}

pub fn membership(number: u64, workspace: &Workspace, user: &User, role: Role) -> Membership {
    let id = id(number, MembershipId::new);
    Membership { id, workspace: workspace.id, user: user.id, role, invited_by: None, joined_at: NOW }
}

pub fn team(number: u64, workspace: &Workspace) -> Team {
    Team {
        id: id(number, TeamId::new),
        workspace: workspace.id,
        name: TeamName::parse(&format!("Team {number}")).expect("a name"),
        slug: slug(&format!("team-{number}")),
        description: Some(Description::from_stored("What they do".to_owned())),
        color: Some(Color::from_stored("#00ff00".to_owned())),
        icon_url: Some(WebAddress::from_stored("https://example.com/team.png".to_owned())),
        position: Position::from_stored(format!("a{number}")),
        is_private: false,
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn team_membership(number: u64, team: &Team, user: UserId, role: TeamRole) -> TeamMembership {
    let id = id(number, TeamMembershipId::new);
    TeamMembership { id, workspace: team.workspace, team: team.id, user, role, created_at: NOW }
}

pub fn page_id(number: u64) -> PageId {
    id(number, PageId::new)
}

/// A page that inherits, without entries of its own, in a container with the access node `access`.
pub fn page(number: u64, workspace: WorkspaceId, container: Node, access: Node) -> Page {
    Page {
        id: page_id(number),
        kind: PageKind::Page,
        workspace,
        team: container.team(),
        container,
        access,
        inherit: true,
        title: PageTitle::parse(&format!("Page {number}")).expect("a title"),
        icon: None,
        cover_url: None,
        position: Position::from_stored(format!("a{number}")),
        lock: None,
        trash: None,
        grants_version: 1,
        version: 1,
        created_by: Some(user_id(1)),
        updated_by: Some(user_id(1)),
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn access_grant(number: u64, page: &Page, grantee: grant::Grantee, level: Level) -> grant::Grant {
    grant::Grant {
        id: id(number, AccessGrantId::new),
        workspace: page.workspace,
        page: page.id,
        grantee,
        level,
        expires_at: None,
        created_by: Some(user_id(1)),
        given_by: Some(user_id(1)),
        created_at: NOW,
        updated_at: NOW,
    }
}

pub fn access_request_id(number: u64) -> AccessRequestId {
    id(number, AccessRequestId::new)
}

/// A request for the right to edit a page.
pub fn access_request(number: u64, page: &Page, user: UserId) -> AccessRequest {
    AccessRequest {
        id: access_request_id(number),
        workspace: page.workspace,
        page: page.id,
        user,
        level: AskedLevel::Edit,
        message: None,
        decision: None,
        created_at: NOW,
        expires_at: NOW.plus(OPEN_FOR),
    }
}

pub fn share_link_id(number: u64) -> ShareLinkId {
    id(number, ShareLinkId::new)
}

/// The stored token of the link with this number.
pub fn share_token(number: u8) -> LinkToken {
    LinkToken { hash: TokenHash::from_bytes([number; 32]), sealed: vec![number] }
}

/// A link to a page and its descendants.
pub fn share_link(number: u8, page: &Page) -> ShareLink {
    ShareLink {
        id: share_link_id(number.into()),
        workspace: page.workspace,
        page: page.id,
        token: share_token(number),
        level: ShareLevel::View,
        include_children: true,
        password: None,
        expires_at: None,
        allow_duplicate: false,
        allow_indexing: false,
        revoked_at: None,
        views: Views::default(),
        created_by: user_id(1),
        created_at: NOW,
        updated_at: NOW,
    }
}

/// An invitation as a member, for a week.
pub fn invitation(number: u64, workspace: &Workspace, inviter: &User, to: &str) -> Invitation {
    Invitation {
        id: id(number, InvitationId::new),
        workspace: workspace.id,
        email: email(to),
        role: Role::Member,
        invited_by: inviter.id,
        invited_by_key: None,
        created_at: NOW,
        expires_at: NOW.plus(days(7)),
        state: InvitationState::Pending,
    }
}

pub fn api_key(number: u64, workspace: WorkspaceId, creator: UserId) -> ApiKey {
    ApiKey {
        id: api_key_id(number),
        workspace,
        name: name(&format!("Key {number}")),
        prefix: "svc_live_abcd".to_owned(),
        scopes: [KeyScope::Read].into(),
        rate_limit: None,
        allowed_networks: Vec::new(),
        last_used_at: None,
        expires_at: None,
        revoked_at: None,
        created_by: creator,
        created_at: NOW,
    }
}

pub fn client_id(number: u64) -> ClientId {
    id(number, ClientId::new)
}

pub fn grant_id(number: u64) -> GrantId {
    id(number, GrantId::new)
}

pub fn token_id(number: u64) -> TokenId {
    id(number, TokenId::new)
}

/// A confidential app that may read and write pages.
pub fn app(number: u64, workspace: &Workspace, creator: &User) -> App {
    App {
        id: client_id(number),
        workspace: workspace.id,
        name: name(&format!("App {number}")),
        public: false,
        redirect_uris: vec![redirect_uri("https://app.example/back"), redirect_uri("http://127.0.0.1:7000/back?a=b")],
        scopes: [AppScope::PagesRead, AppScope::PagesWrite].into(),
        logo_url: Some(WebAddress::from_stored("https://app.example/logo.png".to_owned())),
        created_by: creator.id,
        created_at: NOW,
    }
}

pub fn redirect_uri(text: &str) -> RedirectUri {
    RedirectUri::parse(text).expect("a redirect URI")
}

/// A grant of all scopes of the app, in the user's own workspace.
pub fn grant(number: u64, app: &App, user: &User) -> Grant {
    Grant {
        id: grant_id(number),
        user: user.id,
        app: app.into(),
        scopes: app.scopes.clone(),
        common_scopes: app.scopes.clone(),
        workspaces: vec![user.personal_workspace],
        created_at: NOW,
        last_used_at: None,
        expires_at: NOW.plus(days(365)),
        revoked_at: None,
    }
}

/// A code; its family has the same number.
pub fn code(number: u64, grant: &Grant) -> AuthorizationCode {
    AuthorizationCode {
        hash: hash(number),
        user: grant.user,
        client: grant.app.id,
        grant: grant.id,
        family: id(number, FamilyId::new),
        redirect_uri: redirect_uri("https://app.example/back"),
        scopes: grant.scopes.clone(),
        workspaces: grant.workspaces.clone(),
        challenge: Some(Challenge::from_bytes([7; 32])),
        proofs: vec![Proof::Password],
        authenticated_at: NOW,
        absolute_end: grant.expires_at,
        created_at: NOW,
        expires_at: NOW.plus(days(1)),
        redeemed_at: None,
    }
}

/// The family of a code.
pub fn family(code: &AuthorizationCode) -> Family {
    Family {
        id: code.family,
        user: code.user,
        client: code.client,
        grant: code.grant,
        scopes: code.scopes.clone(),
        workspaces: code.workspaces.clone(),
        proofs: code.proofs.clone(),
        authenticated_at: code.authenticated_at,
        created_at: NOW,
        expires_at: NOW.plus(days(30)),
        absolute_end: code.absolute_end,
        revoked_at: None,
    }
}

pub fn family_token(number: u64, family: &Family) -> FamilyToken {
    FamilyToken {
        hash: hash(number),
        user: family.user,
        family: family.id,
        predecessor: hash(number + 1000),
        expires_at: family.expires_at,
        rotated: false,
    }
}

pub fn session(number: u64, user: &User) -> Session {
    Session {
        id: session_id(number),
        user: user.id,
        kind: SessionKind::Login,
        workspace: user.personal_workspace,
        user_agent: "Firefox".to_owned(),
        address: "192.0.2.1".to_owned(),
        proofs: vec![Proof::Password],
        authenticated_at: NOW,
        created_at: NOW,
        last_active_at: NOW,
        expires_at: NOW.plus(days(30)),
        absolute_end: NOW.plus(days(365)),
        end: None,
    }
}

pub fn hash(number: u64) -> TokenHash {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    TokenHash::from_bytes(bytes)
}

pub fn refresh_token(number: u64, session: &Session) -> RefreshToken {
    RefreshToken {
        hash: hash(number),
        user: session.user,
        session: session.id,
        predecessor: None,
        expires_at: session.expires_at,
        rotated: false,
    }
}

/// The cookie of a session, with the same expiry.
pub fn browser_session(number: u64, session: &Session) -> BrowserSession {
    BrowserSession { hash: hash(number), user: session.user, session: session.id, expires_at: session.expires_at }
}

pub fn one_time_token(number: u64, kind: TokenKind, user: &User) -> OneTimeToken {
    OneTimeToken::issue(kind, hash(number), user.id, user.email.clone(), NOW)
}

pub fn chore(number: u64, queue: Queue) -> Chore {
    Chore { id: job_id(number), queue, payload: vec![0, 255, 7], attempts: 0, run_at: NOW, created_at: NOW }
}

/// A waiting job that exports the audit trail of a workspace.
pub fn job(number: u64, workspace: WorkspaceId, creator: UserId) -> Job {
    let search = AuditSearch { action: "user.*".parse().ok(), ..AuditSearch::all(0) };
    let task = Task::AuditExport(AuditExport { format: ExportFormat::Csv, search });
    Job::new(job_id(number), JobOwner::Workspace(workspace), task, creator, NOW)
}

pub fn event(number: u64, workspace: WorkspaceId) -> Event {
    let changes = FieldChanges { changed_fields: vec!["name"], ..FieldChanges::default() };
    let payload = EventPayload::UserProfileUpdated(ProfileUpdated { user: user_id(1), changes });
    Event { id: id(number, EventId::new), workspace, occurred_at: NOW, actor: Actor::System, payload }
}

pub fn audit_entry(number: u64, chain: Chain) -> AuditEntry {
    AuditEntry {
        id: audit_id(number),
        at: NOW,
        chain,
        action: EventType::UserLogin,
        actor: Actor::User(user_id(1)),
        target: Resource::User(user_id(1)),
        outcome: Outcome::Success,
        reason: None,
        request: Some(id(number, RequestId::new)),
        personal: Personal {
            ip: Some("192.0.2.1".to_owned()),
            user_agent: Some("Firefox".to_owned()),
            actor_name: Some("Person 1".to_owned()),
            target_label: None,
            changes: vec![json!({ "field": "email", "from": "a@example.com", "to": "b@example.com" })],
        },
        about: None,
        salt: [9; 32],
    }
}

pub fn reply_key(principal: &str, number: u8) -> ReplyKey {
    ReplyKey { principal: principal.to_owned(), key_hash: [number; 32] }
}

/// A key as a call presented it.
pub fn presented(key: ApiKey) -> PresentedKey {
    let secret = KeySecret { hash: hash(1), ends_at: None };
    PresentedKey { key, secret, is_workspace_deleting: false, has_creator_left: false }
}
