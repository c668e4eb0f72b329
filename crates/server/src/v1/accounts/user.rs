//! How accounts and their workspaces are shown.

use crate::wire::reply;
use octavo_core_model::{
    Role, Timestamp,
    account::User,
    id::{UserId, WorkspaceId},
    text::{Email, Locale, Name, Slug, Theme, TimeZone, WebAddress},
    workspace::{OwnWorkspace, Workspace},
};

reply! {
    /// An account as its owner sees it.
    pub(crate) UserReply {
        /// The id of the account.
        id "id": required UserId,
        /// The address to sign in with, in lower case.
        email "email": required Email,
        /// The full name.
        name "name": required Name = "Ada Lovelace",
        /// The name that others see.
        display_name "displayName": required Name = "Ada",
        /// The address of the picture.
        avatar_url "avatarUrl": nullable WebAddress = "https://example.com/ada.png",
        /// `PENDING` until the address is verified, then `VERIFIED`.
        email_verification "emailVerification": required String | ["PENDING", "VERIFIED"] = "VERIFIED",
        /// When the address was verified.
        email_verified_at "emailVerifiedAt": nullable Timestamp,
        /// `ACTIVE`, `SUSPENDED`, `DELETING` or `DELETED`.
        status "status": required String | ["ACTIVE", "SUSPENDED", "DELETING", "DELETED"] = "ACTIVE",
        /// The language tag of the interface.
        locale "locale": required Locale,
        /// The time zone for dates.
        timezone "timezone": required TimeZone,
        /// The preferred theme.
        theme "theme": required Theme,
        /// The time of the last sign-in.
        last_login_at "lastLoginAt": nullable Timestamp,
        /// When the account was created.
        created_at "createdAt": required Timestamp,
    }
}

reply! {
    /// A workspace that was just created.
    pub(crate) NewWorkspaceReply {
        /// The id of the workspace.
        id "id": required WorkspaceId,
        /// Its name.
        name "name": required Name = "Ada's workspace",
        /// The name in addresses.
        slug "slug": required Slug,
        /// Whether it is a personal workspace.
        is_personal "isPersonal": required bool = true,
        /// Its primary owner.
        owner_id "ownerId": required UserId,
    }
}

reply! {
    /// One of the caller's workspaces.
    pub(crate) OwnWorkspaceReply {
        /// The id of the workspace.
        id "id": required WorkspaceId,
        /// Its name.
        name "name": required Name = "Ada's workspace",
        /// Whether it is the caller's personal workspace.
        is_personal "isPersonal": required bool = true,
        /// The caller's role in it; null for API keys.
        role "role": nullable Role,
    }
}

pub(crate) fn verification(user: &User) -> String {
    if user.is_verified() { "VERIFIED" } else { "PENDING" }.to_owned()
}

impl From<User> for UserReply {
    fn from(user: User) -> Self {
        Self {
            email_verification: verification(&user),
            status: user.status.name().to_owned(),
            id: user.id,
            email: user.email,
            name: user.name,
            display_name: user.display_name,
            avatar_url: user.avatar_url,
            email_verified_at: user.email_verified_at,
            locale: user.locale,
            timezone: user.timezone,
            theme: user.theme,
            last_login_at: user.last_login_at,
            created_at: user.created_at,
        }
    }
}

impl From<Workspace> for NewWorkspaceReply {
    fn from(workspace: Workspace) -> Self {
        Self {
            id: workspace.id,
            name: workspace.name,
            slug: workspace.slug,
            is_personal: workspace.is_personal,
            owner_id: workspace.owner,
        }
    }
}

/// The workspace of an API key, which has no role in it.
impl From<Workspace> for OwnWorkspaceReply {
    fn from(home: Workspace) -> Self {
        Self { id: home.id, name: home.name, is_personal: home.is_personal, role: None }
    }
}

impl From<OwnWorkspace> for OwnWorkspaceReply {
    fn from(own: OwnWorkspace) -> Self {
        Self { id: own.id, name: own.name, is_personal: own.is_personal, role: Some(own.role) }
    }
}
