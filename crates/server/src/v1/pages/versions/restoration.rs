//! `/pages/{pageId}/versions/{versionId}/restore`

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, IfMatch, Path, RouteReply, expected_version, routes},
    v1::pages::page::PageReply,
    wire::{Documented, Named, Several, Version, Writable, Written, body},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    pages::versions::{self, Restoration, Restored},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Conflict, Denial},
    id::{BlockId, PageId, PageVersionId, UserId},
    version::{Expected, Stale},
};
use serde::{Serializer, ser::SerializeStruct};
use serde_json::{Value, json};
use std::borrow::Cow;

body! {
    /// What to restore.
    pub(crate) RestorationBody {
        /// Deleted blocks to restore; by default the whole page.
        block_ids "blockIds": optional Several<BlockId, 1, 200>,
        /// The version of the page that the call is based on.
        version "version": optional Version,
    }
}

/// A page that was restored to a version.
#[derive(Debug)]
pub(crate) struct RewoundReply {
    page: PageReply,
    restored: Vec<BlockId>,
    removed: Vec<BlockId>,
}

impl RouteReply for RewoundReply {}

impl Documented for RewoundReply {
    const HOLDS_SECRET: bool = PageReply::HOLDS_SECRET;

    fn schema() -> Value {
        let list = |about: &str| json!({ "type": "array", "items": BlockId::schema(), "description": about });
        json!({
            "type": "object",
            "properties": {
                "data": PageReply::schema(),
                "restoredBlockIds": list("Blocks that came back, or are again what or where they were."),
                "removedBlockIds": list("Blocks that the version does not show."),
            },
            "required": ["data", "restoredBlockIds", "removedBlockIds"],
        })
    }

    fn example() -> Value {
        json!({ "data": PageReply::example(), "restoredBlockIds": [BlockId::example()], "removedBlockIds": [] })
    }

    fn collect(named: &mut Named) {
        PageReply::collect(named);
    }
}

impl Writable for RewoundReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("RewoundReply", 3)?;
        shown.serialize_field("data", &Written(&self.page))?;
        shown.serialize_field("restoredBlockIds", &self.restored)?;
        shown.serialize_field("removedBlockIds", &self.removed)?;
        shown.end()
    }
}

routes! {
    /// Restores a page to a version.
    ///
    /// For callers that may edit it. Without `blockIds`, restores title, icon, cover and all blocks: blocks that are
    /// not in the version are deleted, deleted ones return, and all keep their ids. With `blockIds`, restores only
    /// these, if they are deleted, each with its descendants: to their old place, or to the end of the page if that
    /// is gone. An instance is not restored without its source. The state before is saved as a version. If nothing
    /// differs, nothing changes.
    POST "/pages/{pageId}/versions/{versionId}/restore" as restorePageVersion => restore {
        caller: Inside(RouteAccess::PAGES_CHANGE),
        limits: [],
        takes: (page: Path<PageId>, id: Path<PageVersionId>, version: IfMatch, body: Body<RestorationBody>),
        answers: { 200: RewoundReply },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Conflict(Conflict::Stale(Stale { actual: 7, received: 6 })),
            Fault::Conflict(Conflict::PageLocked { by: UserId::LOWEST }),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::NotInVersion(Cow::Borrowed(&[BlockId::LOWEST])),
            Fault::Compute(ComputeFault::MemoryFull),
        ],
        events: [PageVersionRestored, BlocksChanged, PageUpdated],
    }
}

async fn restore(
    dispatcher: Dispatcher,
    call: Call,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
    version: Draft<Option<Expected>>,
    body: Draft<RestorationBody>,
) -> Answer {
    let draft = version.and_then(|header| {
        let body = body?;
        let expected = expected_version(header, body.version.map(|version| version.0))?;
        Ok(Restoration { blocks: body.block_ids.map(|ids| ids.0.into_iter().collect()), expected })
    });
    let shape = |Restored { shown, restored, removed }| {
        Reply::json(200, &Written(&RewoundReply { page: shown.into(), restored, removed }))
    };
    dispatcher
        .write_repeatably(
            call,
            move |unit| Box::pin(versions::restore(unit, page.clone(), id.clone(), draft.clone())),
            shape,
        )
        .await
}
