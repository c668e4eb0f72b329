//! The resources of events and audit entries.

use crate::id::{
    AccessRequestId, ApiKeyId, ChartId, ClientId, CommentId, DashboardId, DatabaseId, FamilyId, GrantId, InvitationId,
    JobId, MembershipId, PageId, RecordId, SessionId, ShareLinkId, TeamId, TeamMembershipId, TokenId, UserId,
    WorkspaceId,
};

/// Declares every kind of resource with its public name.
macro_rules! resources {
    ($($kind:ident($id:ty) = $name:literal,)*) => {
        /// The resource that an event or audit entry is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Resource {
            $(
                #[doc = concat!("`", $name, "`")]
                $kind($id),
            )*
            /// The account of a sign-in, if it does not exist.
            UnknownUser,
        }

        impl Resource {
            /// The kind in snake case, for example `team_member`.
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $name,)*
                    Self::UnknownUser => "user",
                }
            }

            /// The id of the thing, as events write it.
            pub fn id(&self) -> String {
                match self {
                    $(Self::$kind(id) => id.to_string(),)*
                    Self::UnknownUser => "unknown".to_owned(),
                }
            }
        }
    };
}

resources! {
    AccessRequest(AccessRequestId) = "access_request",
    ApiKey(ApiKeyId) = "api_key",
    Chart(ChartId) = "chart",
    Comment(CommentId) = "comment",
    Dashboard(DashboardId) = "dashboard",
    Database(DatabaseId) = "database",
    Invitation(InvitationId) = "invitation",
    Job(JobId) = "job",
    Member(MembershipId) = "member",
    OauthApp(ClientId) = "oauth_app",
    OauthFamily(FamilyId) = "oauth_family",
    OauthGrant(GrantId) = "oauth_grant",
    OauthToken(TokenId) = "oauth_token",
    Page(PageId) = "page",
    Record(RecordId) = "record",
    Session(SessionId) = "session",
    ShareLink(ShareLinkId) = "share_link",
    Team(TeamId) = "team",
    TeamMember(TeamMembershipId) = "team_member",
    User(UserId) = "user",
    Workspace(WorkspaceId) = "workspace",
}
