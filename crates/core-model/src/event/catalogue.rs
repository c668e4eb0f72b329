//! All types of events: their names, where they are written, who may read them, and their data.

use super::Resource;
use super::payload::{
    Location, MAX_TEXT_BYTES, Payload,
    access::AccessRequestEvent,
    blocks::BlocksChanged,
    charts::{ChartUpdated, OfChart},
    comments::{
        CommentDeleted, CommentMentioned, CommentState, CommentWritten, OfComment, ReactionChanged, ReplyCreated,
        ReplyDeleted,
    },
    cut_texts,
    dashboards::{DashboardUpdated, OfDashboard},
    databases::{DatabaseCreated, DatabaseUpdated},
    jobs::JobEnded,
    members::{InvitationAccepted, InvitationRevoked, InvitationSent, MemberAdded, MemberRemoved, MemberUpdated},
    pages::{
        OfPage, PageCreated, PageDeleted, PageImported, PageMoved, PageRestored, PageTrashed, PageUpdated,
        PageVersionCreated, PageVersionRestored,
    },
    permissions::PermissionChanged,
    records::{NoDetails, OfRecord, RecordCreated, RecordUpdated},
    share_links::{OfShareLink, ShareLinkJoined, ShareLinkTerms, ShareLinkUpdated},
    teams::{TeamCreated, TeamDeleted, TeamMemberEvent, TeamMemberUpdated, TeamUpdated},
    users::{ProfileUpdated, UserRegistered},
    workspaces::{SettingsUpdated, WorkspaceCreated, WorkspaceDeleted, WorkspaceUpdated},
};
use serde_json::Value;
use std::{fmt, str::FromStr};

/// Where events of a type are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To the event log, which webhooks, automations and readers follow.
    Log,
    /// To the audit trail only.
    Audit,
    /// To both.
    Both,
}

/// Who may read events of a type. Owners, admins and keys with the scope `ADMIN` read all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody in the workspace except guests.
    Members,
    /// Callers that may see the team; if it no longer exists, only the actor.
    TeamReaders,
    /// Callers that may view the page, or edit it while it is in the trash; if it no longer exists, only the actor. The same
    /// of a database, if the event lies in no page.
    PageReaders,
    /// Callers that may view the database, or edit it while it is in the trash; if it no longer exists, only the actor.
    DatabaseReaders,
    /// Callers that may view the page or database; if it no longer exists, only the actor.
    NodeReaders,
    /// Callers that may view the record; if it no longer exists, only the actor, except for its deletion, which those may
    /// read that may view its database.
    RecordReaders,
    /// Callers that may read the grants of the page or database; if it no longer exists, only the actor. Nobody else if
    /// there is neither.
    GrantReaders,
    /// Only the actor.
    Actor,
}

/// The text is not a type of event that this release knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEventType;

