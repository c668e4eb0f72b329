//! Kinds of callers.

use crate::route::{self, Route};

/// A kind of caller. A new kind of credential or status becomes one more row here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    Anonymous,
    Malformed,
    /// The owner, with an expired token.
    Expired,
    /// Two admins whose accounts may not act.
    Suspended,
    Deleting,
    Owner,
    Admin,
    Member,
    Guest,
    /// Holds a token for the workspace but is no longer a member.
    Removed,
    Foreign,
    ReadKey,
    WriteKey,
    AdminKey,
    /// A key with the scope `ADMIN` of another workspace.
    ForeignKey,
    RevokedKey,
    ExpiredKey,
    /// Apps that the owner authorized for the workspace, with one scope and with all.
    ReadingApp,
    WritingApp,
    /// An app with all scopes that the owner authorized for another one of their workspaces.
    AppElsewhere,
    /// An app whose grant was revoked.
    RevokedApp,
    ExpiredApp,
}

impl Caller {
    /// Kinds that get different answers on any route.
    const EVERYWHERE: &'static [Self] = &[Self::Anonymous, Self::Malformed, Self::Owner];

    const ALL: &'static [Self] = &[
        Self::Anonymous,
        Self::Malformed,
        Self::Expired,
        Self::Suspended,
        Self::Deleting,
        Self::Owner,
        Self::Admin,
        Self::Member,
        Self::Guest,
        Self::Removed,
        Self::Foreign,
        Self::ReadKey,
        Self::WriteKey,
        Self::AdminKey,
        Self::ForeignKey,
        Self::RevokedKey,
        Self::ExpiredKey,
        Self::ReadingApp,
        Self::WritingApp,
        Self::AppElsewhere,
        Self::RevokedApp,
        Self::ExpiredApp,
    ];

    /// The kinds that a route may distinguish: all, unless it ignores credentials.
    pub(super) const fn of(route: &Route) -> &'static [Self] {
        match route.caller {
            route::Caller::Anyone => Self::EVERYWHERE,
            route::Caller::Optional | route::Caller::SignedIn | route::Caller::Known | route::Caller::Inside(_) => {
                Self::ALL
            }
        }
    }

    /// Whether it is an app, which names its workspace in every call.
    pub(super) const fn is_app(self) -> bool {
        matches!(self, Self::ReadingApp | Self::WritingApp | Self::AppElsewhere | Self::RevokedApp | Self::ExpiredApp)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::Malformed => "malformed token",
            Self::Expired => "expired token",
            Self::Suspended => "suspended",
            Self::Deleting => "deleting",
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
            Self::Guest => "guest",
            Self::Removed => "removed member",
            Self::Foreign => "foreign tenant",
            Self::ReadKey => "READ key",
            Self::WriteKey => "WRITE key",
            Self::AdminKey => "ADMIN key",
            Self::ForeignKey => "foreign key",
            Self::RevokedKey => "revoked key",
            Self::ExpiredKey => "expired key",
            Self::ReadingApp => "app pages:read",
            Self::WritingApp => "app all scopes",
            Self::AppElsewhere => "app elsewhere",
            Self::RevokedApp => "revoked app",
            Self::ExpiredApp => "expired app token",
        }
    }
}
