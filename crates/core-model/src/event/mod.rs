//! Entries of the event log and of the audit trail.

mod catalogue;
mod payload;
mod resource;

pub use crate::{audit::Outcome, event_mark::EventMark};
pub use catalogue::{Audience, EventPayload, EventType, Reach, UnknownEventType};
pub use payload::{
    FieldChanges, Location, MAX_LISTED, Payload, access, blocks, charts, comments, dashboards, databases, jobs,
    members, pages, permissions, records, share_links, teams, users, workspaces,
};
pub use resource::Resource;

use crate::{
    canonical_json::digest_of,
    id::{ApiKeyId, AuditId, ClientId, EventId, RequestId, UserId, WorkspaceId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{fmt, str::FromStr};

/// The actor of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A person.
    User(UserId),
    /// A program with an API key.
    ApiKey(ApiKeyId),
    /// An app that acts for a user.
    App {
        /// The app.
        client: ClientId,
        /// The person it acts for.
        user: UserId,
    },
    /// The deployment itself or its operator.
    System,
    /// Unknown.
    Anonymous,
}

impl Actor {
    /// The kind of actor, as events write it.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "USER",
            Self::ApiKey(_) => "API_KEY",
            Self::App { .. } => "OAUTH_APP",
            Self::System => "SYSTEM",
            Self::Anonymous => "ANONYMOUS",
        }
    }

    /// The id of the actor; `None` for the system and for unknown callers.
    pub fn id(self) -> Option<String> {
        match self {
            Self::User(id) => Some(id.to_string()),
            Self::ApiKey(id) => Some(id.to_string()),
            Self::App { client, .. } => Some(client.to_string()),
            Self::System | Self::Anonymous => None,
        }
    }

    /// The user that an app acts for.
    pub const fn on_behalf_of(self) -> Option<UserId> {
        match self {
            Self::App { user, .. } => Some(user),
            Self::User(_) | Self::ApiKey(_) | Self::System | Self::Anonymous => None,
        }
    }

    /// The actor in an audit entry.
    pub fn to_json(self) -> Value {
        let mut actor = json!({ "type": self.kind(), "id": self.id() });
        if let Some(user) = self.on_behalf_of() {
            actor["onBehalfOf"] = json!(user);
        }
        actor
    }
}

/// An entry of the event log. The store assigns its number when it commits.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The id of the event.
    pub id: EventId,
    /// The workspace that it happened in.
    pub workspace: WorkspaceId,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// What happened.
    pub payload: EventPayload,
}

/// An event as it is read, without its data, which can be long. Its type may be one that only another release knows.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedEvent {
    /// The id of the event.
    pub id: EventId,
    /// Increases within the workspace, in the order of commits.
    pub sequence: i64,
    /// The type, for example `page.created`.
    pub kind: String,
    /// The workspace that it happened in.
    pub workspace: WorkspaceId,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// The kind of actor.
    pub actor_type: String,
    /// The id of the actor, if it has one.
    pub actor_id: Option<String>,
    /// The person that the actor acted for.
    pub on_behalf_of: Option<UserId>,
    /// The kind of thing that changed.
    pub resource_type: String,
    /// The id of the thing that changed.
    pub resource_id: String,
    /// Its place in the workspace.
    pub location: Location,
    /// The version of the resource after the change, if it has versions.
    pub version: Option<i64>,
}

impl LoggedEvent {
    /// Who may read it; `None` if only a newer release knows its type.
    pub fn audience(&self) -> Option<Audience> {
        self.kind.parse::<EventType>().ok()?.audience()
    }
}

/// One type of event, or all types of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventPattern {
    /// This type alone.
    Exact(String),
    /// The text before the dot.
    Area(String),
}

/// The text is neither `area.action` nor `area.*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPattern;

impl EventPattern {
    /// Whether the pattern names this type.
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

/// The owner of audit entries: entries of one chain are numbered and sealed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// The actions that concern one person's account.
    User(UserId),
    /// The actions in one workspace.
    Workspace(WorkspaceId),
    /// Entries without an owner, for example a sign-in with an unknown address.
    Deployment,
}

/// The text is not a chain.
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

/// The personal data in an audit entry. Erasing a person removes it and keeps its digest.
#[derive(Clone, Debug, PartialEq)]
pub struct Personal {
    /// The address that the call came from.
    pub ip: Option<String>,
    /// The program that made the call, in its own words.
    pub user_agent: Option<String>,
    /// The name of the actor at that time.
    pub actor_name: Option<String>,
    /// The name of the target at that time.
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

    /// Keyed BLAKE3 of the canonical object. The salt is the key, and is erased together with the object.
    pub fn digest(&self, salt: &[u8; 32]) -> String {
        digest_of(&self.to_json(), salt)
    }
}

/// A new audit entry. It gets its number and hash when its chain is sealed.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// The id of the entry.
    pub id: AuditId,
    /// When the action took place.
    pub at: Timestamp,
    /// The chain that the entry belongs to.
    pub chain: Chain,
    /// What was done.
    pub action: EventType,
    /// Who did it.
    pub actor: Actor,
    /// What it was done to.
    pub target: Resource,
    /// Whether it was done or refused.
    pub outcome: Outcome,
    /// Why it was refused.
    pub reason: Option<&'static str>,
    /// The call that did it.
    pub request: Option<RequestId>,
    /// What names people.
    pub personal: Personal,
    /// The person that the personal data is about, in addition to the actor; it is erased with that person.
    pub about: Option<UserId>,
    /// The key of the digest of the personal part: fresh random bytes.
    pub salt: [u8; 32],
}

#[cfg(test)]
mod tests {
    use super::*;

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
