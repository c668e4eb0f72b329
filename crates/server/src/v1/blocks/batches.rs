//! `/blocks` and `/blocks/batch`

use super::batch_body::{BatchBody, read};
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, IfMatch, RouteReply, routes},
    wire::{Written as Shape, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    blocks::{self, Written},
};
use octavo_core_model::{
    Fault, Level,
    fault::{BlockProblem, Conflict, Denial},
    id::{BlockId, UserId},
    version::{Expected, Stale},
};

reply! {
    /// The result of a batch.
    pub(crate) BatchReply {
        /// How many operations were applied.
        applied "applied": required u64 = 1,
        /// The block of each operation, in order.
        block_ids "blockIds": required Vec<BlockId>,
        /// The new version of the page.
        version "version": required i64 = 8,
    }
}

impl RouteReply for BatchReply {}

impl From<Written> for BatchReply {
    fn from(Written { blocks, version }: Written) -> Self {
        Self { applied: blocks.len() as u64, block_ids: blocks, version }
    }
}

/// The largest size of a batch in bytes.
const MAX_BYTES: usize = 1 << 20;

pub(super) const LOCKED: Fault = Fault::Conflict(Conflict::PageLocked { by: UserId::LOWEST });
pub(super) const STALE_BASE: Fault = Fault::Conflict(Conflict::StaleBase(Stale { actual: 7, received: 6 }));

/// A flaw of a single operation, for the description.
macro_rules! refused {
    ($problem:expr) => {
        Fault::Blocks(std::borrow::Cow::Borrowed(&[octavo_core_model::fault::BlockFlaw {
            operation: None,
            part: None,
            problem: $problem,
        }]))
    };
}

pub(crate) use refused;

routes! {
    /// Changes many blocks of a page at once.
    ///
    /// For callers that may edit the page. The operations are applied in order, in one transaction: an operation may
    /// name a block that an earlier one creates. If one cannot be applied, none is, and the details name each flawed
    /// operation by its index. To insert several blocks one after the other, name the previous one as `afterBlockId`;
    /// without a place a block is added at the end. Deleting a block deletes everything in it, and all instances of
    /// these blocks.
    POST "/blocks" as changeBlocks | "/blocks/batch" as batchBlocks => write {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (version: IfMatch, body: Body<BatchBody>),
        answers: { 201: BatchReply },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            STALE_BASE,
            LOCKED,
            Fault::Conflict(Conflict::PageTrashed),
            refused!(BlockProblem::InvalidNesting { block: BlockId::LOWEST, parent: None }),
            Fault::TooManyOperations(200),
        ],
        events: [BlocksChanged, PageUpdated],
        max_body: Some(MAX_BYTES),
    }
}

async fn write(dispatcher: Dispatcher, call: Call, version: Draft<Option<Expected>>, body: Draft<BatchBody>) -> Answer {
    let (page, batch) = read(body, version);
    let shape = |written| Reply::json(201, &Shape(&BatchReply::from(written)));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(blocks::write(unit, page.clone(), batch.clone())), shape)
        .await
}
