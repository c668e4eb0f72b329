//! The links that records show.

use super::{ends, side_of, targets::visible};
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::id::{PropertyId, RecordId, WorkspaceId};
use octavo_databases::Schema;
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// The links of records, by record and property, in their order.
pub(crate) type RecordLinks = BTreeMap<RecordId, BTreeMap<PropertyId, Vec<RecordId>>>;

/// How many links a value shows. Any number of records can link the same one, and its value would grow with them.
const SHOWN: u32 = 1_000;

/// The links of records of one database to records that the caller may see. One statement for each relation, and those
/// of [`visible`]; none if the database has no relations.
pub(crate) async fn links_of<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    schema: &Schema,
    records: &[RecordId],
) -> AppResult<RecordLinks> {
    let mut found = Vec::new();
    for property in schema.properties() {
        let Some(relation) = property.config.relation() else { continue };
        let side = side_of(property, relation);
        for link in scope.tx.record_links().list_first(workspace, side, records, SHOWN).await? {
            let (record, target) = ends(side, &link);
            found.push((record, property.id, (relation.target, target)));
        }
    }
    let targets: BTreeSet<_> = found.iter().map(|(_, _, target)| *target).collect();
    let targets = visible(scope, workspace, authority, &targets).await?;
    let mut links = RecordLinks::new();
    for (record, property, target) in found.into_iter().filter(|(_, _, target)| targets.contains(target)) {
        links.entry(record).or_default().entry(property).or_default().push(target.1);
    }
    Ok(links)
}
