//! What happened: entries of the event log and of the audit trail.

use crate::{
    audit::canonical,
    id::{ApiKeyId, AuditId, ClientId, EventId, RequestId, UserId, WorkspaceId},
    name::named,
    time::Timestamp,
    token::hex,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{fmt, str::FromStr};

/// Where events of a type go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Into the event log, which webhooks, automations and readers follow.
    Log,
    /// Into the audit trail only.
    Audit,
    /// Into both.
    Both,
}

/// Declares the catalog once: the variant, its public name, where it goes, what it means.
macro_rules! event_types {
    ($($variant:ident $name:literal $reach:ident $description:literal;)*) => {
        /// A type of event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventType { $(#[doc = $description] $variant),* }

        impl EventType {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            pub const fn reach(self) -> Reach {
                match self { $(Self::$variant => Reach::$reach),* }
            }

            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => $description),* }
            }
        }
    };
}

event_types! {
    AccessRequestApproved "access_request.approved" Log "Somebody got access to a page who had asked for it.";
    AccessRequestCreated "access_request.created" Log "A member asked for access to a page, or for more of it.";
    AccessRequestDenied "access_request.denied" Log "A request for access to a page was turned down.";
    ApiKeyCreated "api_key.created" Audit "An API key was made.";
    ApiKeyRevoked "api_key.revoked" Audit "An API key was revoked.";
    ApiKeyRotated "api_key.rotated" Audit "An API key got a new secret; the old one works until its grace ends.";
    ApiKeyUpdated "api_key.updated" Audit "The name, limit, expiry or addresses of an API key were changed.";
    AuditExported "audit.exported" Audit "Somebody asked for an export of the audit trail.";
    AuthRefresh "auth.refresh" Audit "A refresh token was exchanged for a new pair, or refused as reused.";
    BlocksChanged "blocks.changed" Log "Blocks of a page were made, changed, moved or deleted.";
    JobFailed "job.failed" Log "A background job came to nothing.";
    JobSucceeded "job.succeeded" Log "A background job was done.";
    OauthAppCreated "oauth.app_created" Audit "An app was registered.";
    OauthAppDeleted "oauth.app_deleted" Audit "An app was removed; its codes, grants and tokens went with it.";
    OauthAppUpdated "oauth.app_updated" Audit "The name, logo, redirect URIs or scopes of an app were changed.";
    OauthCodeIssued "oauth.code_issued" Audit "An app got an authorization code of a person.";
    OauthGrantCreated "oauth.grant_created" Audit "A person let an app act for them, or let it do more than before.";
    OauthGrantRevoked "oauth.grant_revoked" Audit "What a person granted an app was revoked or narrowed.";
    OauthSecretRotated "oauth.secret_rotated" Audit "An app got a new secret; the old one works until its grace ends.";
    OauthTokenIssued "oauth.token_issued" Audit "An app got tokens for a code or a refresh token.";
    OauthTokenRevoked "oauth.token_revoked" Audit "An access token or a family of refresh tokens was revoked.";
    PageCreated "page.created" Log "A page was created, or copied from another one.";
    PageDeleted "page.deleted" Both "A page was removed for good, with all below it.";
    PageImported "page.imported" Log "A page was made of a document.";
    PageMoved "page.moved" Log "A page was moved to another place.";
    PageRestored "page.restored" Log "A page came back from the trash, with those that were trashed along with it.";
    PageTrashed "page.trashed" Log "A page was put into the trash, with all below it.";
    PageUpdated "page.updated" Log "The title, icon, cover, lock or content of a page was changed.";
    PageVersionCreated "page.version_created" Log "A version of a page was kept by hand.";
    PageVersionRestored "page.version_restored" Log "A page, or some blocks of it, went back to a kept version.";
    PermissionChanged "permission.changed" Both "Who may do what changed: a role, a membership, a grant or a setting.";
    SessionRevoked "session.revoked" Audit "A session was revoked by its owner or by the operator.";
    ShareLinkCreated "share_link.created" Both "A page got a link that shows it to whoever holds it.";
    ShareLinkJoined "share_link.joined" Both "Somebody joined the workspace, or got access to a page, by a share link.";
    ShareLinkRevoked "share_link.revoked" Both "A share link was revoked.";
    ShareLinkUpdated "share_link.updated" Both "A share link was changed, or got a new token.";
    TeamCreated "team.created" Log "A team was created.";
    TeamDeleted "team.deleted" Log "A team was deleted; its pages went on without a team.";
    TeamMemberAdded "team.member_added" Log "Somebody became a member of a team.";
    TeamMemberRemoved "team.member_removed" Log "Somebody is no longer a member of a team.";
    TeamMemberUpdated "team.member_updated" Log "The role of somebody in a team was changed.";
    TeamUpdated "team.updated" Log "A team was changed.";
    UserDeleted "user.deleted" Audit "An account was purged after its deletion.";
    UserDeletionScheduled "user.deletion_scheduled" Audit "An account was deleted by its owner and waits for the purge.";
    UserEmailChanged "user.email_changed" Audit "An account moved to another email address.";
    UserEmailReverted "user.email_reverted" Audit "A change of email address was taken back from the old mailbox.";
    UserEmailVerified "user.email_verified" Audit "The owner of an account proved their mailbox.";
    UserLogin "user.login" Audit "Somebody signed in.";
    UserLoginFailed "user.login_failed" Audit "A sign-in was refused.";
    UserLogout "user.logout" Audit "Somebody signed out.";
    UserNewDevice "user.new_device" Audit "A sign-in came from a network and program not seen for 90 days.";
    UserPasswordChanged "user.password_changed" Audit "A signed-in person changed their password.";
    UserPasswordReset "user.password_reset" Audit "A password was set through the mailbox.";
    UserProfileUpdated "user.profile_updated" Log "A person changed their profile.";
    UserRegistered "user.registered" Log "An account was registered.";
    UserRegistrationRejected "user.registration_rejected" Audit "The owner of a mailbox disowned an account that others rely on; it was locked.";
    UserReinstated "user.reinstated" Audit "A suspended account may act again.";
    UserRestored "user.restored" Audit "A deleted account was restored by its owner.";
    UserSuspended "user.suspended" Audit "An account was suspended.";
    WorkspaceCreated "workspace.created" Log "A workspace was created.";
    WorkspaceDeleted "workspace.deleted" Both "A workspace was deleted and waits for its removal.";
    WorkspaceInvitationAccepted "workspace.invitation_accepted" Log "Somebody accepted an invitation into a workspace.";
    WorkspaceInvitationDeclined "workspace.invitation_declined" Audit "Somebody declined an invitation into a workspace.";
    WorkspaceInvitationRevoked "workspace.invitation_revoked" Log "An invitation into a workspace was taken back.";
    WorkspaceInvitationSent "workspace.invitation_sent" Log "Somebody was invited into a workspace.";
    WorkspaceMemberAdded "workspace.member_added" Log "Somebody became a member of a workspace.";
    WorkspaceMemberRemoved "workspace.member_removed" Log "Somebody is no longer a member of a workspace.";
    WorkspaceMemberUpdated "workspace.member_updated" Log "The role of a member of a workspace was changed.";
    WorkspaceSettingsUpdated "workspace.settings_updated" Log "The settings of a workspace were changed.";
    WorkspaceUpdated "workspace.updated" Log "The name, description or icon of a workspace was changed.";
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    User(UserId),
    ApiKey(ApiKeyId),
    /// An app, for a user who let it.
    App {
        client: ClientId,
        user: UserId,
    },
    /// The deployment itself or its operator.
    System,
    /// Nobody who can be named.
    Anonymous,
}

