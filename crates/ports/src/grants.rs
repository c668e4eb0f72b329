//! What was granted on pages.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Level, Timestamp,
    grant::{Grant, Grantee, MemberGrantees},
    id::{PageId, TeamId, UserId, WorkspaceId},
    text::Email,
};

/// The level a grantee has on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedLevel {
    pub page: PageId,
    pub grantee: Grantee,
    pub level: Level,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
}

#[async_trait]
pub trait GrantReads: Send {
    /// The grants of these pages that count now, in the order in which they were made.
    async fn list(&mut self, workspace: WorkspaceId, pages: &[PageId], now: Timestamp) -> StoreResult<Vec<Grant>>;

    /// Those of these pages that have a grant of the level `NONE` which counts now, whomever it names.
    async fn list_excluding_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<PageId>>;

    /// What counts now and can matter to one member, on these pages or on all.
    async fn list_levels_for(
        &mut self,
        workspace: WorkspaceId,
        pages: Option<&[PageId]>,
        whom: &MemberGrantees,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantedLevel>>;

    /// What these were granted anywhere in the workspace and counts now, in no order; at most so many.
    async fn list_levels_of(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<GrantedLevel>>;
}

/// Changes are made under the lock of the workspace.
#[async_trait]
pub trait Grants: GrantReads {
    /// Writes a grant in the place of the one that its grantee has on its page.
    async fn put(&mut self, grant: &Grant) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, page: PageId, grantee: &Grantee) -> StoreResult<()>;

    /// Removes what names a team, on every page.
    async fn remove_all_to_team(&mut self, workspace: WorkspaceId, team: TeamId) -> StoreResult<()>;

    /// Hands what an address was granted to the account that joined with it.
    async fn claim(&mut self, workspace: WorkspaceId, email: &Email, user: UserId) -> StoreResult<()>;

    /// Hands grants of the level `NONE` of an address to the account that joined with it, and leaves the others to the address.
    async fn claim_exclusions(&mut self, workspace: WorkspaceId, email: &Email, user: UserId) -> StoreResult<()>;

    /// Removes what an address was granted.
    async fn remove_all_to_email(&mut self, workspace: WorkspaceId, email: &Email) -> StoreResult<()>;
}
