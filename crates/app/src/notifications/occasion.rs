//! What an event of the log means for those who are told: whom it concerns in person, and what was done to what.

use crate::{events::ReadEvent, outcome::AppResult, page_access::readers::FormerEntries, scope::Unit};
use octavo_core_model::{
    Level,
    event::{EventType, LoggedEvent},
    follow::FollowMode,
    id::{BlockId, CommentId, PageId, TeamId, UserId, WorkspaceId},
    notification::{Doing, NotificationType, Subject},
};
use octavo_permissions::{NodeEntry, Principal};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How an event concerns somebody in person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Concern {
    pub(super) is_mentioned: bool,
    pub(super) is_assigned: bool,
    pub(super) takes_part: bool,
    pub(super) in_person: Option<NotificationType>,
    /// What they are told about; by default the subject of the occasion.
    pub(super) subject: Option<Subject>,
}

/// Something that was done.
#[derive(Clone, Debug)]
pub(super) struct Occasion {
    pub(super) subject: Subject,
    pub(super) doing: Doing,
    /// The thread that it belongs to.
    pub(super) thread: Option<CommentId>,
    /// Whom it concerns in person.
    pub(super) people: BTreeMap<UserId, Concern>,
    /// The teams that are mentioned, and what their members are told about.
    pub(super) teams: BTreeMap<TeamId, Option<Subject>>,
    /// Those who decide about the access to the page are told with this type.
    pub(super) deciders: Option<NotificationType>,
    /// Those with a grant by name are told only if they could not view the page with these entries.
    pub(super) former: Option<FormerEntries>,
    /// Identifies what was done, so that nobody is notified of it twice.
    pub(super) action: String,
    /// The same for all records of a database that one request assigns.
    pub(super) assigning: Option<String>,
    /// Who did it.
    pub(super) actor: Option<UserId>,
    /// Whether it was done in person or by something that acts for the actor. A job that ends was not.
    pub(super) is_own_doing: bool,
}

/// The types of events of which somebody may be told.
pub(super) const fn matters(kind: EventType) -> bool {
    matches!(
        kind,
        EventType::AccessRequestApproved
            | EventType::AccessRequestCreated
            | EventType::AccessRequestDenied
            | EventType::BlocksChanged
            | EventType::CommentCreated
            | EventType::CommentMentioned
            | EventType::CommentReactionAdded
            | EventType::CommentReplyCreated
            | EventType::JobFailed
            | EventType::JobSucceeded
            | EventType::PageCreated
            | EventType::PageUpdated
            | EventType::PermissionChanged
            | EventType::RecordCreated
            | EventType::RecordUpdated
            | EventType::WorkspaceMemberAdded
    )
}

/// Reads an event; `None` if it notifies nobody.
pub(super) async fn read(unit: &mut Unit, event: &ReadEvent, followers: &mut Followers) -> AppResult<Option<Occasion>> {
    let Some(mut occasion) = find(event) else { return Ok(None) };
    if occasion.is_only_for_followers() && !followers.are_there(unit, event.logged.workspace).await? {
        return Ok(None);
    }
    let actor = actor_of(unit, &event.logged).await?;
    if occasion.is_own_doing {
        occasion.actor = actor;
    } else if event.logged.actor_type != "API_KEY" {
        // Whoever started a job with a key does not wait for it.
        occasion.tell(actor, NotificationType::JobFinished);
    }
    Ok(Some(occasion).filter(Occasion::concerns_anybody))
}

/// Whether anybody in a workspace follows changes. It is asked once for all events of a unit.
#[derive(Debug, Default)]
pub(super) struct Followers(Option<bool>);

impl Followers {
    async fn are_there(&mut self, unit: &mut Unit, workspace: WorkspaceId) -> AppResult<bool> {
        if self.0.is_none() {
            self.0 = Some(unit.tx.follows().has_any(workspace, FollowMode::All).await?);
        }
        Ok(self.0.unwrap_or(true))
    }
}

