//! `/pages/{pageId}/permissions/effective` and `/pages/{pageId}/permissions/members`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Path, Query, routes},
    wire::{Data, Documented, Named, Page, Writable, query, reply, union},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::{
        NodeId,
        permissions::{self, Effective, LevelReason, MemberLevel, MemberList, NamePlace},
    },
};
use octavo_core_model::{
    Fault, Level, Role,
    fault::Denial,
    grant::GranteeKind,
    id::{AccessGrantId, PageId, UserId},
    member::Person,
    text::{Name, WebAddress},
};
use serde::Serializer;
use serde_json::Value;

query! {
    /// Whose level to show.
    pub(crate) EffectiveQuery {
        /// The user; by default the caller. Showing the level of another user requires full access.
        user_id "userId": optional UserId,
    }
}

query! {
    /// Which members to list.
    pub(crate) LevelsQuery {
        page: NamePlace, 20 up to 100;
    }
}

reply! {
    /// The entry that decides a user's level.
    pub(crate) LevelEntryReply {
        /// What the entry belongs to: `workspace`, `team`, `page` or `database`.
        node_type "nodeType": required &'static str | ["workspace", "team", "page", "database"] = "page",
        /// Its id.
        node_id "nodeId": required String = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The kind of principal in the entry.
        principal_type "principalType": required GranteeKind = "user",
        /// The id of the principal.
        principal_id "principalId": nullable String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The id of the grant, if the entry is one.
        grant_id "grantId": nullable AccessGrantId,
    }
}

reply! {
    /// The role decides the level, as for owners and admins.
    pub(crate) LevelByRoleReply {
        /// `role`.
        node_type "nodeType": required &'static str | ["role"] = "role",
    }
}

/// What decides a user's level.
#[derive(Clone, Debug)]
pub(crate) enum LevelSourceReply {
    Role(LevelByRoleReply),
    Entry(LevelEntryReply),
}

impl Documented for LevelSourceReply {
    fn schema() -> Value {
        let entry = |node| (node, "LevelEntryReply".to_owned());
        let role = ("role", "LevelByRoleReply".to_owned());
        let forms = [entry("workspace"), entry("team"), entry("page"), entry("database"), role];
        union("What decides a user's level.", "nodeType", &forms)
    }

    fn example() -> Value {
        LevelEntryReply::example()
    }

    fn collect(named: &mut Named) {
        LevelEntryReply::collect(named);
        LevelByRoleReply::collect(named);
    }
}

impl Writable for LevelSourceReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Role(role) => role.write(serializer),
            Self::Entry(entry) => entry.write(serializer),
        }
    }
}

reply! {
    /// A user's level on a page or database.
    pub(crate) EffectiveReply {
        /// The id of the user.
        user_id "userId": required UserId,
        /// The level.
        level "level": required Level = "EDIT",
        /// What decides it; null if no entry names the user.
        source "source": nullable LevelSourceReply,
        /// What keeps the level below the granted one: `guest`, `oauth`.
        caps "caps": required Vec<&'static str> = [],
    }
}

reply! {
    /// The details of a user in a list of levels.
    pub(crate) LevelPersonReply {
        /// The id of the account.
        id "id": required UserId,
        /// The full name.
        name "name": required Name,
        /// The address of the picture.
        avatar_url "avatarUrl": nullable WebAddress,
    }
}

reply! {
    /// A member who may see a page or database.
    pub(crate) MemberLevelReply {
        /// The member.
        user "user": required LevelPersonReply,
        /// The role in the workspace.
        role "role": required Role = "MEMBER",
        /// The level.
        level "level": required Level = "EDIT",
        /// What decides it.
        source "source": nullable LevelSourceReply,
    }
}

routes! {
    /// Shows a user's level on a page and what decides it.
    ///
    /// Everybody who may see the page can ask for their own level; that of others requires full access. An API key
    /// must name a user.
    GET "/pages/{pageId}/permissions/effective" as getEffectivePermission => effective {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<EffectiveQuery>),
        answers: { 200: Data<EffectiveReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess))],
        events: [],
    }

    /// Lists the members who may see a page.
    ///
    /// Every member of the workspace with at least `VIEW`, by name, for callers that may edit the page.
    GET "/pages/{pageId}/permissions/members" as listPageMembers => members {
        caller: Inside(RouteAccess::GRANTS),
        limits: [],
        takes: (page: Path<PageId>, query: Query<LevelsQuery>),
        answers: { 200: Page<MemberLevelReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}

pub(crate) async fn effective<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    query: Draft<EffectiveQuery>,
) -> Answer {
    let user = query.map(|query| query.user_id);
    let shape = |found| ok(EffectiveReply::from(found));
    dispatcher.read(call, move |view| Box::pin(permissions::effective(view, id, user)), shape).await
}

pub(crate) async fn members<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    query: Draft<LevelsQuery>,
) -> Answer {
    let asked = query.map(|query| MemberList { limit: query.page.fetch(), after: query.page.after });
    dispatcher
        .list(
            call,
            move |view| Box::pin(permissions::members(view, id, asked)),
            MemberLevel::place,
            MemberLevelReply::from,
        )
        .await
}

fn source(because: LevelReason) -> Option<LevelSourceReply> {
    match because {
        LevelReason::Nothing => None,
        LevelReason::Role => Some(LevelSourceReply::Role(LevelByRoleReply { node_type: "role" })),
        LevelReason::Entry { grantee, source } => Some(LevelSourceReply::Entry(LevelEntryReply {
            node_type: source.node.kind(),
            node_id: source.node.to_string(),
            principal_type: grantee.kind(),
            principal_id: grantee.id(),
            grant_id: source.grant,
        })),
    }
}

impl From<Effective> for EffectiveReply {
    fn from(Effective { user, level, because, caps }: Effective) -> Self {
        Self { user_id: user, level, source: source(because), caps }
    }
}

impl From<MemberLevel> for MemberLevelReply {
    fn from(MemberLevel { person, role, effective }: MemberLevel) -> Self {
        let Person { id, name, avatar_url, .. } = person;
        Self {
            user: LevelPersonReply { id, name, avatar_url },
            role,
            level: effective.level,
            source: source(effective.because),
        }
    }
}
