//! The links of copied records.

use super::{Original, Originals, plan::Plan};
use crate::{
    outcome::AppResult,
    relations::{Reader, ends, side_of},
    scope::Unit,
};
use octavo_core_model::{
    fault::Unprocessable,
    id::{PropertyId, WorkspaceId},
    record::RecordLink,
};
use octavo_databases::{
    Property,
    copy::RelationCopy,
    types::{RelationConfig, Side},
};
use octavo_ports::record_links::LinkSide;

/// How many links one call copies.
const MOST: u64 = 100_000;

/// How many links are read at once.
const RECORDS_AT_ONCE: usize = 1_000;

/// A relation of a database that is copied.
struct Copied<'a> {
    original: &'a Original,
    relation: &'a RelationConfig,
    side: LinkSide,
    fate: RelationCopy,
    /// The copy of the property.
    property: PropertyId,
}

/// Copies the links between copied records, and those of copied records to others that the reader sees. Several statements
/// for each relation.
pub(super) async fn copy_links(
    unit: &mut Unit,
    reader: Reader<'_>,
    to: WorkspaceId,
    originals: &Originals,
    plan: &Plan<'_>,
) -> AppResult<()> {
    let relations: Vec<_> = originals.0.iter().flat_map(|original| relations(original, plan)).collect();
    let mut count = 0;
    for relation in &relations {
        count += unit.tx.record_links().count(relation.original.database.workspace, relation.side.property).await?;
    }
    if count > MOST {
        return Err(Unprocessable::TooLarge.into());
    }
    unit.expect_content(count, 0)?;
    for relation in relations {
        let links = links(unit, reader, &relation, plan).await?;
        if !links.is_empty() {
            unit.tx.record_links().insert(to, relation.property, &links).await?;
        }
    }
    Ok(())
}

fn relations<'a>(original: &'a Original, plan: &'a Plan<'_>) -> impl Iterator<Item = Copied<'a>> {
    let relation = move |property: &'a Property| {
        let relation = property.config.relation()?;
        let fate = plan.fate(relation);
        // Both sides of a relation have the same links.
        let is_shown_twice = fate == RelationCopy::Within && relation.side == Side::Reverse;
        if fate == RelationCopy::Dropped || is_shown_twice {
            return None;
        }
        let property_of_copy = plan.names.property(property.id)?;
        Some(Copied { original, relation, side: side_of(property, relation), fate, property: property_of_copy })
    };
    original.schema.properties().iter().filter_map(relation)
}

async fn links(
    unit: &mut Unit,
    reader: Reader<'_>,
    copied: &Copied<'_>,
    plan: &Plan<'_>,
) -> AppResult<Vec<RecordLink>> {
    let Copied { original, relation, side, fate, .. } = copied;
    let workspace = original.database.workspace;
    let ids: Vec<_> = original.records.iter().map(|record| record.id).collect();
    let mut found = Vec::new();
    for ids in ids.chunks(RECORDS_AT_ONCE) {
        found.extend(unit.tx.record_links().list(workspace, *side, ids).await?);
    }
    if *fate == RelationCopy::Within {
        let copy = |link: &RecordLink| {
            let (source, target) = (plan.copies.record(link.source)?, plan.copies.record(link.target)?);
            Some(RecordLink { source, target, ..*link })
        };
        return Ok(found.iter().filter_map(copy).collect());
    }
    let targets = found.iter().map(|link| (relation.target, ends(*side, link).1)).collect();
    let seen = reader.visible(unit, workspace, &targets).await?;
    let copy = |link: &RecordLink| {
        let (own, target) = ends(*side, link);
        let source = plan.copies.record(own)?;
        if !seen.contains(&(relation.target, target)) {
            return None;
        }
        let source_order = if side.is_reverse { link.target_order } else { link.source_order };
        let target_order = if side.is_reverse { link.source_order } else { link.target_order };
        Some(RecordLink { source, target, source_order, target_order })
    };
    Ok(found.iter().filter_map(copy).collect())
}
