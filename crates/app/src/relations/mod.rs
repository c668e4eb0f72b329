//! Links between records: which of them a caller sees, and what a change of them means.

mod new_links;
mod other_sides;
mod plan;
mod reader;
mod removal;
mod shown;
mod targets;

pub(crate) use new_links::NewLinks;
pub(crate) use other_sides::OtherSides;
pub(crate) use plan::{LinkPlan, LinkWriter, Wanted, plan};
pub(crate) use reader::{Reader, covered_databases};
pub(crate) use removal::other_sides_of_removed;
pub(crate) use shown::{SHOWN as SHOWN_LINKS, SHOWN_OF_ONE, links_of};
pub(crate) use targets::{existing, visible};

use octavo_core_model::{id::RecordId, record::RecordLink};
use octavo_databases::{
    Property,
    types::{RelationConfig, Side},
};
use octavo_ports::record_links::LinkSide;

/// The rows of a relation, seen from the records that have this property.
pub(crate) fn side_of(property: &Property, relation: &RelationConfig) -> LinkSide {
    match (relation.side, &relation.reverse) {
        (Side::Reverse, Some(source)) => LinkSide { property: source.property, is_reverse: true },
        _ => LinkSide { property: property.id, is_reverse: false },
    }
}

/// The same rows, seen from the other side.
pub(crate) const fn other_side(side: LinkSide) -> LinkSide {
    LinkSide { is_reverse: !side.is_reverse, ..side }
}

/// The records at the two ends of a link: the one on this side, and the one that it leads to.
pub(crate) const fn ends(side: LinkSide, link: &RecordLink) -> (RecordId, RecordId) {
    if side.is_reverse { (link.target, link.source) } else { (link.source, link.target) }
}