/// Declares all types of events. A type in the log has a payload, whose type implements [`Payload`].
macro_rules! catalogue {
    (
        log { $($logged:ident($payload:ty) = $name:literal, $reach:ident, to $audience:ident, $description:literal;)* }
        audit { $($audited:ident = $audited_name:literal, $audited_description:literal;)* }
    ) => {
        /// A type of event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventType {
            $(#[doc = $description] $logged,)*
            $(#[doc = $audited_description] $audited,)*
        }

        impl EventType {
            const ALL: &'static [Self] = &[$(Self::$logged,)* $(Self::$audited,)*];

            /// The name of the type, for example `page.created`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$logged => $name,)*
                    $(Self::$audited => $audited_name,)*
                }
            }

            /// Where events of this type are written.
            pub const fn reach(self) -> Reach {
                match self {
                    $(Self::$logged => Reach::$reach,)*
                    $(Self::$audited => Reach::Audit,)*
                }
            }

            /// Who may read it in the event log; `None` for types that are never written there.
            pub const fn audience(self) -> Option<Audience> {
                match self {
                    $(Self::$logged => Some(Audience::$audience),)*
                    $(Self::$audited => None,)*
                }
            }

            /// What an event of this type means, for the published description.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$logged => $description,)*
                    $(Self::$audited => $audited_description,)*
                }
            }
        }

        impl FromStr for EventType {
            type Err = UnknownEventType;

            fn from_str(name: &str) -> Result<Self, UnknownEventType> {
                match name {
                    $($name => Ok(Self::$logged),)*
                    $($audited_name => Ok(Self::$audited),)*
                    _ => Err(UnknownEventType),
                }
            }
        }

        /// The data of an event in the log.
        #[derive(Clone, Debug, PartialEq)]
        pub enum EventPayload {
            $(#[doc = $description] $logged($payload),)*
        }

        impl EventPayload {
            /// The type of the event.
            pub const fn kind(&self) -> EventType {
                match self { $(Self::$logged(_) => EventType::$logged,)* }
            }

            /// The resource that the event is about.
            pub fn resource(&self) -> Resource {
                match self { $(Self::$logged(payload) => payload.resource(),)* }
            }

            /// The place of the changed thing in the workspace.
            pub fn location(&self) -> Location {
                match self { $(Self::$logged(payload) => payload.location(),)* }
            }

            /// The version of the resource after the change, if it has versions.
            pub fn version(&self) -> Option<i64> {
                match self { $(Self::$logged(payload) => payload.version(),)* }
            }

            fn to_json(&self) -> Value {
                // Plain data with text keys, so serializing it cannot fail.
                match self { $(Self::$logged(payload) => serde_json::to_value(payload).unwrap_or_default(),)* }
            }

            /// Examples for every type: at least one, and one for each form of its data.
            pub fn examples() -> Vec<Self> {
                let mut examples = Vec::new();
                $({
                    examples.push(Self::$logged(<$payload as Payload>::example()));
                    examples.extend(<$payload as Payload>::more_examples().into_iter().map(Self::$logged));
                })*
                examples
            }
        }
    };
}

