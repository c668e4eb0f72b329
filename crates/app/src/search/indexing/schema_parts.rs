//! Whether a change of a schema changes texts of records.
//!
//! The index of texts of a database has the parts of its schema on which texts of records depend, and how many these
//! were. A new property or option is a new part, and changes no text. If an old part is missing, something was removed or
//! renamed, and the records are indexed again.

use octavo_core_model::id::WorkspaceId;
use octavo_databases::{Schema, options::Options};
use octavo_ports::search::{Dependency, IndexFailure, SearchIndex, UnitKey};

/// The parts of a schema, and last their number.
pub(super) fn of(schema: &Schema, epoch: i64) -> Vec<Dependency> {
    let part = |words: &[&[u8]]| hash(schema, words);
    let mut parts = vec![part(&[b"epoch", &epoch.to_be_bytes()])];
    for property in schema.properties() {
        let id = property.id.bits().to_be_bytes();
        // The text of a number shows what is in front of it.
        let shown = property.config.unique_id(0);
        parts.push(part(&[b"property", &id, property.kind().name().as_bytes(), shown.as_bytes()]));
        for option in property.config.options().into_iter().flat_map(Options::list) {
            parts.push(part(&[b"option", &id, option.id.as_str().as_bytes(), option.name.as_str().as_bytes()]));
        }
    }
    let parts_and_count = parts.len();
    parts.push(count(schema, parts_and_count));
    parts
}

fn count(schema: &Schema, parts: usize) -> Dependency {
    hash(schema, &[b"count", &(parts as u64).to_be_bytes()])
}

/// Whether the records of a database were indexed with all that this schema has kept of an earlier one.
pub(super) fn are_current(
    index: &dyn SearchIndex,
    workspace: WorkspaceId,
    schema: &Schema,
    epoch: i64,
) -> Result<bool, IndexFailure> {
    let database = UnitKey::Database(schema.database());
    let has = |part| Ok(index.list_depending(workspace, part, None, 1)?.contains(&database));
    let mut known = 0;
    let parts = of(schema, epoch);
    for part in &parts[..parts.len() - 1] {
        known += usize::from(has(*part)?);
    }
    has(count(schema, known))
}

fn hash(schema: &Schema, words: &[&[u8]]) -> Dependency {
    let mut hash = blake3::Hasher::new();
    hash.update(&schema.database().bits().to_be_bytes());
    for word in words {
        hash.update(&(word.len() as u64).to_be_bytes()).update(word);
    }
    let mut first = [0; 8];
    hash.finalize_xof().fill(&mut first);
    Dependency::Schema(u64::from_be_bytes(first))
}
