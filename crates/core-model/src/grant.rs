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
    /// One person.
    User(UserId),
    /// The members of a team.
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
    /// The kind of grantee.
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

    /// The address, if the grant names one.
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
    /// The id of the grant.
    pub id: AccessGrantId,
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page that it is given on.
    pub page: PageId,
    /// Whom it is given to.
    pub grantee: Grantee,
    /// The level that is given.
    pub level: Level,
    /// When it ends; `None` if it does not.
    pub expires_at: Option<Timestamp>,
    /// Who gave it first; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// Who gave its present level or end; `None` if the user is unknown.
    pub given_by: Option<UserId>,
    /// When it was given.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Grant {
    /// Whether it has not ended.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

/// The grantees whose entries can matter to one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberGrantees {
    /// The person.
    pub user: UserId,
    /// The teams that the person is in.
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