impl Actor {
    pub const fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "USER",
            Self::ApiKey(_) => "API_KEY",
            Self::App { .. } => "OAUTH_APP",
            Self::System => "SYSTEM",
            Self::Anonymous => "ANONYMOUS",
        }
    }

    pub fn id(self) -> Option<String> {
        match self {
            Self::User(id) => Some(id.to_string()),
            Self::ApiKey(id) => Some(id.to_string()),
            Self::App { client, .. } => Some(client.to_string()),
            Self::System | Self::Anonymous => None,
        }
    }

    /// Whom somebody else acts for.
    pub const fn on_behalf_of(self) -> Option<UserId> {
        match self {
            Self::App { user, .. } => Some(user),
            Self::User(_) | Self::ApiKey(_) | Self::System | Self::Anonymous => None,
        }
    }

    /// As entries of the audit trail name it.
    pub fn to_json(self) -> Value {
        let mut actor = json!({ "type": self.kind(), "id": self.id() });
        if let Some(user) = self.on_behalf_of() {
            actor["onBehalfOf"] = json!(user);
        }
        actor
    }
}

/// What it was done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The kind in snake case, for example `workspace`.
    pub kind: &'static str,
    pub id: String,
}

impl Resource {
    pub fn new(kind: &'static str, id: impl fmt::Display) -> Self {
        Self { kind, id: id.to_string() }
    }
}

