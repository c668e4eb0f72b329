//! The areas of the store, compiled for SQLite.
//!
//! Their source is the folder `areas` of `crates/storage`. It is compiled here and in `octavo-storage-areas-postgres`, so
//! that the compiler works on both at the same time, and each of them calls its own engine `dialect`.

#[path = "../../storage/areas/mod.rs"]
mod areas;

use areas::EngineStore;
use octavo_ports::store::Store;
use octavo_storage_common::{OpenError, Options, faults, migrations, owner_shares, parts, write_turns};
use octavo_storage_sqlite as dialect;
use octavo_storage_tables::{prepared, rows, schema, stored};
use std::{path::Path, sync::Arc};

type Db = diesel::sqlite::Sqlite;
type Conn = dialect::Conn;

/// Opens a file that is up to date.
pub fn open(path: &Path, options: &Options) -> Result<Arc<dyn Store>, OpenError> {
    if !path.is_file() {
        return Err(OpenError::Missing(path.to_owned()));
    }
    let status = dialect::migration_status(path)?;
    status.refuse_different()?;
    let engine = dialect::Engine::open(path, options)?;
    Ok(Arc::new(EngineStore::new(engine, migrations::Expected::of(&status), options)))
}
