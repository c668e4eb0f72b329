//! The keys with which this deployment signs.

use super::Scope;
use crate::{rows::signing_keys::SigningKeyRow, schema::signing_keys};
use diesel::prelude::*;
use octavo_ports::{
    signing_keys::{KeyPurpose, SigningKey, SigningKeyReads, SigningKeys},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl SigningKeyReads for Scope {
    async fn find(&mut self, purpose: KeyPurpose) -> StoreResult<Option<SigningKey>> {
        let key = signing_keys::table.find(purpose.name()).select(SigningKeyRow::as_select());
        Ok(self.optional(key).await?.map(SigningKey::from))
    }
}

#[area]
impl SigningKeys for Scope {
    async fn insert(&mut self, key: &SigningKey) -> StoreResult<bool> {
        let row = SigningKeyRow::from(key);
        let insert = diesel::insert_into(signing_keys::table).values(&row).on_conflict_do_nothing();
        Ok(self.execute(insert).await? == 1)
    }
}
