//! The links that records show.

use super::{ends, reader::Reader, side_of};
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::id::{PropertyId, RecordId, WorkspaceId};
use octavo_databases::Property;
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// The links of records, by record and property, in their order.
pub(crate) type RecordLinks = BTreeMap<RecordId, BTreeMap<PropertyId, Vec<RecordId>>>;

/// How many links a value shows where several records are listed. Any number of records can link the same one, and its
/// value would grow with them.
pub(crate) const SHOWN: u32 = 1_000;

/// How many links a value of a single record shows, and can be sent with. Whoever sends back what they have read
/// should remove no link by that.
pub(crate) const SHOWN_OF_ONE: u32 = 10_000;

/// The first links of some records of one database: at most `most` for each relation among the properties, and only to records
/// that the reader sees. One statement for each relation, and those of [`Reader::visible`]; none without relations.
pub(crate) async fn links_of<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    reader: Reader<'_>,
    properties: &[&Property],
    records: &[RecordId],
    most: u32,
) -> AppResult<RecordLinks> {
    let mut found = Vec::new();
    for property in properties {
        let Some(relation) = property.config.relation() else { continue };
        let side = side_of(property, relation);
        for link in scope.tx.record_links().list_first(workspace, side, records, most).await? {
            let (record, target) = ends(side, &link);
            found.push((record, property.id, (relation.target, target)));
        }
    }
    let targets: BTreeSet<_> = found.iter().map(|(_, _, target)| *target).collect();
    let targets = reader.visible(scope, workspace, &targets).await?;
    let mut links = RecordLinks::new();
    for (record, property, target) in found.into_iter().filter(|(_, _, target)| targets.contains(target)) {
        links.entry(record).or_default().entry(property).or_default().push(target.1);
    }
    Ok(links)
}
