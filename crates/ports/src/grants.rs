//! Grants on pages.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Level, Timestamp,
    grant::{Grant, Grantee, MemberGrantees},
    id::{PageId, TeamId, UserId, WorkspaceId},
    text::Email,
};

/// The level of a grantee on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedLevel {
    pub page: PageId,
    pub grantee: Grantee,
    pub level: Level,
    /// When the grant expires.
    pub expires_at: Option<Timestamp>,
}

#[async_trait]
pub trait GrantReads: Send {
    /// The grants of these pages that are valid now, in the order in which they were created.
    async fn list(&mut self, workspace: WorkspaceId, pages: &[PageId], now: Timestamp) -> StoreResult<Vec<Grant>>;

    /// Which of these pages have a valid grant of the level `NONE`, no matter for whom.
    async fn list_excluding_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<PageId>>;

    /// The valid grants that can matter to one member, on these pages or on all.
    async fn list_levels_for(
        &mut self,
        workspace: WorkspaceId,
        pages: Option<&[PageId]>,
        whom: &MemberGrantees,
        now: Timestamp,
    ) -> StoreResult<Vec<GrantedLevel>>;

    /// The valid grants of the level `NONE` to an address, anywhere in the workspace.
    async fn list_exclusions_of(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        now: Timestamp,
    ) -> StoreResult<Vec<Grant>>;

    /// The valid grants to these grantees anywhere in the workspace, in no particular order, up to a limit.
    async fn list_levels_by_grantee(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<GrantedLevel>>;
}

/// Changes are made under the lock of the workspace, except by [`Grants::transfer_exclusions`].
#[async_trait]
pub trait Grants: GrantReads {
    /// Saves a grant in place of the grantee's present one on its page.
    async fn put(&mut self, grant: &Grant) -> StoreResult<()>;

    async fn remove(&mut self, workspace: WorkspaceId, page: PageId, grantee: &Grantee) -> StoreResult<()>;

    /// Removes all grants to a team, on every page.
    async fn remove_all_to_team(&mut self, workspace: WorkspaceId, team: TeamId) -> StoreResult<()>;

    /// Saves copies of the exclusions of an address, for the account that joined with it. See [`Grants::transfer`] for
    /// pages that already exclude the account.
    async fn copy_exclusions(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        copies: &[Grant],
        now: Timestamp,
    ) -> StoreResult<()>;

    /// Transfers the grants to an address to the account that joined with it.
    ///
    /// A page can have a grant to both: exclusions outlive a membership. Only one remains. Of two exclusions that is the
    /// one that lasts longer. Any other grant to the address replaces that to the account if it was changed later and
    /// is still valid, or if that to the account has expired; otherwise it is dropped. So if the account has a level
    /// and the address an exclusion, a newer exclusion removes the level, and an older one is dropped.
    async fn transfer(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        now: Timestamp,
    ) -> StoreResult<()>;

    /// Like [`Grants::transfer`], but leaves grants of the level `NONE` with the address.
    async fn transfer_access(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        user: UserId,
        now: Timestamp,
    ) -> StoreResult<()>;

    /// Transfers the exclusions of an address, grants of the level `NONE`, to the account that gives it up or has moved
    /// to it: in every workspace, one after the other in the order of their ids. Grants that meet on a page are treated as
    /// by [`Grants::transfer`].
    ///
    /// The workspaces are not locked: callers have locked the account, and workspaces are locked before accounts. An
    /// exclusion that is granted to the address at the same time may stay with it, as if it was granted afterwards.
    async fn transfer_exclusions(&mut self, email: &Email, user: UserId, now: Timestamp) -> StoreResult<()>;

    /// Removes the grants to an address that give access: those of the level `NONE` stay.
    async fn remove_access_of_email(&mut self, workspace: WorkspaceId, email: &Email) -> StoreResult<()>;

    /// Who gave the present levels of the grants to an address that give access, each of them once.
    async fn list_givers_of_access(&mut self, workspace: WorkspaceId, email: &Email) -> StoreResult<Vec<UserId>>;

    /// Like [`Grants::remove_access_of_email`], but grants whose present levels these users gave stay.
    async fn remove_access_not_given_by(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        givers: &[UserId],
    ) -> StoreResult<()>;
}
