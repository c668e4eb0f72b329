//! How a team is shown.

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
        /// Identifies the team.
        id "id": required TeamId,
        /// Its name.
        name "name": required TeamName,
        /// What names it within the workspace.
        slug "slug": required Slug = "design",
        /// What it is for.
        description "description": nullable Description,
        /// Its colour.
        color "color": nullable Color,
        /// Where its icon is.
        icon_url "iconUrl": nullable WebAddress = "https://example.com/design.png",
        /// Its place among the teams; keys are compared byte by byte.
        position "position": required Position,
        /// Whether its pages are hidden from members outside of it.
        is_private "isPrivate": required bool = false,
        /// How many are in it.
        member_count "memberCount": required u64 = 7,
        /// How many active pages it has, at the root and below.
        page_count "pageCount": required u64 = 0,
        /// When it was made.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
        /// The newest of its members, at most ten; shown where one team is asked for.
        members "members": optional Vec<TeamMemberReply>,
        /// Its top-level pages that the caller sees, at most a hundred; shown where one team is asked for.
        root_pages "rootPages": optional Vec<RootPageReply>,
    }
}

reply! {
    /// A top-level page of a team.
    pub(crate) RootPageReply {
        /// Identifies the page.
        id "id": required PageId,
        /// Its title.
        title "title": required PageTitle,
        /// What stands before the title.
        icon "icon": nullable PageIcon,
    }
}

impl From<Page> for RootPageReply {
    fn from(page: Page) -> Self {
        Self { id: page.id, title: page.title, icon: page.icon }
    }
}

reply! {
    /// What a team shows of an account.
    pub(crate) TeamPersonReply {
        /// Identifies the account.
        id "id": required UserId,
        /// The full name.
        name "name": required Name,
        /// The address.
        email "email": required Email,
    }
}

reply! {
    /// Somebody in a team.
    pub(crate) TeamMemberReply {
        /// Identifies the membership of the team.
        id "id": required TeamMembershipId,
        /// Whose it is.
        user_id "userId": required UserId,
        /// What the account shows.
        user "user": required TeamPersonReply,
        /// The role in the team.
        role "role": required TeamRole = "MEMBER",
        /// Since when.
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
