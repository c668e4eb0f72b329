//! The representation of a team.

use crate::wire::reply;
use octavo_app::teams::{TeamDetails, TeamOverview, members::InTeam};
use octavo_core_model::{
    TeamRole, Timestamp,
    id::{PageId, TeamId, TeamMembershipId, UserId},
    page::Page,
    position::Position,
    team::Team,
    text::{Color, Description, Email, Name, PageIcon, PageTitle, Slug, TeamName, WebAddress},
};

reply! {
    /// A team of a workspace.
    pub(crate) TeamReply {
        /// The id of the team.
        id "id": required TeamId,
        /// Its name.
        name "name": required TeamName,
        /// Its unique name within the workspace.
        slug "slug": required Slug = "design",
        /// Its purpose.
        description "description": nullable Description,
        /// Its colour.
        color "color": nullable Color,
        /// The address of its icon.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/design.png",
        /// Its position among the teams; keys are compared byte by byte.
        position "position": required Position,
        /// Whether its pages are hidden from members who are not in it.
        is_private "isPrivate": required bool = false,
        /// The number of members.
        member_count "memberCount": required u64 = 7,
        /// The number of active pages, at any depth.
        page_count "pageCount": required u64 = 0,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
        /// Its newest members, at most ten; only for single teams.
        members "members": optional Vec<TeamMemberReply>,
        /// Its root pages that the caller may see, at most a hundred; only for single teams.
        root_pages "rootPages": optional Vec<RootPageReply>,
    }
}

reply! {
    /// A root page of a team.
    pub(crate) RootPageReply {
        /// The id of the page.
        id "id": required PageId,
        /// Its title.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
    }
}

impl From<Page> for RootPageReply {
    fn from(page: Page) -> Self {
        Self { id: page.id, title: page.title, icon: page.icon }
    }
}

reply! {
    /// The details of an account in a team.
    pub(crate) TeamPersonReply {
        /// The id of the account.
        id "id": required UserId,
        /// The full name.
        name "name": required Name,
        /// The address.
        email "email": required Email,
    }
}

reply! {
    /// A membership of a team.
    pub(crate) TeamMemberReply {
        /// The id of the membership.
        id "id": required TeamMembershipId,
        /// The member.
        user_id "userId": required UserId,
        /// The details of the member's account.
        user "user": required TeamPersonReply,
        /// The role in the team.
        role "role": required TeamRole = "MEMBER",
        /// When the user joined.
        created_at "createdAt": required Timestamp,
    }
}

impl From<TeamDetails> for TeamReply {
    fn from(TeamDetails { team, member_count, page_count }: TeamDetails) -> Self {
        let Team { id, name, slug, description, color, icon_url, position, is_private, created_at, updated_at, .. } =
            team;
        Self {
            id,
            name,
            slug,
            description,
            color,
            icon_url,
            position,
            is_private,
            member_count,
            page_count,
            created_at,
            updated_at,
            members: None,
            root_pages: None,
        }
    }
}

impl From<TeamOverview> for TeamReply {
    fn from(TeamOverview { shown, members, root_pages }: TeamOverview) -> Self {
        let members = members.into_iter().map(TeamMemberReply::from).collect();
        let root_pages = root_pages.into_iter().map(RootPageReply::from).collect();
        Self { members: Some(members), root_pages: Some(root_pages), ..shown.into() }
    }
}

impl From<InTeam> for TeamMemberReply {
    fn from(InTeam { membership, person }: InTeam) -> Self {
        Self {
            id: membership.id,
            user_id: membership.user,
            user: TeamPersonReply { id: person.id, name: person.name, email: person.email },
            role: membership.role,
            created_at: membership.created_at,
        }
    }
}