/// An entry of the event log. The store numbers it when it commits.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: EventId,
    pub kind: EventType,
    pub workspace: WorkspaceId,
    pub occurred_at: Timestamp,
    pub actor: Actor,
    pub resource: Resource,
    /// The version of the resource after the change, where it has one.
    pub version: Option<i64>,
    /// What the event's type says besides; never a secret.
    pub details: Value,
}

/// An event by name and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventMark {
    pub id: EventId,
    pub sequence: i64,
}

/// An event as it is read back. Its type may be one that only another release knows.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedEvent {
    pub id: EventId,
    /// Counts up within the workspace, in the order of commits.
    pub sequence: i64,
    pub kind: String,
    pub workspace: WorkspaceId,
    pub occurred_at: Timestamp,
    pub actor_type: String,
    pub actor_id: Option<String>,
    pub on_behalf_of: Option<UserId>,
    pub resource_type: String,
    pub resource_id: String,
    pub version: Option<i64>,
    pub details: Value,
}

impl LoggedEvent {
    /// The team it lies in.
    pub fn team_id(&self) -> Option<&str> {
        if self.resource_type == "team" { Some(&self.resource_id) } else { self.details.get("teamId")?.as_str() }
    }
}

impl LoggedEvent {
    /// The page it lies on.
    pub fn page_id(&self) -> Option<&str> {
        if self.resource_type == "page" { Some(&self.resource_id) } else { self.details.get("pageId")?.as_str() }
    }
}

/// Names one type of event, or all of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventPattern {
    Exact(String),
    /// What stands before the point.
    Area(String),
}

/// The text is neither `area.action` nor `area.*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPattern;

impl EventPattern {
    pub fn covers(&self, kind: &str) -> bool {
        match self {
            Self::Exact(name) => name == kind,
            Self::Area(area) => kind.split_once('.').is_some_and(|(of, _)| of == area),
        }
    }
}

impl FromStr for EventPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        match text.split_once('.') {
            Some((area, "*")) if is_word(area) => Ok(Self::Area(area.to_owned())),
            Some((area, action)) if is_word(area) && is_word(action) => Ok(Self::Exact(text.to_owned())),
            _ => Err(InvalidPattern),
        }
    }
}

/// Whom an audit entry belongs to: entries of one chain are numbered and sealed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    User(UserId),
    Workspace(WorkspaceId),
    /// What belongs to nobody, for example a sign-in with an unknown address.
    Deployment,
}

/// The text names no chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownChain;

impl FromStr for Chain {
    type Err = UnknownChain;

    fn from_str(text: &str) -> Result<Self, UnknownChain> {
        if text == "deployment" {
            return Ok(Self::Deployment);
        }
        let user = text.parse().map(Self::User).ok();
        user.or_else(|| text.parse().map(Self::Workspace).ok()).ok_or(UnknownChain)
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Workspace(id) => id.fmt(f),
            Self::Deployment => f.write_str("deployment"),
        }
    }
}

named! {
    Outcome {
        Success = "SUCCESS",
        Failure = "FAILURE",
    }
}

