//! Admitting callers to a workspace.

use super::{RouteAccess, account};
use crate::{
    call::{Caller, JobStarter, NamedWorkspace},
    outcome::{AppResult, Interrupt},
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Claims, Fault, KeyScope, Role, TeamRole,
    account::User,
    api_key::{ApiKey, PresentedKey},
    claims::PresentedApp,
    event::Actor,
    fault::{Denial, Issue, Unknown, Violation},
    id::{ApiKeyId, TeamId, UserId, WorkspaceId},
    member::Place,
    workspace::WorkspaceStatus,
};
use octavo_permissions::{Authority, Member};
use octavo_ports::store::Reads;

/// A caller that was admitted to a workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceCaller {
    pub workspace: WorkspaceId,
    pub kind: CallerKind,
}

/// The caller and their authority.
#[derive(Clone, Debug)]
pub enum CallerKind {
    Member {
        user: User,
        role: Role,
    },
    Key(ApiKey),
    /// An app that acts for a member.
    App {
        app: Box<PresentedApp>,
        user: User,
        role: Role,
    },
}

impl WorkspaceCaller {
    /// The user who calls in person.
    pub const fn user(&self) -> Option<&User> {
        match &self.kind {
            CallerKind::Member { user, .. } => Some(user),
            CallerKind::Key(_) | CallerKind::App { .. } => None,
        }
    }

    /// The role of the calling member, or of the member that an app acts for.
    pub const fn role(&self) -> Option<Role> {
        match &self.kind {
            CallerKind::Member { role, .. } | CallerKind::App { role, .. } => Some(*role),
            CallerKind::Key(_) => None,
        }
    }

    /// The user recorded as author of what the call creates; for a key the user who created the key.
    pub const fn author(&self) -> UserId {
        match &self.kind {
            CallerKind::Member { user, .. } | CallerKind::App { user, .. } => user.id,
            CallerKind::Key(key) => key.created_by,
        }
    }

    /// The key that calls.
    pub const fn key(&self) -> Option<ApiKeyId> {
        match &self.kind {
            CallerKind::Key(key) => Some(key.id),
            CallerKind::Member { .. } | CallerKind::App { .. } => None,
        }
    }

    /// The user who calls in person, or that an app acts for.
    pub const fn member(&self) -> Option<UserId> {
        match &self.kind {
            CallerKind::Member { user, .. } | CallerKind::App { user, .. } => Some(user.id),
            CallerKind::Key(_) => None,
        }
    }

    /// The authority for rules about roles; it does not contain the caller's teams.
    pub fn authority(&self) -> Authority {
        self.authority_with([])
    }

    fn authority_with(&self, teams: impl IntoIterator<Item = (TeamId, TeamRole)>) -> Authority {
        match &self.kind {
            CallerKind::Member { user, role } => Authority::Member(Member::new(user.id, *role, teams)),
            CallerKind::Key(key) => Authority::Key(key.scope()),
            CallerKind::App { app, user, role } => Authority::App {
                member: Member::new(user.id, *role, teams),
                scopes: app.scopes.iter().copied().collect(),
            },
        }
    }

    /// Whether the caller runs the workspace: its owners and admins, and keys with the scope `ADMIN`.
    pub fn is_in_charge(&self) -> bool {
        match &self.kind {
            CallerKind::Member { role, .. } => *role >= Role::Admin,
            CallerKind::Key(key) => key.scope() == KeyScope::Admin,
            // No scope reaches that far.
            CallerKind::App { .. } => false,
        }
    }
}

/// Reads the caller's role again after waiting for a lock: they may have been demoted or removed meanwhile. One
/// statement for a member and for an app. The state of a key was read at the start of the call and is not read again.
pub(crate) async fn read_again(unit: &mut Unit, caller: WorkspaceCaller) -> AppResult<WorkspaceCaller> {
    let (CallerKind::Member { user, .. } | CallerKind::App { user, .. }) = &caller.kind else { return Ok(caller) };
    let (user, place) = unit.tx.members().find_user_in(user.id, caller.workspace).await?.unzip();
    let user = account::admit(user)?;
    let lost = match &caller.kind {
        CallerKind::App { .. } => Denial::AppOutsideWorkspace,
        CallerKind::Member { .. } | CallerKind::Key(_) => Denial::WorkspaceMismatch,
    };
    let place = place.flatten().ok_or(Fault::Forbidden(lost))?;
    let kind = match caller.kind {
        CallerKind::App { app, .. } => CallerKind::App { app, user, role: place.role },
        CallerKind::Member { .. } | CallerKind::Key(_) => CallerKind::Member { user, role: place.role },
    };
    Ok(WorkspaceCaller { kind, ..caller })
}

