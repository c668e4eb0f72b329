//! The audit trail of a workspace: reading it and verifying that it is complete.

pub mod export;
mod head;
mod retention;
mod verification;

pub use head::{AuditKey, SignedHead, published_key, signed_head};
pub use retention::{count_due, prune_due};
pub use verification::{KeptHead, SeqRange, Verification, is_consistent, verify};

use crate::{
    access::{self, RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    scope::{Scope, View},
};
use octavo_core_model::{
    audit::{AuditRecord, AuditSearch},
    event::{Chain, EventType, Reach},
};
use octavo_ports::store::Reads;

/// Lists entries of the trail of the call's workspace.
pub async fn list(view: &mut View, search: Draft<AuditSearch>) -> AppResult<Vec<AuditRecord>> {
    let chain = enter(view).await?;
    Ok(view.tx.audits().list_entries(chain, &search?.checked()?).await?)
}

/// All event types that an entry can have, by name.
pub async fn actions(view: &mut View) -> AppResult<Vec<EventType>> {
    enter(view).await?;
    let is_audited = |kind: &EventType| kind.reach() != Reach::Log;
    Ok(EventType::all().into_iter().filter(is_audited).collect())
}

/// Admits the caller to the trail of the workspace.
async fn enter<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<Chain> {
    Ok(Chain::Workspace(enter_as(scope).await?.workspace))
}

async fn enter_as<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<WorkspaceCaller> {
    access::enter(scope, RouteAccess::ADMINS_WITHOUT_APPS).await
}
