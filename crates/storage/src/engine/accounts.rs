//! Accounts, their passwords and their mailed tokens.

use super::{Scope, dialect::locked, directory::EMAIL};
use crate::{
    prepared::Prepare,
    rows::{
        accounts::{OneTimeTokenRow, UserRow},
        workspaces::OwnWorkspaceRow,
    },
    schema::{
        audit_entries, browser_sessions, directory, memberships, one_time_tokens, origins, refresh_tokens, sessions,
        user_workspaces, users,
    },
    stored::{Stored, token_word},
};
use async_trait::async_trait;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    Secret, Timestamp, TokenHash, TokenKind,
    account::{FORMER_MEMBER, Standing, User},
    event::Chain,
    id::UserId,
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

#[async_trait]
impl AccountReads for Scope {
    async fn find_user(&mut self, id: UserId) -> StoreResult<Option<User>> {
        let answer =
            users::table.find(Stored(id)).select(UserRow::as_select()).get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(User::from))
    }

    async fn find_user_with_workspaces(&mut self, id: UserId) -> StoreResult<Option<(User, Vec<OwnWorkspace>)>> {
        let in_use = user_workspaces::user_id.eq(users::id).and(user_workspaces::is_deleting.eq(false));
        let of_user = user_workspaces::table.on(in_use);
        let rows = users::table
            .left_join(of_user)
            .filter(users::id.eq(Stored(id)))
            .order((user_workspaces::joined_at, user_workspaces::workspace_id))
            .select((UserRow::as_select(), Option::<OwnWorkspaceRow>::as_select()));
        let answer = rows.load(self.conn()?).await;
        // The account comes once for each workspace, and once for none.
        let (users, own): (Vec<UserRow>, Vec<Option<OwnWorkspaceRow>>) = self.judge(answer)?.into_iter().unzip();
        let own = own.into_iter().flatten().map(OwnWorkspace::from).collect();
        Ok(users.into_iter().next().map(|user| (User::from(user), own)))
    }

    async fn find_user_by_email(&mut self, email: &Email) -> StoreResult<Option<User>> {
        let entry = directory::table.find((EMAIL, email.as_str())).select(directory::owner_id);
        let answer = entry.get_result::<String>(self.conn()?).await.optional();
        let Some(owner) = self.judge(answer)? else { return Ok(None) };
        let user = users::table.filter(users::id.eq(owner)).filter(users::email.eq(email.as_str()));
        let answer = user.select(UserRow::as_select()).get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(User::from))
    }

    async fn find_password(&mut self, user: UserId) -> StoreResult<Option<PasswordHash>> {
        let password = users::table.find(Stored(user)).select(users::password);
        let answer = password.get_result::<Option<String>>(self.conn()?).await.optional();
        Ok(self.judge(answer)?.flatten().map(|phc| PasswordHash(Secret::new(phc))))
    }

    async fn list_users(&mut self, after: Option<UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let after = after.map_or_else(String::new, |id| id.to_string());
        let page = users::table.filter(users::id.gt(after)).order(users::id).limit(limit.into());
        let answer = page.select(UserRow::as_select()).load(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(User::from).collect())
    }

    async fn find_token_owner(&mut self, kind: TokenKind, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_token_user(kind, hash).await
    }
}

#[async_trait]
impl Accounts for Scope {
    async fn insert_user(&mut self, user: &User, password: Option<&PasswordHash>) -> StoreResult<bool> {
        if !self.claim_email(user.id, &user.email).await? {
            return Ok(false);
        }
        let row = UserRow::from(user);
        let insert = diesel::insert_into(users::table).values((&row, users::password.eq(phc(password))));
        let answer = insert.execute(self.conn()?).await;
        self.judge(answer)?;
        Ok(true)
    }

