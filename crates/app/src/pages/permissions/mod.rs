//! Permissions of a page or database: its own grants, inherited ones, and the resulting levels.

mod change;
mod effective;
mod map;

pub use change::{GranteeRef, NewGrant, PermissionChange, SavedGrant, grant, replace, revoke};
pub(crate) use change::{TemporaryLevel, raise};
pub use effective::{Effective, LevelReason, MemberLevel, MemberList, NamePlace, effective, members};
pub use map::{Inherited, Source, SourceNode};

use super::{
    enter,
    lineage::{Visible, find, need},
    shown::public_access,
};
use crate::{
    outcome::{AppResult, Draft},
    page_access::NodeId,
    scope::{Scope, View},
};
use octavo_core_model::{
    Fault, Level,
    grant::Grant,
    page::{Node, PublicAccess, ResourceId},
};
use octavo_ports::store::Reads;

/// Everything that decides about access to a page or database.
#[derive(Clone, Debug)]
pub struct Permissions {
    /// The page or database.
    pub resource: ResourceId,
    pub inherit: bool,
    pub grants: Vec<Grant>,
    /// The entries that the page inherits.
    pub inherited: Vec<Inherited>,
    /// Whether a share link leads to the page, and how.
    pub public_access: PublicAccess,
    /// The number of changes to the permissions.
    pub version: i64,
}

/// Returns the permissions of a page or database to callers that may edit it.
pub async fn get<I: NodeId>(view: &mut View, id: Draft<I>) -> AppResult<Permissions> {
    let (caller, authority) = enter(view, I::READS_GRANTS).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::Edit)?;
    of(view, &seen).await
}

/// Reads the permissions of a page. Two statements; up to two more for a page of a team.
pub(super) async fn of<T: Reads + ?Sized>(scope: &mut Scope<T>, seen: &Visible<'_>) -> AppResult<Permissions> {
    let (page, now) = (&seen.page, scope.call.now);
    let steps = &seen.lineage.steps;
    let own: Vec<_> = steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id).collect();
    let all = scope.tx.grants().list(page.workspace, &own, now).await?;
    let inherited = if page.inherit { map::above(scope, seen, &all).await? } else { Vec::new() };
    let grants = all.into_iter().filter(|grant| grant.page == page.id).collect();
    let public_access = public_access(scope, seen).await?;
    Ok(Permissions {
        resource: page.resource(),
        inherit: page.inherit,
        grants,
        inherited,
        public_access,
        version: page.grants_version,
    })
}
