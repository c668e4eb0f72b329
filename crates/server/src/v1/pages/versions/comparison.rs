//! `/pages/{pageId}/versions/{versionId}/diff`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Path, Query, routes},
    v1::blocks::block::BlockReply,
    wire::{Data, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    blocks::ShownBlock,
    pages::versions::{self, Comparison, FieldChange},
};
use octavo_blocks_tree::versions::Moved;
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Denial},
    id::{BlockId, PageId, PageVersionId},
    position::Position,
};
use serde_json::Value;

query! {
    /// The state to compare with.
    pub(crate) ComparisonQuery {
        /// Another version of the page; by default its present state.
        to "to": optional PageVersionId,
    }
}

reply! {
    /// A field before and after; null if it was empty.
    pub(crate) ChangedFieldReply {
        /// The value before.
        before "before": nullable String = "Plan",
        /// The value after.
        after "after": nullable String = "Roadmap",
    }
}

reply! {
    /// The changed fields of the page.
    pub(crate) ChangedFieldsReply {
        /// Its title.
        title "title": optional ChangedFieldReply,
        /// Its icon.
        icon "icon": optional ChangedFieldReply,
        /// The address of its cover.
        cover_url "coverUrl": optional ChangedFieldReply,
    }
}

reply! {
    /// A block with different content.
    pub(crate) ChangedBlockReply {
        /// The id of the block.
        block_id "blockId": required BlockId,
        /// The block before.
        before "before": required BlockReply,
        /// The block after.
        after "after": required BlockReply,
    }
}

reply! {
    /// The place of a block.
    pub(crate) BlockPlaceReply {
        /// Its parent block; null at the top of the page.
        parent_id "parentId": nullable BlockId = null,
        /// Its position among its siblings.
        position "position": required Position,
    }
}

reply! {
    /// A block that was moved.
    pub(crate) MovedBlockReply {
        /// The id of the block.
        block_id "blockId": required BlockId,
        /// The old place.
        from "from": required BlockPlaceReply,
        /// The new place.
        to "to": required BlockPlaceReply,
    }
}

reply! {
    /// The differences between two states of a page.
    pub(crate) ComparisonReply {
        /// The changed fields of the page.
        fields "fields": required ChangedFieldsReply,
        /// Added blocks, in the order of the page, each without its children.
        added "added": required Vec<BlockReply>,
        /// Removed blocks.
        removed "removed": required Vec<BlockReply>,
        /// Blocks with different content.
        changed "changed": required Vec<ChangedBlockReply>,
        /// Moved blocks.
        moved "moved": required Vec<MovedBlockReply>,
    }
}

routes! {
    /// Compares a version of a page.
    ///
    /// With another version of the same page or with its present state, for callers that may edit the page.
    GET "/pages/{pageId}/versions/{versionId}/diff" as comparePageVersions => compare {
        caller: Inside(RouteAccess::PAGES),
        limits: [],
        takes: (page: Path<PageId>, id: Path<PageVersionId>, query: Query<ComparisonQuery>),
        answers: { 200: Data<ComparisonReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Compute(ComputeFault::MemoryFull)],
        events: [],
    }
}

async fn compare(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
    query: Draft<ComparisonQuery>,
) -> Answer {
    let to = query.map(|query| query.to);
    let shape = |found| ok(ComparisonReply::from(found));
    dispatcher.read(call, move |view| Box::pin(versions::compare(view, page, id, to)), shape).await
}

impl From<Comparison> for ComparisonReply {
    fn from(Comparison { fields, added, removed, changed, moved }: Comparison) -> Self {
        let blocks = |blocks: Vec<ShownBlock>| blocks.into_iter().map(BlockReply::from).collect();
        Self {
            fields: fields.into(),
            added: blocks(added),
            removed: blocks(removed),
            changed: changed.into_iter().map(ChangedBlockReply::from).collect(),
            moved: moved.into_iter().map(MovedBlockReply::from).collect(),
        }
    }
}

impl From<Vec<FieldChange>> for ChangedFieldsReply {
    fn from(changes: Vec<FieldChange>) -> Self {
        let field = |name: &str| {
            let change = changes.iter().find(|change| change.name == name).cloned()?;
            Some(ChangedFieldReply { before: text(change.before), after: text(change.after) })
        };
        Self { title: field("title"), icon: field("icon"), cover_url: field("coverUrl") }
    }
}

/// All fields of a page are texts.
fn text(value: Value) -> Option<String> {
    if let Value::String(text) = value { Some(text) } else { None }
}

impl From<(ShownBlock, ShownBlock)> for ChangedBlockReply {
    fn from((before, after): (ShownBlock, ShownBlock)) -> Self {
        Self { block_id: after.block.id, before: before.into(), after: after.into() }
    }
}

impl From<Moved> for MovedBlockReply {
    fn from(Moved { block, from, to }: Moved) -> Self {
        let place = |(parent_id, position)| BlockPlaceReply { parent_id, position };
        Self { block_id: block, from: place(from), to: place(to) }
    }
}
