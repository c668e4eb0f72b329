//! What every call of the store returns.

use octavo_core_model::StoreError;

pub type StoreResult<T> = Result<T, StoreError>;
