//! The things that events and audit entries are about.

use crate::id::{
    AccessRequestId, ApiKeyId, ClientId, FamilyId, GrantId, InvitationId, JobId, MembershipId, PageId, SessionId,
    ShareLinkId, TeamId, TeamMembershipId, TokenId, UserId, WorkspaceId,
};

/// Declares every kind of thing with the word that callers know it by.
macro_rules! resources {
    ($($kind:ident($id:ty) = $name:literal,)*) => {
        /// What something was done to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Resource {
            $(
                #[doc = concat!("`", $name, "`")]
                $kind($id),
            )*
            /// The account that somebody tried to sign in to, where there is none.
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
    Invitation(InvitationId) = "invitation",
    Job(JobId) = "job",
    Member(MembershipId) = "member",
    OauthApp(ClientId) = "oauth_app",
    OauthFamily(FamilyId) = "oauth_family",
    OauthGrant(GrantId) = "oauth_grant",
    OauthToken(TokenId) = "oauth_token",
    Page(PageId) = "page",
    Session(SessionId) = "session",
    ShareLink(ShareLinkId) = "share_link",
    Team(TeamId) = "team",
    TeamMember(TeamMembershipId) = "team_member",
    User(UserId) = "user",
    Workspace(WorkspaceId) = "workspace",
}
