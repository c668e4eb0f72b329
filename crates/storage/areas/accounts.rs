//! Accounts, their passwords and the tokens mailed to them.

use super::{
    Scope,
    dialect::{locked, one_of},
    directory::EMAIL,
};
use crate::{
    prepared::Prepare,
    rows::{
        accounts::{AccountStatusWord, OneTimeTokenRow, UserRow},
        workspaces::OwnWorkspaceRow,
    },
    schema::{
        audit_entries, browser_sessions, directory, memberships, notification_digests as digests,
        notification_preferences as preferences, notifications, one_time_tokens, origins, refresh_tokens, sessions,
        user_workspaces, users,
    },
    stored::{Stored, token_word},
};
use diesel::prelude::*;
use octavo_core_model::{
    Secret, Timestamp, TokenHash, TokenKind,
    account::{AccountStatus, FORMER_MEMBER, User},
    event::Chain,
    grant::Grantee,
    id::{SessionId, UserId, WorkspaceId},
    job::JobOwner,
    one_time::{OneTimeToken, TokenState},
    text::{Email, Name},
    workspace::OwnWorkspace,
};
use octavo_ports::{
    accounts::{AccountReads, Accounts},
    passwords::PasswordHash,
    store::StoreResult,
};
use octavo_storage_macros::area;
use std::collections::BTreeSet;

#[area]
impl AccountReads for Scope {
    async fn find(&mut self, id: UserId) -> StoreResult<Option<User>> {
        Ok(self.optional(users::table.find(Stored(id)).select(UserRow::as_select())).await?.map(User::from))
    }

    async fn find_with_workspaces(&mut self, id: UserId) -> StoreResult<Option<(User, Vec<OwnWorkspace>)>> {
        let in_use = user_workspaces::user_id.eq(users::id).and(user_workspaces::is_deleting.eq(false));
        let of_user = user_workspaces::table.on(in_use);
        let rows = users::table
            .left_join(of_user)
            .filter(users::id.eq(Stored(id)))
            .order((user_workspaces::joined_at, user_workspaces::workspace_id))
            .select((UserRow::as_select(), Option::<OwnWorkspaceRow>::as_select()));
        // The join returns an account once per workspace, and once if it has none.
        let (users, own): (Vec<UserRow>, Vec<Option<OwnWorkspaceRow>>) = self.all(rows).await?.into_iter().unzip();
        let own = own.into_iter().flatten().map(OwnWorkspace::from).collect();
        Ok(users.into_iter().next().map(|user| (User::from(user), own)))
    }

    async fn list_by_id(&mut self, ids: &[UserId]) -> StoreResult<Vec<User>> {
        let accounts =
            users::table.filter(one_of!(users::id, ids.iter().copied().map(Stored))).select(UserRow::as_select());
        Ok(self.all(accounts).await?.into_iter().map(User::from).collect())
    }

    async fn find_by_email(&mut self, email: &Email) -> StoreResult<Option<User>> {
        let entry = directory::table.find((EMAIL, email.as_str())).select(directory::owner_id);
        let Some(owner) = self.optional::<String, _>(entry).await? else { return Ok(None) };
        let user = users::table.filter(users::id.eq(owner)).filter(users::email.eq(email.as_str()));
        Ok(self.optional(user.select(UserRow::as_select())).await?.map(User::from))
    }

    async fn find_password(&mut self, user: UserId) -> StoreResult<Option<PasswordHash>> {
        let password = users::table.find(Stored(user)).select(users::password);
        Ok(self.optional::<Option<String>, _>(password).await?.flatten().map(|phc| PasswordHash(Secret::new(phc))))
    }

    async fn list(&mut self, after: Option<UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let after = after.map_or_else(String::new, |id| id.to_string());
        let page = users::table.filter(users::id.gt(after)).order(users::id).limit(limit.into());
        Ok(self.all(page.select(UserRow::as_select())).await?.into_iter().map(User::from).collect())
    }

    async fn find_token_owner(&mut self, kind: TokenKind, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_token_user(kind, hash).await
    }

    async fn find_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<OneTimeToken>> {
        let token = one_time_tokens::table.find((Stored(user), Stored(*hash))).select(OneTimeTokenRow::as_select());
        Ok(self.optional(token).await?.map(OneTimeToken::from))
    }
}

#[area]
impl Accounts for Scope {
    async fn insert(&mut self, user: &User, password: Option<&PasswordHash>) -> StoreResult<bool> {
        if !self.reserve_email(user.id, &user.email).await? {
            return Ok(false);
        }
        let row = UserRow::from(user);
        let insert = diesel::insert_into(users::table).values((&row, users::password.eq(phc(password))));
        self.execute(insert).await?;
        Ok(true)
    }

    async fn lock(&mut self, id: UserId) -> StoreResult<Option<User>> {
        let user = users::table.find(Stored(id)).select(UserRow::as_select());
        Ok(self.optional(locked!(user)).await?.map(User::from))
    }

