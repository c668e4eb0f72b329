//! `/pages/{pageId}/permissions/effective` and `/pages/{pageId}/permissions/members`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Path, Query, routes},
    wire::{Data, Documented, Named, Page, Writable, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    pages::permissions::{self, Effective, LevelReason, MemberLevel, MemberList, NamePlace},
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
use serde_json::{Value, json};

query! {
    /// Whose level to show.
    pub(crate) EffectiveQuery {
        /// The user; by default the caller. The level of another user needs full access.
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
    /// The entry that decides about somebody's level.
    pub(crate) LevelEntryReply {
        /// What the entry belongs to: `workspace`, `team` or `page`.
        node_type "nodeType": required &'static str = "page",
        /// Its id.
        node_id "nodeId": required String = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Whom the entry names.
        principal_type "principalType": required GranteeKind = "user",
        /// The id of the principal.
        principal_id "principalId": nullable String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The grant, if the source is one.
        grant_id "grantId": nullable AccessGrantId,
    }
}

reply! {
    /// That somebody's role decides, as that of owners and admins does.
    pub(crate) LevelByRoleReply {
        /// `role`.
        node_type "nodeType": required &'static str = "role",
    }
}

/// What decides about somebody's level.
#[derive(Clone, Debug)]
pub(crate) enum LevelSourceReply {
    Role(LevelByRoleReply),
    Entry(LevelEntryReply),
}

impl Documented for LevelSourceReply {
    fn schema() -> Value {
        json!({ "anyOf": [LevelEntryReply::schema(), LevelByRoleReply::schema()] })
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
    /// Somebody's level on a page.
    pub(crate) EffectiveReply {
        /// Whose.
        user_id "userId": required UserId,
        /// What they may do.
        level "level": required Level = "EDIT",
        /// What decides; null where nothing names them.
        source "source": nullable LevelSourceReply,
        /// What keeps the level below what was granted: `guest`, `oauth`.
        caps "caps": required Vec<&'static str> = [],
    }
}

reply! {
    /// What a list of levels shows of a person.
    pub(crate) LevelPersonReply {
        /// Identifies the account.
        id "id": required UserId,
        /// The full name.
        name "name": required Name,
        /// Where the picture is.
        avatar_url "avatarUrl": nullable WebAddress,
    }
}

reply! {
    /// A member who may see a page.
    pub(crate) MemberLevelReply {
        /// Who.
        user "user": required LevelPersonReply,
        /// The role in the workspace.
        role "role": required Role = "MEMBER",
        /// What they may do.
        level "level": required Level = "EDIT",
        /// What decides.
        source "source": nullable LevelSourceReply,
    }
}

routes! {
    /// Shows somebody's level on a page, and what decides it.
    ///
    /// One's own level for everybody who may see the page; that of others needs full access. An API key has to name a user.
    GET "/pages/{pageId}/permissions/effective" => effective {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, query: Query<EffectiveQuery>),
        answers: { 200: Data<EffectiveReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess))],
        events: [],
    }

    /// Lists the members who may see a page.
    ///
    /// Every member of the workspace with at least `VIEW`, by name, for those who edit the page.
    GET "/pages/{pageId}/permissions/members" => members {
        caller: Inside(RouteAccess::GRANTS),
        limits: [],
        takes: (page: Path<PageId>, query: Query<LevelsQuery>),
        answers: { 200: Page<MemberLevelReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}

async fn effective(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<EffectiveQuery>) -> Answer {
    let user = query.map(|query| query.user_id);
    let shape = |found| ok(EffectiveReply::from(found));
    dispatcher.read(call, move |view| Box::pin(permissions::effective(view, page, user)), shape).await
}

async fn members(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, query: Draft<LevelsQuery>) -> Answer {
    let asked = query.map(|query| MemberList { limit: query.page.fetch(), after: query.page.after });
    dispatcher
        .list(
            call,
            move |view| Box::pin(permissions::members(view, page, asked)),
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
