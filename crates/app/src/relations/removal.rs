//! What the removal of records means for those that are linked with them.

use super::{OtherSides, side_of};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::id::{RecordId, WorkspaceId};
use octavo_databases::{Schema, types::Side};
use std::collections::BTreeSet;

/// How many links are read at once.
const CHUNK: u32 = 1_000;

/// How many links are reported. Any number of records can link the same one; those of further links lose them without a
/// new version.
const MOST_REPORTED: usize = 10_000;

/// Finds the records that lose links when records of one database are removed: those that link them, and those that show
/// from the other side that they are linked. Call it before the links are removed. One statement, one more for each record
/// if relations lead to their database, and one for each relation with a reverse.
pub(crate) async fn other_sides_of_removed(
    unit: &mut Unit,
    workspace: WorkspaceId,
    schema: &Schema,
    removed: &[RecordId],
) -> AppResult<OtherSides> {
    let mut found = OtherSides::default();
    let mut count = 0;
    let related = unit.tx.databases().list_related(workspace, schema.database()).await?;
    for record in removed.iter().filter(|_| !related.is_empty()) {
        let mut after = None;
        loop {
            let links = unit.tx.record_links().list_linking(workspace, *record, after, CHUNK).await?;
            after = links.last().map(|(property, link)| (*property, link.source));
            count += links.len();
            for (property, link) in &links {
                found.insert(link.source, *property);
            }
            if links.len() < CHUNK as usize || count >= MOST_REPORTED {
                break;
            }
        }
    }
    for property in schema.properties() {
        let Some(relation) = property.config.relation().filter(|relation| relation.side == Side::Source) else {
            continue;
        };
        let Some(reverse) = &relation.reverse else { continue };
        let links = unit.tx.record_links().list_first(workspace, side_of(property, relation), removed, CHUNK).await?;
        for link in links {
            found.insert(link.target, reverse.property);
        }
    }
    found.leave_out(&removed.iter().copied().collect::<BTreeSet<_>>());
    unit.expect_content(found.records().len() as u64, 0)?;
    Ok(found)
}