    async fn save(&mut self, user: &User) -> StoreResult<()> {
        let update = diesel::update(users::table.find(Stored(user.id))).set(UserRow::from(user)).prepared();
        self.execute(update).await.map(drop)
    }

    async fn change_email(&mut self, user: UserId, from: &Email, to: &Email) -> StoreResult<bool> {
        if !self.reserve_email(user, to).await? {
            return Ok(false);
        }
        self.free_email(user, from).await?;
        let update = diesel::update(users::table.find(Stored(user))).set(users::email.eq(to.as_str())).prepared();
        self.execute(update).await?;
        Ok(true)
    }

    async fn save_password(&mut self, user: UserId, password: Option<&PasswordHash>) -> StoreResult<()> {
        let update = diesel::update(users::table.find(Stored(user))).set(users::password.eq(phc(password))).prepared();
        self.execute(update).await.map(drop)
    }

    async fn remove(&mut self, user: &User) -> StoreResult<()> {
        self.free_email(user.id, &user.email).await?;
        self.forget_tokens_of(user.id).await?;
        self.forget_jobs(JobOwner::User(user.id)).await?;
        self.leave_workspaces(user.id).await?;
        self.remove_chain(Chain::User(user.id)).await?;
        self.remove_app_grants_of(user.id).await?;
        // Sessions, tokens and origins are deleted with the row.
        self.execute(diesel::delete(users::table.find(Stored(user.id)))).await.map(drop)
    }

    async fn erase(&mut self, user: &User) -> StoreResult<()> {
        self.free_email(user.id, &user.email).await?;
        self.forget_tokens_of(user.id).await?;
        self.forget_jobs(JobOwner::User(user.id)).await?;
        self.leave_workspaces(user.id).await?;
        self.remove_invitations_to(&user.email).await?;
        let id = Stored(user.id);
        let statement = diesel::delete(one_time_tokens::table.filter(one_time_tokens::user_id.eq(&id)));
        self.execute(statement).await?;
        // Refresh tokens and cookies are deleted with their sessions.
        self.execute(diesel::delete(sessions::table.filter(sessions::user_id.eq(&id)))).await?;
        self.execute(diesel::delete(origins::table.filter(origins::user_id.eq(&id)))).await?;
        self.execute(diesel::delete(notifications::table.filter(notifications::user_id.eq(&id)))).await?;
        self.execute(diesel::delete(digests::table.find(&id))).await?;
        self.execute(diesel::delete(preferences::table.filter(preferences::user_id.eq(&id)))).await?;
        self.remove_app_grants_of(user.id).await?;
        self.erase_from_audit(user.id).await?;
        let nobody = Name::from_stored(FORMER_MEMBER.to_owned());
        let erased = User {
            name: nobody.clone(),
            display_name: nobody,
            avatar_url: None,
            status: AccountStatus::Deleted,
            ..user.clone()
        };
        let update = diesel::update(users::table.find(id)).set((
            UserRow::from(&erased),
            users::email.eq(""),
            users::password.eq(None::<String>),
        ));
        self.execute(update).await.map(drop)
    }

    async fn insert_token(&mut self, token: &OneTimeToken) -> StoreResult<()> {
        self.enter_token(token.kind, &token.hash, token.user).await?;
        let row = OneTimeTokenRow::from(token);
        self.execute(diesel::insert_into(one_time_tokens::table).values(&row)).await.map(drop)
    }

    async fn save_token(&mut self, token: &OneTimeToken) -> StoreResult<()> {
        let row = one_time_tokens::table.find((Stored(token.user), Stored(token.hash)));
        let statement = diesel::update(row).set(one_time_tokens::state.eq(Stored(token.state))).prepared();
        self.execute(statement).await.map(drop)
    }

