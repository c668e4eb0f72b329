//! Rows of signing keys.

use crate::{schema::signing_keys, stored::Stored};
use diesel::prelude::{Insertable, Queryable, Selectable};
use octavo_core_model::Timestamp;
use octavo_ports::signing_keys::{KeyPurpose, SigningKey};
use serde_json::Value;

#[derive(Debug, Insertable, Queryable, Selectable)]
#[diesel(table_name = signing_keys, treat_none_as_default_value = false)]
pub struct SigningKeyRow {
    purpose: Stored<KeyPurpose>,
    public: Value,
    sealed: Vec<u8>,
    created_at: i64,
}

impl From<&SigningKey> for SigningKeyRow {
    fn from(key: &SigningKey) -> Self {
        Self {
            purpose: Stored(key.purpose),
            public: key.public.clone(),
            sealed: key.sealed.clone(),
            created_at: key.created_at.millis(),
        }
    }
}

impl From<SigningKeyRow> for SigningKey {
    fn from(row: SigningKeyRow) -> Self {
        Self {
            purpose: row.purpose.0,
            public: row.public,
            sealed: row.sealed,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}