/// The part of an audit entry that names people. Erasing a person takes it away and leaves its digest.
#[derive(Clone, Debug, PartialEq)]
pub struct Personal {
    pub ip: Option<String>,
    pub user_agent: Option<String>,
    pub actor_name: Option<String>,
    pub target_label: Option<String>,
    /// Entries `{ field, from, to }`.
    pub changes: Vec<Value>,
}

impl Personal {
    /// The object as it is stored and shown.
    pub fn to_json(&self) -> Value {
        json!({
            "ip": self.ip,
            "userAgent": self.user_agent,
            "actorName": self.actor_name,
            "targetLabel": self.target_label,
            "changes": self.changes,
        })
    }

    /// Keyed BLAKE3 of the canonical object; the salt is the key, and goes with the object when it is erased.
    pub fn digest(&self, salt: &[u8; 32]) -> String {
        digest_of(&self.to_json(), salt)
    }
}

/// Digests the part that names people as it is read back.
pub(crate) fn digest_of(personal: &Value, salt: &[u8; 32]) -> String {
    hex(blake3::keyed_hash(salt, &canonical(personal)).as_bytes())
}

/// A new entry of the audit trail. Its number and hash come when its chain is sealed.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    pub id: AuditId,
    pub at: Timestamp,
    pub chain: Chain,
    pub action: EventType,
    pub actor: Actor,
    pub target: Resource,
    pub outcome: Outcome,
    pub reason: Option<&'static str>,
    pub request: Option<RequestId>,
    pub personal: Personal,
    /// Whom the personal part names besides the actor: with that person it is erased.
    pub about: Option<UserId>,
    pub salt: [u8; 32],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_is_sorted_and_names_nothing_twice() {
        let names: Vec<_> = EventType::ALL.iter().map(|kind| kind.name()).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    }

    #[test]
    fn an_app_is_named_with_the_user_it_acts_for() {
        let (client, user) = (ClientId::new(1, [1; 10]), UserId::new(2, [2; 10]));
        let app = Actor::App { client, user };
        assert_eq!(app.to_json(), json!({ "type": "OAUTH_APP", "id": client, "onBehalfOf": user }));
        assert_eq!(Actor::User(user).to_json(), json!({ "type": "USER", "id": user }));
    }

    #[test]
    fn a_chain_reads_back_from_its_name() {
        for chain in
            [Chain::User(UserId::new(1, [2; 10])), Chain::Workspace(WorkspaceId::new(3, [4; 10])), Chain::Deployment]
        {
            assert_eq!(chain.to_string().parse(), Ok(chain));
        }
        assert_eq!("org_1".parse::<Chain>(), Err(UnknownChain));
    }

    #[test]
    fn a_pattern_names_a_type_or_an_area() {
        let covers = |pattern: &str, kind| pattern.parse::<EventPattern>().map(|pattern| pattern.covers(kind));
        for (pattern, kind, expected) in [
            ("user.login", "user.login", Ok(true)),
            ("user.login", "user.login_failed", Ok(false)),
            ("user.*", "user.login", Ok(true)),
            ("user.*", "user_group.made", Ok(false)),
            ("*", "user.login", Err(InvalidPattern)),
            ("user", "user.login", Err(InvalidPattern)),
            ("user.", "user.login", Err(InvalidPattern)),
            ("*.login", "user.login", Err(InvalidPattern)),
            ("user.lo*", "user.login", Err(InvalidPattern)),
        ] {
            assert_eq!(covers(pattern, kind), expected, "{pattern}");
        }
    }

    #[test]
    fn a_digest_changes_with_what_it_covers_and_with_its_salt() {
        let mut personal = Personal {
            ip: Some("192.0.2.1".to_owned()),
            user_agent: None,
            actor_name: Some("Ada".to_owned()),
            target_label: None,
            changes: vec![],
        };
        let digest = personal.digest(&[1; 32]);
        assert_ne!(digest, personal.digest(&[2; 32]));
        personal.actor_name = None;
        assert_ne!(digest, personal.digest(&[1; 32]));
        assert_eq!(
            personal.to_json().to_string(),
            r#"{"actorName":null,"changes":[],"ip":"192.0.2.1","targetLabel":null,"userAgent":null}"#
        );
    }
}
