//! Accounts, their passwords and their mailed tokens.

use crate::{passwords::PasswordHash, store_result::StoreResult};
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    account::User,
    id::{SessionId, UserId},
    one_time::OneTimeToken,
    text::Email,
    workspace::OwnWorkspace,
};

#[async_trait]
pub trait AccountReads: Send {
    async fn find(&mut self, id: UserId) -> StoreResult<Option<User>>;

    /// An account and its workspaces, in the order of joining. Every client needs both, so this is one call.
    async fn find_with_workspaces(&mut self, id: UserId) -> StoreResult<Option<(User, Vec<OwnWorkspace>)>>;

    /// The accounts with these ids, in any order; those that do not exist are skipped.
    async fn list_by_id(&mut self, ids: &[UserId]) -> StoreResult<Vec<User>>;

    /// The account with this address. Purged accounts have no address.
    async fn find_by_email(&mut self, email: &Email) -> StoreResult<Option<User>>;

    async fn find_password(&mut self, user: UserId) -> StoreResult<Option<PasswordHash>>;

    /// Accounts in the order of their ids, after the given one.
    async fn list(&mut self, after: Option<UserId>, limit: u32) -> StoreResult<Vec<User>>;

    /// The owner of a mailed token, even if it is used.
    async fn find_token_owner(&mut self, kind: TokenKind, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    /// A mailed token, even if it is used.
    async fn find_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<OneTimeToken>>;
}

#[async_trait]
pub trait Accounts: AccountReads {
    /// Inserts an account and claims its address. Returns false, and writes nothing, if the address is taken.
    async fn insert(&mut self, user: &User, password: Option<&PasswordHash>) -> StoreResult<bool>;

    /// Finds an account and locks it until the unit ends. Everything that belongs to an account (sessions, tokens,
    /// password) is changed under this lock.
    async fn lock(&mut self, id: UserId) -> StoreResult<Option<User>>;

    /// Saves everything except the address and the password.
    async fn save(&mut self, user: &User) -> StoreResult<()>;

    /// Changes the address of an account. Returns false, and writes nothing, if it is taken.
    async fn change_email(&mut self, user: UserId, from: &Email, to: &Email) -> StoreResult<bool>;

    async fn save_password(&mut self, user: UserId, password: Option<&PasswordHash>) -> StoreResult<()>;

    /// Removes an account with its sessions, tokens, audit chain and all their directory entries.
    async fn remove(&mut self, user: &User) -> StoreResult<()>;

    /// Keeps the row of a purged account as a former member: frees the address, clears name and avatar, removes
    /// password, sessions, tokens, origins and invitations to the address with the access that they give, and erases
    /// the personal part of its audit entries. Exclusions stay as they are.
    async fn erase(&mut self, user: &User) -> StoreResult<()>;

    async fn insert_token(&mut self, token: &OneTimeToken) -> StoreResult<()>;

    async fn save_token(&mut self, token: &OneTimeToken) -> StoreResult<()>;

    /// Revokes every open token of these kinds.
    async fn revoke_tokens(&mut self, user: UserId, kinds: &[TokenKind]) -> StoreResult<()>;

    /// Revokes every open token of a kind that was issued at the given time or later.
    async fn revoke_tokens_since(&mut self, user: UserId, kind: TokenKind, since: Timestamp) -> StoreResult<()>;

    /// Revokes every open token of a kind that this session requested.
    async fn revoke_tokens_of_session(&mut self, user: UserId, kind: TokenKind, session: SessionId) -> StoreResult<()>;

    /// Revokes every open token of a kind that this session did not request.
    async fn revoke_tokens_of_other_sessions(
        &mut self,
        user: UserId,
        kind: TokenKind,
        session: SessionId,
    ) -> StoreResult<()>;

    /// Accounts whose grace period is over, oldest first.
    async fn list_due_deletions(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<UserId>>;
}
