//! Revoking a share link.

use super::{manage, report};
use crate::{
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::id::ShareLinkId;

/// Permanently revokes a link. One that is already revoked stays as it is.
pub async fn revoke(unit: &mut Unit, id: Draft<ShareLinkId>) -> AppResult<()> {
    let Some((manager, mut link)) = manage::of_link(unit, &id).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    if link.revoked_at.is_none() {
        link.revoked_at = Some(unit.call.now);
        link.updated_at = unit.call.now;
        unit.tx.share_links().save(&link).await?;
        report::revoked(unit, &manager.page, &link);
    }
    Ok(())
}
