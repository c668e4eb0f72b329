//! `/pages/{pageId}/permissions`

use crate::{
    answer::{Answer, ok, versioned},
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Nothing, Path, Query, expected_version, routes},
    wire::{Data, Readable, Several, Text, Version, body, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    pages::{
        NodeId,
        permissions::{self, GranteeRef, Inherited, NewGrant, PermissionChange, Permissions, SavedGrant},
    },
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::{Conflict, Denial, Issue, PrincipalField, Unprocessable, Violation},
    grant::{Grant, GranteeKind, MAX_GRANTS},
    id::{AccessGrantId, PageId, UserId},
    page::{PublicAccess, ResourceId},
    text::Email,
    version::{Expected, Stale},
};

reply! {
    /// A grant on a page or database.
    pub(crate) PageGrantReply {
        /// The id of the grant.
        id "id": required AccessGrantId,
        /// The page or database.
        resource_id "resourceId": required ResourceId,
        /// The kind of principal.
        principal_type "principalType": required GranteeKind = "user",
        /// The id of the principal; null for an address.
        principal_id "principalId": nullable String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The address of somebody who is not a member.
        email "email": nullable Email = null,
        /// The level.
        level "level": required Level = "VIEW",
        /// When it expires.
        expires_at "expiresAt": nullable Timestamp = null,
        /// The user who granted it.
        created_by "createdBy": nullable UserId,
        /// When it was granted.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// An inherited entry.
    pub(crate) InheritedReply {
        /// The kind of principal.
        principal_type "principalType": required GranteeKind = "workspace",
        /// The id of the principal.
        principal_id "principalId": nullable String = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The level.
        level "level": required Level = "EDIT",
        /// The source: `workspace`, `team`, `page` or `database`.
        source_type "sourceType": required &'static str | ["workspace", "team", "page", "database"] = "workspace",
        /// The id of the source.
        source_id "sourceId": required String = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

reply! {
    /// The permissions of a page or database.
    pub(crate) PermissionsReply {
        /// Whether it inherits access.
        inherit "inherit": required bool = true,
        /// Its own grants.
        grants "grants": required Vec<PageGrantReply>,
        /// The entries that it inherits; empty if `inherit` is false.
        inherited "inherited": required Vec<InheritedReply>,
        /// Whether a share link leads to it, and how.
        public_access "publicAccess": required PublicAccess = "none",
        /// The number of changes to `inherit` and to the grants.
        version "version": required i64 = 3,
    }
}

body! {
    /// A new grant.
    pub(crate) PageGrantBody {
        example: { "principalType": "email", "email": "grace@example.com", "level": "VIEW" };
        /// The kind of principal.
        principal_type "principalType": required GranteeKind = "user",
        /// The id of the user, the team or the workspace; not for an address.
        principal_id "principalId": nullable Text<1, 100> = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The address of somebody who is not a member, for the kind `email`.
        email "email": nullable Email = null,
        /// The level; `NONE` removes what they would inherit.
        level "level": required Level = "VIEW",
        /// When it expires; by default never.
        expires_at "expiresAt": nullable Timestamp = null,
        /// Whether to proceed even if the caller loses full access.
        force "force": optional bool = false,
    }
}

body! {
    /// The new permissions of a page or database. Fields that are left out stay as they are.
    pub(crate) PermissionsBody {
        example: { "inherit": true };
        /// Whether it inherits access.
        inherit "inherit": optional bool = true,
        /// The complete new list of grants.
        grants "grants": optional Several<PageGrantBody, 0, MAX_GRANTS>,
        /// With `inherit` false: turns the inherited entries into grants of its own.
        copy_inherited "copyInherited": optional bool = false,
        /// Whether to proceed even if the caller loses full access.
        force "force": optional bool = false,
        /// The version of the permissions that the change is based on.
        version "version": optional Version,
    }
}

query! {
    /// How to remove a grant.
    pub(crate) RevocationQuery {
        /// Whether to proceed even if the caller loses full access.
        force "force": optional bool = false,
    }
}

body! {
    /// How to remove a grant.
    pub(crate) RevocationBody {
        /// Whether to proceed even if the caller loses full access; here or in the query.
        force "force": optional bool = false,
    }
}

routes! {
    /// Shows the permissions of a page.
    ///
    /// Its grants and the entries that it inherits, for callers that may edit it.
    GET "/pages/{pageId}/permissions" as getPermissions => get {
        caller: Inside(RouteAccess::GRANTS),
        limits: [],
        takes: (page: Path<PageId>),
        answers: { 200: Data<PermissionsReply>, 304: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }

    /// Replaces the permissions of a page.
    ///
    /// Requires full access. `grants` is the complete new list. Callers that turn `inherit` off keep full access by
    /// name. Owners and admins can name somebody who is not a member by address; they are invited as a guest.
    PUT "/pages/{pageId}/permissions" as replacePermissions => replace {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (page: Path<PageId>, version: IfMatch, body: Body<PermissionsBody>),
        answers: { 200: Data<PermissionsReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(200)),
            Fault::Unprocessable(Unprocessable::UnknownPrincipal(PrincipalField::InGrants(0))),
            Fault::Unprocessable(Unprocessable::SelfLockout),
        ],
        events: [PermissionChanged, WorkspaceInvitationSent, WorkspaceInvitationRevoked],
    }

    /// Grants access to a page.
    ///
    /// Requires full access. 200 if it replaces an earlier grant to the same principal.
    POST "/pages/{pageId}/permissions" as grantPermission => grant {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (page: Path<PageId>, body: Body<PageGrantBody>),
        answers: { 201: Data<PageGrantReply>, 200: Data<PageGrantReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(200)),
            Fault::Unprocessable(Unprocessable::UnknownPrincipal(PrincipalField::OfGrant)),
            Fault::Unprocessable(Unprocessable::SelfLockout),
        ],
        events: [PermissionChanged, WorkspaceInvitationSent, WorkspaceInvitationRevoked],
    }

    /// Removes a grant.
    ///
    /// Requires full access. Not an error if the grant does not exist.
    DELETE "/pages/{pageId}/permissions/{grantId}" as removePermission => revoke {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (page: Path<PageId>, grant: Path<AccessGrantId>, query: Query<RevocationQuery>, body: Body<RevocationBody>),
        answers: { 204: Nothing },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Unprocessable(Unprocessable::SelfLockout),
        ],
        events: [PermissionChanged],
    }
}

pub(crate) async fn get<I: NodeId>(dispatcher: Dispatcher, call: Call, id: Draft<I>) -> Answer {
    let shape = |found| {
        let permissions = PermissionsReply::from(found);
        versioned(permissions.version, permissions)
    };
    dispatcher.read(call, move |view| Box::pin(permissions::get(view, id)), shape).await
}

pub(crate) async fn replace<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    version: Draft<Option<Expected>>,
    body: Draft<PermissionsBody>,
) -> Answer {
    let draft = version.and_then(|version| body.and_then(|body| change(version, body)));
    let shape = |found| ok(PermissionsReply::from(found));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(permissions::replace(unit, id.clone(), draft.clone())), shape)
        .await
}