    async fn revoke_tokens(&mut self, user: UserId, kinds: &[TokenKind]) -> StoreResult<()> {
        let open = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Stored(user)))
            .filter(one_time_tokens::kind.eq_any(kinds.iter().copied().map(token_word)))
            .filter(one_time_tokens::state.eq(Stored(TokenState::Open)));
        let revoked = one_time_tokens::state.eq(Stored(TokenState::Revoked));
        self.execute(diesel::update(open).set(revoked)).await.map(drop)
    }

    async fn revoke_tokens_since(&mut self, user: UserId, kind: TokenKind, since: Timestamp) -> StoreResult<()> {
        let open = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Stored(user)))
            .filter(one_time_tokens::kind.eq(token_word(kind)))
            .filter(one_time_tokens::state.eq(Stored(TokenState::Open)))
            .filter(one_time_tokens::created_at.ge(since.millis()));
        let revoked = one_time_tokens::state.eq(Stored(TokenState::Revoked));
        self.execute(diesel::update(open).set(revoked)).await.map(drop)
    }

    async fn revoke_tokens_of_session(&mut self, user: UserId, kind: TokenKind, session: SessionId) -> StoreResult<()> {
        let open = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Stored(user)))
            .filter(one_time_tokens::kind.eq(token_word(kind)))
            .filter(one_time_tokens::state.eq(Stored(TokenState::Open)))
            .filter(one_time_tokens::session_id.eq(session.to_string()));
        let revoked = one_time_tokens::state.eq(Stored(TokenState::Revoked));
        self.execute(diesel::update(open).set(revoked).prepared()).await.map(drop)
    }

    async fn revoke_tokens_of_other_sessions(
        &mut self,
        user: UserId,
        kind: TokenKind,
        session: SessionId,
    ) -> StoreResult<()> {
        let of_others = one_time_tokens::session_id.is_null().or(one_time_tokens::session_id.ne(session.to_string()));
        let open = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Stored(user)))
            .filter(one_time_tokens::kind.eq(token_word(kind)))
            .filter(one_time_tokens::state.eq(Stored(TokenState::Open)))
            .filter(of_others);
        let revoked = one_time_tokens::state.eq(Stored(TokenState::Revoked));
        self.execute(diesel::update(open).set(revoked).prepared()).await.map(drop)
    }

    async fn list_due_deletions(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<UserId>> {
        let due = users::table.filter(users::purge_at.le(now.millis())).order((users::purge_at, users::id));
        Ok(self
            .all::<Stored<UserId>, _>(due.limit(limit.into()).select(users::id))
            .await?
            .into_iter()
            .map(|id| id.0)
            .collect())
    }
}

fn phc(password: Option<&PasswordHash>) -> Option<&str> {
    password.map(|hash| hash.0.expose().as_str())
}

impl Scope {
    /// Which of these users have a deleted account, even if it still waits for the purge.
    pub(super) async fn leaving_among(&mut self, users: &[UserId]) -> StoreResult<BTreeSet<UserId>> {
        if users.is_empty() {
            return Ok(BTreeSet::new());
        }
        let leaving = users::table
            .filter(one_of!(users::id, users.iter().copied().map(Stored)))
            .filter(users::status.eq_any([AccountStatusWord::Deleting, AccountStatusWord::Deleted].map(Stored)))
            .select(users::id);
        Ok(self.all::<Stored<UserId>, _>(leaving).await?.into_iter().map(|id| id.0).collect())
    }

    /// Removes a person's name from their own chain and from entries of other chains in which they are the actor or
    /// the target. Hashes do not cover the removed values.
    async fn erase_from_audit(&mut self, user: UserId) -> StoreResult<()> {
        let own = audit_entries::chain.eq(Chain::User(user).to_string());
        let elsewhere = audit_entries::actor_id.eq(user.to_string()).or(audit_entries::about.eq(Stored(user)));
        let erasure = (
            audit_entries::pii.eq(None::<serde_json::Value>),
            audit_entries::salt.eq(None::<String>),
            audit_entries::ip.eq(None::<String>),
        );
        let named = audit_entries::table.filter(own.nullable().or(elsewhere));
        self.execute(diesel::update(named).set(erasure)).await.map(drop)
    }

    /// Removes the directory entries of a user's tokens, but not the tokens.
    async fn forget_tokens_of(&mut self, user: UserId) -> StoreResult<()> {
        let id = Stored(user);
        let refresh = refresh_tokens::table.filter(refresh_tokens::user_id.eq(&id)).select(refresh_tokens::hash);
        let mut hashes: Vec<String> = self.all(refresh).await?;
        let mailed = one_time_tokens::table.filter(one_time_tokens::user_id.eq(&id)).select(one_time_tokens::hash);
        hashes.append(&mut self.all(mailed).await?);
        let cookies = browser_sessions::table.filter(browser_sessions::user_id.eq(&id)).select(browser_sessions::hash);
        hashes.append(&mut self.all(cookies).await?);
        hashes.append(&mut self.app_token_hashes(user).await?);
        self.forget_tokens(&hashes).await
    }

    /// Removes both sides of the user's memberships, and the grants that give the user access by name.
    async fn leave_workspaces(&mut self, user: UserId) -> StoreResult<()> {
        let id = Stored(user);
        let own = user_workspaces::table.filter(user_workspaces::user_id.eq(&id)).select(user_workspaces::workspace_id);
        let own = self.all::<Stored<WorkspaceId>, _>(own).await?;
        for workspace in &own {
            self.remove_access_of(workspace.0, Grantee::User(user)).await?;
        }
        let members =
            memberships::table.filter(memberships::workspace_id.eq_any(own)).filter(memberships::user_id.eq(&id));
        self.execute(diesel::delete(members)).await?;
        let statement = diesel::delete(user_workspaces::table.filter(user_workspaces::user_id.eq(&id)));
        self.execute(statement).await.map(drop)
    }
}