/// What an event says, without who did it.
fn find(event: &ReadEvent) -> Option<Occasion> {
    let ReadEvent { logged, data } = event;
    let kind = logged.kind.parse::<EventType>().ok()?;
    let subject = subject_of(kind, logged, data)?;
    let mut occasion = Occasion {
        subject,
        doing: Doing::Other,
        thread: None,
        people: BTreeMap::new(),
        teams: BTreeMap::new(),
        deciders: None,
        former: None,
        action: action_of_request(kind, subject, logged),
        assigning: None,
        actor: None,
        is_own_doing: true,
    };
    match kind {
        EventType::CommentCreated | EventType::CommentReplyCreated => {
            occasion.doing = Doing::Talk;
            occasion.mention(data.get("mentions"));
            for user in ids(data.get("participantIds")) {
                occasion.person(user).takes_part = true;
            }
        }
        EventType::CommentMentioned => {
            if let Some(mention) = data.get("mention") {
                occasion.mention_one(mention, None);
            }
        }
        EventType::CommentReactionAdded => occasion.tell(id(data.get("authorId")), NotificationType::Reaction),
        EventType::BlocksChanged | EventType::PageCreated => occasion.mention_in_blocks(data, logged.location.page),
        EventType::PageUpdated => occasion.doing = Doing::Change,
        EventType::RecordCreated => occasion.assign(data.get("properties"), None),
        EventType::RecordUpdated => {
            occasion.doing = Doing::Change;
            occasion.assign(data.get("after"), data.get("before"));
        }
        EventType::PermissionChanged => occasion.share(data),
        EventType::AccessRequestCreated => {
            occasion.deciders = Some(NotificationType::AccessRequest);
        }
        EventType::AccessRequestApproved | EventType::AccessRequestDenied => {
            occasion.tell(id(data.get("userId")), NotificationType::AccessDecided);
        }
        EventType::WorkspaceMemberAdded => occasion.tell(id(data.get("userId")), NotificationType::MemberAdded),
        EventType::JobFailed | EventType::JobSucceeded => occasion.is_own_doing = false,
        _ => return None,
    }
    if matches!(kind, EventType::RecordCreated | EventType::RecordUpdated) {
        occasion.assigning = logged.location.database.map(|database| action_of(Subject::Database(database), logged));
    }
    if let Subject::Comment { id, .. } = subject {
        occasion.thread = Some(id);
    }
    Some(occasion).filter(|occasion| !occasion.is_own_doing || occasion.concerns_anybody())
}

/// Who did it: the user, the one that an app acts for, or the one who created a key.
async fn actor_of(unit: &mut Unit, event: &LoggedEvent) -> AppResult<Option<UserId>> {
    let own = event.actor_id.as_deref();
    Ok(match event.actor_type.as_str() {
        "USER" => own.and_then(|id| id.parse().ok()),
        "API_KEY" => match own.and_then(|id| id.parse().ok()) {
            Some(id) => unit.tx.api_keys().find(event.workspace, id).await?.map(|key| key.created_by),
            None => None,
        },
        _ => event.on_behalf_of,
    })
}

fn subject_of(kind: EventType, event: &LoggedEvent, data: &Value) -> Option<Subject> {
    let location = event.location;
    let record_or_page = || location.record.map(Subject::Record).or(location.page.map(Subject::Page));
    match kind {
        EventType::CommentCreated
        | EventType::CommentMentioned
        | EventType::CommentReactionAdded
        | EventType::CommentReplyCreated => {
            let reply = data.get("replyId").and_then(Value::as_str).and_then(|id| id.parse().ok());
            Some(Subject::Comment { id: event.resource_id.parse().ok()?, page: location.page?, reply })
        }
        EventType::JobFailed | EventType::JobSucceeded => event.resource_id.parse().ok().map(Subject::Job),
        EventType::WorkspaceMemberAdded => Some(Subject::Workspace(event.workspace)),
        _ => record_or_page().or(location.database.map(Subject::Database)),
    }
}

/// Changes of a page in the same millisecond can belong to two requests, which the version of the page tells apart.
fn action_of_request(kind: EventType, subject: Subject, event: &LoggedEvent) -> String {
    let action = action_of(subject, event);
    match (kind, event.version) {
        (EventType::PageUpdated | EventType::BlocksChanged | EventType::RecordUpdated, Some(version)) => {
            format!("{action} {version}")
        }
        _ => action,
    }
}

/// Events of the same request about the same thing name the same action.
fn action_of(subject: Subject, event: &LoggedEvent) -> String {
    let thing = subject.reply().map_or_else(|| subject.id(), |reply| reply.to_string());
    let actor = event.actor_id.as_deref().unwrap_or(&event.actor_type);
    format!("{thing} {} {actor}", event.occurred_at.millis())
}

impl Occasion {
    fn person(&mut self, user: UserId) -> &mut Concern {
        self.people.entry(user).or_default()
    }

    fn tell(&mut self, user: Option<UserId>, kind: NotificationType) {
        if let Some(user) = user {
            self.person(user).in_person = Some(kind);
        }
    }

    /// Identifies the action that a user is notified of.
    pub(super) fn action_for(&self, kind: NotificationType, subject: Subject) -> String {
        match (kind, subject, &self.assigning) {
            (NotificationType::Assigned, _, Some(assigning)) => format!("{assigning} assigned"),
            // Whoever a comment mentions is told once, however often it is edited.
            (NotificationType::Mention, Subject::Comment { id, reply: None, .. }, _) => format!("{id} mentioned"),
            _ => self.action.clone(),
        }
    }