catalogue! {
    log {
        AccessRequestApproved(AccessRequestEvent) = "access_request.approved", Log, to GrantReaders,
            "A request for access to a page or database was approved.";
        AccessRequestCreated(AccessRequestEvent) = "access_request.created", Log, to GrantReaders,
            "A member asked for access to a page or database, or for more of it.";
        AccessRequestDenied(AccessRequestEvent) = "access_request.denied", Log, to GrantReaders,
            "A request for access to a page or database was denied.";
        BlocksChanged(OfPage<BlocksChanged>) = "blocks.changed", Log, to PageReaders,
            "Blocks of a page were created, changed, moved or deleted.";
        ChartCreated(OfChart) = "chart.created", Log, to DatabaseReaders,
            "A chart of a database was created.";
        ChartDeleted(OfChart) = "chart.deleted", Log, to DatabaseReaders,
            "A chart was deleted; blocks, views and dashboards that show it stay.";
        ChartUpdated(ChartUpdated) = "chart.updated", Log, to DatabaseReaders,
            "The name or the settings of a chart were changed.";
        CommentCreated(OfComment<CommentWritten>) = "comment.created", Log, to PageReaders,
            "Somebody began a thread on a page, a block or a record.";
        CommentDeleted(OfComment<CommentDeleted>) = "comment.deleted", Log, to PageReaders,
            "A thread was deleted, with its replies.";
        CommentMentioned(OfComment<CommentMentioned>) = "comment.mentioned", Log, to PageReaders,
            "The comment that begins a thread mentions somebody or something that it did not mention before.";
        CommentReactionAdded(OfComment<ReactionChanged>) = "comment.reaction_added", Log, to PageReaders,
            "Somebody reacted to a comment or a reply.";
        CommentReactionRemoved(OfComment<ReactionChanged>) = "comment.reaction_removed", Log, to PageReaders,
            "Somebody took a reaction back.";
        CommentReopened(OfComment<CommentState>) = "comment.reopened", Log, to PageReaders,
            "A resolved thread was reopened.";
        CommentReplyCreated(OfComment<ReplyCreated>) = "comment.reply_created", Log, to PageReaders,
            "Somebody replied in a thread.";
        CommentReplyDeleted(OfComment<ReplyDeleted>) = "comment.reply_deleted", Log, to PageReaders,
            "A reply was deleted.";
        CommentResolved(OfComment<CommentState>) = "comment.resolved", Log, to PageReaders,
            "A thread was resolved.";
        CommentUpdated(OfComment<CommentWritten>) = "comment.updated", Log, to PageReaders,
            "The comment that begins a thread was edited.";
        DashboardCreated(OfDashboard) = "dashboard.created", Log, to NodeReaders,
            "A dashboard of a page or database was created.";
        DashboardDeleted(OfDashboard) = "dashboard.deleted", Log, to NodeReaders,
            "A dashboard was deleted; what it showed stays.";
        DashboardUpdated(DashboardUpdated) = "dashboard.updated", Log, to NodeReaders,
            "The name, the widgets or the filters of a dashboard were changed.";
        DatabaseCreated(DatabaseCreated) = "database.created", Log, to DatabaseReaders,
            "A database was created.";
        DatabaseUpdated(DatabaseUpdated) = "database.updated", Log, to DatabaseReaders,
            "A database, one of its properties or one of its views was changed.";
        JobFailed(JobEnded) = "job.failed", Log, to Actor,
            "A background job failed.";
        JobSucceeded(JobEnded) = "job.succeeded", Log, to Actor,
            "A background job succeeded.";
        PageCreated(OfPage<PageCreated>) = "page.created", Log, to PageReaders,
            "A page was created, or copied from another one.";
        PageDeleted(OfPage<PageDeleted>) = "page.deleted", Both, to PageReaders,
            "A page was deleted permanently, with all pages below it.";
        PageImported(PageImported) = "page.imported", Log, to PageReaders,
            "A page was created from a document, or records of a database from a table.";
        PageMoved(OfPage<PageMoved>) = "page.moved", Log, to PageReaders,
            "A page was moved to another place.";
        PageRestored(OfPage<PageRestored>) = "page.restored", Log, to PageReaders,
            "A page was restored from the trash, with the pages that were trashed with it.";
        PageTrashed(OfPage<PageTrashed>) = "page.trashed", Log, to PageReaders,
            "A page was moved to the trash, with all pages below it.";
        PageUpdated(OfPage<PageUpdated>) = "page.updated", Log, to PageReaders,
            "The title, icon, cover, lock or content of a page was changed.";
        PageVersionCreated(OfPage<PageVersionCreated>) = "page.version_created", Log, to PageReaders,
            "A version of a page was saved on request.";
        PageVersionRestored(OfPage<PageVersionRestored>) = "page.version_restored", Log, to PageReaders,
            "A page, or some of its blocks, was restored to an earlier version.";
        PermissionChanged(PermissionChanged) = "permission.changed", Both, to GrantReaders,
            "Who may do what changed: a role, a membership, a grant or a setting.";
        RecordArchived(OfRecord<NoDetails>) = "record.archived", Log, to RecordReaders,
            "A record was archived.";
        RecordCreated(OfRecord<RecordCreated>) = "record.created", Log, to RecordReaders,
            "A record was created.";
        RecordDeleted(OfRecord<NoDetails>) = "record.deleted", Both, to RecordReaders,
            "A record was deleted permanently, with its page.";
        RecordUnarchived(OfRecord<NoDetails>) = "record.unarchived", Log, to RecordReaders,
            "A record was taken out of the archive.";
        RecordUpdated(OfRecord<RecordUpdated>) = "record.updated", Log, to RecordReaders,
            "Values of a record, its icon, cover, place or parent were changed.";
        ShareLinkCreated(OfShareLink<ShareLinkTerms>) = "share_link.created", Both, to GrantReaders,
            "A share link to a page or database was created.";
        ShareLinkJoined(OfShareLink<ShareLinkJoined>) = "share_link.joined", Both, to GrantReaders,
            "Somebody joined the workspace, or got access to a page or database, by a share link.";
        ShareLinkRevoked(OfShareLink<ShareLinkTerms>) = "share_link.revoked", Both, to GrantReaders,
            "A share link was revoked.";
        ShareLinkUpdated(OfShareLink<ShareLinkUpdated>) = "share_link.updated", Both, to GrantReaders,
            "A share link was changed, or got a new token.";
        TeamCreated(TeamCreated) = "team.created", Log, to TeamReaders,
            "A team was created.";
        TeamDeleted(TeamDeleted) = "team.deleted", Log, to TeamReaders,
            "A team was deleted; its pages no longer belong to a team.";
        TeamMemberAdded(TeamMemberEvent) = "team.member_added", Log, to TeamReaders,
            "Somebody became a member of a team.";
        TeamMemberRemoved(TeamMemberEvent) = "team.member_removed", Log, to TeamReaders,
            "Somebody is no longer a member of a team.";
        TeamMemberUpdated(TeamMemberUpdated) = "team.member_updated", Log, to TeamReaders,
            "The role of somebody in a team was changed.";
        TeamUpdated(TeamUpdated) = "team.updated", Log, to TeamReaders,
            "A team was changed.";
        UserProfileUpdated(ProfileUpdated) = "user.profile_updated", Log, to Members,
            "A person changed their profile.";
        UserRegistered(UserRegistered) = "user.registered", Log, to Members,
            "An account was registered.";
        WorkspaceCreated(WorkspaceCreated) = "workspace.created", Log, to Members,
            "A workspace was created.";
        WorkspaceDeleted(WorkspaceDeleted) = "workspace.deleted", Both, to Members,
            "A workspace was deleted and waits for its removal.";
        WorkspaceInvitationAccepted(InvitationAccepted) = "workspace.invitation_accepted", Log, to Members,
            "Somebody accepted an invitation into a workspace.";
        WorkspaceInvitationRevoked(InvitationRevoked) = "workspace.invitation_revoked", Log, to Members,
            "An invitation into a workspace was revoked.";
        WorkspaceInvitationSent(InvitationSent) = "workspace.invitation_sent", Log, to Members,
            "Somebody was invited into a workspace.";
        WorkspaceMemberAdded(MemberAdded) = "workspace.member_added", Log, to Members,
            "Somebody became a member of a workspace.";
        WorkspaceMemberRemoved(MemberRemoved) = "workspace.member_removed", Log, to Members,
            "Somebody is no longer a member of a workspace.";
        WorkspaceMemberUpdated(MemberUpdated) = "workspace.member_updated", Log, to Members,
            "The role of a member of a workspace was changed.";
        WorkspaceSettingsUpdated(SettingsUpdated) = "workspace.settings_updated", Log, to Members,
            "The settings of a workspace were changed.";
        WorkspaceUpdated(WorkspaceUpdated) = "workspace.updated", Log, to Members,
            "The name, description or icon of a workspace was changed.";
    }
    audit {
        ApiKeyCreated = "api_key.created", "An API key was created.";
        ApiKeyRevoked = "api_key.revoked", "An API key was revoked.";
        ApiKeyRotated = "api_key.rotated", "An API key got a new secret; the old one works until its grace ends.";
        ApiKeyUpdated = "api_key.updated", "The name, limit, expiry or addresses of an API key were changed.";
        AuditExported = "audit.exported", "Somebody asked for an export of the audit trail.";
        AuthRefresh = "auth.refresh", "A refresh token was exchanged for a new pair, or refused as reused.";
        OauthAppCreated = "oauth.app_created", "An app was registered.";
        OauthAppDeleted = "oauth.app_deleted", "An app was removed; its codes, grants and tokens went with it.";
        OauthAppUpdated = "oauth.app_updated", "The name, logo, redirect URIs or scopes of an app were changed.";
        OauthCodeIssued = "oauth.code_issued", "An app got an authorization code of a person.";
        OauthGrantCreated = "oauth.grant_created", "A person let an app act for them, or let it do more than before.";
        OauthGrantRevoked = "oauth.grant_revoked", "What a person granted an app was revoked or narrowed.";
        OauthSecretRotated = "oauth.secret_rotated", "An app got a new secret; the old one works until its grace ends.";
        OauthTokenIssued = "oauth.token_issued", "An app got tokens for a code or a refresh token.";
        OauthTokenRevoked = "oauth.token_revoked", "An access token or a family of refresh tokens was revoked.";
        SessionRevoked = "session.revoked", "A session was revoked by its owner or by the operator.";
        UserDeleted = "user.deleted", "An account was purged after its deletion.";
        UserDeletionScheduled = "user.deletion_scheduled", "An account was deleted by its owner and waits for the purge.";
        UserEmailChanged = "user.email_changed", "An account moved to another email address.";
        UserEmailReverted = "user.email_reverted", "A change of email address was undone from the old mailbox.";
        UserEmailVerified = "user.email_verified", "The owner of an account verified its email address.";
        UserLogin = "user.login", "Somebody signed in.";
        UserLoginFailed = "user.login_failed", "A sign-in was refused.";
        UserLogout = "user.logout", "Somebody signed out.";
        UserNewDevice = "user.new_device", "A sign-in came from a network and program not seen for 90 days.";
        UserPasswordChanged = "user.password_changed", "A signed-in person changed their password.";
        UserPasswordReset = "user.password_reset", "A password was set through the mailbox.";
        UserRegistrationRejected = "user.registration_rejected", "The owner of a mailbox disowned an account that others rely on; it was locked.";
        UserReinstated = "user.reinstated", "A suspended account may act again.";
        UserRestored = "user.restored", "A deleted account was restored by its owner.";
        UserSuspended = "user.suspended", "An account was suspended.";
        WorkspaceInvitationDeclined = "workspace.invitation_declined", "Somebody declined an invitation into a workspace.";
    }
}