/// The caller's authority for rules about teams. One statement; none for admins and keys, because teams do not matter
/// for them.
pub(crate) async fn authority_in_teams<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
) -> AppResult<Authority> {
    match &caller.kind {
        CallerKind::Member { user, .. } | CallerKind::App { user, .. } if !caller.is_in_charge() => {
            let teams = scope.tx.teams().list_roles(caller.workspace, user.id).await?;
            Ok(caller.authority_with(teams))
        }
        _ => Ok(caller.authority()),
    }
}

/// Admits the caller to the workspace of the call, or returns the reason for refusing. From here on the scope reports
/// in the caller's name.
///
/// One statement for a member or an app; none for a key, because the gate has read its row. A refusal may need one
/// more.
pub(crate) async fn enter<T: Reads + ?Sized>(scope: &mut Scope<T>, access: RouteAccess) -> AppResult<WorkspaceCaller> {
    match scope.call.caller.clone() {
        Caller::Nobody | Caller::System => Err(Fault::Unauthenticated(Unknown::TokenMissing).into()),
        Caller::User(claims) => member(scope, &claims, access).await,
        Caller::Key(presented) => key(scope, *presented, access),
        Caller::App(presented) => app(scope, presented, access).await,
        Caller::Job(starter) => job_starter(scope, starter, access).await,
    }
}

/// Requires any valid credential: that of a signed-in user, an API key or an app.
pub async fn anybody<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<()> {
    match scope.call.caller {
        Caller::Key(_) => enter(scope, RouteAccess::ANYBODY).await.map(drop),
        Caller::App(_) => account::app_with_user(scope).await.map(drop),
        Caller::User(_) | Caller::Nobody | Caller::Job(_) | Caller::System => account::any_user(scope).await.map(drop),
    }
}

fn key<T: ?Sized>(scope: &mut Scope<T>, presented: PresentedKey, access: RouteAccess) -> AppResult<WorkspaceCaller> {
    let PresentedKey { key, is_workspace_deleting, .. } = presented;
    access.admit_key(key.scope())?;
    let workspace = key.workspace;
    let named = [scope.call.path_workspace, scope.call.named_workspace];
    if named.into_iter().flatten().any(|named| named != NamedWorkspace::Id(workspace)) {
        return Err(Fault::Forbidden(Denial::KeyOutsideWorkspace).into());
    }
    if scope.call.client.as_ref().is_some_and(|client| !key.admits(client.address)) {
        return Err(Fault::Forbidden(Denial::AddressNotAllowed).into());
    }
    if is_workspace_deleting {
        scope.note_deletion()?;
    }
    scope.act_for(Actor::ApiKey(key.id), key.name.to_string());
    Ok(WorkspaceCaller { workspace, kind: CallerKind::Key(key) })
}

async fn app<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    app: Box<PresentedApp>,
    access: RouteAccess,
) -> AppResult<WorkspaceCaller> {
    access.admit_app(app.scopes.iter().copied().collect())?;
    let named = scope.call.named_workspace.ok_or_else(|| Violation::new("X-Service-Workspace", Issue::Required))?;
    let workspace =
        account::granted(&app, named).filter(|_| scope.call.path_workspace.is_none_or(|path| path == named));
    let (user, place) = scope.tx.members().find_user_in(app.claims.user, named.id_or_unknown()).await?.unzip();
    let user = account::admit(user)?;
    let (Some(workspace), Some(place)) = (workspace, place.flatten()) else {
        return Err(Fault::Forbidden(Denial::AppOutsideWorkspace).into());
    };
    if place.is_deleting {
        scope.note_deletion()?;
    }
    scope.act_for(app.actor(), app.name.to_string());
    access.admit_role(place.role)?;
    Ok(WorkspaceCaller { workspace, kind: CallerKind::App { app, user, role: place.role } })
}

