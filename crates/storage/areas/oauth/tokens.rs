//! Codes, families of refresh tokens, and access tokens that were revoked.

use super::super::{Scope, directory::FAMILY_TOKEN};
use crate::{
    prepared::Prepare,
    rows::{
        directory::DirectoryRow,
        oauth::{CodeRow, FamilyRow, FamilyTokenRow},
    },
    schema::{
        directory, oauth_codes as codes, oauth_families as families, oauth_refresh_tokens as tokens,
        oauth_revoked_tokens as revoked,
    },
    stored::Stored,
};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    id::{FamilyId, TokenId, UserId},
    oauth::{AuthorizationCode, Family, FamilyToken},
};
use octavo_ports::store::StoreResult;

impl Scope {
    pub(super) async fn add_code(&mut self, code: &AuthorizationCode) -> StoreResult<()> {
        self.enter_token(TokenKind::AuthorizationCode, &code.hash, code.user).await?;
        let row = CodeRow::from(code);
        self.execute(diesel::insert_into(codes::table).values(&row)).await.map(drop)
    }

    pub(super) async fn code_of(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<AuthorizationCode>> {
        let code = codes::table.find((Stored(user), Stored(*hash))).select(CodeRow::as_select());
        Ok(self.optional(code).await?.map(AuthorizationCode::from))
    }

    pub(super) async fn mark_redeemed(&mut self, code: &AuthorizationCode) -> StoreResult<bool> {
        let row = codes::table.find((Stored(code.user), Stored(code.hash)));
        let update = diesel::update(row).set(codes::redeemed_at.eq(code.redeemed_at.map(Timestamp::millis)));
        Ok(self.execute(update.prepared()).await? == 1)
    }

    pub(super) async fn add_family(&mut self, family: &Family) -> StoreResult<()> {
        let row = FamilyRow::from(family);
        self.execute(diesel::insert_into(families::table).values(&row)).await.map(drop)
    }

    pub(super) async fn family_of(&mut self, user: UserId, id: FamilyId) -> StoreResult<Option<Family>> {
        let family = families::table.find((Stored(user), Stored(id))).select(FamilyRow::as_select());
        Ok(self.optional(family).await?.map(Family::from))
    }

    pub(super) async fn prolong_family(&mut self, family: &Family) -> StoreResult<()> {
        let row = families::table.find((Stored(family.user), Stored(family.id))).filter(families::revoked_at.is_null());
        let end = family.expires_at.millis();
        let update = diesel::update(row).set((families::expires_at.eq(end), families::over_at.eq(end)));
        self.execute(update.prepared()).await.map(drop)
    }

    pub(super) async fn end_family(&mut self, user: UserId, id: FamilyId, now: Timestamp) -> StoreResult<bool> {
        let row = families::table.find((Stored(user), Stored(id))).filter(families::revoked_at.is_null());
        let update =
            diesel::update(row).set((families::revoked_at.eq(now.millis()), families::over_at.eq(now.millis())));
        Ok(self.execute(update.prepared()).await? == 1)
    }

    pub(super) async fn add_family_token(&mut self, token: &FamilyToken) -> StoreResult<()> {
        let hash = token.hash.hex();
        let entry =
            DirectoryRow { kind: FAMILY_TOKEN, target_id: hash.clone(), key: hash, owner_id: token.user.to_string() };
        self.execute(diesel::insert_into(directory::table).values(&entry)).await?;
        let row = FamilyTokenRow::from(token);
        self.execute(diesel::insert_into(tokens::table).values(&row)).await.map(drop)
    }

    pub(super) async fn family_token_of(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<FamilyToken>> {
        let token = tokens::table.find((Stored(user), Stored(*hash))).select(FamilyTokenRow::as_select());
        Ok(self.optional(token).await?.map(FamilyToken::from))
    }

    pub(super) async fn mark_rotated(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()> {
        let token = tokens::table.find((Stored(user), Stored(*hash)));
        self.execute(diesel::update(token).set(tokens::rotated.eq(true)).prepared()).await.map(drop)
    }

    pub(super) async fn end_access_token(
        &mut self,
        user: UserId,
        id: TokenId,
        forget_at: Timestamp,
    ) -> StoreResult<bool> {
        let row =
            (revoked::user_id.eq(Stored(user)), revoked::id.eq(Stored(id)), revoked::forget_at.eq(forget_at.millis()));
        let insert = diesel::insert_into(revoked::table).values(row).on_conflict_do_nothing();
        Ok(self.execute(insert).await? == 1)
    }

    /// The hashes of a user's codes and apps' refresh tokens, which are their keys in the directory.
    pub(in super::super) async fn app_token_hashes(&mut self, user: UserId) -> StoreResult<Vec<String>> {
        let of_codes = codes::table.filter(codes::user_id.eq(Stored(user))).select(codes::hash);
        let mut hashes: Vec<String> = self.all(of_codes).await?;
        let of_tokens = tokens::table.filter(tokens::user_id.eq(Stored(user))).select(tokens::hash);
        hashes.append(&mut self.all(of_tokens).await?);
        Ok(hashes)
    }
}