impl EventType {
    /// All types, ordered by name.
    pub fn all() -> Vec<Self> {
        let mut all = Self::ALL.to_vec();
        all.sort_by_key(|kind| kind.name());
        all
    }
}

impl EventPayload {
    /// The `data` of the event. Long texts are cut.
    pub fn data(&self) -> Value {
        let mut data = self.to_json();
        cut_texts(&mut data, MAX_TEXT_BYTES);
        data
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_stands_for_two_types() {
        let all = EventType::all();
        assert!(all.windows(2).all(|pair| pair[0].name() < pair[1].name()));
        for kind in all {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert_eq!("page.exploded".parse::<EventType>(), Err(UnknownEventType));
    }

    #[test]
    fn every_event_of_the_log_has_an_example_and_an_audience_and_no_other_has() {
        let shown: BTreeSet<_> = EventPayload::examples().iter().map(EventPayload::kind).collect();
        for kind in EventType::all() {
            assert_eq!(shown.contains(&kind), kind.reach() != Reach::Audit, "{kind}");
            assert_eq!(kind.audience().is_some(), kind.reach() != Reach::Audit, "{kind}");
        }
    }

    /// Code that selects events by the columns of their audience must find them there.
    #[test]
    fn events_lie_where_their_audience_is_looked_for() {
        for payload in EventPayload::examples() {
            let Location { page, database, record, team } = payload.location();
            match payload.kind().audience().unwrap() {
                Audience::TeamReaders => assert!(team.is_some(), "{payload:?}"),
                Audience::DatabaseReaders => assert!(database.is_some(), "{payload:?}"),
                Audience::PageReaders | Audience::NodeReaders => {
                    assert!(page.is_some() || database.is_some(), "{payload:?}");
                }
                Audience::RecordReaders => assert!(database.is_some() && record.is_some(), "{payload:?}"),
                Audience::Members | Audience::GrantReaders | Audience::Actor => {}
            }
        }
    }

    #[test]
    fn the_payload_of_an_event_agrees_with_its_location() {
        for payload in EventPayload::examples() {
            let (data, location) = (payload.data(), payload.location());
            let fields = data.as_object().unwrap();
            assert!(!fields.is_empty(), "{payload:?}");
            let agrees = |field: &str, id: Option<String>| {
                let value = fields.get(field).filter(|value| !value.is_null());
                assert!(value.is_none() || value.and_then(Value::as_str) == id.as_deref(), "{field} of {payload:?}");
            };
            agrees("pageId", location.page.map(|id| id.to_string()));
            agrees("databaseId", location.database.map(|id| id.to_string()));
            agrees("recordId", location.record.map(|id| id.to_string()));
            agrees("teamId", location.team.map(|id| id.to_string()));
            let version = fields.get("version").and_then(Value::as_i64);
            assert!(version.is_none() || version == payload.version(), "{payload:?}");
        }
    }
}