    async fn lock_user(&mut self, id: UserId) -> StoreResult<Option<User>> {
        let user = users::table.find(Stored(id)).select(UserRow::as_select());
        let answer = locked!(user).get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(User::from))
    }

    async fn save_user(&mut self, user: &User) -> StoreResult<()> {
        let update = diesel::update(users::table.find(Stored(user.id))).set(UserRow::from(user)).prepared();
        let answer = update.execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn move_user(&mut self, user: UserId, from: &Email, to: &Email) -> StoreResult<bool> {
        if !self.claim_email(user, to).await? {
            return Ok(false);
        }
        self.free_email(user, from).await?;
        let update = diesel::update(users::table.find(Stored(user))).set(users::email.eq(to.as_str())).prepared();
        let answer = update.execute(self.conn()?).await;
        self.judge(answer)?;
        Ok(true)
    }

    async fn save_password(&mut self, user: UserId, password: Option<&PasswordHash>) -> StoreResult<()> {
        let update = diesel::update(users::table.find(Stored(user))).set(users::password.eq(phc(password))).prepared();
        let answer = update.execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn remove_user(&mut self, user: &User) -> StoreResult<()> {
        self.free_email(user.id, &user.email).await?;
        self.forget_tokens_of(user.id).await?;
        self.forget_jobs(JobOwner::User(user.id)).await?;
        self.leave_workspaces(user.id).await?;
        self.remove_chain(Chain::User(user.id)).await?;
        self.remove_grants_of(user.id).await?;
        // Sessions, tokens and origins go with the row.
        let answer = diesel::delete(users::table.find(Stored(user.id))).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn erase_user(&mut self, user: &User) -> StoreResult<()> {
        self.free_email(user.id, &user.email).await?;
        self.forget_tokens_of(user.id).await?;
        self.forget_jobs(JobOwner::User(user.id)).await?;
        self.leave_workspaces(user.id).await?;
        self.remove_invitations_to(&user.email).await?;
        let id = Stored(user.id);
        let answer =
            diesel::delete(one_time_tokens::table.filter(one_time_tokens::user_id.eq(&id))).execute(self.conn()?).await;
        self.judge(answer)?;
        // Refresh tokens and cookies go with their sessions.
        let answer = diesel::delete(sessions::table.filter(sessions::user_id.eq(&id))).execute(self.conn()?).await;
        self.judge(answer)?;
        let answer = diesel::delete(origins::table.filter(origins::user_id.eq(&id))).execute(self.conn()?).await;
        self.judge(answer)?;
        self.remove_grants_of(user.id).await?;
        self.erase_from_audit(user.id).await?;
        let nobody = Name::from_stored(FORMER_MEMBER.to_owned());
        let erased = User {
            name: nobody.clone(),
            display_name: nobody,
            avatar_url: None,
            standing: Standing::Deleted,
            ..user.clone()
        };
        let update = diesel::update(users::table.find(id)).set((
            UserRow::from(&erased),
            users::email.eq(""),
            users::password.eq(None::<String>),
        ));
        let answer = update.execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn insert_token(&mut self, token: &OneTimeToken) -> StoreResult<()> {
        self.enter_token(token.kind, &token.hash, token.user).await?;
        let row = OneTimeTokenRow::from(token);
        let answer = diesel::insert_into(one_time_tokens::table).values(&row).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn find_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<OneTimeToken>> {
        let token = one_time_tokens::table.find((Stored(user), Stored(*hash))).select(OneTimeTokenRow::as_select());
        let answer = token.get_result(self.conn()?).await.optional();
        Ok(self.judge(answer)?.map(OneTimeToken::from))
    }

    async fn save_token(&mut self, token: &OneTimeToken) -> StoreResult<()> {
        let row = one_time_tokens::table.find((Stored(token.user), Stored(token.hash)));
        let answer = diesel::update(row)
            .set(one_time_tokens::state.eq(Stored(token.state)))
            .prepared()
            .execute(self.conn()?)
            .await;
        self.judge(answer).map(drop)
    }

    async fn revoke_tokens(&mut self, user: UserId, kinds: &[TokenKind]) -> StoreResult<()> {
        let open = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Stored(user)))
            .filter(one_time_tokens::kind.eq_any(kinds.iter().copied().map(token_word)))
            .filter(one_time_tokens::state.eq(Stored(TokenState::Open)));
        let revoked = one_time_tokens::state.eq(Stored(TokenState::Revoked));
        let answer = diesel::update(open).set(revoked).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn revoke_tokens_since(&mut self, user: UserId, kind: TokenKind, since: Timestamp) -> StoreResult<()> {
        let open = one_time_tokens::table
            .filter(one_time_tokens::user_id.eq(Stored(user)))
            .filter(one_time_tokens::kind.eq(token_word(kind)))
            .filter(one_time_tokens::state.eq(Stored(TokenState::Open)))
            .filter(one_time_tokens::created_at.ge(since.millis()));
        let revoked = one_time_tokens::state.eq(Stored(TokenState::Revoked));
        let answer = diesel::update(open).set(revoked).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    async fn list_due_deletions(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<UserId>> {
        let due = users::table.filter(users::purge_at.le(now.millis())).order((users::purge_at, users::id));
        let answer = due.limit(limit.into()).select(users::id).load::<Stored<UserId>>(self.conn()?).await;
        Ok(self.judge(answer)?.into_iter().map(|id| id.0).collect())
    }
}

fn phc(password: Option<&PasswordHash>) -> Option<&str> {
    password.map(|hash| hash.0.expose().as_str())
}

impl Scope {
    /// Takes a person's name out of their own chain and out of what they did or suffered in others. Hashes do not cover what goes.
    async fn erase_from_audit(&mut self, user: UserId) -> StoreResult<()> {
        let own = audit_entries::chain.eq(Chain::User(user).to_string());
        let elsewhere = audit_entries::actor_id.eq(user.to_string()).or(audit_entries::about.eq(Stored(user)));
        let erasure = (
            audit_entries::pii.eq(None::<serde_json::Value>),
            audit_entries::salt.eq(None::<String>),
            audit_entries::ip.eq(None::<String>),
        );
        let named = audit_entries::table.filter(own.nullable().or(elsewhere));
        let answer = diesel::update(named).set(erasure).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }

    /// Removes what leads to the tokens of a user, and not the tokens.
    async fn forget_tokens_of(&mut self, user: UserId) -> StoreResult<()> {
        let id = Stored(user);
        let refresh = refresh_tokens::table.filter(refresh_tokens::user_id.eq(&id)).select(refresh_tokens::hash);
        let answer = refresh.load(self.conn()?).await;
        let mut hashes: Vec<String> = self.judge(answer)?;
        let mailed = one_time_tokens::table.filter(one_time_tokens::user_id.eq(&id)).select(one_time_tokens::hash);
        let answer = mailed.load(self.conn()?).await;
        hashes.append(&mut self.judge(answer)?);
        let cookies = browser_sessions::table.filter(browser_sessions::user_id.eq(&id)).select(browser_sessions::hash);
        let answer = cookies.load(self.conn()?).await;
        hashes.append(&mut self.judge(answer)?);
        hashes.append(&mut self.app_token_hashes(user).await?);
        self.forget_tokens(&hashes).await
    }

    /// Removes both sides of the user's memberships.
    async fn leave_workspaces(&mut self, user: UserId) -> StoreResult<()> {
        let id = Stored(user);
        let own = user_workspaces::table.filter(user_workspaces::user_id.eq(&id)).select(user_workspaces::workspace_id);
        let answer = own.load::<String>(self.conn()?).await;
        let own = self.judge(answer)?;
        let members =
            memberships::table.filter(memberships::workspace_id.eq_any(own)).filter(memberships::user_id.eq(&id));
        let answer = diesel::delete(members).execute(self.conn()?).await;
        self.judge(answer)?;
        let answer =
            diesel::delete(user_workspaces::table.filter(user_workspaces::user_id.eq(&id))).execute(self.conn()?).await;
        self.judge(answer).map(drop)
    }
}
