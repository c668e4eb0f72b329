//! SQLite: a migrated template file is copied for each test.

use super::{Database, Place, template};
use rusqlite::{Connection, OpenFlags, types::ValueRef};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

/// Templates of builds that are older than this are no longer used.
const STALE: Duration = Duration::from_hours(24);

#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
    /// Removed with everything in it.
    _folder: TempDir,
}

/// A new migrated SQLite database.
pub async fn fresh_sqlite() -> Database {
    let folder = TempDir::with_prefix("octavo-test-").expect("a temporary folder");
    let path = folder.path().join("octavo.db");
    let template = template_file().await;
    fs::copy(&template, &path).expect("the template can be copied");
    let url = format!("sqlite:{}", path.display());
    Database { url, place: Place::Sqlite(File { path, _folder: folder }) }
}

/// The first test migrates a file under another name and renames it. If two tests do so at the same time, both files
/// are equal.
async fn template_file() -> PathBuf {
    let folder = std::env::temp_dir().join("octavo-test-templates");
    let path = folder.join(template::build()).with_extension("db");
    if path.exists() {
        return path;
    }
    fs::create_dir_all(&folder).expect("a folder for templates");
    remove_stale(&folder).expect("the folder of templates can be swept");
    let draft = TempDir::new_in(&folder).expect("a temporary folder");
    let file = draft.path().join("draft.db");
    octavo_storage::migrate(&format!("sqlite:{}", file.display())).await.expect("the template can be migrated");
    // A copy of the file must be complete.
    Connection::open(&file)
        .and_then(|conn| conn.execute_batch("PRAGMA journal_mode = DELETE"))
        .expect("no log remains");
    fs::rename(&file, &path).expect("the template can be put in place");
    path
}

fn remove_stale(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(about) = entry.metadata() else { continue };
        let age = SystemTime::now().duration_since(about.modified()?).unwrap_or_default();
        if age > STALE && about.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

impl File {
    fn open(&self) -> Connection {
        let conn = Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("the file opens");
        conn.busy_timeout(Duration::from_secs(10)).expect("a timeout can be set");
        conn
    }

    pub(super) fn execute(&self, sql: &str) {
        self.open().execute_batch(sql).unwrap_or_else(|fault| panic!("{sql}: {fault}"));
    }

    pub(super) fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        let conn = self.open();
        let mut statement = conn.prepare(sql).unwrap_or_else(|fault| panic!("{sql}: {fault}"));
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| (0..columns).map(|index| row.get_ref(index).map(text)).collect());
        rows.and_then(Iterator::collect).unwrap_or_else(|fault| panic!("{sql}: {fault}"))
    }
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