async fn member<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    claims: &Claims,
    access: RouteAccess,
) -> AppResult<WorkspaceCaller> {
    let requested = RequestedWorkspace::of(scope, claims);
    let (user, place) = scope.tx.members().find_user_in(claims.user, requested.workspace()).await?.unzip();
    let user = account::admit(user)?;
    let (workspace, place) = requested.resolve_place(scope, claims, &user, place.flatten()).await?;
    scope.act_for(Actor::User(user.id), user.name.to_string());
    access.admit_role(place.role)?;
    Ok(WorkspaceCaller { workspace, kind: CallerKind::Member { user, role: place.role } })
}

/// Whoever started a job, if they may still do it. Two statements for a key, because no gate has read its row.
async fn job_starter<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    starter: JobStarter,
    access: RouteAccess,
) -> AppResult<WorkspaceCaller> {
    let JobStarter { workspace, user, key } = starter;
    if let Some(id) = key {
        let now = scope.call.now;
        let found = scope.tx.api_keys().find(workspace, id).await?.filter(|key| key.is_live(now));
        let key = found.ok_or(Fault::Unauthenticated(Unknown::KeyRevoked))?;
        access.admit_key(key.scope())?;
        let home = scope.tx.workspaces().find(workspace).await?.ok_or(Fault::WorkspaceDeleting)?;
        if home.status != WorkspaceStatus::Active {
            scope.note_deletion()?;
        }
        scope.act_for(starter.actor(), key.name.to_string());
        return Ok(WorkspaceCaller { workspace, kind: CallerKind::Key(key) });
    }
    let (user, place) = scope.tx.members().find_user_in(user, workspace).await?.unzip();
    let user = account::admit(user)?;
    let place = place.flatten().ok_or(Fault::Forbidden(Denial::WorkspaceMismatch))?;
    if place.is_deleting {
        scope.note_deletion()?;
    }
    scope.act_for(starter.actor(), user.name.to_string());
    access.admit_role(place.role)?;
    Ok(WorkspaceCaller { workspace, kind: CallerKind::Member { user, role: place.role } })
}

/// The workspace that a call names, and where it names it. The path takes precedence over the header.
#[derive(Clone, Copy)]
enum RequestedWorkspace {
    Path(NamedWorkspace),
    Header(NamedWorkspace),
    /// The workspace that the token was issued for.
    Claim(WorkspaceId),
}

impl RequestedWorkspace {
    fn of<T: ?Sized>(scope: &Scope<T>, claims: &Claims) -> Self {
        match (scope.call.path_workspace, scope.call.named_workspace) {
            (Some(path), _) => Self::Path(path),
            (None, Some(header)) => Self::Header(header),
            (None, None) => Self::Claim(claims.workspace),
        }
    }

    fn workspace(self) -> WorkspaceId {
        match self {
            Self::Path(named) | Self::Header(named) => named.id_or_unknown(),
            Self::Claim(id) => id,
        }
    }

    async fn resolve_place<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        claims: &Claims,
        user: &User,
        place: Option<Place>,
    ) -> AppResult<(WorkspaceId, Place)> {
        let workspace = self.workspace();
        let place = place.filter(|_| !claims.is_bound() || workspace == claims.workspace);
        let place = match place {
            Some(place) if !place.is_deleting => place,
            // If the user has left the workspace that a token was issued for, or it is deleted, the token counts for
            // the personal workspace.
            _ if matches!(self, Self::Claim(_)) && !claims.is_bound() => {
                if place.is_none() {
                    scope.call.resolve_into(user.personal_workspace);
                }
                return Ok((user.personal_workspace, Place::AT_HOME));
            }
            Some(place) => {
                scope.note_deletion()?;
                place
            }
            None => return Err(self.refusal(scope).await),
        };
        Ok((workspace, place))
    }

    /// The refusal for a workspace that is not the caller's. Only a path reveals whether the workspace exists.
    async fn refusal<T: Reads + ?Sized>(self, scope: &mut Scope<T>) -> Interrupt {
        if let Self::Path(_) = self {
            match scope.tx.workspaces().exists(self.workspace()).await {
                Ok(true) => {}
                Ok(false) => return Fault::NotFound.into(),
                Err(error) => return error.into(),
            }
        }
        Fault::Forbidden(Denial::WorkspaceMismatch).into()
    }
}
