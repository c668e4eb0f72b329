//! Grants on a page, in addition to the access that it inherits.

use crate::{
    id::{AccessGrantId, PageId, TeamId, UserId, WorkspaceId},
    level::Level,
    name::named,
    text::Email,
    time::Timestamp,
};
use std::{fmt, str::FromStr};

/// How many grants a page has at most.
pub const MAX_GRANTS: usize = 200;

/// The grantee of a grant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grantee {
    User(UserId),
    Team(TeamId),
    /// Every member who is not a guest.
    Workspace(WorkspaceId),
    /// An address, until its owner becomes a member.
    Email(Email),
}

named! {
    /// The kinds of grantees.
    GranteeKind {
        User = "user",
        Team = "team",
        Workspace = "workspace",
        Email = "email",
    }
}

impl Grantee {
    pub const fn kind(&self) -> GranteeKind {
        match self {
            Self::User(_) => GranteeKind::User,
            Self::Team(_) => GranteeKind::Team,
            Self::Workspace(_) => GranteeKind::Workspace,
            Self::Email(_) => GranteeKind::Email,
        }
    }

    /// The id of the grantee; an address has none.
    pub fn id(&self) -> Option<String> {
        match self {
            Self::User(id) => Some(id.to_string()),
            Self::Team(id) => Some(id.to_string()),
            Self::Workspace(id) => Some(id.to_string()),
            Self::Email(_) => None,
        }
    }

    pub const fn email(&self) -> Option<&Email> {
        match self {
            Self::Email(email) => Some(email),
            Self::User(_) | Self::Team(_) | Self::Workspace(_) => None,
        }
    }
}

impl fmt::Display for Grantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Team(id) => id.fmt(f),
            Self::Workspace(id) => id.fmt(f),
            Self::Email(email) => email.fmt(f),
        }
    }
}

/// The text is not a grantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidGrantee;

impl FromStr for Grantee {
    type Err = InvalidGrantee;

    fn from_str(text: &str) -> Result<Self, InvalidGrantee> {
        if text.contains('@') {
            return Email::parse(text).map(Self::Email).map_err(|_| InvalidGrantee);
        }
        let user = text.parse().map(Self::User).ok();
        let team = || text.parse().map(Self::Team).ok();
        let workspace = || text.parse().map(Self::Workspace).ok();
        user.or_else(team).or_else(workspace).ok_or(InvalidGrantee)
    }
}

/// The level of one grantee on one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub id: AccessGrantId,
    pub workspace: WorkspaceId,
    pub page: PageId,
    pub grantee: Grantee,
    pub level: Level,
    pub expires_at: Option<Timestamp>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Grant {
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

/// The grantees whose entries can matter to one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberGrantees {
    pub user: UserId,
    pub teams: Vec<TeamId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grantee_reads_back_from_its_text() {
        for grantee in [
            Grantee::User(UserId::new(1, [1; 10])),
            Grantee::Team(TeamId::new(1, [2; 10])),
            Grantee::Workspace(WorkspaceId::new(1, [3; 10])),
            Grantee::Email(Email::from_stored("ada@example.com".to_owned())),
        ] {
            assert_eq!(grantee.to_string().parse(), Ok(grantee));
        }
        for wrong in ["", "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "ada", "@"] {
            assert_eq!(wrong.parse::<Grantee>(), Err(InvalidGrantee), "{wrong}");
        }
    }
}