    /// Whether only those are told that follow changes.
    fn is_only_for_followers(&self) -> bool {
        self.doing == Doing::Change && self.people.is_empty() && self.teams.is_empty() && self.deciders.is_none()
    }

    fn concerns_anybody(&self) -> bool {
        self.doing != Doing::Other || !self.people.is_empty() || !self.teams.is_empty() || self.deciders.is_some()
    }

    fn mention(&mut self, mentions: Option<&Value>) {
        for mention in mentions.and_then(Value::as_array).into_iter().flatten() {
            self.mention_one(mention, None);
        }
    }

    /// Mentions a user or a team `{ type, id }`.
    fn mention_one(&mut self, mention: &Value, subject: Option<Subject>) {
        match mention.get("type").and_then(Value::as_str) {
            Some("user") => {
                if let Some(user) = id(mention.get("id")) {
                    let concern = self.person(user);
                    concern.is_mentioned = true;
                    concern.subject = concern.subject.or(subject);
                }
            }
            Some("team") => {
                if let Some(team) = mention.get("id").and_then(Value::as_str).and_then(|id| id.parse().ok()) {
                    self.teams.entry(team).or_insert(subject);
                }
            }
            _ => {}
        }
    }

    /// A user that a block to do mentions has to do it.
    fn mention_in_blocks(&mut self, data: &Value, page: Option<PageId>) {
        let Some(page) = page else { return };
        for mention in data.get("newMentions").and_then(Value::as_array).into_iter().flatten() {
            let block = mention.get("blockId").and_then(Value::as_str).and_then(|id| id.parse::<BlockId>().ok());
            let subject = block.map(|id| Subject::Block { id, page });
            let is_todo = mention.get("isTodo").and_then(Value::as_bool).unwrap_or(false);
            let user = id(mention.get("id")).filter(|_| is_todo);
            match user {
                Some(user) => {
                    let concern = self.person(user);
                    if !concern.is_assigned {
                        (concern.is_assigned, concern.subject) = (true, subject);
                    }
                }
                None => self.mention_one(mention, subject),
            }
        }
    }

    /// Assigns a record to the people in its values that were not in the former ones.
    fn assign(&mut self, values: Option<&Value>, former: Option<&Value>) {
        let Some(values) = values.and_then(Value::as_object) else { return };
        for (property, value) in values {
            let before: BTreeSet<_> =
                ids(former.and_then(|former| former.get(property)).and_then(|value| value.get("userIds"))).collect();
            for user in ids(value.get("userIds")) {
                if !before.contains(&user) {
                    self.person(user).is_assigned = true;
                }
            }
        }
    }

    /// Tells those whom a grant names now and none named before.
    fn share(&mut self, data: &Value) {
        let (Some(before), Some(after)) = (data.get("before"), data.get("after")) else { return };
        let named: BTreeSet<_> = viewers(before).collect();
        for user in viewers(after) {
            if !named.contains(&user) {
                self.tell(Some(user), NotificationType::PageShared);
            }
        }
        self.former = Some(FormerEntries {
            inherit: before.get("inherit").and_then(Value::as_bool).unwrap_or(true),
            entries: grants(before).filter_map(entry_of).collect(),
        });
    }
}

fn grants(access: &Value) -> impl Iterator<Item = &Value> {
    access.get("grants").and_then(Value::as_array).into_iter().flatten()
}

fn entry_of(grant: &Value) -> Option<NodeEntry> {
    let whom = grant.get("principalId").and_then(Value::as_str);
    let principal = match grant.get("principalType").and_then(Value::as_str)? {
        "user" | "USER" => Principal::User(whom?.parse().ok()?),
        "team" | "TEAM" => Principal::Team(whom?.parse().ok()?),
        "workspace" | "WORKSPACE" => Principal::Workspace,
        _ => return None,
    };
    let level = grant.get("level").and_then(Value::as_str)?.parse().ok()?;
    Some(NodeEntry { principal, level, expires: false })
}

/// The users that grants name with at least the level to view.
fn viewers(access: &Value) -> impl Iterator<Item = UserId> {
    grants(access).filter_map(entry_of).filter_map(|entry| match entry.principal {
        Principal::User(user) if entry.level >= Level::View => Some(user),
        _ => None,
    })
}

fn id(value: Option<&Value>) -> Option<UserId> {
    value.and_then(Value::as_str)?.parse().ok()
}

fn ids(value: Option<&Value>) -> impl Iterator<Item = UserId> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(|value| id(Some(value)))
}
