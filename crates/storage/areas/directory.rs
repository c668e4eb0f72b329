//! The directory: finds the owner of an address, slug or token, which also makes these unique. The row that an entry
//! points to is authoritative.

use super::Scope;
use crate::{
    rows::directory::DirectoryRow,
    schema::directory,
    stored::{Stored, token_word},
};
use diesel::prelude::*;
use octavo_core_model::{TokenHash, TokenKind, id::UserId, text::Email};
use octavo_ports::store::StoreResult;

pub(super) const API_KEY: &str = "api_key";
pub(super) const EMAIL: &str = "email";
/// The user for whom an app holds a refresh token. Such tokens look like those of sessions but are stored separately.
pub(super) const FAMILY_TOKEN: &str = "oauth_refresh_token";
pub(super) const SLUG: &str = "slug";

/// How many entries one statement writes; SQLite allows 32,766 parameters.
pub(super) const ENTRIES_AT_ONCE: usize = 1000;

impl Scope {
    /// Writes an entry unless its key is taken.
    pub(super) async fn reserve_entry(&mut self, entry: &DirectoryRow) -> StoreResult<bool> {
        let insert = diesel::insert_into(directory::table).values(entry).on_conflict_do_nothing();
        Ok(self.execute(insert).await? == 1)
    }

    /// Assigns an address to the user, unless somebody has it.
    pub(super) async fn reserve_email(&mut self, user: UserId, email: &Email) -> StoreResult<bool> {
        let owner = user.to_string();
        let entry = DirectoryRow { kind: EMAIL, key: email.to_string(), target_id: owner.clone(), owner_id: owner };
        self.reserve_entry(&entry).await
    }

    pub(super) async fn free_email(&mut self, user: UserId, email: &Email) -> StoreResult<()> {
        let entry = directory::table.find((EMAIL, email.as_str())).filter(directory::owner_id.eq(Stored(user)));
        self.execute(diesel::delete(entry)).await.map(drop)
    }

    /// Writes the entry from a token to its user. Two random tokens of 256 bits never collide in practice.
    pub(super) async fn enter_token(&mut self, kind: TokenKind, hash: &TokenHash, user: UserId) -> StoreResult<()> {
        let hash = hash.hex();
        let entry =
            DirectoryRow { kind: token_word(kind), target_id: hash.clone(), key: hash, owner_id: user.to_string() };
        self.execute(diesel::insert_into(directory::table).values(&entry)).await.map(drop)
    }

    pub(super) async fn find_token_user(&mut self, kind: TokenKind, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_entry_user(token_word(kind), hash).await
    }

    pub(super) async fn find_entry_user(&mut self, kind: &str, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        let owner = directory::table.find((kind, Stored(*hash))).select(directory::owner_id);
        Ok(self.optional::<Stored<UserId>, _>(owner).await?.map(|owner| owner.0))
    }

    /// Removes the entries of these tokens.
    pub(super) async fn forget_tokens(&mut self, hashes: &[String]) -> StoreResult<()> {
        let kinds = TokenKind::ALL.iter().copied().map(token_word).chain([FAMILY_TOKEN]);
        for some in hashes.chunks(ENTRIES_AT_ONCE) {
            let entries =
                directory::table.filter(directory::kind.eq_any(kinds.clone())).filter(directory::key.eq_any(some));
            self.execute(diesel::delete(entries)).await?;
        }
        Ok(())
    }
}