pub(crate) async fn grant<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    body: Draft<PageGrantBody>,
) -> Answer {
    let draft = body.and_then(|body| {
        let force = body.force.unwrap_or(false);
        new_grant(body, "").map(|grant| (grant, force))
    });
    let shape = |saved: SavedGrant| {
        let status = if saved.replaced { 200 } else { 201 };
        Reply::json(status, &Data(PageGrantReply::new(saved.resource, &saved.grant)))
    };
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(permissions::grant(unit, id.clone(), draft.clone())), shape)
        .await
}

pub(crate) async fn revoke<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    grant: Draft<AccessGrantId>,
    query: Draft<RevocationQuery>,
    body: Draft<RevocationBody>,
) -> Answer {
    let force = query.and_then(|query| Ok(query.force == Some(true) || body?.force == Some(true)));
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(permissions::revoke(unit, id.clone(), grant.clone(), force.clone())),
            |()| Reply::nothing(),
        )
        .await
}

fn change(header: Option<Expected>, body: PermissionsBody) -> Draft<PermissionChange> {
    let expected = expected_version(header, body.version.map(|version| version.0))?;
    let grants = match body.grants {
        Some(several) => {
            let numbered = several.0.into_iter().enumerate();
            Some(numbered.map(|(number, grant)| new_grant(grant, &format!("grants.{number}."))).collect::<Draft<_>>()?)
        }
        None => None,
    };
    Ok(PermissionChange {
        inherit: body.inherit,
        grants,
        copy_inherited: body.copy_inherited.unwrap_or(false),
        force: body.force.unwrap_or(false),
        expected,
    })
}

/// The kind of principal decides which of the other fields names it.
fn new_grant(body: PageGrantBody, path: &str) -> Draft<NewGrant> {
    let flaw = |field: &str, issue| Fault::from(Violation::new(format!("{path}{field}"), issue));
    let (id, email) = (body.principal_id.flatten(), body.email.flatten());
    if email.is_some() && body.principal_type != GranteeKind::Email {
        return Err(flaw("email", Issue::InvalidValue));
    }
    let named = || id.as_ref().ok_or_else(|| flaw("principalId", Issue::Required));
    let grantee = match body.principal_type {
        GranteeKind::User => GranteeRef::User(principal(named()?, path)?),
        GranteeKind::Team => GranteeRef::Team(principal(named()?, path)?),
        GranteeKind::Workspace => GranteeRef::Workspace(id.as_ref().map(|id| principal(id, path)).transpose()?),
        GranteeKind::Email if id.is_some() => return Err(flaw("principalId", Issue::InvalidValue)),
        GranteeKind::Email => GranteeRef::Email(email.ok_or_else(|| flaw("email", Issue::Required))?),
    };
    Ok(NewGrant { grantee, level: body.level, expires_at: body.expires_at.flatten() })
}

/// Reads the id of a principal of one kind.
fn principal<I: Readable>(Text(id): &Text<1, 100>, path: &str) -> Draft<I> {
    let sent = serde_json::Value::from(id.as_str());
    I::read(&sent).map_err(|issue| I::flawed(&format!("{path}principalId"), issue, &sent).into())
}

impl PageGrantReply {
    fn new(resource: ResourceId, grant: &Grant) -> Self {
        Self {
            id: grant.id,
            resource_id: resource,
            principal_type: grant.grantee.kind(),
            principal_id: grant.grantee.id(),
            email: grant.grantee.email().cloned(),
            level: grant.level,
            expires_at: grant.expires_at,
            created_by: grant.created_by,
            created_at: grant.created_at,
            updated_at: grant.updated_at,
        }
    }
}

impl From<Inherited> for InheritedReply {
    fn from(Inherited { grantee, level, source }: Inherited) -> Self {
        Self {
            principal_type: grantee.kind(),
            principal_id: grantee.id(),
            level,
            source_type: source.node.kind(),
            source_id: source.node.to_string(),
        }
    }
}

impl From<Permissions> for PermissionsReply {
    fn from(Permissions { resource, inherit, grants, inherited, public_access, version }: Permissions) -> Self {
        Self {
            inherit,
            grants: grants.iter().map(|grant| PageGrantReply::new(resource, grant)).collect(),
            inherited: inherited.into_iter().map(InheritedReply::from).collect(),
            public_access,
            version,
        }
    }
}
