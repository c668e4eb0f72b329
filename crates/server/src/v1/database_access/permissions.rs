//! `/databases/{databaseId}/permissions`

use crate::{
    route::{Body, IfMatch, Nothing, Path, Query, routes},
    v1::pages::{
        levels::{EffectiveQuery, EffectiveReply, LevelsQuery, MemberLevelReply, effective, members},
        permissions::{
            PageGrantBody, PageGrantReply, PermissionsBody, PermissionsReply, RevocationBody, RevocationQuery, get,
            grant, replace, revoke,
        },
    },
    wire::{Data, Page},
};
use octavo_app::access::RouteAccess;
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial, PrincipalField, Unprocessable},
    id::{AccessGrantId, DatabaseId},
    version::Stale,
};

routes! {
    /// Shows the permissions of a database.
    ///
    /// Its grants and the entries that it inherits, for callers that may edit it.
    GET "/databases/{databaseId}/permissions" as listDatabaseGrants => get {
        caller: Inside(RouteAccess::DATABASE_GRANTS),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Data<PermissionsReply>, 304: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }

    /// Replaces the permissions of a database.
    ///
    /// Requires full access. `grants` is the complete new list. Callers that turn `inherit` off keep full access by
    /// name. Owners and admins can name somebody who is not a member by address; they are invited as a guest.
    PUT "/databases/{databaseId}/permissions" as replaceDatabaseGrants => replace {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (database: Path<DatabaseId>, version: IfMatch, body: Body<PermissionsBody>),
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

    /// Grants access to a database.
    ///
    /// Requires full access. 200 if it replaces an earlier grant to the same principal.
    POST "/databases/{databaseId}/permissions" as createDatabaseGrant => grant {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<PageGrantBody>),
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

    /// Removes a grant on a database.
    ///
    /// Requires full access. Not an error if the grant does not exist.
    DELETE "/databases/{databaseId}/permissions/{grantId}" as deleteDatabaseGrant => revoke {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (
            database: Path<DatabaseId>,
            grant: Path<AccessGrantId>,
            query: Query<RevocationQuery>,
            body: Body<RevocationBody>,
        ),
        answers: { 204: Nothing },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Unprocessable(Unprocessable::SelfLockout),
        ],
        events: [PermissionChanged],
    }

    /// Shows a user's level on a database and what decides it.
    ///
    /// Everybody who may see the database can ask for their own level; that of others requires full access. An API
    /// key must name a user.
    GET "/databases/{databaseId}/permissions/effective" as getEffectiveDatabasePermission => effective {
        caller: Inside(RouteAccess::DATABASES),
        limits: [],
        takes: (database: Path<DatabaseId>, query: Query<EffectiveQuery>),
        answers: { 200: Data<EffectiveReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess))],
        events: [],
    }

    /// Lists the members who may see a database.
    ///
    /// Every member of the workspace with at least `VIEW`, by name, for callers that may edit the database.
    GET "/databases/{databaseId}/permissions/members" as listDatabaseMembers => members {
        caller: Inside(RouteAccess::DATABASE_GRANTS),
        limits: [],
        takes: (database: Path<DatabaseId>, query: Query<LevelsQuery>),
        answers: { 200: Page<MemberLevelReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }
}
