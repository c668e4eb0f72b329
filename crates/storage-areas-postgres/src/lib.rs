//! The areas of the store, compiled for PostgreSQL.
//!
//! Their source is the folder `areas` of `crates/storage`. It is compiled here and in `octavo-storage-areas-sqlite`, so
//! that the compiler works on both at the same time, and each of them calls its own engine `dialect`.

#[path = "../../storage/areas/mod.rs"]
mod areas;

use areas::EngineStore;
use octavo_ports::store::Store;
use octavo_storage_common::{OpenError, Options, faults, migrations, owner_shares, parts, write_turns};
use octavo_storage_postgres as dialect;
use octavo_storage_tables::{prepared, rows, schema, stored};
use std::sync::Arc;

type Db = diesel::pg::Pg;
type Conn = dialect::Conn;

/// Opens a database that is up to date.
pub async fn open(url: &str, options: &Options) -> Result<Arc<dyn Store>, OpenError> {
    let status = dialect::migration_status(url).await?;
    status.refuse_different()?;
    let engine = dialect::Engine::open(url, options)?;
    Ok(Arc::new(EngineStore::new(engine, migrations::Expected::of(&status), options)))
}
