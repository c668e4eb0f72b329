//! Workspaces: creating, reading, changing, deleting.

pub mod deletion;
pub mod operator;
pub mod settings;
pub(crate) mod slugs;

use crate::{
    access::{self, CallerKind, RouteAccess, WorkspaceCaller, enter_locked},
    call::Caller,
    members,
    outcome::{AppResult, Draft},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, Role,
    account::User,
    event::{EventPayload, FieldChanges, workspaces::WorkspaceUpdated},
    fault::Denial,
    id::{MembershipId, WorkspaceId},
    member::Membership,
    text::{Description, Name, Slug, WebAddress},
    workspace::{Limit, Usage, Workspace, WorkspaceChange},
};
use octavo_ports::store::Reads;
use serde_json::{Map, Value, json};

/// A workspace as a caller in it sees it.
#[derive(Clone, Debug)]
pub struct WorkspaceDetails {
    pub workspace: Workspace,
    /// The caller's role; keys have none.
    pub role: Option<Role>,
}

/// Which workspaces to list.
#[derive(Clone, Copy, Debug)]
pub struct WorkspacePage {
    pub before: Option<WorkspaceId>,
    pub limit: u32,
}

/// Lists the workspaces that the credential reaches, newest first.
pub async fn list(view: &mut View, page: Draft<WorkspacePage>) -> AppResult<Vec<WorkspaceDetails>> {
    if let Caller::Key(_) = view.call.caller {
        let shown = get_plain(view, RouteAccess::ANYBODY).await?;
        let page = page?;
        return Ok(if page.before.is_none() { vec![shown] } else { Vec::new() });
    }
    let (user, within) = if let Caller::App(_) = view.call.caller {
        let WorkspaceCaller { kind: CallerKind::App { app, user, .. }, .. } =
            access::enter(view, RouteAccess::ANYBODY).await?
        else {
            return Err(Fault::Internal("an app came in as somebody else").into());
        };
        (user, Some(app.workspaces))
    } else {
        let user = access::any_user(view).await?;
        let claims = access::claims(view)?;
        (user, claims.is_bound().then(|| vec![claims.workspace]))
    };
    let page = page?;
    let found = view.tx.workspaces().list_of(user.id, within.as_deref(), page.before, page.limit).await?;
    Ok(found.into_iter().map(|(workspace, role)| WorkspaceDetails { workspace, role: Some(role) }).collect())
}

/// The properties of a new workspace.
#[derive(Clone, Debug)]
pub struct NewWorkspace {
    pub name: Name,
    /// By default derived from the name.
    pub slug: Option<Slug>,
    pub description: Option<Description>,
    pub icon_url: Option<WebAddress>,
}

/// Creates a workspace that the caller owns.
pub async fn create(unit: &mut Unit, draft: Draft<NewWorkspace>, owned: Limit) -> AppResult<WorkspaceDetails> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    let wanted = draft?;
    if let Limit::AtMost(_) = owned
        && !owned.admits_another(unit.tx.workspaces().count_owned(user.id).await?)
    {
        return Err(Fault::Forbidden(Denial::WorkspaceQuota).into());
    }
    let (id, now) = (unit.id(WorkspaceId::new), unit.call.now);
    let slug = wanted.slug.clone().unwrap_or_else(|| Slug::from_name(wanted.name.as_str(), "workspace"));
    let mut workspace = Workspace {
        description: wanted.description,
        icon_url: wanted.icon_url,
        ..Workspace::create(id, wanted.name, slug, user.id, now)
    };
    match wanted.slug {
        Some(_) => slugs::insert_under_slug(unit, &workspace).await?,
        None => slugs::insert_near_slug(unit, &mut workspace).await?,
    }
    let membership = join_founder(unit, &workspace, &user).await?;
    emit_created(unit, &workspace);
    members::emit_added(unit, &membership);
    Ok(WorkspaceDetails { workspace, role: Some(Role::Owner) })
}

/// Makes the creator the first member, as owner.
pub(crate) async fn join_founder(unit: &mut Unit, workspace: &Workspace, founder: &User) -> AppResult<Membership> {
    let membership = Membership {
        id: unit.id(MembershipId::new),
        workspace: workspace.id,
        user: founder.id,
        role: Role::Owner,
        invited_by: None,
        joined_at: unit.call.now,
    };
    unit.tx.members().insert(&membership, workspace, &founder.into()).await?;
    Ok(membership)
}

pub(crate) fn emit_created(unit: &mut Unit, workspace: &Workspace) {
    unit.emit(workspace.id, EventPayload::WorkspaceCreated(workspace.into()));
}

/// Returns the workspace and how much of its limits it uses.
pub async fn get(view: &mut View) -> AppResult<(WorkspaceDetails, Usage)> {
    let shown = get_plain(view, RouteAccess::ANYBODY).await?;
    let usage = view.tx.workspaces().measure_usage(shown.workspace.id).await?;
    Ok((shown, usage))
}

async fn get_plain<T: Reads + ?Sized>(scope: &mut Scope<T>, access: RouteAccess) -> AppResult<WorkspaceDetails> {
    let caller = access::enter(scope, access).await?;
    // The workspace may have been removed after the caller was admitted.
    let workspace = scope.tx.workspaces().find(caller.workspace).await?.ok_or(Fault::NotFound)?;
    Ok(WorkspaceDetails { workspace, role: caller.role() })
}

/// Changes name, description or icon.
pub async fn update(unit: &mut Unit, draft: Draft<WorkspaceChange>) -> AppResult<WorkspaceDetails> {
    let (caller, mut workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    unit.claim().await?;
    let before = workspace.clone();
    let changed = workspace.apply(draft?, unit.call.now);
    if !changed.is_empty() {
        unit.tx.workspaces().save(&workspace).await?;
        let (before, after) = (fields(&before, &changed), fields(&workspace, &changed));
        let fields = FieldChanges { changed_fields: changed, before, after };
        let updated = WorkspaceUpdated { workspace: workspace.id, changes: fields };
        unit.emit(workspace.id, EventPayload::WorkspaceUpdated(updated));
    }
    Ok(WorkspaceDetails { workspace, role: caller.role() })
}

fn fields(workspace: &Workspace, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "name" => json!(workspace.name),
        "description" => json!(workspace.description),
        _ => json!(workspace.icon_url),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}
